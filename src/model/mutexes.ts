// Mutexes, of user space and of the kernel: which tasks hold and want one, at which strength, and what keeps a holder off its CPU. Built of rows
// when somebody asks: few runs have any. True of one run; must not know where its words appear.

import { KIND } from "../engine/gen/catalogue.ts";
import { LockTrack } from "./locks.ts";
import { taskSpans, type TaskSpan } from "./task-track.ts";
import type { TraceStore } from "./trace-store.ts";

const KINDS = [KIND.ObjectWait, KIND.ObjectWake, KIND.MutexOwner];
/** A real-time priority, told as the kernel's own number, counts down from here. */
const RT_TOP = 99;

interface Known {
  /** Rows looked at so far. */
  seen: number;
  readonly tracks: Map<number, LockTrack>;
}

const known = new WeakMap<TraceStore, Known>();

function tracksOf(store: TraceStore): ReadonlyMap<number, LockTrack> {
  const { events, shape } = store;
  const here = known.get(store) ?? { seen: 0, tracks: new Map<number, LockTrack>() };
  known.set(store, here);
  const mutexes = new Set(shape.objects?.flatMap(({ id, sort }) => (sort === "mutex" ? [id] : [])));
  const rows = events.rowsOf(KINDS);
  for (; here.seen < rows.count; here.seen += 1) {
    const row = rows.at(here.seen);
    const id = events.kind.at(row) === KIND.MutexOwner ? events.a.at(row) : events.b.at(row);
    if (!mutexes.has(id)) continue;
    const track = here.tracks.get(id) ?? new LockTrack(events, id);
    here.tracks.set(id, track);
    track.append(row);
  }
  return here.tracks;
}

/** The mutex for which most tasks wait in [fromNs, toNs), else in the run so far, else the first that anybody took. */
export function mutexIn(store: TraceStore, fromNs: number, toNs: number): LockTrack | undefined {
  const tracks = [...tracksOf(store).values()];
  const deepness = (track: LockTrack): number => track.peakIn(fromNs, toNs) * store.shape.tasks.length + track.peak.depth;
  return tracks.reduce<LockTrack | undefined>((best, track) => (best && deepness(best) >= deepness(track) ? best : track), undefined);
}

/** "mutex shared". */
export function mutexName({ shape }: TraceStore, { id }: LockTrack): string {
  return `mutex ${shape.objects?.find((object) => object.id === id)?.name ?? String(id)}`;
}

/** The real-time priority that `task` has by inheritance at `ns`; undefined while it has its own. */
export function lentPriority({ events, shape }: TraceStore, task: number, ns: number): number | undefined {
  const rows = events.rowsOf([KIND.PiSetprio]);
  const own = shape.tasks[task];
  for (let index = rows.firstAt(Math.floor(ns) + 1) - 1; index >= 0; index -= 1) {
    const row = rows.at(index);
    if (events.a.at(row) !== task) continue;
    const priority = RT_TOP - events.b.at(row);
    const ofItsOwn = own !== undefined && /FIFO|RR/.test(own.policy) ? own.priority : 0;
    return priority > ofItsOwn ? priority : undefined;
  }
  return undefined;
}

/** Whether the holder of a lock runs, and if not, why. */
export type Off = "preempted" | "throttled" | "asleep";

/** What keeps a task off its CPU in a span of its life; undefined while it runs. */
export function offIn(store: TraceStore, task: number, { state, cpu, fromNs, toNs }: TaskSpan): Off | undefined {
  if (state === "running") return undefined;
  if (state === "sleeping" || state === "blocked") return "asleep";
  const group = store.shape.tasks[task]?.group ?? 0;
  const ns = (fromNs + toNs) / 2;
  const stopped = store.quota.throttledAt(cpu, ns, store.endNs).some((each) => store.quota.isBelow(group, each.group));
  return stopped ? "throttled" : "preempted";
}

/** The same at an instant. */
export function offAt(store: TraceStore, task: number, ns: number): Off | undefined {
  const [span] = taskSpans(store, task, Math.floor(ns), Math.floor(ns) + 1);
  return span && offIn(store, task, span);
}

/** Since when a task that is in the queue at `ns` waits. */
export function waitsSince({ events }: TraceStore, lock: LockTrack, task: number, ns: number): number {
  for (let index = lock.indexAfter(ns) - 1; index >= 0; index -= 1) {
    const row = lock.rowAt(index);
    if (events.kind.at(row) === KIND.ObjectWait && events.a.at(row) === task) return events.time.at(row);
  }
  return 0;
}

/** Until when a task that is in the queue at `ns` waits; undefined where the run does not tell. */
export function waitsUntil({ events }: TraceStore, lock: LockTrack, task: number, ns: number): number | undefined {
  for (let index = lock.indexAfter(ns); index < lock.count; index += 1) {
    const row = lock.rowAt(index);
    if (events.kind.at(row) === KIND.ObjectWake && events.a.at(row) === task) return events.time.at(row);
  }
  return undefined;
}
