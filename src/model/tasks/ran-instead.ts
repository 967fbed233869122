// Who had the CPU while a woken task waited for it: from the instant the wake-up was due to the
// switch to the task, every nanosecond by the name of what the CPU did on which the task waited.
// True of one wake-up; built on demand.

import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import type { Slice, WakeRecord } from "../trace/run-types.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import { SWITCHES } from "../trace/indexed-kinds.ts";
import { taskSpans, type TaskSpan } from "./task-track.ts";

/** What had the CPU: a task, or something of the kernel or the machine. */
export interface Instead {
  /** "hog.3", "interrupts", "leaving idle". */
  readonly name: string;
  /** Undefined where it is no task. */
  readonly task: number | undefined;
  /** Start and end of each stretch, ns, in order of time. */
  readonly stretches: readonly (readonly [fromNs: number, toNs: number])[];
  /** Their sum. */
  readonly ns: number;
}

export interface RanInstead {
  readonly fromNs: number;
  /** The switch to the task; the end of the wake-up, where the task was on its CPU all the time. */
  readonly toNs: number;
  /** The largest first; their sums add to `toNs - fromNs`. */
  readonly rows: readonly Instead[];
}

const known = new WeakMap<TraceStore, Map<number, RanInstead>>();

/** Who had the CPU while the task of a finished wake-up waited. */
export function ranInstead(
  store: TraceStore,
  wake: Pick<WakeRecord, "row" | "taskId" | "dueNs" | "latencyNs">,
): RanInstead {
  const ofRun = known.get(store) ?? new Map<number, RanInstead>();
  known.set(store, ofRun);
  const before = ofRun.get(wake.row);
  if (before !== undefined) return before;
  const made = build(store, wake);
  ofRun.set(wake.row, made);
  return made;
}

function build(
  store: TraceStore,
  { taskId, dueNs, latencyNs }: Pick<WakeRecord, "taskId" | "dueNs" | "latencyNs">,
): RanInstead {
  const toNs = switchIn(store, taskId, dueNs, dueNs + latencyNs) ?? dueNs + latencyNs;
  const rows = new Map<string, { task: number | undefined; stretches: [number, number][] }>();
  const add = (name: string, task: number | undefined, fromNs: number, untilNs: number): void => {
    if (untilNs <= fromNs) return;
    const row = rows.get(name) ?? { task, stretches: [] };
    rows.set(name, row);
    const last = row.stretches.at(-1);
    if (last?.[1] === fromNs) last[1] = untilNs;
    else row.stretches.push([fromNs, untilNs]);
  };
  const out = throttledOf(store, taskId, dueNs, toNs);
  let at = dueNs;
  for (const span of taskSpans(store, taskId, dueNs, toNs)) {
    const from = Math.max(at, span.fromNs);
    const until = Math.min(toNs, span.toNs);
    if (until <= from) continue;
    if (from > at) add(OFF_CPU, undefined, at, from);
    if (span.state === "running") add(ITSELF, taskId, from, until);
    else addWait(store, { ...span, fromNs: from, toNs: until }, taskId, out, add);
    at = until;
  }
  add(OFF_CPU, undefined, at, toNs);
  return {
    fromNs: dueNs,
    toNs,
    rows: [...rows]
      .map(([name, { task, stretches }]) => ({
        name,
        task,
        stretches,
        ns: stretches.reduce((sum, [from, until]) => sum + until - from, 0),
      }))
      .sort((one, other) => other.ns - one.ns),
  };
}

/** The task had begun to run and was off again before its first instruction, or had not slept. */
const ITSELF = "the task itself";
/** No row says on which CPU the task waits. */
const OFF_CPU = "on no CPU";
const NOT_WOKEN = "not woken yet";
const THROTTLED = "idle: no quota left";

type Add = (name: string, task: number | undefined, fromNs: number, untilNs: number) => void;

