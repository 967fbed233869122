// What a run says of its costs where not all of them are its preset's: the words of the command's
// header.

import type { RunMeta } from "../engine/gen/types.ts";
import { valueText } from "./knob-values.ts";

/** "vm2_meas, schedule_ns 1200"; undefined where every cost is the preset's. */
export function changedCosts(meta: Pick<RunMeta, "costs" | "knobs">): string | undefined {
  const stated = meta.costs.filter((cost) => cost.provenance === "stated");
  if (stated.length === 0) return undefined;
  const preset = meta.knobs.find((knob) => knob.path === "machine.costs")?.value ?? "";
  return [valueText(preset), ...stated.map((cost) => `${cost.name} ${cost.value}`)].join(", ");
}
