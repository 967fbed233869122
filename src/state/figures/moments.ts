// The moment that made a number: what to look at when somebody asks where it comes from. A number that sums many moments leads to the longest
// of them, or to the first in view, or has none.

import { KIND } from "../../engine/gen/catalogue.ts";
import type { TraceStore } from "../../model/index.ts";
import { samplesOf } from "../../model/samples.ts";
import type { Selection, Viewport } from "../../model/types.ts";
import { metricAt } from "./metric-path.ts";
import { firstThrottle, fullestPeriod, irqOffOf, longestReady, longestRun, longestSpinOf, type Stretch } from "./stretches.ts";
import type { Run } from "../state.ts";

export interface Moment {
  readonly atNs: number;
  /** What was found there: "where the queue was deepest". */
  readonly words: string;
  /** The wake-up or the sample it is, if it is one. */
  readonly chosen?: Selection;
  /** Where what began at `atNs` ends, if it is a stretch. */
  readonly untilNs?: number;
  /** The CPU it is of. */
  readonly cpu?: number;
  /** The lock it is of, by its name. */
  readonly lock?: string | undefined;
  /** It is one of many that made the number. */
  readonly summed?: true;
}

/** Events that a counter counts. */
const COUNTED: Readonly<Record<string, readonly number[]>> = {
  "sched.context_switches": [KIND.SchedSwitch],
  "sched.migrations": [KIND.MigrateTask],
  "sched.ticks": [KIND.Tick],
  "resched.now_set": [KIND.NeedResched],
  "resched.lazy_set": [KIND.NeedReschedLazy],
  "resched.lazy_upgraded": [KIND.NeedReschedUpgrade],
  "rq_lock.acquisitions": [KIND.LockAcq],
  "ipi.nohz_kick.sent": [KIND.NohzKick],
  "ipi.nohz_kick.next": [KIND.NohzKick],
  "ipi.nohz_kick.kicks": [KIND.NohzKick],
};

/** Of a control group, by the last part of the path; the group's number stands in `a`. */
const OF_GROUP: Readonly<Record<string, readonly number[]>> = {
  expired_ns: [KIND.BwExpire, KIND.BwExpireSilo],
  dropped_ns: [KIND.BwDrop],
  double_spent_ns: [KIND.BwDoubleSpend],
  nr_periods: [KIND.BwRefill],
};

/** The moment that made the metric at `path` what it is; undefined where a number has none, or not one that the trace holds. */
export function momentOf({ trace, report, meta }: Run, path: string, view: Viewport): Moment | undefined {
  const value = report === undefined ? undefined : metricAt(report, path);
  if (value === undefined || value === 0) return undefined;
  const parts = path.split(".");
  const [inside, leaf] = [parts.slice(1, -1).join("."), parts.at(-1) ?? ""];
  if (parts[0] === "latency") return wakeMoment(trace, meta.tasks, inside, leaf, value);
  if (parts[0] === "tool_samples") return sampleMoment(trace, inside, leaf, value);
  if (parts[0] === "tasks") return taskMoment(trace, meta.tasks, inside, leaf);
  if (parts[0] === "groups")
    return groupMoment(
      trace,
      meta.groups.findIndex((each) => each.path === inside),
      leaf,
      view,
    );
  if (path === "rq_lock.max_waiters") return deepestQueue(trace);
  if (path === "rq_lock.wait_ns") return longestSpin(trace);
  if (path === "rq_lock.irq_off_max_ns") return ofStretch(irqOffOf(trace, value), "the longest stretch with interrupts off");
  const counted = COUNTED[path];
  return counted === undefined ? undefined : firstOf(trace, counted, undefined, view);
}

function ofStretch(stretch: Stretch | undefined, words: string): Moment | undefined {
  return stretch && { atNs: stretch.fromNs, untilNs: stretch.toNs, cpu: stretch.cpu, words };
}

function deepestQueue({ locks, shape }: TraceStore): Moment | undefined {
  const id = locks.deepest() ?? -1;
  const peak = locks.lock(id)?.peak;
  return peak && { atNs: peak.atNs, words: "where the queue was deepest", lock: shape.locks[id] };
}

/** What a sum of a task's time is of, and its longest part. */
const OF_TASK: Readonly<Record<string, readonly [words: string, find: typeof longestRun]>> = {
  run_ns: ["ran", longestRun],
  user_ns: ["ran", longestRun],
  ready_ns: ["was ready, but did not run", longestReady],
  spin_ns: ["spun", longestSpinOf],
};