/** What the CPU did, slice by slice, on which the task waited. */
function addWait(
  store: TraceStore,
  { state, cpu, fromNs, toNs }: TaskSpan,
  task: number,
  throttled: readonly Stretch[],
  add: Add,
): void {
  const lane = store.lanes[cpu];
  if (lane === undefined) return add(OFF_CPU, undefined, fromNs, toNs);
  let at = fromNs;
  for (let index = Math.max(0, lane.indexAt(fromNs)); index < lane.count && at < toNs; index += 1) {
    const slice = lane.slice(index, store.endNs);
    const until = Math.min(toNs, slice.toNs);
    if (until <= at) continue;
    const idles = slice.state === CPU_STATE.Idle;
    const [name, who] = nameOf(store, slice, task);
    if (idles && state !== "ready" && state !== "preempted") add(NOT_WOKEN, undefined, at, until);
    else if (idles) addIdle(throttled, cpu, at, until, add);
    else add(name, who, at, until);
    at = until;
  }
  add(OFF_CPU, undefined, at, toNs);
}

/** An idle CPU on which a task waits: it is not allowed to run, or the CPU is about to notice. */
function addIdle(
  throttled: readonly Stretch[],
  cpu: number,
  fromNs: number,
  toNs: number,
  add: Add,
): void {
  let at = fromNs;
  for (const each of throttled) {
    if (each.cpu !== cpu || each.toNs <= at || each.fromNs >= toNs) continue;
    add("idle", undefined, at, Math.max(at, each.fromNs));
    const until = Math.min(toNs, each.toNs);
    add(THROTTLED, undefined, Math.max(at, each.fromNs), until);
    at = until;
  }
  add("idle", undefined, at, toNs);
}

function nameOf(
  store: TraceStore,
  { state, task: who }: Slice,
  waiter: number,
): readonly [name: string, task: number | undefined] {
  switch (state) {
    case CPU_STATE.Idle:
      return ["idle", undefined];
    case CPU_STATE.IdleExit:
      return ["leaving idle", undefined];
    case CPU_STATE.Softirq:
      return ["softirqs", undefined];
    case CPU_STATE.Hardirq:
      return ["interrupts", undefined];
    case CPU_STATE.Spin:
      return ["spinning for a lock", undefined];
    case CPU_STATE.Stopped:
      return ["stopped: SMI or host", undefined];
    case CPU_STATE.User:
    case CPU_STATE.UserSpin:
    case CPU_STATE.Kernel:
      if (who === undefined || who === waiter) return ["kernel", undefined];
      return [store.taskName(who), who];
  }
}

/** The last switch to the task in (fromNs, toNs]. */
function switchIn(
  { events }: TraceStore,
  task: number,
  fromNs: number,
  toNs: number,
): number | undefined {
  const rows = events.rowsOf(SWITCHES);
  for (let at = rows.firstAt(toNs + 1) - 1; at >= 0; at -= 1) {
    const row = rows.at(at);
    const ns = events.time.at(row);
    if (ns <= fromNs) return undefined;
    if (events.b.at(row) === task) return ns;
  }
  return undefined;
}

interface Stretch {
  readonly cpu: number;
  readonly fromNs: number;
  readonly toNs: number;
}

/** Where the task's group, or one above it, was throttled, in order of time. */
function throttledOf(
  { quota, shape, endNs }: TraceStore,
  task: number,
  fromNs: number,
  toNs: number,
): readonly Stretch[] {
  const found: Stretch[] = [];
  const group = shape.tasks[task]?.group ?? 0;
  if (quota.limited.length === 0) return found;
  quota.visitThrottled(fromNs, toNs, endNs, (from, until, cpu, above) => {
    if (quota.isBelow(group, above)) found.push({ cpu, fromNs: from, toNs: until });
  });
  return found.sort((one, other) => one.fromNs - other.fromNs);
}

/** How much of its stretches lies before an instant, ns. */
export function upTo({ stretches }: Instead, ns: number): number {
  let sum = 0;
  for (const [fromNs, toNs] of stretches) {
    if (fromNs >= ns) break;
    sum += Math.min(toNs, ns) - fromNs;
  }
  return sum;
}

/** The largest rows, and all others as one, which is named by their number; at most `most` rows. */
export function topRows({ rows }: RanInstead, most: number): readonly Instead[] {
  if (rows.length <= most) return rows;
  const named = rows.slice(0, Math.max(0, most - 1));
  const rest = rows.slice(named.length);
  const stretches = rest.flatMap((row) => row.stretches).sort(([one], [other]) => one - other);
  const ns = rest.reduce((sum, row) => sum + row.ns, 0);
  return [...named, { name: `${String(rest.length)} others`, task: undefined, stretches, ns }];
}
