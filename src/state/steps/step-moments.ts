// Where in a run a moment lies that is named by its meaning. True of two runs' indexes; must not
// know of views or captions.

import { KIND } from "../../engine/gen/catalogue.ts";
import type { Moment } from "../../engine/gen/types.ts";
import type { TraceStore } from "../../model/index.ts";
import { DivergenceFinder } from "../../model/compare/divergence-finder.ts";
import { holderOut } from "../../model/locks/user-locks.ts";
import { SIDES, type PerSide, type Side } from "../../scenario/sides.ts";
import type { MomentView } from "../../scenario/step.ts";

/** An instant on a side. */
export interface Found {
  readonly ns: number;
  readonly side: Side;
}

/** An instant, and how much there is of what is looked for: of two sides that with more has it. */
interface Candidate {
  readonly ns: number;
  readonly weight: number;
}

/**
 * Moments that are the nth record of a kind, and which of its columns names the task or the group.
 */
const RECORDS: Readonly<
  Partial<Record<Moment, { readonly kind: number; readonly column?: "a" | "b" }>>
> = {
  refill: { kind: KIND.BwRefill, column: "a" },
  take: { kind: KIND.BwTake, column: "a" },
  return: { kind: KIND.BwReturn, column: "a" },
  slack_timer: { kind: KIND.BwSlack, column: "a" },
  throttle: { kind: KIND.BwThrottle, column: "a" },
  unthrottle: { kind: KIND.BwUnthrottle, column: "a" },
  expiry: { kind: KIND.BwExpireSilo, column: "a" },
  pool_expiry: { kind: KIND.BwExpire, column: "a" },
  drop: { kind: KIND.BwDrop, column: "a" },
  double_spend: { kind: KIND.BwDoubleSpend, column: "a" },
  burst: { kind: KIND.BwBurst, column: "a" },
  pull: { kind: KIND.PullOk, column: "a" },
  push: { kind: KIND.PushOk, column: "a" },
  push_ipi: { kind: KIND.RtoHop },
  overload: { kind: KIND.RtoSet },
  migration: { kind: KIND.MigrateTask, column: "a" },
  wakeup: { kind: KIND.SchedWaking, column: "a" },
  switch_in: { kind: KIND.SchedSwitch, column: "b" },
  block: { kind: KIND.ObjectWait, column: "a" },
  fork: { kind: KIND.WakeupNew, column: "a" },
  flag: { kind: KIND.NeedResched, column: "a" },
  lazy_flag: { kind: KIND.NeedReschedLazy, column: "a" },
  lazy_upgrade: { kind: KIND.NeedReschedUpgrade, column: "a" },
  boost: { kind: KIND.PiSetprio, column: "a" },
  slice_extension: { kind: KIND.SliceGrant, column: "a" },
  kick: { kind: KIND.NohzKick },
  idle_balance: { kind: KIND.NohzRun },
  tick: { kind: KIND.Tick },
  tick_stop: { kind: KIND.TickStop },
  softirq: { kind: KIND.SoftirqEntry },
  rt_throttle: { kind: KIND.RtThrottle },
  rt_unthrottle: { kind: KIND.RtUnthrottle },
  finding: { kind: KIND.Finding },
};

/**
 * The moment of a view in the runs at hand; undefined if neither has it. `stepSide`: the side the
 * step is about.
 */
export function findMoment(
  view: MomentView,
  traces: PerSide<TraceStore>,
  stepSide: Side | undefined,
): Found | undefined {
  if (view.moment === "first_divergence") {
    const { a, b } = traces;
    const parting = new DivergenceFinder(a, b).before(Math.min(a.endNs, b.endNs));
    return parting === undefined ? undefined : { ns: parting.atNs, side: stepSide ?? "a" };
  }
  const asked = view.side ?? stepSide;
  const sides = asked === undefined ? SIDES : [asked];
  const found = sides.flatMap((side) => {
    const candidate = inRun(view, traces[side]);
    return candidate === undefined ? [] : [{ side, ...candidate }];
  });
  return found.sort((one, other) => other.weight - one.weight)[0];
}

/** Ids of the tasks called `name`, by kind or instance; undefined means any. */
export function tasksCalled(
  trace: TraceStore,
  name: string | undefined,
): ReadonlySet<number> | undefined {
  if (name === undefined) return undefined;
  return new Set(
    trace.shape.tasks.flatMap((task, id) => (task.kind === name || task.name === name ? [id] : [])),
  );
}

