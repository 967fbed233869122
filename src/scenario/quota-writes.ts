// What a run's live changes write to cpu.max of its groups. Knows the file's text only.

import type { Change } from "../engine/protocol.ts";
import type { QuotaWrite } from "../model/index.ts";
import { keysOf, valueText } from "./knob-values.ts";

const US = 1_000;

/**
 * The writes of cpu.max among `changes`, in their order. A period that is left out stays, as in the
 * kernel.
 */
export function quotaWrites(changes: readonly Change[] = []): readonly QuotaWrite[] {
  return changes.flatMap(([atNs, knob, value]) => {
    const [root, path, key] = keysOf(knob);
    const [, quota, period] = /^(max|\d+)(?:\s+(\d+))?$/.exec(valueText(value).trim()) ?? [];
    if (root !== "cgroups" || path === undefined || key !== "cpu_max" || quota === undefined)
      return [];
    const ns = (us: string | undefined): number | undefined =>
      us === undefined || us === "max" ? undefined : Number(us) * US;
    return [{ path, atNs, quotaNs: ns(quota), periodNs: ns(period) }];
  });
}
