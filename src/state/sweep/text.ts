// A plan as a link's field and as command lines.

import type { KnobValue, ScenarioEntry } from "../../engine/gen/types.ts";
import { findKnob, parseValue, valueText } from "../knobs/knob-values.ts";
import type { KnobSet } from "../knobs/knob-sets.ts";
import { shellWord } from "../links/commands.ts";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SEEDS_MAX, variantsOf, type SweepPlan } from "./plan.ts";
import { VALUES_MAX } from "./values.ts";

/** One line for each variant: the command line sweeps knobs, and a variant may set several. */
export function sweepCommands(entry: ScenarioEntry, plan: SweepPlan, common: KnobSet, scenario: string): readonly string[] {
  const seeds = plan.seeds === 1 ? String(plan.seedFrom) : `${plan.seedFrom}..${plan.seedFrom + plan.seeds - 1}`;
  const values = plan.values.map(valueText).some((text) => text.includes(","))
    ? JSON.stringify(plan.values)
    : plan.values.map(valueText).join(",");
  return variantsOf(entry, plan).map(({ set }) => {
    const fixed = [...Object.entries(set), ...common].filter(([path]) => path !== plan.path && path !== "seed");
    const words = [
      ...[...new Map(fixed)].flatMap(([path, value]) => ["--set", shellWord(`${path}=${valueText(value)}`)]),
      "--over",
      shellWord(`${plan.path}=${values}`),
      "--seeds",
      seeds,
      ...plan.metrics.filter((path) => !entry.headline.includes(path)).flatMap((path) => ["--metric", shellWord(path)]),
    ];
    return ["schedscope", "sweep", scenario, ...words].join(" ");
  });
}

/** A plan as one line of JSON, for a link. */
export function writePlan(plan: SweepPlan): string {
  return JSON.stringify([plan.path, plan.values, plan.metrics, plan.variants, plan.seedFrom, plan.seeds]);
}

/** The plan a link holds; undefined if it is none, or asks for what the page has not. */
export function readPlan(text: string, entry: ScenarioEntry): SweepPlan | undefined {
  const [path, values, metrics, variants, seedFrom, seeds] = readList(text);
  if (typeof path !== "string" || !isWhole(seedFrom) || !isWhole(seeds) || seeds < 1 || seeds > SEEDS_MAX) return undefined;
  const knob = findKnob(KNOBS, path);
  if (knob === undefined || !Array.isArray(values) || values.length === 0 || values.length > VALUES_MAX) return undefined;
  const parsed = values.map((value: unknown) => parseValue(knob, valueText(value as KnobValue)));
  const known = parsed.flatMap((each) => (each.ok ? [each.value] : []));
  const names = strings(variants).filter((name) => entry.variants.some((variant) => variant.name === name));
  const paths = strings(metrics).filter((metric) => /^[\w.*"/: -]{1,120}$/.test(metric));
  if (known.length !== parsed.length || paths.length === 0) return undefined;
  return { path, values: known, metrics: paths.slice(0, 8), variants: names, seedFrom, seeds };
}

function readList(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}