/** The row of the worst wake-up of those tasks whose wait touches [fromNs, toNs). */
export function worstWakeIn(
  { wakes }: TraceStore,
  tasks: ReadonlySet<number> | undefined,
  fromNs = 0,
  toNs = Infinity,
): number | undefined {
  let worst: number | undefined;
  for (let row = 0; row < wakes.count; row += 1) {
    if (tasks !== undefined && !tasks.has(wakes.taskIdOf(row))) continue;
    if (worst !== undefined && wakes.latencyNs(row) <= wakes.latencyNs(worst)) continue;
    const done = wakes.doneNs(row);
    if (done > fromNs && done - wakes.latencyNs(row) < toNs) worst = row;
  }
  return worst;
}

function inRun(view: MomentView, trace: TraceStore): Candidate | undefined {
  switch (view.moment) {
    case "start":
      return { ns: 0, weight: 0 };
    case "deepest_queue":
      return deepestQueue(view, trace);
    case "worst_wakeup": {
      const row = worstWakeIn(trace, tasksCalled(trace, view.task));
      return row === undefined
        ? undefined
        : { ns: trace.wakes.dueNs(row), weight: trace.wakes.latencyNs(row) };
    }
    case "longest_throttle":
    case "longest_holder_out":
    case "longest_lazy_flag":
      return longest(view, trace);
    default:
      return nthRecord(view, trace);
  }
}

function deepestQueue({ lock }: MomentView, { locks, shape }: TraceStore): Candidate | undefined {
  const id = lock === undefined ? locks.deepest() : shape.locks.indexOf(lock);
  const peak = id === undefined ? undefined : locks.lock(id)?.peak;
  return peak === undefined || peak.depth === 0 ? undefined : { ns: peak.atNs, weight: peak.depth };
}

function longest(
  { moment, group, cpu, nth }: MomentView,
  trace: TraceStore,
): Candidate | undefined {
  const stretches: Candidate[] = [];
  const see = (fromNs: number, toNs: number, on: number): void => {
    if (cpu === undefined || cpu === on) stretches.push({ ns: fromNs, weight: toNs - fromNs });
  };
  const end = trace.endNs;
  if (moment === "longest_throttle") {
    trace.quota.visitThrottled(0, end, end, (fromNs, toNs, on, id) => {
      if (group === undefined || trace.groupName(id) === group) see(fromNs, toNs, on);
    });
  } else if (moment === "longest_holder_out") {
    for (const row of trace.events.rowsOf([KIND.UserLockOut]).listIn(0, Infinity)) {
      const out = holderOut(trace, row);
      see(out.fromNs, out.toNs, out.cpu);
    }
  } else {
    trace.flags.visit(0, end, end, (fromNs, nowNs, toNs, on) => {
      if (nowNs > fromNs) see(fromNs, toNs, on);
    });
  }
  return stretches.sort((one, other) => other.weight - one.weight || one.ns - other.ns)[nth - 1];
}

function nthRecord(
  { moment, task, group, cpu, nth }: MomentView,
  trace: TraceStore,
): Candidate | undefined {
  const record = RECORDS[moment];
  if (record === undefined) return undefined;
  const { events } = trace;
  const tasks = tasksCalled(trace, task);
  // The browser's own search: there may be millions of rows before the first of a kind.
  const kinds = events.kind.data.subarray(0, events.count);
  let left = nth;
  for (let row = kinds.indexOf(record.kind); row >= 0; row = kinds.indexOf(record.kind, row + 1)) {
    if (cpu !== undefined && events.cpu.at(row) !== cpu) continue;
    const subject = record.column === undefined ? 0 : events[record.column].at(row);
    if (tasks !== undefined && !tasks.has(subject)) continue;
    if (group !== undefined && trace.groupName(subject) !== group) continue;
    left -= 1;
    if (left === 0) return { ns: events.time.at(row), weight: 0 };
  }
  return undefined;
}

/** Whether a name is that of a moment which is a record. */
export function isRecorded(name: string): name is Moment {
  return Object.hasOwn(RECORDS, name);
}

/**
 * The CPUs on which records of a moment's kind lie in [fromNs, toNs); none for a name of another
 * moment.
 */
export function cpusWhere(
  name: string,
  { events }: TraceStore,
  fromNs: number,
  toNs: number,
): ReadonlySet<number> {
  const kind = isRecorded(name) ? RECORDS[name]?.kind : undefined;
  const cpus = new Set<number>();
  if (kind !== undefined) events.visit(kind, fromNs, toNs, (cpu) => cpus.add(cpu));
  return cpus;
}
