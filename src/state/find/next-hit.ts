// The next instant at which something happens to a task, a CPU, a lock or a group of one run, and
// the one before. True of its rows.

import { KIND, NO_CPU } from "../../engine/gen/catalogue.ts";
import type { SampleRecord, TraceStore } from "../../model/index.ts";
import { samplesOf } from "../../model/tasks/samples.ts";
import { taskLockName, taskLocksOf } from "../../model/locks/task-locks.ts";
import { stepOnCpu } from "../../model/trace/track-events.ts";
import type { Place } from "./targets.ts";

/** Something happens, on a CPU if it has one. */
export interface Hit {
  readonly ns: number;
  readonly cpu: number | undefined;
  /** The sample of a tool that begins there. */
  readonly sample?: SampleRecord;
  /** The lock that is waited for, taken or released there. */
  readonly lock?: string | undefined;
}

export const LOCK_KINDS: readonly number[] = [KIND.LockWait, KIND.LockAcq, KIND.LockRel];

/** Later, or earlier. */
export type Direction = 1 | -1;

/** More waiters than two or three CPUs meeting by chance come to. */
export const HERD_WAITERS = 8;

/**
 * The nearest hit of a place that has instants; undefined where there is none in that direction.
 */
export function hitOf(
  trace: TraceStore,
  place: Place,
  ns: number,
  direction: Direction,
): Hit | undefined {
  switch (place.what) {
    case "cpu": {
      const at = stepOnCpu(trace, place.cpu, ns, direction);
      return at === undefined ? undefined : { ns: at, cpu: place.cpu };
    }
    case "task": {
      const task = trace.shape.tasks.findIndex(({ name }) => name === place.name);
      return seek(trace, ns, direction, (kind, _, b) => kind === KIND.SchedSwitch && b === task);
    }
    case "samples": {
      const sample = sampleHit(trace, place.name, ns, direction);
      return sample === undefined ? undefined : { ns: sample.fromNs, cpu: sample.cpu, sample };
    }
    case "lock": {
      const lock = trace.shape.locks.indexOf(place.name);
      // Where no task waits for the lock, look for the instants at which it is taken.
      const awaited = (trace.locks.lock(lock)?.peak.depth ?? 0) > 0;
      return seek(
        trace,
        ns,
        direction,
        (kind, a) => kind === (awaited ? KIND.LockWait : KIND.LockAcq) && a === lock,
      );
    }
    case "task lock":
      return taskLockHit(trace, place.name, ns, direction);
    case "group": {
      const group = trace.shape.groups.findIndex(({ path }) => path === place.name);
      return trace.quota.group(group) === undefined
        ? runOf(trace, group, ns, direction)
        : quotaOf(trace, group, ns, direction);
    }
    default:
      return undefined;
  }
}

/** The task's first sample that begins later, or the last that began earlier. */
function sampleHit(
  trace: TraceStore,
  task: string,
  ns: number,
  direction: Direction,
): SampleRecord | undefined {
  const beyond = samplesOf(trace).filter(
    (sample) => sample.task === task && (direction === 1 ? sample.fromNs > ns : sample.fromNs < ns),
  );
  return beyond.reduce<SampleRecord | undefined>(
    (best, sample) =>
      best === undefined || (sample.fromNs - best.fromNs) * direction < 0 ? sample : best,
    undefined,
  );
}

/**
 * Finds where a task begins to wait for a mutex or a spin lock; for a lock that no task ever waits
 * for, where its holder changes.
 */
function taskLockHit(
  trace: TraceStore,
  name: string,
  ns: number,
  direction: Direction,
): Hit | undefined {
  const { events } = trace;
  const lock = taskLocksOf(trace).find((each) => taskLockName(trace, each) === name);
  if (lock === undefined) return undefined;
  const wanted = (row: number): boolean =>
    lock.peak.depth > 0
      ? lock.rows.joins(events, row, lock.id)
      : !lock.rows.leaves(events, row, lock.id);
  for (
    let index = lock.indexAfter(ns) + (direction === 1 ? 0 : -1);
    index >= 0 && index < lock.count;
    index += direction
  ) {
    const row = lock.rowAt(index);
    if (events.time.at(row) !== ns && wanted(row))
      return { ns: events.time.at(row), cpu: events.cpu.at(row) };
  }
  return undefined;
}

/** A lock's queue grows beyond HERD_WAITERS: the instant at which it does. */
export function herdHit(trace: TraceStore, ns: number, direction: Direction): Hit | undefined {
  return seek(
    trace,
    ns,
    direction,
    (kind, _, b) => kind === KIND.LockWait && b === HERD_WAITERS + 1,
  );
}

/** A record of one kind is written. */
export function eventHit(
  trace: TraceStore,
  wanted: number,
  ns: number,
  direction: Direction,
): Hit | undefined {
  const hit = seek(trace, ns, direction, (kind) => kind === wanted);
  return hit?.cpu === NO_CPU ? { ns: hit.ns, cpu: undefined } : hit;
}

/** The group's pool is refilled, or the group is throttled or let go on somewhere. */
function quotaOf(
  trace: TraceStore,
  group: number,
  ns: number,
  direction: Direction,
): Hit | undefined {
  const kinds: readonly number[] = [KIND.BwRefill, KIND.BwThrottle, KIND.BwUnthrottle];
  return seek(trace, ns, direction, (kind, a) => a === group && kinds.includes(kind));
}

/** A task of a group without a quota gets a CPU. */
function runOf(
  trace: TraceStore,
  group: number,
  ns: number,
  direction: Direction,
): Hit | undefined {
  const { tasks } = trace.shape;
  return seek(
    trace,
    ns,
    direction,
    (kind, _, b) => kind === KIND.SchedSwitch && tasks[b]?.group === group,
  );
}

function seek(
  { events, shape }: TraceStore,
  ns: number,
  direction: Direction,
  wanted: (kind: number, a: number, b: number) => boolean,
): Hit | undefined {
  const { kind, a, b } = events;
  let row = direction === 1 ? events.firstAt(Math.floor(ns) + 1) : events.firstAt(ns) - 1;
  for (; row >= 0 && row < events.count; row += direction) {
    if (!wanted(kind.data[row] ?? 0, a.data[row] ?? 0, b.data[row] ?? 0)) continue;
    const lock = LOCK_KINDS.includes(kind.at(row)) ? shape.locks[a.at(row)] : undefined;
    return { ns: events.time.at(row), cpu: events.cpu.at(row), lock };
  }
  return undefined;
}
