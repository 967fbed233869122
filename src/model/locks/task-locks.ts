// Locks that tasks hold: mutexes of user space and of the kernel, spin locks of user space. Which
// tasks hold and want one, at which strength, and what keeps a holder off its CPU. Built of rows
// when asked for: few runs have any. True of one run; must not know where its words appear.

import { FIELD, KIND, NONE } from "../../engine/gen/catalogue.ts";
import { fieldOf } from "../../lib/bit-field.ts";
import type { EventTable } from "../trace/events.ts";
import { LockTrack, type LockRows } from "../trace/kernel-locks.ts";
import { isRealTime } from "../tasks/policies.ts";
import { taskSpans, type TaskSpan } from "../tasks/task-track.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import { userLockName } from "./user-locks.ts";

const KINDS = [
  KIND.ObjectWait,
  KIND.ObjectWake,
  KIND.MutexOwner,
  KIND.UserSpin,
  KIND.UserSpinEnd,
  KIND.UserLockOwner,
];
/** The kernel's own number of a real-time priority counts down from here. */
const RT_TOP = 99;

const MUTEX_ROWS: LockRows = {
  who: ({ kind, a, b }, row) => (kind.at(row) === KIND.MutexOwner ? taskOr(b.at(row)) : a.at(row)),
  joins: ({ kind }, row) => kind.at(row) === KIND.ObjectWait,
  leaves: ({ kind }, row) => kind.at(row) === KIND.ObjectWake,
  onlyWanted: false,
};

/**
 * Who turns to the lock of another CPU leaves the queue of the first: that row begins another spin.
 */
const SPIN_ROWS: LockRows = {
  who: ({ kind, a, b }, row) =>
    kind.at(row) === KIND.UserSpinEnd ? fieldOf(FIELD.SpunTask, a.at(row)) : taskOr(b.at(row)),
  joins: ({ kind, a }, row, id) => kind.at(row) === KIND.UserSpin && a.at(row) === id,
  leaves: ({ kind }, row) => kind.at(row) !== KIND.UserLockOwner,
  onlyWanted: true,
};

function taskOr(column: number): number | undefined {
  return column === NONE ? undefined : column;
}

interface Known {
  /** Rows looked at so far. */
  seen: number;
  readonly tracks: Map<number, LockTrack>;
  /** The lock that each task spins for: the row that ends a spin does not name it. */
  readonly spins: Map<number, number>;
}

const known = new WeakMap<TraceStore, Known>();

function tracksOf(store: TraceStore): ReadonlyMap<number, LockTrack> {
  const { events, shape } = store;
  const here = known.get(store) ?? {
    seen: 0,
    tracks: new Map<number, LockTrack>(),
    spins: new Map<number, number>(),
  };
  known.set(store, here);
  const mutexes = new Set(shape.objects?.flatMap(({ id, sort }) => (sort === "mutex" ? [id] : [])));
  const rows = events.rowsOf(KINDS);
  const add = (id: number, row: number, says: LockRows): void => {
    const track = here.tracks.get(id) ?? new LockTrack(events, id, says);
    here.tracks.set(id, track);
    track.append(row);
  };
  for (; here.seen < rows.count; here.seen += 1) {
    const row = rows.at(here.seen);
    const mutex = mutexOf(events, row);
    if (mutex === undefined)
      for (const id of spinLocksOf(events, row, here.spins)) add(id, row, SPIN_ROWS);
    else if (mutexes.has(mutex)) add(mutex, row, MUTEX_ROWS);
  }
  return here.tracks;
}

/** The object that a row is about; undefined of a spin lock. */
function mutexOf({ kind, a, b }: EventTable, row: number): number | undefined {
  if (kind.at(row) === KIND.MutexOwner) return a.at(row);
  return kind.at(row) === KIND.ObjectWait || kind.at(row) === KIND.ObjectWake
    ? b.at(row)
    : undefined;
}

/**
 * The spin locks that a row is about: two, where a task turns from one to another. Keeps `spins` in
 * step.
 */
function spinLocksOf(
  { kind, a, b }: EventTable,
  row: number,
  spins: Map<number, number>,
): readonly number[] {
  const lock = a.at(row);
  if (kind.at(row) === KIND.UserLockOwner) return [lock];
  const ends = kind.at(row) === KIND.UserSpinEnd;
  const task = ends ? fieldOf(FIELD.SpunTask, lock) : b.at(row);
  const left = spins.get(task);
  if (ends) spins.delete(task);
  else spins.set(task, lock);
  return [...(left === undefined ? [] : [left]), ...(ends || left === lock ? [] : [lock])];
}

