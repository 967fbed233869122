// One knob over several values, for some variants, each over several seeds: which runs that makes,
// and what they came to. It knows no workers and no pixels.

import { deviation, mean } from "d3-array";
import type { KnobValue, RunReport, ScenarioEntry, Variant } from "../../engine/gen/types.ts";
import type { RunRequest } from "../../engine/protocol.ts";
import { counted } from "../../lib/count.ts";
import { nearestRank } from "../../model/trace/latency.ts";
import { writtenOver } from "../../scenario/knob-values.ts";
import { settingWords } from "../../scenario/path-words.ts";
import { sweptValue, headlineWords } from "../figures/headline.ts";
import { lookUp, type KnobSet } from "../../scenario/knob-sets.ts";
import { nameWith } from "../../scenario/variants.ts";
import { MAX_RECORDS } from "../select/selectors.ts";
import type { SweepPlan, SweepPoint, SweepResult } from "../shape/sweep.ts";

/** Runs of one sweep, as on the command line. */
export const RUNS_MAX = 10_000;
export const SEEDS_MAX = 1_000;
export const FILE_ITSELF: Variant = { name: "as written", set: {} };

export function variantsOf(
  entry: ScenarioEntry,
  plan: Pick<SweepPlan, "variants">,
): readonly Variant[] {
  const named = plan.variants.flatMap(
    (name) => entry.variants.find((variant) => variant.name === name) ?? [],
  );
  return named.length === 0 ? [FILE_ITSELF] : named;
}

/** The lines of a sweep: its variants, each with every value of the second knob. */
export function linesOf(
  entry: ScenarioEntry,
  plan: Pick<SweepPlan, "variants" | "second">,
): readonly Variant[] {
  const { second } = plan;
  const variants = variantsOf(entry, plan);
  if (second === undefined) return variants;
  return variants.flatMap(({ name, set }) =>
    second.values.map((value) => ({
      name: `${name}, ${settingWords(second.path, value)}`,
      set: { ...set, [second.path]: value },
    })),
  );
}

/**
 * The lines with their names: what was turned on both sides follows a line's name, even where the
 * line's variant sets it.
 */
export function namedLines(
  entry: ScenarioEntry,
  plan: Pick<SweepPlan, "path" | "variants" | "second">,
  common: KnobSet,
): readonly Variant[] {
  const laid = common.filter(([path]) => path !== plan.path && path !== plan.second?.path);
  return linesOf(entry, plan).map(({ name, set }) => ({
    name: nameWith(entry, laid, name, set, true),
    set,
  }));
}

/**
 * Seed by seed, so that a sweep that is stopped has every value as often as any other, or once
 * less.
 */
export function pointsOf(entry: ScenarioEntry, plan: SweepPlan): readonly SweepPoint[] {
  const variants = linesOf(entry, plan).length;
  const all = variants * plan.values.length * plan.seeds;
  return Array.from({ length: Math.min(all, RUNS_MAX) }, (_, index) => ({
    variant: index % variants,
    value: Math.floor(index / variants) % plan.values.length,
    seed: plan.seedFrom + Math.floor(index / (variants * plan.values.length)),
  }));
}

/**
 * What a knob is for a variant, under what the viewer turned on both sides; undefined where neither
 * states it.
 */
export function valueUnder(
  path: string,
  { set }: Pick<Variant, "set">,
  common: KnobSet,
): KnobValue | undefined {
  const [own, turned] = [set[path], lookUp(common, path)];
  return turned === undefined ? own : writtenOver(path, own, turned);
}

/**
 * The requests of these points. `common`: knobs the viewer turned on both sides; the swept knobs
 * and the seed are laid over them. Lines are made once for all points: a sweep of two knobs has
 * thousands.
 */
export function requestsOf(
  entry: ScenarioEntry,
  plan: SweepPlan,
  common: KnobSet,
  points: readonly SweepPoint[],
): readonly RunRequest[] {
  const laid = common.filter(([path]) => path !== plan.second?.path);
  const lines = linesOf(entry, plan).map((line) => {
    const all = new Map<string, KnobValue>([...Object.entries(line.set), ...laid]);
    all.delete(plan.path);
    all.delete("seed");
    return { rest: [...all], before: valueUnder(plan.path, line, common) };
  });
  return points.map((point) => {
    const value = plan.values[point.value];
    const { rest = [], before } = lines[point.variant] ?? {};
    const swept =
      value === undefined ? [] : [[plan.path, writtenOver(plan.path, before, value)] as const];
    const set = [...rest, ...swept, ["seed", point.seed] as const];
    return { slug: entry.slug, text: entry.text, set, maxRecords: MAX_RECORDS, trace: "none" };
  });
}

