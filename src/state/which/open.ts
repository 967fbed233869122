// The two runs of an answer as A and B: the older question's release, and the release with the
// change put in or left out.

import type { RankedChange } from "../../engine/bisect-object.ts";
import type { KnobValue } from "../../engine/gen/types.ts";
import { sideVariant, lookUp, type KnobSet, type KnobSets } from "../../scenario/knob-sets.ts";
import { VERSION } from "../../scenario/knob-values.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { WhichAsked, WhichFound } from "../shape/which.ts";

/** Paths that a variant of A or B sets and the question's runs do not. */
export function unaskedPaths({ entry, common }: WhichAsked): readonly string[] {
  const paths = SIDES.flatMap((side) => Object.keys(sideVariant(entry, side).set));
  return [...new Set(paths)].filter(
    (path) => path !== VERSION && lookUp(common, path) === undefined,
  );
}

/**
 * The knobs that open a change: `from` has A the first release and B that with the change; `to` has
 * A the second release without it and B the second. Undefined where there is no such run.
 */
export function knobsOf(
  asked: WhichAsked,
  { own }: WhichFound,
  ranked: RankedChange,
  where: "from" | "to",
): KnobSets | undefined {
  const trial = where === "from" ? ranked.from_with_it : ranked.to_without_it;
  if (trial === null) return undefined;
  const release = where === "from" ? 0 : 1;
  const changed: KnobSet = Object.entries(trial.set);
  // What a variant would put there gives way to what the release has of itself.
  const values: Readonly<Record<string, KnobValue>> = own[release] ?? {};
  const both: KnobSet = [...asked.common, [VERSION, asked[where]], ...Object.entries(values)];
  const live = asked.live;
  return where === "from" ? { both, a: [], b: changed, live } : { both, a: changed, b: [], live };
}