/** Locks that a task has taken or spun for. */
export function taskLocksOf(store: TraceStore): readonly LockTrack[] {
  return [...tracksOf(store).values()];
}

/**
 * The lock for which most tasks wait in [fromNs, toNs), else in the run so far, else the first that
 * a task took.
 */
export function taskLockIn(store: TraceStore, fromNs: number, toNs: number): LockTrack | undefined {
  const tracks = taskLocksOf(store);
  const deepness = (track: LockTrack): number =>
    track.peakIn(fromNs, toNs) * store.shape.tasks.length + track.peak.depth;
  return tracks.reduce<LockTrack | undefined>(
    (best, track) => (best && deepness(best) >= deepness(track) ? best : track),
    undefined,
  );
}

/**
 * Whether tasks spin for a lock, not sleep: then rows name its holder only while a task spins,
 * and the waiters have no order.
 */
export function isSpinLock({ rows }: LockTrack): boolean {
  return rows.onlyWanted;
}

/** Whether rows do not say at `ns` who holds a lock. */
export function isUnrecorded(lock: LockTrack, ns: number): boolean {
  return isSpinLock(lock) && lock.depthAt(ns) === 0;
}

/** "mutex shared", "spin lock of CPU 3". */
export function taskLockName(store: TraceStore, lock: LockTrack): string {
  if (isSpinLock(lock)) return userLockName(store, lock.id);
  return `mutex ${store.shape.objects?.find((object) => object.id === lock.id)?.name ?? String(lock.id)}`;
}

/**
 * The real-time priority that `task` has by inheritance at `ns`; undefined while it has its own.
 */
export function lentPriority(
  { events, shape }: TraceStore,
  task: number,
  ns: number,
): number | undefined {
  const rows = events.rowsOf([KIND.PiSetprio]);
  const own = shape.tasks[task];
  for (let index = rows.firstAt(Math.floor(ns) + 1) - 1; index >= 0; index -= 1) {
    const row = rows.at(index);
    if (events.a.at(row) !== task) continue;
    const priority = RT_TOP - events.b.at(row);
    const ofItsOwn = own !== undefined && isRealTime(own) ? own.priority : 0;
    return priority > ofItsOwn ? priority : undefined;
  }
  return undefined;
}

/** Whether the holder of a lock runs, and if not, why. */
export type Off = "preempted" | "throttled" | "asleep";

/** The reason that keeps a task off its CPU in a span of its life; undefined while it runs. */
export function offIn(
  store: TraceStore,
  task: number,
  { state, cpu, fromNs, toNs }: TaskSpan,
): Off | undefined {
  if (state === "running") return undefined;
  if (state === "sleeping" || state === "blocked") return "asleep";
  const group = store.shape.tasks[task]?.group ?? 0;
  const ns = (fromNs + toNs) / 2;
  const stopped = store.quota
    .throttledAt(cpu, ns, store.endNs)
    .some((each) => store.quota.isBelow(group, each.group));
  return stopped ? "throttled" : "preempted";
}

/** Why a task does not run at an instant. */
export function offAt(store: TraceStore, task: number, ns: number): Off | undefined {
  const [span] = taskSpans(store, task, Math.floor(ns), Math.floor(ns) + 1);
  return span && offIn(store, task, span);
}

/** The instant since which a task in the queue at `ns` waits. */
export function waitsSince(
  { events }: TraceStore,
  lock: LockTrack,
  task: number,
  ns: number,
): number {
  for (let index = lock.indexAfter(ns) - 1; index >= 0; index -= 1) {
    const row = lock.rowAt(index);
    if (lock.rows.joins(events, row, lock.id) && lock.rows.who(events, row) === task)
      return events.time.at(row);
  }
  return 0;
}

/**
 * Until when a task that is in the queue at `ns` waits; undefined where the run does not show it.
 */
export function waitsUntil(
  { events }: TraceStore,
  lock: LockTrack,
  task: number,
  ns: number,
): number | undefined {
  for (let index = lock.indexAfter(ns); index < lock.count; index += 1) {
    const row = lock.rowAt(index);
    if (lock.rows.leaves(events, row, lock.id) && lock.rows.who(events, row) === task)
      return events.time.at(row);
  }
  return undefined;
}
