// The queue of a lock over a side's lanes. It answers to the pointer; its words come with the
// lanes' tools.

import { useEffect, useMemo, useRef } from "react";
import type { ReactElement } from "react";
import type { LockTrack, Selection } from "../../model/index.ts";
import { preparedContext } from "../../lib/frame-scheduler.ts";
import type { Plot } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import type { TrackTools } from "./track-tools.ts";
import { Asked } from "./asked.tsx";
import { drawLockLane } from "./draw-lock.ts";
import type { TrackProps } from "./track.ts";

export const TASK_LANE_PX = 22;

/**
 * One height for any queue: the lanes of a run without a herd would lie elsewhere, and the
 * picture would jump.
 */
export function lockLanePx(theme: TimelineTheme): number {
  return theme.fontPx * 5;
}

interface LockStripProps extends TrackProps {
  readonly tools: TrackTools | undefined;
  readonly onWake: (selection: Selection) => void;
  readonly lock: LockTrack | undefined;
  /** Height of the lane, CSS px. */
  readonly height: number;
  /** Full height of the scale, shared by the sides. */
  readonly depthMax: number;
  /** A CPU of the queue was pressed, or the holder. */
  readonly onCpu: (cpu: number) => void;
}

export function LockStrip(props: LockStripProps): ReactElement {
  const { side, ratio, scheduler, lock, depthMax, height, tools, onPlayhead, onCpu, onWake } =
    props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { version, id, trace } = side;
  const plot = useMemo(() => ({ ...props.plot, height }), [props.plot, height]);
  const { width } = plot;
  useEffect(() => {
    scheduler.want(`lock ${id}`, () => {
      const context =
        canvas.current === null || width === 0
          ? undefined
          : preparedContext(canvas.current, width, height, ratio);
      if (context === undefined) return;
      if (tools !== undefined && isIdle(plot, lock)) tools.drawHolds(context, plot);
      else drawLockLane(context, plot, lock, depthMax);
    });
  }, [scheduler, id, version, plot, lock, depthMax, width, height, ratio, tools]);
  return (
    <Asked
      width={width}
      tipId="lock-tip"
      ask={(x, y) =>
        lock === undefined || isIdle(plot, lock)
          ? tools?.askHolds(plot, x)
          : tools?.askLock(plot, lock, depthMax, x, y)
      }
      onGo={({ ns, cpu }) => {
        onPlayhead(Math.round(ns));
        if (cpu === undefined) return;
        onCpu(cpu);
        const row = trace.wakes.at(cpu, ns);
        if (row !== undefined) onWake(trace.wakes.selectionOf(row));
      }}
    >
      <canvas
        ref={canvas}
        className="tl-strip"
        style={{ height }}
        aria-hidden="true"
        data-testid={`lock-lane-${id}`}
      />
    </Asked>
  );
}

/** Whether no CPU waits for the lock in view: the lane then shows who takes which lock. */
export function isIdle({ viewport: { fromNs, toNs } }: Plot, lock: LockTrack | undefined): boolean {
  return lock === undefined || lock.peakIn(fromNs, toNs) === 0;
}
