// What two finished runs say, figure by figure: metrics, tasks, causes. True of reports and of
// wake-ups; exact integers throughout. Must not know which side is A in the picture, or how a
// figure is printed.

import { CAUSES } from "../../engine/gen/catalogue.ts";
import type { Latency, Metrics, TaskInfo, TaskMetrics } from "../../engine/gen/types.ts";
import { largestRemainder } from "../../lib/percent.ts";
import { fewSamples, nearestRank, samplesNeeded } from "../trace/latency.ts";
import type { TraceStore } from "../trace/trace-store.ts";

/** One figure of both runs; undefined where a run does not have it. */
export interface Pair {
  readonly a: number | undefined;
  readonly b: number | undefined;
}

/** The parts of a finished run that a comparison needs. */
export interface Finished {
  readonly metrics: Metrics;
  readonly tasks: readonly TaskInfo[];
  readonly trace: TraceStore;
}

export function deltaOf({ a, b }: Pair): number | undefined {
  return a === undefined || b === undefined ? undefined : b - a;
}

export interface MetricDelta extends Pair {
  /** Dotted path as in scenario files: `rq_lock.max_waiters`. */
  readonly path: string;
  /**
   * How many samples there are, where they are too few to support the figure. The report has a
   * figure nevertheless, which says nothing.
   */
  readonly few: Pair;
}

/**
 * Every integer of both reports but those of single tasks, in the report's order; none of too few
 * samples.
 */
export function metricDeltas(a: Metrics, b: Metrics): readonly MetricDelta[] {
  const [one, other] = [leaves(a), leaves(b)];
  return [...new Set([...one.keys(), ...other.keys()])].map((path) => {
    const few = {
      a: fewSamples((leaf) => one.get(leaf), path),
      b: fewSamples((leaf) => other.get(leaf), path),
    };
    return {
      path,
      a: few.a === undefined ? one.get(path) : undefined,
      b: few.b === undefined ? other.get(path) : undefined,
      few,
    };
  });
}

function leaves(metrics: Metrics): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const walk = (here: object, path: string): void => {
    for (const [key, value] of Object.entries(here) as [string, unknown][]) {
      const at = path === "" ? key : `${path}.${key}`;
      if (typeof value === "number") found.set(at, value);
      else if (typeof value === "object" && value !== null && at !== "tasks") walk(value, at);
    }
  };
  walk(metrics, "");
  return found;
}

/** Figures of a task or of all tasks of a kind; ns unless it is a count. */
export const TASK_FIGURES = [
  "run",
  "ready",
  "throttled",
  "spin",
  "switches",
  "wakeups",
  "p50",
  "p99",
  "max",
] as const;
export type TaskFigure = (typeof TASK_FIGURES)[number];
/** The figures that are counts. */
export const TASK_COUNTS: readonly TaskFigure[] = ["switches", "wakeups"];

export interface TaskDelta {
  readonly name: string;
  readonly kind: string;
  /** The row sums all tasks of the kind. */
  readonly whole: boolean;
  readonly figures: Readonly<Record<TaskFigure, Pair>>;
}

type Figures = Partial<Record<TaskFigure, number | undefined>>;

/** Kind by kind in task order: the kind, then its tasks. A kind of one task has one row. */
export function taskDeltas(a: Finished, b: Finished): readonly TaskDelta[] {
  const infos = new Map([...a.tasks, ...b.tasks].map((info) => [info.name, info]));
  const byKind = new Map<string, TaskInfo[]>();
  for (const info of infos.values()) {
    const own = byKind.get(info.kind);
    if (own === undefined) byKind.set(info.kind, [info]);
    else own.push(info);
  }
  return [...byKind].flatMap(([kind, tasks]) => {
    const rows = tasks.map(({ name }) =>
      rowOf(name, kind, false, taskFigures(a, name), taskFigures(b, name)),
    );
    return tasks.length === 1
      ? rows
      : [rowOf(kind, kind, true, kindFigures(a, kind), kindFigures(b, kind)), ...rows];
  });
}

