// The moment that made a number: what the viewer looks at to see where the number comes from. A
// number that sums many moments leads to the longest of them, or to the first in view, or has none.

import { KIND, NO_CPU } from "../../engine/gen/catalogue.ts";
import type { TraceStore } from "../../model/index.ts";
import { longestSamples, samplesOf } from "../../model/tasks/samples.ts";
import type { Selection, Viewport } from "../../model/trace/run-types.ts";
import { countedRows, isQueueLock, switchesAway } from "./counted.ts";
import { metricAt } from "../../scenario/metric-path.ts";
import {
  firstThrottle,
  fullestPeriod,
  irqOffOf,
  longestReady,
  longestRun,
  longestSpinOf,
  type Stretch,
} from "./stretches.ts";
import type { Run } from "../shape/run.ts";

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
  /** The moment is one of many that made the number. */
  readonly summed?: true;
}

/**
 * The moment that made the metric at `path` what it is; undefined where a number has none, or not
 * one that the trace holds.
 */
export function momentOf(
  { trace, report, meta }: Run,
  path: string,
  view: Viewport,
): Moment | undefined {
  const value = report === undefined ? undefined : metricAt(report, path);
  if (value === undefined || value === 0) return undefined;
  const parts = path.split(".");
  const [inside, leaf] = [parts.slice(1, -1).join("."), parts.at(-1) ?? ""];
  if (parts[0] === "latency") return wakeMoment(trace, meta.tasks, inside, leaf, value, view);
  if (parts[0] === "tool_samples") return sampleMoment(trace, inside, leaf, value, view);
  if (parts[0] === "tasks") return taskMoment(trace, meta.tasks, inside, leaf, view);
  const group = parts[0] === "groups" ? meta.groups.findIndex((each) => each.path === inside) : -1;
  const ofGroup = group < 0 ? undefined : groupMoment(trace, group, leaf, view);
  if (ofGroup !== undefined) return ofGroup;
  if (path === "rq_lock.max_waiters") return deepestQueue(trace);
  if (path === "rq_lock.wait_ns") return longestSpin(trace);
  if (path === "rq_lock.irq_off_max_ns")
    return ofStretch(irqOffOf(trace, value), "the longest stretch with interrupts off");
  return firstOf(trace, countedRows(trace, path), view);
}

function ofStretch(stretch: Stretch | undefined, words: string): Moment | undefined {
  return stretch && { atNs: stretch.fromNs, untilNs: stretch.toNs, cpu: stretch.cpu, words };
}

/** The deepest queue of a run queue's lock: the figure counts no other locks. */
function deepestQueue({ locks, shape }: TraceStore): Moment | undefined {
  const queues = shape.locks.flatMap((lock, id) =>
    isQueueLock(shape, id) ? [{ lock, peak: locks.lock(id)?.peak }] : [],
  );
  const { lock, peak } = queues.reduce((best, each) =>
    (each.peak?.depth ?? 0) > (best.peak?.depth ?? 0) ? each : best,
  );
  return peak && { atNs: peak.atNs, words: "where the queue was deepest", lock };
}

/** What a sum of a task's time is of, and its longest part. */
const OF_TASK: Readonly<Record<string, readonly [words: string, find: typeof longestRun]>> = {
  run_ns: ["ran", longestRun],
  user_ns: ["ran", longestRun],
  ready_ns: ["was ready, but did not run", longestReady],
  spin_ns: ["spun", longestSpinOf],
};

/** The moment behind a figure of a task, or of all tasks of a kind: `backend.*`. */
function taskMoment(
  trace: TraceStore,
  tasks: Run["meta"]["tasks"],
  name: string,
  leaf: string,
  view: Viewport,
): Moment | undefined {
  const kind = name.endsWith(".*") ? name.slice(0, -2) : undefined;
  const wanted = new Set(
    tasks.flatMap((task, id) =>
      task.name === name || (kind !== undefined && task.kind === kind) ? [id] : [],
    ),
  );
  if (leaf === "involuntary_switches" || leaf === "voluntary_switches")
    return firstOf(trace, switchesAway(trace, wanted, leaf === "voluntary_switches"), view);
  const [words, find] = OF_TASK[leaf] ?? [];
  return (
    find &&
    ofStretch(find(trace, wanted), `the longest stretch in which ${kind ?? name} ${words ?? ""}`)
  );
}

function groupMoment(
  trace: TraceStore,
  group: number,
  leaf: string,
  view: Viewport,
): Moment | undefined {
  if (leaf === "max_period_usage_ns" || leaf === "usage_ns") {
    const period = fullestPeriod(trace, group);
    return (
      period && {
        atNs: period.fromNs,
        untilNs: period.toNs,
        words: "the period in which the group used most",
      }
    );
  }
  if (/throttled/.test(leaf))
    return ofStretch(
      firstThrottle(trace, group, view.fromNs, view.toNs),
      "the first throttle in view, or of the run",
    );
  return undefined;
}

