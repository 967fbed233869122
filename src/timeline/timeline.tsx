// Two runs on one time axis. Controlled: the owner keeps viewport, playhead and selection.

import { useMemo, useRef, useState } from "react";
import type { ComponentProps, CSSProperties, KeyboardEvent, ReactElement, RefObject } from "react";
import { KIND } from "../engine/gen/catalogue.ts";
import type { LockTrack, TraceStore } from "../model/index.ts";
import { TimeAxis } from "./tracks/axis.tsx";
import { useFrameScheduler } from "./draw/frames.ts";
import { pointerShare } from "./input/gestures.ts";
import { handleTimelineKey } from "./input/keys.ts";
import { Pointer } from "./input/pointed.ts";
import { CELLS_STEPS_MAX } from "./tracks/lock.ts";
import { MarkChips } from "./marks/chips.tsx";
import { markedOf } from "./marks/marked.ts";
import { Side } from "./side.tsx";
import type { ShownTank } from "./tracks/tank.tsx";
import { pathsOf, tanksOf } from "./tracks/tank.tsx";
import { tracksRoom, type TracksRoom } from "./tracks/room.ts";
import { firstShown, TankPager } from "./tracks/tank-pager.tsx";
import { cpusSharing } from "./tracks/tubes.ts";
import type { Lay } from "./lanes/rows.ts";
import { hasCounters, useLay, useReveal } from "./lanes/use-lay.ts";
import { useLaneTools } from "./lanes/use-tools.ts";
import type { TimelineTheme } from "./draw/theme.ts";
import { useTheme } from "./draw/use-theme.ts";
import "./timeline.css";
import "./tracks/tracks.css";
import "./tracks/area.css";
import "./lanes/lanes.css";
import "./marks/chips.css";
import type { Area, MarkedWake, TimelineProps, TimelineSide, Viewport } from "./types.ts";
import { usePixelRatio, useHeight, useWidth } from "./draw/use-size.ts";

const GAP_PX = 10;
/** Height for the lanes of one side until the room there is has been measured. */
const LANES_PX = 280;

export function Timeline(props: TimelineProps): ReactElement {
  const { sides, layout, room = "plenty" } = props;
  const root = useRef<HTMLDivElement>(null);
  const whole = useWidth(root);
  const ratio = usePixelRatio();
  const scheduler = useFrameScheduler();
  const theme = useTheme(props.theme);
  const gutter = Math.round(
    theme.fontPx *
      (whole < 600 && sides.every(({ trace }) => trace.lanes.length <= 100) ? 3.4 : 4.4),
  );
  const beside = layout === "beside" && sides.length > 1;
  const width = beside ? Math.floor((whole - GAP_PX) / 2) : whole;
  const body = useRef<HTMLDivElement>(null);
  const { shown, over, quotas } = useTracks(props, body, beside ? 1 : sides.length, width, theme);
  // Sides are level by construction: what one has room for, the other has too, and they scroll
  // together.
  const [lanesPx, setRoom] = useState(LANES_PX);
  const [scrollTop, setScrollTop] = useState(0);
  const [pointer] = useState(() => new Pointer());
  const [draft, setDraft] = useState<Area>();
  const area = draft ?? props.area;
  const tools = useLaneTools();
  const { lay, arranged, tracks } = useLay(tools, props, shown);
  useReveal(props, lay, lanesPx, setScrollTop);
  const { depthMax, withLock, deepLock, withTask, withTaskLock } = shown;
  const queues = { depthMax, withLock, deepLock, withTask, withTaskLock };
  const level = {
    ...queues,
    area,
    pointer,
    width,
    ratio,
    gutter,
    theme,
    scheduler,
    over,
    lay,
    tools,
    lanesPx,
    scrollTop,
  };
  const axis = (
    <Axis {...props} width={width} gutter={gutter} theme={theme} area={area} onDraft={setDraft} />
  );
  return (
    <div
      ref={root}
      className={`tl tl-${theme.name} tl-room-${room} tl-drag-${props.drag} ${beside ? "tl-beside" : ""}`}
      style={{ "--tl-font": `${theme.fontPx}px` } as CSSProperties}
      data-testid="timeline"
      onKeyDown={keysOf(props, shown)}
    >
      {beside ? null : axis}
      {tools === undefined || arranged === undefined ? null : (
        <tools.LanesMenu {...props} arranged={arranged} />
      )}
      <TankPager {...quotas} />
      <div ref={body} className="tl-body">
        {shown.sides.map(({ side, track, wake }) => (
          <div key={side.id} className={`tl-cell tl-cell-${side.id}`}>
            {beside ? axis : null}
            <Side
              {...props}
              {...level}
              side={side}
              onDraft={setDraft}
              lock={track}
              wake={wake}
              tanks={quotas.tanks}
              onRoom={setRoom}
              onScroll={setScrollTop}
            />
          </div>
        ))}
      </div>
      {width > gutter ? props.below?.({ width, gutter, ratio, theme, scheduler }) : null}
      <MarkChips
        {...props}
        theme={theme}
        ratio={ratio}
        cpusPerSilo={quotas.tanks.length > 0 ? siloCpus(sides, lanesPx, lay, theme) : 0}
        runs={sides}
        tracks={tracks}
      />
    </div>
  );
}