function rowOf(name: string, kind: string, whole: boolean, a: Figures, b: Figures): TaskDelta {
  const figures = Object.fromEntries(
    TASK_FIGURES.map((figure) => [figure, { a: a[figure], b: b[figure] }]),
  );
  return { name, kind, whole, figures: figures as Record<TaskFigure, Pair> };
}

function countsOf(metrics: TaskMetrics): Figures {
  const { run_ns, ready_ns, throttled_ns, spin_ns, wakeups } = metrics;
  const switches = metrics.voluntary_switches + metrics.involuntary_switches;
  return {
    run: run_ns,
    ready: ready_ns,
    throttled: throttled_ns,
    spin: spin_ns,
    switches,
    wakeups,
  };
}

function taskFigures({ metrics, trace }: Finished, name: string): Figures {
  const own = Object.hasOwn(metrics.tasks, name) ? metrics.tasks[name] : undefined;
  const { rows } = trace.wakes.ofTask(name);
  const sorted = Float64Array.from(rows, (row) => trace.wakes.latencyNs(row)).sort();
  const rank = (perMille: number): number | undefined =>
    sorted.length >= samplesNeeded(perMille) ? nearestRank(sorted, perMille) : undefined;
  return {
    ...(own === undefined ? {} : countsOf(own)),
    p50: rank(500),
    p99: rank(990),
    max: sorted.at(-1),
  };
}

function kindFigures({ metrics, tasks }: Finished, kind: string): Figures {
  const own = tasks
    .flatMap((info) => (info.kind === kind ? (metrics.tasks[info.name] ?? []) : []))
    .map(countsOf);
  const sum = (figure: TaskFigure): number | undefined =>
    own.length === 0 ? undefined : own.reduce((total, each) => total + (each[figure] ?? 0), 0);
  const latency = Object.hasOwn(metrics.latency, kind) ? metrics.latency[kind] : undefined;
  const supported = (perMille: number, ns: number | undefined): number | undefined =>
    (latency?.count ?? 0) >= samplesNeeded(perMille) ? ns : undefined;
  return {
    ...Object.fromEntries(
      (["run", "ready", "throttled", "spin", "switches", "wakeups"] as const).map((figure) => [
        figure,
        sum(figure),
      ]),
    ),
    p50: supported(500, latency?.p50_ns),
    p99: supported(990, latency?.p99_ns),
    max: latency?.count === 0 ? undefined : latency?.max_ns,
  };
}

export interface CauseDelta {
  /** Index into CAUSES. */
  readonly cause: number;
  /** Task kind; undefined for all kinds together. */
  readonly kind: string | undefined;
  readonly ns: Pair;
  /**
   * Hundredths of a per cent of the kind's latency; a run's shares of one kind add to exactly 10
   * 000, or are all 0.
   */
  readonly share: Pair;
}

/**
 * Every cause of each kind that had a wake-up, all kinds together first. Causes that neither run
 * has are left out.
 */
export function causeDeltas(a: Metrics, b: Metrics): readonly CauseDelta[] {
  const kinds = [...new Set([...Object.keys(a.latency), ...Object.keys(b.latency)])];
  const groups = kinds.length > 1 ? [undefined, ...kinds] : kinds;
  return groups.flatMap((kind) => {
    const [one, other] = [causesOf(a, kind), causesOf(b, kind)];
    return CAUSES.flatMap((_, cause) => {
      const ns = { a: one?.ns[cause], b: other?.ns[cause] };
      const share = { a: one?.shares[cause], b: other?.shares[cause] };
      return (ns.a ?? 0) + (ns.b ?? 0) === 0 ? [] : [{ cause, kind, ns, share }];
    });
  });
}

function causesOf(
  metrics: Metrics,
  kind: string | undefined,
): { readonly ns: readonly number[]; readonly shares: readonly number[] } | undefined {
  const latencies: readonly Latency[] = Object.entries(metrics.latency).flatMap(([key, latency]) =>
    kind === undefined || key === kind ? [latency] : [],
  );
  if (latencies.length === 0) return undefined;
  const ns = CAUSES.map(({ name }) =>
    latencies.reduce((sum, { causes_ns }) => sum + (causes_ns[name] ?? 0), 0),
  );
  return { ns, shares: largestRemainder(ns) };
}
