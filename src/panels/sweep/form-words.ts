// The initial contents of the sweep's form, and the plan that the form describes or the reason why
// it describes none.

import type { Knob, KnobValue, ScenarioEntry } from "../../engine/gen/types.ts";
import { plainText } from "../../engine/plain.ts";
import { findKnob, isCpuMax, knobName, parseTime } from "../../scenario/knob-values.ts";
import type { MetricWords } from "../../state/figures/headline.ts";
import { RUNS_MAX, SEEDS_MAX, linesOf } from "../../state/sweep/plan.ts";
import type { SweepForms, SweepPlan } from "../../state/shape/sweep.ts";
import type { BisectQuestion } from "../../scenario/bisect.ts";
import {
  isOnLine,
  numberOf,
  parseValues,
  periodOf,
  suggestedValues,
  valueAt,
  valueLabel,
  writeValues,
} from "../../scenario/sweep-values.ts";
import type { SearchForm, SweepForm } from "../../links/sweep-form.ts";
import { boundForm, readBound } from "./bound.ts";

/**
 * Knobs that can be swept: the scenario's own first, without the seed, which every sweep moves, and
 * without those of programs that do not run in it. `resolved`: those of its run; none while there
 * is no run.
 */
export function sweptPaths(
  entry: ScenarioEntry,
  resolved: readonly string[],
  knobs: readonly Knob[],
): readonly string[] {
  const own = [...entry.knobs, ...resolved];
  const programs = new Set(own.map(programOf));
  const runs = (path: string): boolean => resolved.length === 0 || programs.has(programOf(path));
  const all = [...own, ...knobs.map((knob) => knob.path).filter(runs)];
  return [...new Set(all)].filter(
    (path) => path !== "seed" && findKnob(knobs, path) !== undefined && !path.includes("<name>"),
  );
}

/** `workload.web.rate` -> `web`; undefined for a knob of no program. */
function programOf(path: string): string | undefined {
  return /^workload\.([^.]+)\./.exec(path)?.[1];
}

/**
 * The primary knob of a scenario is most often what its variants differ in: the first that they
 * leave alone says more.
 */
export function firstForm(
  entry: ScenarioEntry,
  knobs: readonly Knob[],
  valueOf: (path: string) => KnobValue | undefined,
): SweepForm {
  const set = new Set(entry.variants.slice(0, 2).flatMap((variant) => Object.keys(variant.set)));
  const numeric = (path: string): boolean =>
    ["integer", "time"].includes(findKnob(knobs, path)?.type ?? "");
  const free = entry.knobs.filter(
    (path) => path !== "seed" && !set.has(path) && findKnob(knobs, path) !== undefined,
  );
  // A knob with one value to suggest, such as a phase that the seed draws, would make a sweep of
  // one point.
  const moves = (path: string): boolean => valuesFor(path, knobs, valueOf).includes(",");
  const moving = free.filter(moves);
  const path =
    moving.find(numeric) ??
    moving[0] ??
    entry.knobs.find(moves) ??
    free[0] ??
    entry.knobs[0] ??
    "machine.cpus";
  return {
    path,
    values: valuesFor(path, knobs, valueOf),
    secondPath: "",
    secondValues: "",
    metrics: entry.headline.slice(0, 2),
    variants: entry.variants.slice(0, 2).map((variant) => variant.name),
    seeds: "5",
    seedFrom: "1",
  };
}

/** Both forms as the window opens them: nothing is searched for yet. */
export function firstForms(...known: Parameters<typeof firstForm>): SweepForms {
  const form = firstForm(...known);
  return { form, search: blankSearch(form) };
}

/** A search that asks for nothing yet, of what a form sweeps first. */
export function blankSearch({ metrics, variants }: SweepForm): SearchForm {
  return { metric: metrics[0] ?? "", variant: variants[0] ?? "", bound: "", from: "", to: "" };
}

export function valuesFor(
  path: string,
  knobs: readonly Knob[],
  valueOf: (path: string) => KnobValue | undefined,
): string {
  const knob = findKnob(knobs, path);
  return knob === undefined
    ? ""
    : writeValues(knob, suggestedValues(knob, valueOf(path) ?? knob.default));
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly field: string; readonly words: string };

const wrong = (
  field: string,
  words: string,
): { readonly ok: false; readonly field: string; readonly words: string } => ({
  ok: false,
  field,
  words,
});

const QUOTED_MAX = 80;

/** What was typed or came with a link, as it may be shown. */
function quoted(text: string): string {
  return `“${plainText(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text)}”`;
}

function whole(field: string, text: string, least: number, most: number): Checked<number> {
  const value = /^\d{1,12}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= least && value <= most
    ? { ok: true, value }
    : wrong(field, `expected a whole number from ${least} to ${most}, got ${quoted(text)}`);
}

