// What the last sweep of the window already knows of a search: values that do not keep the bound.

import type { Knob, ScenarioEntry } from "../../engine/gen/types.ts";
import type { BisectQuestion, Probe } from "../../scenario/bisect.ts";
import { isCpuMax } from "../../scenario/knob-values.ts";
import type { KnobSet } from "../../scenario/knob-sets.ts";
import { isBare, numberOf, periodOf } from "../../scenario/sweep-values.ts";
import type { Sweeping, SweepPlan } from "../shape/sweep.ts";
import { variantsOf } from "./plan.ts";

/**
 * The values of the last sweep between the ends of the question's range, each with a run that goes
 * above the bound: whatever its other seeds give, it does not keep it. Values that the sweep found
 * to keep it are not among them, because the search may ask for more seeds.
 */
export function knownFailures(
  { plan: swept, common: under, results }: Sweeping,
  entry: ScenarioEntry,
  plan: SweepPlan,
  common: KnobSet,
  question: BisectQuestion,
  knob: Knob | undefined,
): readonly Probe[] {
  if (knob === undefined || swept?.path !== plan.path || swept.second !== undefined) return [];
  if (JSON.stringify(under) !== JSON.stringify(common)) return [];
  const metric = swept.metrics.indexOf(plan.metrics[0] ?? "");
  const [wanted] = variantsOf(entry, plan);
  const line = variantsOf(entry, swept).findIndex(({ name }) => name === wanted?.name);
  const worst = new Map<number, number>();
  for (const { point, outcome } of results) {
    const figure = outcome.kind === "figures" ? outcome.figures[metric] : undefined;
    const value = swept.values[point.value];
    if (point.variant !== line || figure === undefined || value === undefined) continue;
    if (isCpuMax(knob) && (isBare(value) || periodOf(value) !== question.period)) continue;
    const place = numberOf(knob, value);
    if (place === undefined || place <= question.from || place >= question.to) continue;
    if (figure > question.bound) worst.set(place, Math.max(figure, worst.get(place) ?? figure));
  }
  return [...worst].map(([value, most]) => ({ value, worst: most }));
}
