// One run: heading, lock lane, the selected task's life, CPU lanes. Draws through the scheduler;
// keeps only scroll and hover.

import {
  lazy,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { PointerEvent, ReactElement, RefObject } from "react";
import type { LockTrack } from "../model/index.ts";
import { LabelLayer } from "./draw/labels.ts";
import { observeSize } from "../lib/measured.ts";
import { LanePainter } from "./lanes/paint.ts";
import { drawMarks } from "./marks/layer.ts";
import type { Scene } from "./marks/mark.ts";
import { useRun } from "./marks/use-run.ts";
import { AreaOnRows } from "./tracks/area-layer.tsx";
import { OverAll } from "./tracks/over-all.tsx";
import { FlightLayer } from "./tracks/flight-layer.tsx";
import { LinkedPair } from "./tracks/linked-layer.tsx";
import { Playhead, Veil } from "./tracks/playhead.tsx";
import type { FrameScheduler } from "./draw/frames.ts";
import { preparedContext } from "./draw/frames.ts";
import { useSettled } from "./draw/use-settled.ts";
import { useAreaOnRows } from "./input/area-rows.ts";
import { useTimelineGestures } from "./input/gestures.ts";
import { pointOf, tapAt, type Pointer } from "./input/pointed.ts";
import { fitTo } from "./input/viewport.ts";
import type { Hit } from "./marks/hit.ts";
import { hitAt, stretchAt, wakeAt } from "./marks/hit.ts";
import { useRuleWords } from "./marks/rule-words.ts";
import { SideHead } from "./tracks/lock-head.tsx";
import type { TracksRoom } from "./tracks/room.ts";
import { LockStrip, TASK_LANE_PX } from "./tracks/strips.tsx";
import type { Plot } from "./draw/plot.ts";
import { plotWidth, xOf } from "./draw/plot.ts";
import { rowAt, rowsInView, stuck } from "./lanes/rows.ts";
import type { LaneRow, LaneRows, Lay } from "./lanes/rows.ts";
import { hasCounters } from "./lanes/use-lay.ts";
import type { LaneTools } from "./lanes/use-tools.ts";
import { SiloTubes, TankTracks } from "./tracks/tank.tsx";
import type { ShownTank } from "./tracks/tank.tsx";
import type { TimelineTheme } from "./draw/theme.ts";
import { Tip } from "./draw/tip.tsx";
import { LaneTwin } from "./lanes/twin.tsx";
import type {
  Area,
  MarkedWake,
  Selection,
  TimelineProps,
  TimelineSide,
  Viewport,
} from "./types.ts";

const GhostLayer = lazy(() => import("./tracks/ghost-layer.tsx"));

/** What stays in sight above a row that is gone to. */
const SEEK_PX = 140;

export interface SideProps extends Pick<
  TimelineProps,
  | "sides"
  | "viewport"
  | "playheadNs"
  | "domainNs"
  | "playing"
  | "emphasis"
  | "room"
  | "area"
  | "drag"
  | "lanes"
  | "onLanes"
  | "markers"
  | "divergence"
  | "onViewport"
  | "onPlayhead"
  | "onSelect"
  | "onArea"
  | "onPoint"
> {
  readonly side: TimelineSide;
  /** The area while it is dragged. */
  readonly onDraft: (area: Area | undefined) => void;
  /** Where the pointer is, for the other side. */
  readonly pointer: Pointer;
  readonly width: number;
  readonly ratio: number;
  readonly gutter: number;
  readonly theme: TimelineTheme;
  readonly scheduler: FrameScheduler;
  readonly lock: LockTrack | undefined;
  /** Full height of the lock lane's scale, shared by the sides. */
  readonly depthMax: number;
  /**
   * Whether any side has a selected wake-up: both then show a task lane, so that their lanes stay
   * level.
   */
  readonly withTask: boolean;
  /** Without it neither side shows a lock lane: there is nothing to see in one. */
  readonly withLock: boolean;
  /**
   * Whether a queue of the run, on either side, is deep enough to be a herd; else nothing is said
   * of it in words.
   */
  readonly deepLock: boolean;
  /** Whether either side's tasks share a mutex, or spin for a lock of user space. */
  readonly withTaskLock: boolean;
  /** How high what stands over the lanes is, on both sides alike. */
  readonly over: TracksRoom;
  /** Groups with a quota on either side: both show a tank for each. */
  readonly tanks: readonly ShownTank[];
  readonly wake: MarkedWake | undefined;
  /** CSS px there are for the lanes; more lanes than fit scroll. */
  readonly lanesPx: number;
  readonly onRoom: (px: number) => void;
  /** How far the lanes of all sides are scrolled, CSS px. */
  readonly scrollTop: number;
  readonly onScroll: (px: number) => void;
  /** The same on both sides, so that their lanes stay level. */
  readonly lay: Lay;
  readonly tools: LaneTools | undefined;
}

type OverLanesProps = SideProps & {
  readonly plot: Plot;
  readonly onWake: Twin["onSelect"];
  readonly onLane: (cpu: number) => void;
};

/** The tracks over the lanes. */
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
      {props.withTask ? (
        <div style={{ minHeight: TASK_LANE_PX + 1 }}>{tools && <tools.TaskStrip {...props} />}</div>
      ) : null}
      {hasCounters(props.lanes) && over.counters ? (
        <div className="tl-counters">{tools && <tools.CounterTrack {...props} />}</div>
      ) : null}
    </>
  );
}