export function planOf(
  entry: ScenarioEntry,
  form: SweepForm,
  knobs: readonly Knob[],
): Checked<SweepPlan> {
  const knob = findKnob(knobs, form.path);
  if (knob === undefined) return wrong("path", "choose a knob");
  const values = parseValues(knob, form.values);
  if (!values.ok) return wrong("values", `${quoted(values.item)}: expected ${values.expected}`);
  const seeds = whole("seeds", form.seeds, 1, SEEDS_MAX);
  if (!seeds.ok) return seeds;
  const seedFrom = whole("seedFrom", form.seedFrom, 0, 4_294_967_295);
  if (!seedFrom.ok) return seedFrom;
  if (form.metrics.length === 0) return wrong("metrics", "choose at least one metric");
  const second = secondOf(form, knobs);
  if (!second.ok) return second;
  const { path, metrics, variants } = form;
  const plan = {
    path,
    values: values.values,
    second: second.value,
    metrics,
    variants,
    seedFrom: seedFrom.value,
    seeds: seeds.value,
  };
  const runs = runsOf(entry, plan);
  return runs > RUNS_MAX
    ? wrong("values", `${runs} runs; at most ${RUNS_MAX} are possible`)
    : { ok: true, value: plan };
}

function secondOf(
  { path, secondPath, secondValues }: SweepForm,
  knobs: readonly Knob[],
): Checked<SweepPlan["second"]> {
  if (secondPath === "") return { ok: true, value: undefined };
  const knob = findKnob(knobs, secondPath);
  if (knob === undefined || secondPath === path) return wrong("second", "choose another knob");
  const values = parseValues(knob, secondValues);
  return values.ok
    ? { ok: true, value: { path: secondPath, values: values.values } }
    : wrong("second", `${quoted(values.item)}: expected ${values.expected}`);
}

export function runsOf(entry: ScenarioEntry, plan: SweepPlan): number {
  return linesOf(entry, plan).length * plan.values.length * plan.seeds;
}

/**
 * The search a form asks for: its bound in the metric's unit, its range in the knob's. `now`: what
 * the knob is in the variant that is searched.
 */
export function questionOf(
  search: SearchForm,
  knob: Knob | undefined,
  metric: MetricWords,
  seeds: number,
  now?: KnobValue,
): Checked<BisectQuestion> {
  if (knob === undefined) return wrong("path", "choose a knob");
  const offLine = offLineWords(knob);
  if (offLine !== undefined) return wrong("path", offLine);
  const end = (field: "from" | "to"): Checked<number> => {
    const values = parseValues(knob, search[field]);
    const [value] = values.ok ? values.values : [];
    const number = value === undefined ? undefined : numberOf(knob, value);
    const form = values.ok
      ? `a ${knob.type === "integer" ? "number" : "time with a unit"}`
      : values.expected;
    return number === undefined
      ? wrong(field, `expected ${form}, got ${quoted(search[field])}`)
      : { ok: true, value: number };
  };
  const [from, to, bound] = [end("from"), end("to"), boundOf(search.bound, metric)];
  const failed = [from, to, bound].flatMap((each) => (each.ok ? [] : [each]));
  // A typed value that cannot be read is reported before a value that is missing.
  const first = failed.find(({ field }) => isTyped(search, field)) ?? failed[0];
  if (!from.ok || !to.ok || !bound.ok) return first ?? wrong("path", "");
  if (to.value <= from.value)
    return wrong(
      "to",
      `expected more than ${quoted(search.from)}, where the range begins, got ${quoted(search.to)}`,
    );
  const period = periodOf(now);
  // A limit finer than a hundredth of a CPU has no use.
  const step = isCpuMax(knob)
    ? Math.max(1_000, Math.round((parseTime(period) ?? 0) / 100_000) * 1_000)
    : 1;
  return {
    ok: true,
    value: { from: from.value, to: to.value, bound: bound.value, seeds, step, period },
  };
}

/** The sentence of a sweep in which every seed gives the same row. */
export function alikeWords(seeds: number): string {
  return `All ${seeds} seeds give the same row: nothing in this run is drawn, so a seed changes nothing.`;
}

/** Why there is no smallest value of a knob to look for; undefined where there is one. */
export function offLineWords(knob: Knob): string | undefined {
  if (isOnLine(knob)) return undefined;
  const values = knob.type === "boolean" ? "is on or off" : "has words as values";
  return `${knobName(knob)} ${values}: there is no smallest value to look for. The sweep above runs each value. A search needs a knob whose values are numbers or times.`;
}

/**
 * Whether the viewer has typed anything there; a field that is chosen from a list always has
 * something.
 */
export function isTyped(search: SearchForm, field: string): boolean {
  const typed: Readonly<Record<string, string>> = { ...search };
  return typed[field]?.trim() !== "";
}

function boundOf(text: string, metric: MetricWords): Checked<number> {
  const bound = readBound(text, metric);
  return bound === undefined
    ? wrong("bound", `expected ${boundForm(metric)}, got ${quoted(text)}`)
    : { ok: true, value: bound };
}

/** A place on the knob's number line as the knob writes it. */
export function placeText(knob: Knob | undefined, value: number, period: string): string {
  return valueLabel(knob, valueAt(knob, value, period));
}
