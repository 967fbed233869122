// A plan as command lines.

import type { KnobValue, ScenarioEntry } from "../../engine/gen/types.ts";
import { valueText, writtenOver } from "../../scenario/knob-values.ts";
import type { KnobSet } from "../../scenario/knob-sets.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { valueUnder, variantsOf } from "./plan.ts";
import type { SweepPlan } from "../shape/sweep.ts";

/** One line for each variant: the command line sweeps knobs, and a variant may set several. */
export function sweepCommands(
  entry: ScenarioEntry,
  plan: SweepPlan,
  common: KnobSet,
  scenario: string,
): readonly string[] {
  const seeds =
    plan.seeds === 1
      ? String(plan.seedFrom)
      : `${plan.seedFrom}..${plan.seedFrom + plan.seeds - 1}`;
  return variantsOf(entry, plan).map((variant) => {
    const moved = [plan, ...(plan.second === undefined ? [] : [plan.second])].map(
      ({ path, values }) => {
        const before = valueUnder(path, variant, common);
        return { path, values: values.map((value) => writtenOver(path, before, value)) };
      },
    );
    const fixed = [...Object.entries(variant.set), ...common].filter(
      ([path]) => path !== "seed" && !moved.some((over) => over.path === path),
    );
    const words = [
      ...[...new Map(fixed)].flatMap(([path, value]) => [
        "--set",
        shellWord(`${path}=${valueText(value)}`),
      ]),
      ...moved.flatMap(({ path, values }) => ["--over", shellWord(`${path}=${listText(values)}`)]),
      "--seeds",
      seeds,
      ...plan.metrics
        .filter((path) => !entry.headline.includes(path))
        .flatMap((path) => ["--metric", shellWord(path)]),
    ];
    return ["schedscope", "sweep", scenario, ...words].join(" ");
  });
}

/** Values that hold a comma are listed in JSON. */
function listText(values: readonly KnobValue[]): string {
  const texts = values.map(valueText);
  return texts.some((text) => text.includes(",")) ? JSON.stringify(values) : texts.join(",");
}