export function Side(props: SideProps): ReactElement {
  const { side, gutter, theme, viewport, width, lock, scrollTop } = props;
  const room = useRoom(props.onRoom);
  const lanes = useScroll(scrollTop);
  const plots = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const [laid, rows] = useRows(props);
  const laneHeight = Math.min(laid.height, Math.max(props.lanesPx, 60));
  const inView = useMemo(
    () => rowsInView(rows, scrollTop, laneHeight),
    [rows, scrollTop, laneHeight],
  );
  const plot = useMemo<Plot>(
    () => ({
      trace: side.trace,
      viewport,
      rows,
      scrollTop,
      gutter,
      width,
      height: laneHeight,
      ratio: props.ratio,
      theme,
    }),
    [side.trace, viewport, rows, scrollTop, gutter, width, laneHeight, props.ratio, theme],
  );
  const input = { ...props, plotPx: plotWidth(plot), gutterPx: gutter };
  useTimelineGestures(plots, input);
  useAreaOnRows(plots, lanes, laid, input);
  const run = useRun(side);
  const scene = useMemo<Scene>(() => ({ ...run, plot, lock }), [run, plot, lock]);
  const labels = useLaneCanvas(props, scene, base, marks);
  const pointer = usePointer(props, scene);
  const told = useToldOfSide(props);
  return (
    <section
      className="tl-side"
      aria-label={`${side.id.toUpperCase()}: ${side.whole ?? side.label}`}
      data-testid={`timeline-${side.id}`}
    >
      <div className="tl-top">
        <SideHead
          {...props}
          {...side}
          withQueue={props.withLock && props.deepLock}
          cut={props.tools && <props.tools.CutWords id={side.id} plot={plot} />}
        />
      </div>
      <div ref={plots} className="tl-plots">
        <OverLanes
          {...props}
          plot={plot}
          onWake={told.onSelect}
          onLane={(cpu) => goToLane(props, rows, inView, cpu)}
        />
        <div ref={room} className="tl-room">
          <div
            ref={lanes}
            className="tl-lanes"
            style={{ height: laneHeight }}
            onScroll={(event) => props.onScroll(event.currentTarget.scrollTop)}
          >
            <div style={{ height: laid.height }}>
              <div
                className="tl-stack"
                style={{ height: laneHeight }}
                data-testid={`lanes-${side.id}`}
                data-emphasis={props.emphasis?.join(" ")}
                {...pointer.handlers}
              >
                <canvas ref={base} aria-hidden="true" />
                <Ghost {...props} plot={plot} />
                <canvas ref={marks} aria-hidden="true" />
                {props.area === undefined ? null : <AreaOnRows plot={plot} area={props.area} />}
                <LinkedPair pointer={props.pointer} side={side.id} plot={plot} />
                {props.tanks.length > 0 ? <SiloTubes {...props} plot={plot} /> : null}
                {props.tools === undefined ? null : (
                  <props.tools.LaneHeads {...props} side={side.id} plot={plot} />
                )}
                <SpokenLanes {...props} run={run} all={rows.rows} rows={inView} {...told} />
                <LaneTip
                  side={side}
                  tools={props.tools}
                  hit={pointer.hit}
                  width={width}
                  height={laneHeight}
                />
              </div>
            </div>
          </div>
        </div>
        <OverAll {...props} id={side.id} plot={plot} />
        <AtPlayhead {...props} scene={scene} labels={labels} />
      </div>
    </section>
  );
}

