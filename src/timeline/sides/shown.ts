// What each side shows of the choices that the sides share: the lock, the selected wake-up, which
// tracks there are. Pure.

import { KIND } from "../../engine/gen/catalogue.ts";
import type { LockTrack, TraceStore } from "../../model/index.ts";
import { markedOf } from "../draw/marked-wake.ts";
import type { Lay } from "../plot/lane-rows.ts";
import type { MarkedWake, TimelineProps, TimelineSide, Viewport } from "../plot/timeline-props.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { CELLS_STEPS_MAX } from "../tracks/draw-lock.ts";
import { cpusSharing } from "../tracks/silos.ts";

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

/**
 * Decides about the tracks, besides the runs: under tanks a lock lane would take the room of
 * the lanes that the quotas are about.
 */
interface Tracks {
  readonly aboutLocks: boolean;
  readonly aboutTask?: boolean | undefined;
  readonly hasTanks: boolean;
  /** What carries the step. */
  readonly hero?: string | undefined;
}

/** What each side shows of the shared choices: its lock, its wake-up of the selected name. */
export function shownOf(
  sides: TimelineProps["sides"],
  lock: TimelineProps["lock"],
  viewport: Viewport,
  { aboutLocks, aboutTask = false, hasTanks, hero = "queue" }: Tracks,
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
  // A step that something else carries leaves that the room.
  const byItself = hero === "queue" && (aboutLocks || (deepLock && !hasTanks));
  const withLock = lock !== "deepest" || byItself;
  // A spin lock without a spinning task has nothing to show.
  const withTaskLock = sides.some(
    ({ trace: { shape, events } }) =>
      events.rowsOf([KIND.UserSpin]).count > 0 ||
      shape.objects?.some(({ sort }) => sort === "mutex"),
  );
  return { sides: each, depthMax, withLock, deepLock, withTask, withTaskLock, pins: pinsOf(each) };
}

const PINS_MAX = 5;

/** Waiters that two or three CPUs meeting by chance come to: no herd. */
const SHALLOW_MAX = 3;

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
