// The moment that made a number: what to look at when somebody asks where it comes from. A number that sums many moments leads to the first of
// them in view, or has none.

import { KIND } from "../../engine/gen/catalogue.ts";
import type { TraceStore } from "../../model/index.ts";
import { samplesOf } from "../../model/samples.ts";
import type { Selection, Viewport } from "../../model/types.ts";
import { metricAt } from "./metric-path.ts";
import type { Run } from "../state.ts";

export interface Moment {
  readonly atNs: number;
  /** What was found there: "where the queue was deepest". */
  readonly words: string;
  /** The wake-up or the sample it is, if it is one. */
  readonly chosen?: Selection;
  /** Where what began at `atNs` ends, if it is a stretch. */
  readonly untilNs?: number;
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
  nr_throttled: [KIND.BwThrottle],
  throttled_ns: [KIND.BwThrottle],
  throttled_local_ns: [KIND.BwThrottle],
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
  if (parts[0] === "latency") return wakeMoment(trace, meta.tasks, parts.slice(1, -1).join("."), value);
  if (parts[0] === "tool_samples") return sampleMoment(trace, parts.slice(1, -1).join("."), parts.at(-1) ?? "", value);
  if (path === "rq_lock.max_waiters") {
    const peak = trace.locks.lock(trace.locks.deepest() ?? -1)?.peak;
    return peak === undefined ? undefined : { atNs: peak.atNs, words: "where the queue was deepest" };
  }
  if (path === "rq_lock.wait_ns") return longestSpin(trace);
  const counted = COUNTED[path];
  if (counted !== undefined) return firstOf(trace, counted, undefined, view);
  const group = parts[0] === "groups" ? meta.groups.findIndex((each) => each.path === parts.slice(1, -1).join(".")) : -1;
  const ofGroup = group < 0 ? undefined : OF_GROUP[parts.at(-1) ?? ""];
  return ofGroup === undefined ? undefined : firstOf(trace, ofGroup, group, view);
}

/** The wake-up of a kind whose latency is exactly the number. */
function wakeMoment(trace: TraceStore, tasks: Run["meta"]["tasks"], kind: string, ns: number): Moment | undefined {
  const { wakes } = trace;
  for (let row = 0; row < wakes.count; row += 1) {
    if (wakes.latencyNs(row) !== ns || tasks[wakes.taskIdOf(row)]?.kind !== kind) continue;
    return { atNs: wakes.record(row).dueNs, words: "the wake-up that took so long", chosen: wakes.selectionOf(row) };
  }
  return undefined;
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

function longestSpin({ events }: TraceStore): Moment | undefined {
  let ns = 0;
  let atNs = 0;
  for (let row = 0; row < events.count; row += 1) {
    const waited = events.kind.data[row] === KIND.LockAcq ? (events.b.data[row] ?? 0) : 0;
    if (waited <= ns) continue;
    ns = waited;
    atNs = (events.time.data[row] ?? 0) - waited;
  }
  return ns === 0 ? undefined : { atNs, words: "the longest single wait for a lock" };
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