/** What the side's rows tell, with the side. */
function useToldOfSide({ side, onSelect, onPoint }: SideProps): Pick<Twin, "onSelect" | "onPoint"> {
  return {
    onSelect: useCallback(
      (selection: Selection | undefined) => onSelect(selection, side.id),
      [onSelect, side.id],
    ),
    onPoint: useCallback((cpu: number) => onPoint(cpu, side.id), [onPoint, side.id]),
  };
}

/** A CPU's lane is meant, and scrolled to where it is out of sight. */
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

function Ghost(props: SideProps & { readonly plot: Plot }): ReactElement | null {
  const { ghost } = props.side;
  return ghost === undefined ? null : (
    <Suspense>
      <GhostLayer {...props} ghost={ghost} />
    </Suspense>
  );
}

type Twin = Parameters<typeof LaneTwin>[0];
type SpokenProps = Omit<SideProps, "onSelect" | "onPoint"> &
  Pick<Twin, "run" | "all" | "rows" | "onSelect" | "onPoint">;

function SpokenLanes({
  side,
  tools,
  lanes,
  onLanes,
  onScroll,
  playheadNs,
  playing,
  ...rest
}: SpokenProps): ReactElement | null {
  // The words come after the picture: there are many of them, and before a run's first row there is
  // nothing to say.
  const known = useDeferredValue(side.version > 0, false);
  const ns = useDeferredValue(useSettled(playheadNs, playing));
  const onSeek = useCallback(
    (row: LaneRow) => onScroll(Math.max(0, row.top - SEEK_PX)),
    [onScroll],
  );
  const onFold = useCallback(
    (group: number) => tools && onLanes(tools.toggleGroup(lanes, group)),
    [tools, lanes, onLanes],
  );
  const onMove = useCallback(
    (cpu: number, by: 1 | -1) => tools && onLanes(tools.movePin(lanes, cpu, by)),
    [tools, lanes, onLanes],
  );
  const { run, all, rows, scrollTop, onPlayhead, onSelect, onPoint } = rest;
  const own = { run, all, rows, scrollTop, onPlayhead, onSelect, onPoint, onSeek, onFold, onMove };
  return known ? (
    <LaneTwin
      {...own}
      title={side.whole ?? side.label}
      version={side.running ? 0 : side.version}
      ns={ns}
    />
  ) : null;
}

/** Tells how high an element is, now and whenever that changes. */
function useRoom(onRoom: (px: number) => void): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = element;
    // A side that has just been taken away is 0 high, which is not the room of the one that stays.
    return current === null
      ? undefined
      : observeSize(current, ({ height }) => current.isConnected && onRoom(Math.floor(height)));
  }, [onRoom]);
  return element;
}

/** Lanes that follow when another side is scrolled. */
function useScroll(scrollTop: number): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (element.current !== null && element.current.scrollTop !== scrollTop)
      element.current.scrollTop = scrollTop;
  }, [scrollTop]);
  return element;
}

/** As laid out, and as they lie while they are scrolled. */
function useRows({ side, lanesPx, lay, scrollTop }: SideProps): readonly [LaneRows, LaneRows] {
  const cpus = side.trace.lanes.length;
  const laid = useMemo(() => lay(cpus, lanesPx), [cpus, lanesPx, lay]);
  return [laid, useMemo(() => stuck(laid, scrollTop), [laid, scrollTop])];
}

/** Every CPU is spoken of alike. */
const ALL: readonly number[] = [];

type Canvas = RefObject<HTMLCanvasElement | null>;

/** Returns the layer that places the words. */
function useLaneCanvas(props: SideProps, scene: Scene, base: Canvas, marks: Canvas): LabelLayer {
  const [labels] = useState(() => new LabelLayer());
  const [painter] = useState(() => new LanePainter());
  const { side, scheduler, wake, width, ratio, emphasis = ALL } = props;
  const { version, running, id } = side;
  const { plot } = scene;
  useEffect(() => {
    scheduler.want(`lanes ${id}`, () => {
      if (base.current === null || marks.current === null || width === 0) return;
      const under = preparedContext(base.current, width, plot.height, ratio);
      const over = preparedContext(marks.current, width, plot.height, ratio);
      if (under === undefined || over === undefined) return;
      painter.paint(under, plot);
      drawMarks(over, scene, labels, { wake, running, emphasis });
    });
  }, [
    scheduler,
    id,
    version,
    running,
    scene,
    plot,
    wake,
    emphasis,
    width,
    ratio,
    painter,
    labels,
    base,
    marks,
  ]);
  return labels;
}