/**
 * Until it is known how wide the picture is, the axis has its room: nothing shifts when it comes.
 */
function Axis(props: ComponentProps<typeof TimeAxis>): ReactElement {
  return props.width > props.gutter ? <TimeAxis {...props} /> : <div className="tl-axis-room" />;
}

export interface ShownSide {
  readonly side: TimelineSide;
  readonly track: LockTrack | undefined;
  /** Longest queue of the run on any lock. */
  readonly deepest: number;
  readonly wake: MarkedWake | undefined;
}

export interface Shown {
  readonly sides: readonly ShownSide[];
  readonly depthMax: number;
  readonly withTask: boolean;
  /** Whether there is a lock lane: what a run has to say of its locks is asked for, or a herd. */
  readonly withLock: boolean;
  readonly deepLock: boolean;
  /** Whether tasks share a mutex, or spin for a lock of user space. */
  readonly withTaskLock: boolean;
  /** CPUs worth a full-size row where rows are small: "0 57 84". */
  readonly pins: string;
}

const PINS_MAX = 5;
/** Waiters that two or three CPUs meeting by chance come to: no herd. */
const SHALLOW_MAX = 3;

/** How many CPUs share a silo at the edge of the lanes. */
export function siloCpus(
  sides: TimelineProps["sides"],
  lanesPx: number,
  lay: Lay,
  theme: TimelineTheme,
): number {
  return Math.max(
    1,
    ...sides.map(({ trace }) => cpusSharing(lay(trace.lanes.length, lanesPx), theme)),
  );
}

interface Tanks {
  /** Of all groups with a quota on any side. */
  readonly paths: readonly string[];
  /** Those in the picture. */
  readonly tanks: readonly ShownTank[];
  readonly first: number;
  readonly most: number;
  readonly onFirst: (first: number) => void;
}

/**
 * What stands over the lanes, with the room that `body` has for it, `levels` sides one over the
 * other.
 */
function useTracks(
  props: TimelineProps,
  body: RefObject<HTMLElement | null>,
  levels: number,
  width: number,
  theme: TimelineTheme,
): { readonly shown: Shown; readonly over: TracksRoom; readonly quotas: Tanks } {
  const paths = usePaths(props.sides);
  const shown = useShown(props, paths.length > 0);
  const sidePx = Math.floor(useHeight(body) / Math.max(1, levels));
  const { withLock: lock, withTask: task, withTaskLock: taskLock, sides } = shown;
  const idle = sides.every(({ side, track }) => track === undefined && !side.running);
  const over = tracksRoom(sidePx, width, theme, {
    groups: paths.length,
    lock,
    idle,
    task,
    taskLock,
    counters: hasCounters(props.lanes),
  });
  return { shown, over, quotas: useTanks(props.sides, paths, over.tanks) };
}

function usePaths(sides: TimelineProps["sides"]): readonly string[] {
  return useMemo(() => pathsOf(sides.map((side) => side.trace)), [sides]);
}

function useTanks(sides: TimelineProps["sides"], paths: readonly string[], most: number): Tanks {
  const [asked, onFirst] = useState(0);
  return useMemo(() => {
    const first = firstShown(asked, paths.length, most);
    const shown = paths.slice(first, first + most);
    return {
      paths,
      tanks: tanksOf(
        sides.map(({ trace }) => trace),
        shown,
      ),
      first,
      most,
      onFirst,
    };
  }, [sides, paths, most, asked]);
}

/**
 * What decides about the tracks besides the runs: under tanks a lock lane would take the room of
 * the lanes that the quotas are about.
 */
interface Tracks {
  readonly aboutLocks: boolean;
  readonly aboutTask?: boolean | undefined;
  readonly hasTanks: boolean;
}

function useShown(
  { sides, lock, viewport, aboutLocks, aboutTask }: TimelineProps,
  hasTanks: boolean,
): Shown {
  return useMemo(
    () => shownOf(sides, lock, viewport, { aboutLocks, aboutTask, hasTanks }),
    [sides, lock, viewport, aboutLocks, aboutTask, hasTanks],
  );
}