/** A figure that is the length of one wake-up or sample. */
const OF_ONE = /^(min|max|p\d+)_ns$/;

/**
 * The wake-up of a kind whose latency is exactly the number; of a sum over wake-ups the longest, of
 * their count the first in view.
 */
function wakeMoment(
  trace: TraceStore,
  tasks: Run["meta"]["tasks"],
  kind: string,
  leaf: string,
  ns: number,
  view: Viewport,
): Moment | undefined {
  if (leaf === "unfinished") return undefined;
  const { wakes } = trace;
  const one = OF_ONE.test(leaf);
  const rows = Array.from({ length: wakes.count }, (_, row) => row).filter(
    (row) => tasks[wakes.taskIdOf(row)]?.kind === kind && (!one || wakes.latencyNs(row) === ns),
  );
  const longest = (): number | undefined =>
    rows.reduce<number | undefined>(
      (best, row) =>
        best !== undefined && wakes.latencyNs(row) <= wakes.latencyNs(best) ? best : row,
      undefined,
    );
  const row = leaf === "count" ? firstIn(rows, (each) => wakes.doneNs(each), view) : longest();
  if (row === undefined) return undefined;
  const found = { atNs: wakes.record(row).dueNs, chosen: wakes.selectionOf(row) };
  if (one) return { ...found, words: "the wake-up that took so long" };
  const words =
    leaf === "count"
      ? `the first wake-up of ${kind} in view, or of the run`
      : `the wake-up of ${kind} that waited longest`;
  return { ...found, words, summed: true };
}

/**
 * The sample that lasts `ns`; of a sum over samples the longest, of their count the first in view.
 */
function sampleMoment(
  trace: TraceStore,
  series: string,
  figure: string,
  ns: number,
  view: Viewport,
): Moment | undefined {
  const one = OF_ONE.test(figure);
  const all = samplesOf(trace).filter((sample) => sample.series === series);
  const [words, sample] = one
    ? ["the sample of %s that took so long", all.find((each) => each.ns === ns)]
    : figure === "count"
      ? [
          "the first sample of %s in view, or of the run",
          firstIn(all, (each) => each.fromNs + each.ns, view),
        ]
      : ["the sample of %s that took longest", longestSamples(trace, series)[0]];
  if (sample === undefined) return undefined;
  const { task, nth, fromNs } = sample;
  const found = {
    atNs: fromNs,
    untilNs: fromNs + sample.ns,
    words: words.replace("%s", task),
    chosen: { kind: "sample", task, nth } as const,
  };
  return one ? found : { ...found, summed: true };
}

/** The first that ends in view, else the first of all. */
function firstIn<T>(
  all: readonly T[],
  endOf: (each: T) => number,
  { fromNs, toNs }: Viewport,
): T | undefined {
  return all.find((each) => endOf(each) >= fromNs && endOf(each) < toNs) ?? all[0];
}

/** Why a number leads nowhere. */
export function noMomentWords(path: string): string {
  return path.endsWith("_ns")
    ? "A sum over the run: no one moment made it."
    : "The trace has no record of what made this number.";
}

/** The longest wait for a run queue's lock: the figure sums no others. */
function longestSpin({ events, shape }: TraceStore): Moment | undefined {
  let ns = 0;
  let atNs = 0;
  let last = 0;
  for (let row = 0; row < events.count; row += 1) {
    const waited = events.kind.data[row] === KIND.LockAcq ? (events.b.data[row] ?? 0) : 0;
    if (waited <= ns || !isQueueLock(shape, events.a.at(row))) continue;
    ns = waited;
    last = row;
    atNs = (events.time.data[row] ?? 0) - waited;
  }
  const [cpu, lock] = [events.cpu.at(last), shape.locks[events.a.at(last)]];
  return ns === 0
    ? undefined
    : { atNs, untilNs: atNs + ns, words: "the longest single wait for a lock", cpu, lock };
}

/** The first of these events in view, else the first of all. */
function firstOf(
  trace: TraceStore,
  rows: Iterable<number>,
  { fromNs, toNs }: Viewport,
): Moment | undefined {
  const { time } = trace.events;
  let first: number | undefined;
  for (const row of rows) {
    if (time.at(row) >= toNs) break;
    if (time.at(row) >= fromNs) return eventMoment(trace, row, "the first in view");
    first ??= row;
  }
  return first === undefined ? undefined : eventMoment(trace, first, "the first of all");
}

function eventMoment({ events }: TraceStore, row: number, words: string): Moment {
  const cpu = events.cpu.at(row);
  return { atNs: events.time.at(row), words, ...(cpu === NO_CPU ? {} : { cpu }) };
}