interface LaneTipProps {
  readonly side: TimelineSide;
  readonly tools: LaneTools | undefined;
  readonly hit: PlacedHit | undefined;
  readonly width: number;
  readonly height: number;
}

function LaneTip({ side, tools, hit, ...box }: LaneTipProps): ReactElement | null {
  const last = useRuleWords(side.trace, side.kernel, hit);
  if (hit === undefined) return null;
  const under =
    side.ghost !== undefined && hit.fold === undefined
      ? tools?.ghostLines(side.ghost, hit.cpu, hit.ns)
      : undefined;
  const lines = [...hit.lines, ...(under ?? [])];
  return <Tip {...hit} {...box} lines={lines} last={last} testId="lane-tip" />;
}

interface PlacedHit extends Hit {
  readonly x: number;
  readonly y: number;
}

interface PointerState {
  readonly hit: PlacedHit | undefined;
  readonly handlers: {
    readonly onPointerMove: (event: PointerEvent<HTMLDivElement>) => void;
    readonly onPointerLeave: () => void;
    readonly onClick: (event: React.MouseEvent<HTMLDivElement>) => void;
    readonly onDoubleClick: () => void;
  };
}

/**
 * Only the point is kept: what lies there is asked anew when the picture moves under a resting
 * pointer.
 */
function usePointer(
  {
    side,
    pointer,
    tools,
    lanes,
    domainNs,
    onLanes,
    onSelect,
    onPlayhead,
    onPoint,
    onViewport,
  }: SideProps,
  scene: Scene,
): PointerState {
  const [point, setPoint] = useState<{ readonly x: number; readonly y: number } | undefined>(
    undefined,
  );
  const clicked = useRef<Viewport>(undefined);
  const hit = point === undefined ? undefined : hitAt(scene, point.x, point.y);
  return {
    hit: hit === undefined || point === undefined ? undefined : { ...hit, ...point },
    handlers: {
      onPointerMove: (event) => {
        const at =
          event.buttons === 0 && event.pointerType === "mouse" ? pointOf(event) : undefined;
        setPoint(at);
        const row =
          at === undefined ? undefined : rowAt(scene.plot.rows, at.y + scene.plot.scrollTop);
        const here =
          at === undefined ||
          row?.fold !== undefined ||
          row === undefined ||
          at.x < scene.plot.gutter
            ? undefined
            : { x: at.x, cpu: row.cpu };
        pointer.set(here === undefined ? undefined : { ...here, side: side.id, trace: side.trace });
        if (row !== undefined && row.fold === undefined) onPoint(row.cpu, side.id);
      },
      onPointerLeave: () => {
        setPoint(undefined);
        pointer.set(undefined);
      },
      onClick: (event) => {
        // The first click may have moved the rows: what a second one means is what lay under the
        // first.
        if (event.detail > 1) return;
        const { x, y } = tapAt(event, setPoint);
        const found = hitAt(scene, x, y);
        clicked.current = found && stretchAt(scene.plot, found);
        if (found === undefined) return;
        onPlayhead(Math.round(found.ns));
        if (found.fold !== undefined)
          return tools && onLanes(tools.toggleGroup(lanes, found.fold.group));
        const wake = wakeAt(scene.plot, found);
        if (wake !== undefined) onSelect(wake, side.id);
      },
      onDoubleClick: () => {
        if (clicked.current !== undefined) onViewport(fitTo(clicked.current, domainNs), "end");
      },
    },
  };
}

/** What moves with the playhead, over everything that stands still. */
function AtPlayhead({
  side,
  scene,
  gutter,
  width,
  ratio,
  playing,
  playheadNs,
  tanks,
  tools,
  labels,
}: SideProps & { readonly scene: Scene; readonly labels: LabelLayer }): ReactElement {
  const { plot } = scene;
  const x = xOf(plot, playheadNs);
  return (
    <>
      <Veil x={x} gutter={gutter} width={width} on={playing} />
      {tanks.length > 0 && tools ? (
        <tools.DropLayer
          side={side.id}
          plot={plot}
          tanks={tanks}
          playheadNs={playheadNs}
          labels={labels}
        />
      ) : null}
      {playing ? (
        <FlightLayer side={side.id} scene={scene} ratio={ratio} playheadNs={playheadNs} />
      ) : null}
      <Playhead x={x} gutter={gutter} width={width} />
    </>
  );
}
