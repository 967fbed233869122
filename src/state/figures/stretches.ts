// The longest of the stretches that a sum adds up: of a task's runs, waits or spins, of a CPU with
// interrupts off, of a group's periods.

import { CPU_STATE, KIND } from "../../engine/gen/catalogue.ts";
import { WAIT, type TraceStore } from "../../model/index.ts";

export interface Stretch {
  readonly fromNs: number;
  readonly toNs: number;
  readonly cpu: number;
  /** None where it is of no task. */
  readonly task: number | undefined;
}

/** Keeps the longest stretch that it has seen. */
class Longest {
  found: Stretch | undefined;

  see(stretch: Stretch): void {
    const { found } = this;
    if (
      stretch.toNs > stretch.fromNs &&
      (found === undefined || stretch.toNs - stretch.fromNs > found.toNs - found.fromNs)
    )
      this.found = stretch;
  }
}

/** From a switch to one of the tasks until the next switch of that CPU. */
export function longestRun(
  { events, endNs }: TraceStore,
  tasks: ReadonlySet<number>,
): Stretch | undefined {
  const longest = new Longest();
  const since = new Map<number, number>();
  const rows = events.rowsOf([KIND.SchedSwitch]);
  for (let index = 0; index < rows.count; index += 1) {
    const row = rows.at(index);
    const [cpu, ns, task] = [events.cpu.at(row), events.time.at(row), events.a.at(row)];
    const fromNs = since.get(cpu);
    if (fromNs !== undefined) longest.see({ fromNs, toNs: ns, cpu, task });
    if (tasks.has(events.b.at(row))) since.set(cpu, ns);
    else since.delete(cpu);
  }
  for (const [cpu, fromNs] of since) longest.see({ fromNs, toNs: endNs, cpu, task: undefined });
  return longest.found;
}

/** Ready, but another task ran. */
export function longestReady(
  { waits, endNs }: TraceStore,
  tasks: ReadonlySet<number>,
): Stretch | undefined {
  const longest = new Longest();
  waits.visit(0, endNs, endNs, (fromNs, toNs, cpu, task, kind) => {
    if (kind !== WAIT.Waking && tasks.has(task)) longest.see({ fromNs, toNs, cpu, task });
  });
  return longest.found;
}

export function longestSpinOf(
  { lanes, endNs }: TraceStore,
  tasks: ReadonlySet<number>,
): Stretch | undefined {
  const longest = new Longest();
  for (const lane of lanes)
    for (let index = 0; index < lane.count; index += 1) {
      const { cpu, state, task, fromNs, toNs } = lane.slice(index, endNs);
      if (state === CPU_STATE.UserSpin && task !== undefined && tasks.has(task))
        longest.see({ fromNs, toNs, cpu, task });
    }
  return longest.found;
}

/**
 * The stretch with interrupts off that lasts exactly `ns`: between two of them interrupts may be on
 * for no time at all.
 */
export function irqOffOf({ lanes, endNs }: TraceStore, ns: number): Stretch | undefined {
  for (const lane of lanes) {
    let begins = new Set<number>();
    for (let index = 0; index < lane.count; index += 1) {
      const { cpu, irqOff, fromNs, toNs } = lane.slice(index, endNs);
      if (!irqOff) begins = new Set();
      else begins.add(fromNs);
      if (begins.has(toNs - ns)) return { fromNs: toNs - ns, toNs, cpu, task: undefined };
    }
  }
  return undefined;
}

/**
 * So much of a period's use is passed over as idle at its beginning: while a group sleeps, no
 * refill comes.
 */
const IDLE = 0.01;

/**
 * The period, from one refill to the next, in which the group used most: from where it begins to
 * use.
 */
export function fullestPeriod(
  { quota, events, endNs }: TraceStore,
  group: number,
): Omit<Stretch, "cpu" | "task"> | undefined {
  const track = quota.group(group);
  const refills = Array.from(track?.refills.listIn(0, endNs) ?? [], (row) => events.time.at(row));
  const bounds = [0, ...refills, endNs];
  let most = { fromNs: 0, toNs: 0, usedNs: 0 };
  bounds.slice(1).forEach((toNs, index) => {
    const fromNs = bounds[index] ?? 0;
    const usedNs = track === undefined ? 0 : track.usedAt(toNs) - track.usedAt(fromNs);
    if (usedNs > most.usedNs) most = { fromNs, toNs, usedNs };
  });
  if (track === undefined || refills.length === 0 || most.usedNs === 0) return undefined;
  const idleNs = track.usedAt(most.fromNs) + most.usedNs * IDLE;
  let [fromNs, busyNs] = [most.fromNs, most.toNs];
  while (busyNs - fromNs > 1) {
    const middle = Math.floor((fromNs + busyNs) / 2);
    if (track.usedAt(middle) <= idleNs) fromNs = middle;
    else busyNs = middle;
  }
  return { fromNs, toNs: most.toNs };
}

/**
 * The first throttle of a group in the window, whole; the first of all where the window has none.
 */
export function firstThrottle(
  { quota, endNs }: TraceStore,
  group: number,
  fromNs: number,
  toNs: number,
): Stretch | undefined {
  const all: Stretch[] = [];
  quota.visitThrottled(0, endNs, endNs, (from, to, cpu, of) => {
    if (of === group) all.push({ fromNs: from, toNs: to, cpu, task: undefined });
  });
  all.sort((one, other) => one.fromNs - other.fromNs);
  return all.find((each) => each.fromNs >= fromNs && each.fromNs < toNs) ?? all[0];
}
