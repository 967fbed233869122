// A plan as command lines.

import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { valueText } from "../knobs/knob-values.ts";
import type { KnobSet } from "../knobs/knob-sets.ts";
import { shellWord } from "../links/commands.ts";
import { variantsOf, type SweepPlan } from "./plan.ts";

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
