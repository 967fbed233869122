// What a step's focus comes to in the runs at hand: the lock of the lock lane, and the CPUs that
// are emphasised. A name or a meaning ("deepest") is looked for in the step's own view.

import { CAUSES, KIND } from "../../engine/gen/catalogue.ts";
import type { TraceStore } from "../../model/index.ts";
import type { Viewport } from "../../model/trace/run-types.ts";
import type { Step } from "../../scenario/step.ts";

export interface Emphasis {
  /** A lock's id, the same on both sides. */
  readonly lock: number | undefined;
  /** CPUs, ascending; none if all are alike. */
  readonly lanes: readonly number[];
}

/** A wake-up of one run, by its row. */
export interface WakeRow {
  readonly trace: TraceStore;
  readonly row: number;
}

/**
 * `traces`: that of the step's own side first. `wakes`: the wake-up that the step selects, on each
 * side that has it.
 */
export function emphasisIn(
  { focus }: Pick<Step, "focus">,
  traces: readonly TraceStore[],
  view: Viewport,
  wakes: readonly WakeRow[] = [],
): Emphasis {
  const lock = focus.lock === undefined ? undefined : lockOf(focus.lock, traces, view);
  if (focus.lanes.length > 0) return { lock, lanes: focus.lanes };
  const cpus = new Set<number>();
  if (lock !== undefined) for (const trace of traces) seeUsers(trace, lock, view, cpus);
  const group = focus.group === undefined ? undefined : groupOf(focus.group, traces, view);
  if (group !== undefined) for (const trace of traces) seeGroup(trace, group, view, cpus);
  for (const wake of wakes) seePartsOf(wake, cpus);
  const all = Math.max(...traces.map(({ lanes }) => lanes.length));
  return { lock, lanes: cpus.size === all ? [] : [...cpus].sort((one, other) => one - other) };
}

function lockOf(
  name: string,
  traces: readonly TraceStore[],
  { fromNs, toNs }: Viewport,
): number | undefined {
  const ids = traces.map(({ shape }) => shape.locks.indexOf(name)).filter((id) => id >= 0);
  if (ids.length > 0 || name !== "deepest") return ids[0];
  const queues = traces.flatMap(({ locks }) => {
    const id = locks.deepestIn(fromNs, toNs);
    return id === undefined ? [] : [{ id, depth: locks.lock(id)?.peakIn(fromNs, toNs) ?? 0 }];
  });
  return queues.sort((one, other) => other.depth - one.depth)[0]?.id;
}

/** Who holds the lock or waits for it in view. */
function seeUsers(
  { locks }: TraceStore,
  lock: number,
  { fromNs, toNs }: Viewport,
  cpus: Set<number>,
): void {
  for (const { holder, queue } of locks.lock(lock)?.steps(fromNs, toNs) ?? []) {
    for (const cpu of queue) cpus.add(cpu);
    if (holder !== undefined) cpus.add(holder);
  }
}

/** A step speaks of spinning from this share of a latency on. */
const TOLD = 0.1;

/**
 * Where the task runs, who wakes it, and who holds the lock while one of these spins for it at the
 * wake-up's cost.
 */
function seePartsOf({ trace, row }: WakeRow, cpus: Set<number>): void {
  const { events, locks } = trace;
  const { cpu, taskId, dueNs, latencyNs, segments } = trace.wakes.record(row);
  const own = new Set([cpu]);
  events.visit(KIND.SchedWaking, dueNs, dueNs + latencyNs + 1, (on, task) => {
    if (task === taskId) own.add(on);
  });
  for (const each of own) cpus.add(each);
  const spins = segments.filter(
    ({ cause, summed }) => CAUSES[cause]?.name === "rq_lock_spin" && summed !== true,
  );
  const spunNs = segments.reduce(
    (sum, { cause, ns }) => (CAUSES[cause]?.name === "rq_lock_spin" ? sum + ns : sum),
    0,
  );
  if (spins.length === 0 || spunNs < TOLD * latencyNs) return;
  const wanted = locksWaitedFor(trace, own, dueNs, dueNs + latencyNs);
  for (const { fromNs, ns } of spins) {
    for (const lock of wanted) {
      for (const { holder, queue } of locks.lock(lock)?.steps(fromNs, fromNs + ns) ?? []) {
        if (holder !== undefined && queue.some((waiter) => own.has(waiter))) cpus.add(holder);
      }
    }
  }
}

/**
 * Locks for which one of the CPUs waits at some time in [fromNs, toNs): a few of the thousand that
 * a thousand CPUs have.
 */
function locksWaitedFor(
  { events, locks, shape }: TraceStore,
  cpus: ReadonlySet<number>,
  fromNs: number,
  toNs: number,
): ReadonlySet<number> {
  const isQueuedOn = (id: number): boolean => {
    const track = locks.lock(id);
    if (track === undefined || track.peak.depth === 0 || track.depthAt(fromNs) === 0) return false;
    return track.at(fromNs).queue.some((waiter) => cpus.has(waiter));
  };
  const found = new Set(shape.locks.flatMap((_, id) => (isQueuedOn(id) ? [id] : [])));
  events.visit(KIND.LockWait, fromNs, toNs, (on, lock) => {
    if (cpus.has(on)) found.add(lock);
  });
  return found;
}

/** A group's path; that with the longest throttled time of all sides for the meaning. */
function groupOf(
  name: string,
  traces: readonly TraceStore[],
  { fromNs, toNs }: Viewport,
): string | undefined {
  if (
    name !== "most_throttled" ||
    traces.some(({ shape }) => shape.groups.some(({ path }) => path === name))
  )
    return name;
  const ns = new Map<string, number>();
  for (const trace of traces) {
    trace.quota.visitThrottled(fromNs, toNs, trace.endNs, (from, to, _cpu, group) => {
      const path = trace.groupName(group);
      ns.set(path, (ns.get(path) ?? 0) + Math.min(to, toNs) - Math.max(from, fromNs));
    });
  }
  return [...ns].sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** Where tasks of the group, or of one below it, run in view, and where it is throttled. */
function seeGroup(
  { shape, lanes, quota, endNs }: TraceStore,
  path: string,
  { fromNs, toNs }: Viewport,
  cpus: Set<number>,
): void {
  const group = shape.groups.findIndex((each) => each.path === path);
  if (group < 0) return;
  const within = (id: number): boolean =>
    id === group || (id !== 0 && shape.groups[id] !== undefined && within(shape.groups[id].parent));
  const inside = shape.tasks.map((task) => within(task.group));
  for (const lane of lanes) {
    for (
      let index = Math.max(0, lane.indexAt(fromNs));
      index < lane.count && !cpus.has(lane.cpu);
      index += 1
    ) {
      const slice = lane.slice(index, endNs);
      if (slice.fromNs >= toNs) break;
      if (slice.task !== undefined && inside[slice.task] === true) cpus.add(lane.cpu);
    }
  }
  quota.visitThrottled(fromNs, toNs, endNs, (_from, _to, cpu, id) => {
    if (within(id)) cpus.add(cpu);
  });
}