/**
 * The plan's figures of a report: totals per second of machine time, as the page shows them
 * everywhere.
 */
export function figuresOf(plan: SweepPlan, report: RunReport): readonly (number | undefined)[] {
  return headlineWords(plan.metrics).map((words) => sweptValue(report, words));
}

/** What the seeds of one value came to. */
export interface Spread {
  /** Runs that have the figure. */
  readonly runs: number;
  readonly mean: number;
  /** The standard error of the mean; undefined of one run. */
  readonly error: number | undefined;
  /** The 5th percentile by nearest rank; of fewer than 20 runs the least. */
  readonly low: number;
  /** The lower of the two in the middle where their number is even. */
  readonly median: number;
  /** The 95th percentile by nearest rank; of fewer than 20 runs the greatest. */
  readonly high: number;
}

/**
 * One run of a value: its place in the plan and its figures, none if a limit cut it or it was
 * refused.
 */
interface Finished {
  readonly point: SweepPoint;
  readonly figures: readonly (number | undefined)[];
  /** The schedule's; undefined where it has no figures. */
  readonly digest: string | undefined;
}

/**
 * Results by line and value: each is looked at once, however many points the charts and the table
 * have.
 */
export class Outcomes {
  private readonly cells: readonly (readonly Finished[])[];

  constructor(
    results: readonly SweepResult[],
    private readonly values: number,
  ) {
    const cells: Finished[][] = [];
    for (const { point, outcome } of results)
      (cells[point.variant * values + point.value] ??= []).push({
        point,
        ...(outcome.kind === "figures" ? outcome : { figures: [], digest: undefined }),
      });
    this.cells = cells;
  }

  /**
   * The spread of one metric, variant and value; undefined while no run of it is done or none has
   * the figure.
   */
  spread(metric: number, variant: number, value: number): Spread | undefined {
    const figures = this.at(variant, value)
      .flatMap((run) => run.figures[metric] ?? [])
      .sort((one, other) => one - other);
    const average = mean(figures);
    const median = figures[Math.floor((figures.length - 1) / 2)];
    if (average === undefined || median === undefined) return undefined;
    const runs = figures.length;
    const off = deviation(figures);
    return {
      runs,
      mean: average,
      error: off === undefined ? undefined : off / Math.sqrt(runs),
      low: nearestRank(figures, 50),
      median,
      high: nearestRank(figures, 950),
    };
  }

  /**
   * Whether all seeds of each value came to one schedule, and so to the same figures; false until
   * all of the `cells` lines and values have `seeds` runs, and of one seed.
   */
  seedsAlike(seeds: number, cells: number): boolean {
    const alike = (runs: readonly Finished[]): boolean =>
      runs.length === seeds &&
      runs.every(({ digest }) => digest !== undefined && digest === runs[0]?.digest);
    return seeds > 1 && this.cells.length === cells && this.cells.every(alike);
  }

  /**
   * How many of a value's seeds that ran have no figure, and so no part in its spread: "1 of 8
   * seeds has no figure"; nothing where all have one.
   */
  lacking(metric: number, variant: number, value: number): string {
    const runs = this.at(variant, value);
    const without = runs.filter(({ figures }) => figures[metric] === undefined).length;
    return without === 0
      ? ""
      : `${without} of ${counted(runs.length, "seed")} ${without === 1 ? "has" : "have"} no figure`;
  }

  /** The first of a value's runs that came to this figure. */
  runWith(metric: number, variant: number, value: number, figure: number): SweepPoint | undefined {
    return this.at(variant, value).find((run) => run.figures[metric] === figure)?.point;
  }

  /** The run whose figure is the median of a value's seeds: the run behind a point of the chart. */
  middleRun(metric: number, variant: number, value: number): SweepPoint | undefined {
    const spread = this.spread(metric, variant, value);
    return spread === undefined ? undefined : this.runWith(metric, variant, value, spread.median);
  }

  private at(variant: number, value: number): readonly Finished[] {
    return this.cells[variant * this.values + value] ?? [];
  }
}

/** Every path of a report's metrics that holds a number, for people to choose from. */
export function metricPaths(report: RunReport): readonly string[] {
  const paths: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value === "number") paths.push(path);
    else if (typeof value === "object" && value !== null && !Array.isArray(value))
      Object.entries(value).forEach(([key, inner]) =>
        walk(inner, path === "" ? key : `${path}.${key}`),
      );
  };
  walk(report.metrics, "");
  return paths;
}