/** What each side shows of the shared choices: its lock, its wake-up of the selected name. */
export function shownOf(
  sides: TimelineProps["sides"],
  lock: TimelineProps["lock"],
  viewport: Viewport,
  { aboutLocks, aboutTask = false, hasTanks }: Tracks,
): Shown {
  const each = sides.map((side) => {
    const { locks } = side.trace;
    const deepest = locks.deepest();
    const id =
      lock === "deepest" ? (locks.deepestIn(viewport.fromNs, viewport.toNs) ?? deepest) : lock;
    return {
      side,
      track: id === undefined ? undefined : locks.lock(id),
      deepest: deepest === undefined ? 0 : (locks.lock(deepest)?.peak.depth ?? 0),
      wake: markedOf(side.trace, side.selection),
    };
  });
  // Close up the scale fits what is in sight, so that waiters are high enough to carry their
  // numbers; from afar it stays that of the run.
  const { fromNs, toNs } = viewport;
  const near = each.every(({ track }) => (track?.countIn(fromNs, toNs) ?? 0) <= CELLS_STEPS_MAX);
  const depthMax = Math.max(
    near ? 4 : 0,
    ...each.map(({ track, deepest }) => (near ? (track?.peakIn(fromNs, toNs) ?? 0) : deepest)),
  );
  const deepLock = each.some(({ deepest }) => deepest > SHALLOW_MAX);
  const withTask = aboutTask || each.some(({ wake }) => wake !== undefined);
  const withLock = aboutLocks || lock !== "deepest" || (deepLock && !hasTanks);
  // A spin lock for which nobody spins has nothing to show.
  const withTaskLock = sides.some(
    ({ trace: { shape, events } }) =>
      events.rowsOf([KIND.UserSpin]).count > 0 ||
      shape.objects?.some(({ sort }) => sort === "mutex"),
  );
  return { sides: each, depthMax, withLock, deepLock, withTask, withTaskLock, pins: pinsOf(each) };
}

/**
 * The CPUs worth a full-size row: the owner of the deepest lock, the CPU of the selected wake-up,
 * those of the worst ones. While a run is being computed its worst change all the time; rows that
 * jump are worse than rows that wait.
 */
function pinsOf(sides: readonly ShownSide[]): string {
  const owners = sides.flatMap(({ side }) => side.trace.locks.deepest() ?? []);
  const selected = sides.flatMap(({ wake }) => wake?.cpu ?? []);
  const done = sides.flatMap(({ side: { trace, running } }) => (running ? [] : [trace]));
  const [worst = [], ...others] = [0, 1, 2].map((nth) =>
    done.flatMap((trace) =>
      trace.wakes
        .worst(3)
        .slice(nth, nth + 1)
        .map((row) => trace.wakes.cpuOf(row)),
    ),
  );
  const throttled = done.flatMap((trace) => longestThrottled(trace) ?? []);
  const cpus = Math.max(0, ...sides.map(({ side }) => side.trace.lanes.length));
  return [...new Set([...owners, ...selected, ...worst, ...throttled, ...others.flat()])]
    .filter((cpu) => cpu < cpus)
    .slice(0, PINS_MAX)
    .join(" ");
}

const throttledLongest = new WeakMap<TraceStore, number>();

/** The CPU of the longest throttled stretch of a run that is done. */
function longestThrottled(trace: TraceStore): number | undefined {
  const known = throttledLongest.get(trace);
  if (known !== undefined || trace.quota.limited.length === 0) return known;
  let longest = 0;
  trace.quota.visitThrottled(0, trace.endNs, trace.endNs, (fromNs, toNs, cpu) => {
    if (toNs - fromNs <= longest) return;
    longest = toNs - fromNs;
    throttledLongest.set(trace, cpu);
  });
  return throttledLongest.get(trace);
}

/** The keys of the time axis, for whoever has the focus inside. */
function keysOf(
  { viewport, domainNs, playheadNs, focus, theme, onViewport }: TimelineProps,
  shown: Shown,
): (event: KeyboardEvent) => void {
  return (event) => {
    // Before a projector F is the page's: it leaves the stage alone.
    if (event.code === "KeyF" && theme === "projector") return;
    const next = handleTimelineKey(event, {
      viewport,
      domainNs,
      playheadNs,
      pointer: pointerShare(),
      focus: focusOf(shown, focus),
    });
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onViewport(next, "end");
  };
}

/**
 * The selected wake-up where it happened: that of the side in focus, the other side's where that
 * one has none.
 */
function focusOf(shown: Shown, focus: TimelineProps["focus"]): Viewport | undefined {
  const wake =
    shown.sides.find(({ side }) => side.id === focus)?.wake ??
    shown.sides.find((each) => each.wake !== undefined)?.wake;
  return wake === undefined ? undefined : { fromNs: wake.dueNs, toNs: wake.dueNs + wake.latencyNs };
}
