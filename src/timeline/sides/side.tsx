// One run: heading, lock lane, the selected task's life, CPU lanes. Draws through the scheduler;
// keeps only scroll and hover.

import { type ReactElement, useCallback, useMemo, useRef } from "react";
import { useAreaOnRows } from "../input/area-rows.ts";
import { useTimelineGestures } from "../input/gestures.ts";
import type { Run, Scene } from "../marks/mark.ts";
import { type LaneRow, type LaneRows, rowsInView, stuck } from "../plot/lane-rows.ts";
import { type Plot, plotWidth } from "../plot/plot.ts";
import type { Selection, TimelineSide } from "../plot/timeline-props.ts";
import { SideHead } from "../tracks/lock-head.tsx";
import { OverAll } from "../tracks/over-all.tsx";
import { LockStrip, TASK_LANE_PX } from "../tracks/strips.tsx";
import { TankTracks } from "../tracks/tank.tsx";
import { AtPlayhead } from "./at-playhead.tsx";
import { useLaneCanvas } from "./lane-canvas.ts";
import { LaneStack } from "./lane-stack.tsx";
import type { SideProps } from "./side-props.ts";
import { SEEK_PX, type SpokenProps } from "./spoken-lanes.tsx";
import { hasTrack } from "./use-lay.ts";

export function Side(props: SideProps): ReactElement {
  const { side, gutter, lock } = props;
  const plots = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const { laid, inView, plot } = usePlot(props);
  const input = { ...props, plotPx: plotWidth(plot), gutterPx: gutter };
  useTimelineGestures(plots, input);
  useAreaOnRows(plots, box, laid, input);
  const run = useRun(side);
  const scene = useMemo<Scene>(() => ({ ...run, plot, lock }), [run, plot, lock]);
  const labels = useLaneCanvas(props, scene, base, marks);
  const calls = useCallsWithSide(props);
  return (
    <section
      className="tl-side"
      aria-label={`${side.id.toUpperCase()}: ${side.whole ?? side.label}`}
      data-testid={`timeline-${side.id}`}
    >
      <div className="tl-top">
        {props.head?.(side.id) ?? (
          <SideHead
            {...props}
            {...side}
            withQueue={props.withLock && props.deepLock}
            cut={props.tools && <props.tools.CutWords id={side.id} plot={plot} />}
          />
        )}
      </div>
      <div ref={plots} className="tl-plots">
        <OverLanes
          {...props}
          plot={plot}
          onWake={calls.onSelect}
          onLane={(cpu) => goToLane(props, plot.rows, inView, cpu)}
        />
        <LaneStack {...props} {...{ scene, run, laid, inView, box, base, marks, calls }} />
        <OverAll {...props} id={side.id} plot={plot} />
        <AtPlayhead {...props} scene={scene} labels={labels} />
      </div>
    </section>
  );
}

/** The side's window: its rows as laid out, those in sight, and where everything lies. */
function usePlot(props: SideProps): {
  readonly laid: LaneRows;
  readonly inView: readonly LaneRow[];
  readonly plot: Plot;
} {
  const { side, viewport, scrollTop, gutter, width, ratio, theme } = props;
  const [laid, rows] = useRows(props);
  const height = Math.min(laid.height, Math.max(props.lanesPx, 60));
  const inView = useMemo(() => rowsInView(rows, scrollTop, height), [rows, scrollTop, height]);
  const { trace } = side;
  const plot = useMemo<Plot>(
    () => ({ trace, viewport, rows, scrollTop, gutter, width, height, ratio, theme }),
    [trace, viewport, rows, scrollTop, gutter, width, height, ratio, theme],
  );
  return { laid, inView, plot };
}

/** The rows as laid out, and as they lie while the lanes are scrolled. */
function useRows({ side, lanesPx, lay, scrollTop }: SideProps): readonly [LaneRows, LaneRows] {
  const cpus = side.trace.lanes.length;
  const laid = useMemo(() => lay(cpus, lanesPx), [cpus, lanesPx, lay]);
  return [laid, useMemo(() => stuck(laid, scrollTop), [laid, scrollTop])];
}

const NO_CHANGES: NonNullable<TimelineSide["changes"]> = [];
const NO_MARKS: readonly string[] = [];

/** The part of a side that marks know: one object as long as nothing in it changes. */
function useRun({
  trace,
  changes = NO_CHANGES,
  asides = NO_MARKS,
  off = NO_MARKS,
}: TimelineSide): Run {
  return useMemo<Run>(() => ({ trace, changes, asides, off }), [trace, changes, asides, off]);
}

/** The owner's callbacks, called with this side. */
function useCallsWithSide({
  side,
  onSelect,
  onPoint,
}: SideProps): Pick<SpokenProps, "onSelect" | "onPoint"> {
  return {
    onSelect: useCallback(
      (selection: Selection | undefined) => onSelect(selection, side.id),
      [onSelect, side.id],
    ),
    onPoint: useCallback((cpu: number) => onPoint(cpu, side.id), [onPoint, side.id]),
  };
}

/** Points at a CPU's lane, and scrolls to a lane out of sight. */
function goToLane(
  { side, onPoint, onScroll }: SideProps,
  rows: LaneRows,
  inView: readonly LaneRow[],
  cpu: number,
): void {
  onPoint(cpu, side.id);
  const row = rows.rowOfCpu[cpu];
  if (row !== undefined && !inView.includes(row)) onScroll(Math.max(0, row.top - SEEK_PX));
}

type OverLanesProps = SideProps & {
  readonly plot: Plot;
  readonly onWake: (selection: Selection | undefined) => void;
  readonly onLane: (cpu: number) => void;
};

/** The tracks over the lanes, from top to bottom. */
function OverLanes(props: OverLanesProps): ReactElement {
  const { over, tools } = props;
  return (
    <>
      {props.withLock && over.lockPx > 0 ? (
        <LockStrip {...props} height={over.lockPx} onCpu={props.onLane} />
      ) : null}
      {props.withTaskLock && over.taskLockPx > 0 ? (
        <div style={{ height: over.taskLockPx }}>
          {tools && <tools.TaskLockTrack {...props} height={over.taskLockLanePx} />}
        </div>
      ) : null}
      <TankTracks {...props} height={over.tankPx} />
      {over.ringPx > 0 ? (
        <div style={{ height: over.ringPx }}>
          {tools && <tools.RingTrack {...props} height={over.ringPx} />}
        </div>
      ) : null}
      {props.withTask ? (
        <div style={{ minHeight: TASK_LANE_PX + 1 }}>{tools && <tools.TaskStrip {...props} />}</div>
      ) : null}
      {over.insteadPx > 0 ? (
        <div style={{ height: over.insteadPx }}>
          {tools && <tools.InsteadTrack {...props} height={over.insteadPx} />}
        </div>
      ) : null}
      {hasTrack(props, "counters") && over.counters ? (
        <div className="tl-counters">{tools && <tools.CounterTrack {...props} />}</div>
      ) : null}
    </>
  );
}