/** Of a task, or of all of a kind: `backend.*`. */
function taskMoment(trace: TraceStore, tasks: Run["meta"]["tasks"], name: string, leaf: string): Moment | undefined {
  const kind = name.endsWith(".*") ? name.slice(0, -2) : undefined;
  const wanted = new Set(tasks.flatMap((task, id) => (task.name === name || (kind !== undefined && task.kind === kind) ? [id] : [])));
  const [words, find] = OF_TASK[leaf] ?? [];
  return find && ofStretch(find(trace, wanted), `the longest stretch in which ${kind ?? name} ${words ?? ""}`);
}

function groupMoment(trace: TraceStore, group: number, leaf: string, view: Viewport): Moment | undefined {
  if (group < 0) return undefined;
  if (leaf === "max_period_usage_ns" || leaf === "usage_ns") {
    const period = fullestPeriod(trace, group);
    return period && { atNs: period.fromNs, untilNs: period.toNs, words: "the period in which the group used most" };
  }
  if (/throttled/.test(leaf))
    return ofStretch(firstThrottle(trace, group, view.fromNs, view.toNs), "the first throttle in view, or of the run");
  const kinds = OF_GROUP[leaf];
  return kinds && firstOf(trace, kinds, group, view);
}

/** The wake-up of a kind whose latency is exactly the number; of a sum over wake-ups the longest. */
function wakeMoment(trace: TraceStore, tasks: Run["meta"]["tasks"], kind: string, leaf: string, ns: number): Moment | undefined {
  if (leaf === "count") return undefined;
  const { wakes } = trace;
  const one = /^(min|max|p\d+)_ns$/.test(leaf);
  let longest: number | undefined;
  for (let row = 0; row < wakes.count; row += 1) {
    if (tasks[wakes.taskIdOf(row)]?.kind !== kind || (one && wakes.latencyNs(row) !== ns)) continue;
    if (longest === undefined || wakes.latencyNs(row) > wakes.latencyNs(longest)) longest = row;
  }
  if (longest === undefined) return undefined;
  const found = { atNs: wakes.record(longest).dueNs, chosen: wakes.selectionOf(longest) };
  if (one) return { ...found, words: "the wake-up that took so long" };
  return { ...found, words: `the wake-up of ${kind} that waited longest`, summed: true };
}

/** Every one of these figures is one sample's length; a sum and a count are not. */
function sampleMoment(trace: TraceStore, series: string, figure: string, ns: number): Moment | undefined {
  const one = /^(min|max|p\d+)_ns$/.test(figure);
  const found = one ? samplesOf(trace).find((sample) => sample.series === series && sample.ns === ns) : undefined;
  if (found === undefined) return undefined;
  const { task, nth, fromNs } = found;
  return { atNs: fromNs, untilNs: fromNs + ns, words: `the sample of ${task} that took so long`, chosen: { kind: "sample", task, nth } };
}

/** Why a number leads nowhere. */
export function noMomentWords(path: string): string {
  return `${path.endsWith(".count") ? "A count" : "A sum"} over the run: no one moment made it.`;
}

function longestSpin({ events, shape }: TraceStore): Moment | undefined {
  let ns = 0;
  let atNs = 0;
  let last = 0;
  for (let row = 0; row < events.count; row += 1) {
    const waited = events.kind.data[row] === KIND.LockAcq ? (events.b.data[row] ?? 0) : 0;
    if (waited <= ns) continue;
    ns = waited;
    last = row;
    atNs = (events.time.data[row] ?? 0) - waited;
  }
  const [cpu, lock] = [events.cpu.at(last), shape.locks[events.a.at(last)]];
  return ns === 0 ? undefined : { atNs, untilNs: atNs + ns, words: "the longest single wait for a lock", cpu, lock };
}

/** The first such event in view, of a group if one is given, else the first of all. */
function firstOf(
  { events }: TraceStore,
  kinds: readonly number[],
  group: number | undefined,
  { fromNs, toNs }: Viewport,
): Moment | undefined {
  let first: number | undefined;
  for (let row = 0; row < events.count; row += 1) {
    if (!kinds.includes(events.kind.data[row] ?? -1) || (group !== undefined && events.a.data[row] !== group)) continue;
    const ns = events.time.data[row] ?? 0;
    if (ns >= toNs) break;
    if (ns >= fromNs) return { atNs: ns, words: "the first in view" };
    first ??= ns;
  }
  return first === undefined ? undefined : { atNs: first, words: "the first of all" };
}
