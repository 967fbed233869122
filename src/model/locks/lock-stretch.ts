// Who has a lock from when to when, and who waits for it since when, around an instant: what a
// tooltip says. Reads the lock's rows next to the instant; must not know where the words appear.

import { KIND } from "../../engine/gen/catalogue.ts";
import type { LockTrack } from "../trace/kernel-locks.ts";
import type { TraceStore } from "../trace/trace-store.ts";

/**
 * From one acquire or release to the next; from the first instant of the run, or to its last, where
 * there is none.
 */
export interface LockStretch {
  /** Undefined while the lock is free. */
  readonly holder: number | undefined;
  readonly fromNs: number;
  readonly toNs: number;
}

/** One CPU's wait for a lock. */
export interface LockWait {
  readonly cpu: number;
  readonly fromNs: number;
  /** When the CPU gets the lock; undefined if the run ends before. */
  readonly toNs: number | undefined;
}

/** Rows after which another CPU holds the lock, or none. */
const CHANGES: readonly number[] = [
  KIND.LockAcq,
  KIND.LockRel,
  KIND.MutexOwner,
  KIND.UserLockOwner,
];

/** What holds at `ns`, whole. */
export function stretchAt({ events, endNs }: TraceStore, lock: LockTrack, ns: number): LockStretch {
  // Once no CPU waits any more, rows may name no holder.
  const changes = (index: number): boolean =>
    CHANGES.includes(events.kind.at(lock.rowAt(index))) ||
    (lock.rows.onlyWanted && lock.depthAfter(index) === 0);
  let next = lock.indexAfter(ns);
  let last = next - 1;
  while (last >= 0 && !changes(last)) last -= 1;
  while (next < lock.count && !changes(next)) next += 1;
  return {
    holder: lock.at(ns).holder,
    fromNs: last < 0 ? 0 : events.time.at(lock.rowAt(last)),
    toNs: next < lock.count ? events.time.at(lock.rowAt(next)) : endNs,
  };
}

/** The wait of a CPU that is in the lock's queue at `ns`. */
export function waitAt({ events }: TraceStore, lock: LockTrack, cpu: number, ns: number): LockWait {
  const isOf = (index: number, kind: number): boolean =>
    events.cpu.at(lock.rowAt(index)) === cpu && events.kind.at(lock.rowAt(index)) === kind;
  let next = lock.indexAfter(ns);
  let first = next - 1;
  while (first > 0 && !isOf(first, KIND.LockWait)) first -= 1;
  while (next < lock.count && !isOf(next, KIND.LockAcq)) next += 1;
  return {
    cpu,
    fromNs: events.time.at(lock.rowAt(Math.max(0, first))),
    toNs: next < lock.count ? events.time.at(lock.rowAt(next)) : undefined,
  };
}

/** The instant in [fromNs, toNs) from which on most CPUs wait, and how many. */
export function deepestAt(
  { events }: TraceStore,
  lock: LockTrack,
  fromNs: number,
  toNs: number,
): { readonly ns: number; readonly depth: number } {
  let deepest = { ns: fromNs, depth: lock.depthAt(fromNs) };
  for (let index = lock.indexAfter(fromNs); index < lock.count; index += 1) {
    const ns = events.time.at(lock.rowAt(index));
    if (ns >= toNs) break;
    const depth = lock.depthAfter(index);
    if (depth > deepest.depth) deepest = { ns, depth };
  }
  return deepest;
}
