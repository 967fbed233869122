// What an area of the picture holds: some CPUs over a stretch of time. Exact integers, from the
// rows themselves, so that they add up to what the lanes say. Must not know how an area is chosen
// or shown.

import { CAUSES, CPU_STATES } from "../../engine/gen/catalogue.ts";
import { CHANNELS } from "../trace/pyramid.ts";
import type { CpuLane } from "../trace/lane.ts";
import { expiriesOf, slackOfRow } from "../causes/slack.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import type { Area } from "../trace/run-types.ts";

/** What CPUs did for one task. */
export interface TaskShare {
  /** Task id; undefined for what no task asked for: idle, its interrupts. */
  readonly task: number | undefined;
  /** ns by CPU state. */
  readonly stateNs: readonly number[];
  readonly ns: number;
}

/** One lock as the area's CPUs used it, ns. */
export interface LockShare {
  readonly lock: number;
  /** Spent waiting, summed over the CPUs. */
  readonly waitNs: number;
  /** Spent holding it. */
  readonly holdNs: number;
}

export interface AreaStats {
  /** Simulated time of all CPUs of the area together. */
  readonly ns: number;
  /** ns per channel: the CPU states, then interrupts off, then preemption off. */
  readonly channelNs: readonly number[];
  /** Most ns first. */
  readonly tasks: readonly TaskShare[];
  /** Locks that were waited for or held; longest wait first. */
  readonly locks: readonly LockShare[];
  /**
   * Wake-ups that ended in (fromNs, toNs], so that a wait from its first ns to its last holds its
   * own wake-up: how many, their latencies, and by cause.
   */
  readonly wakeups: number;
  readonly latencyNs: number;
  readonly causeNs: readonly number[];
  /** The part of it that is timer slack. */
  readonly slackNs: number;
}

export function areaStats(store: TraceStore, area: Area): AreaStats {
  const fromNs = Math.max(0, area.fromNs);
  const toNs = Math.max(fromNs, Math.min(area.toNs, store.endNs));
  const chosen = area.cpus === undefined ? undefined : new Set(area.cpus);
  const within = (cpu: number): boolean => chosen?.has(cpu) ?? true;
  const lanes = store.lanes.filter(({ cpu }) => within(cpu));
  const channelNs = new Array<number>(CHANNELS).fill(0);
  for (const lane of lanes) {
    lane
      .windowNs(fromNs, toNs, store.endNs)
      .forEach((ns, channel) => (channelNs[channel] = (channelNs[channel] ?? 0) + ns));
  }
  return {
    ns: (toNs - fromNs) * lanes.length,
    channelNs,
    tasks: taskShares(lanes, fromNs, toNs, store.endNs),
    locks: lockShares(store, fromNs, toNs, within),
    ...wakeShares(store, fromNs, toNs, within),
  };
}

function taskShares(
  lanes: readonly CpuLane[],
  fromNs: number,
  toNs: number,
  endNs: number,
): readonly TaskShare[] {
  const byTask = new Map<number | undefined, number[]>();
  for (const lane of lanes) {
    for (let index = Math.max(0, lane.indexAt(fromNs)); index < lane.count; index += 1) {
      const slice = lane.slice(index, endNs);
      if (slice.fromNs >= toNs) break;
      const ns = Math.min(slice.toNs, toNs) - Math.max(slice.fromNs, fromNs);
      if (ns <= 0) continue;
      const states = byTask.get(slice.task) ?? new Array<number>(CPU_STATES.length).fill(0);
      byTask.set(slice.task, states);
      states[slice.state] = (states[slice.state] ?? 0) + ns;
    }
  }
  return [...byTask]
    .map(([task, stateNs]) => ({ task, stateNs, ns: stateNs.reduce((sum, ns) => sum + ns, 0) }))
    .sort((one, other) => other.ns - one.ns || (one.task ?? -1) - (other.task ?? -1));
}

function lockShares(
  store: TraceStore,
  fromNs: number,
  toNs: number,
  within: (cpu: number) => boolean,
): readonly LockShare[] {
  const shares = store.shape.locks.flatMap((_, lock) => {
    let waitNs = 0;
    let holdNs = 0;
    for (const step of store.locks.lock(lock)?.steps(fromNs, toNs) ?? []) {
      const ns = step.toNs - step.fromNs;
      waitNs += ns * step.queue.filter(within).length;
      if (step.holder !== undefined && within(step.holder)) holdNs += ns;
    }
    return waitNs + holdNs === 0 ? [] : [{ lock, waitNs, holdNs }];
  });
  return shares.sort(
    (one, other) => other.waitNs - one.waitNs || other.holdNs - one.holdNs || one.lock - other.lock,
  );
}

function wakeShares(
  store: TraceStore,
  fromNs: number,
  toNs: number,
  within: (cpu: number) => boolean,
): Pick<AreaStats, "wakeups" | "latencyNs" | "causeNs" | "slackNs"> {
  const { wakes } = store;
  const causeNs = new Array<number>(CAUSES.length).fill(0);
  let wakeups = 0;
  let latencyNs = 0;
  let slackNs = 0;
  const expiries = expiriesOf(store);
  const end = wakes.doneBy(toNs);
  for (let row = wakes.doneBy(fromNs); row < end; row += 1) {
    if (!within(wakes.cpuOf(row))) continue;
    wakeups += 1;
    latencyNs += wakes.latencyNs(row);
    wakes.addCauses(row, causeNs);
    slackNs += slackOfRow(store, row, expiries);
  }
  return { wakeups, latencyNs, causeNs, slackNs };
}
