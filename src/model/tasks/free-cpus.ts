// What CPUs that a late task could have used did while it waited for its own: one that idled, or
// ran something weaker. Read off the lanes; says nothing where the affinity or a priority is not
// known for certain. It says what happened, not that the kernel should have known.

import { CAUSES, CPU_STATE, KIND, NONE } from "../../engine/gen/catalogue.ts";
import { LIVE_WRITE_AFFINITY, LIVE_WRITE_POLICY } from "../../engine/gen/codes.ts";
import type { TaskInfo } from "../../engine/gen/types.ts";
import { threeFigures } from "../../lib/format.ts";
import { numbersIn } from "../../lib/ranges.ts";
import { taskSpans } from "./task-track.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import type { Viewport, WakeRecord } from "../trace/run-types.ts";

export interface FreeCpu {
  /** When the wait began, ns. */
  readonly atNs: number;
  /** How long the CPU that is named did it, ns. */
  readonly ns: number;
  /** "CPU 6, which request.3 may use, was idle for 12.1 ms". */
  readonly words: string;
}

/**
 * Causes of a wait for a CPU that another task has. All others say why the task could run nowhere,
 * or was on its way.
 */
const BEHIND = new Set(["higher_prio", "same_class", "lazy_wait", "nonpreemptible"]);
/** Causes with which another CPU would not have helped. */
const HELD = new Set(["throttled", "rt_throttled"]);
/**
 * So much of a latency must be such a wait, and so much of it a CPU must have been free,
 * hundredths.
 */
const WAIT_LEAST = 50;
const FREE_LEAST = 10;
/** Slices looked at for one answer: beyond it there is none. */
const SLICES_MAX = 500_000;

interface Free {
  readonly cpu: number;
  /** Undefined: it was idle. */
  readonly task: number | undefined;
  readonly ns: number;
}

/** Undefined where no CPU was free for long enough, or the trace does not show it. */
export function freeCpuOf(store: TraceStore, wake: WakeRecord): FreeCpu | undefined {
  const { taskId, dueNs, latencyNs, segments } = wake;
  const causeNs = (of: ReadonlySet<string>): number =>
    segments.reduce((sum, { cause, ns }) => sum + (of.has(CAUSES[cause]?.name ?? "") ? ns : 0), 0);
  const endNs = dueNs + latencyNs;
  if (
    causeNs(BEHIND) * 100 < latencyNs * WAIT_LEAST ||
    causeNs(HELD) > 0 ||
    isBound(store, taskId, endNs)
  )
    return undefined;
  const allowed = numbersIn(store.shape.tasks[taskId]?.cpus ?? "").filter(
    (cpu) => cpu < store.shape.cpus,
  );
  const waits = taskSpans(store, taskId, dueNs, endNs).filter(
    ({ state }) => state === "ready" || state === "preempted",
  );
  const slices = waits.reduce(
    (sum, wait) =>
      sum +
      allowed.reduce(
        (all, cpu) => all + (store.lanes[cpu]?.countIn(wait.fromNs, wait.toNs) ?? 0),
        0,
      ),
    0,
  );
  const [first] = waits;
  if (first === undefined || slices > SLICES_MAX) return undefined;
  const sums = new Map<string, Free>();
  const isWeaker = weakerThan(store, taskId, endNs);
  for (const wait of waits)
    for (const cpu of allowed) if (cpu !== wait.cpu) addFree(store, cpu, wait, isWeaker, sums);
  const free = [...sums.values()]
    .filter(({ ns }) => ns * 100 >= latencyNs * FREE_LEAST)
    .sort((one, other) => other.ns - one.ns);
  const [longest] = free;
  return (
    longest && { atNs: first.fromNs, ns: longest.ns, words: wordsOf(store, wake, longest, free) }
  );
}

function wordsOf(
  store: TraceStore,
  { task }: WakeRecord,
  { cpu, task: ran, ns }: Free,
  free: readonly Free[],
): string {
  const what =
    ran === undefined
      ? `was idle for ${threeFigures(ns)}`
      : `ran ${store.taskName(ran)}, which has a lower priority, for ${threeFigures(ns)}`;
  const others = new Set(free.map((each) => each.cpu)).size - 1;
  const more =
    others === 0
      ? ""
      : `; ${String(others)} more of its CPUs were idle or ran a task of lower priority for a part of the wait`;
  return `CPU ${String(cpu)}, which ${task} may use, ${what}${more}`;
}

/** Adds what a CPU did in a wait that it could have spent on the task. */
function addFree(
  store: TraceStore,
  cpu: number,
  { fromNs, toNs }: Viewport,
  isWeaker: (task: number) => boolean,
  sums: Map<string, Free>,
): void {
  const lane = store.lanes[cpu];
  if (lane === undefined) return;
  for (let index = Math.max(0, lane.indexAt(fromNs)); index < lane.count; index += 1) {
    const slice = lane.slice(index, store.endNs);
    if (slice.fromNs >= toNs) break;
    const idle = slice.state === CPU_STATE.Idle;
    if (!idle && (slice.task === undefined || !isWeaker(slice.task))) continue;
    const task = idle ? undefined : slice.task;
    const key = `${String(cpu)} ${String(task)}`;
    const ns = Math.max(0, Math.min(slice.toNs, toNs) - Math.max(slice.fromNs, fromNs));
    sums.set(key, { cpu, task, ns: (sums.get(key)?.ns ?? 0) + ns });
  }
}

/**
 * Whether the task's CPUs up to an instant are not those that the run began with: they were written
 * to, or its migration is disabled.
 */
function isBound({ events }: TraceStore, task: number, endNs: number): boolean {
  let disabled = false;
  for (const row of events.rowsOf([KIND.LiveChange, KIND.MigrateDisable]).listIn(0, endNs)) {
    if (events.a.at(row) !== task) continue;
    if (events.kind.at(row) === KIND.MigrateDisable) disabled = events.b.at(row) === 1;
    else if (events.b.at(row) === LIVE_WRITE_AFFINITY) return true;
  }
  return disabled;
}

/**
 * Which tasks are weaker than one by class and real-time priority. Tasks whose priority changed by
 * an instant are left out.
 */
function weakerThan(
  { events, shape }: TraceStore,
  task: number,
  endNs: number,
): (other: number) => boolean {
  const changed = new Set<number>();
  for (const row of events.rowsOf([KIND.LiveChange, KIND.PiSetprio]).listIn(0, endNs))
    if (events.kind.at(row) === KIND.PiSetprio || events.b.at(row) === LIVE_WRITE_POLICY)
      changed.add(events.a.at(row));
  const own = strength(shape.tasks[task]);
  return (other) => {
    const its = strength(shape.tasks[other]);
    return (
      other !== NONE &&
      own !== undefined &&
      its !== undefined &&
      its < own &&
      !changed.has(task) &&
      !changed.has(other)
    );
  };
}

/**
 * Real-time tasks by priority, then fair ones whatever their weight, then SCHED_IDLE; undefined for
 * no task.
 */
function strength(task: TaskInfo | undefined): number | undefined {
  if (task === undefined) return undefined;
  switch (task.policy) {
    case "SCHED_FIFO":
    case "SCHED_RR":
      return 1 + task.priority;
    case "SCHED_OTHER":
      return 1;
    case "SCHED_IDLE":
      return 0;
  }
}
