// A and B exchanged: each side gets what the other one runs. True of knobs and live changes only;
// it must not know of runs.

import type { KnobValue, ScenarioEntry } from "../engine/gen/types.ts";
import { otherSide, SIDES, type Side } from "./sides.ts";
import {
  effectiveSet,
  lookUp,
  sideVariant,
  type KnobSet,
  type KnobSets,
  type LiveChange,
} from "./knob-sets.ts";
import { sameValue } from "./knob-values.ts";
import { baseValue } from "./variants.ts";

type Resolved = (side: Side, path: string) => KnobValue | undefined;

/**
 * Exchanges the letters of the two runs. What holds for both sides stays so; a side whose own
 * variant sets what the other one leaves alone gets that knob's value in the other one's run.
 * `resolved` returns what a side's run has where nothing sets a knob.
 */
export function swapped(entry: ScenarioEntry, sets: KnobSets, resolved: Resolved): KnobSets {
  const common: KnobSets = { ...sets, a: [], b: [] };
  const own = (side: Side): KnobSet =>
    valuesLike(entry, common, side, effectiveSet(entry, sets, otherSide(side)), (path) =>
      resolved(otherSide(side), path),
    );
  const [a = [], b = []] = SIDES.map(own);
  return { both: sets.both, a, b, live: sets.live.map(turned) };
}

/**
 * What `side` must set of its own, where it sets nothing in `common`, so that its run has what
 * `wanted` sets. `resolved`: what a knob is in that other run where nothing sets it.
 */
export function valuesLike(
  entry: ScenarioEntry,
  common: KnobSets,
  side: Side,
  wanted: KnobSet,
  resolved: (path: string) => KnobValue | undefined,
): KnobSet {
  const has = effectiveSet(entry, common, side);
  const left = Object.keys(sideVariant(entry, side).set).filter(
    (path) => lookUp(wanted, path) === undefined,
  );
  const back = left.flatMap((path): KnobSet => {
    const value = resolved(path) ?? baseValue(entry, path);
    return value === undefined ? [] : [[path, value]];
  });
  return [...back, ...wanted].filter(([path, value]) => !sameValue(lookUp(has, path), value));
}

function turned(change: LiveChange): LiveChange {
  return change.where === "both" ? change : { ...change, where: otherSide(change.where) };
}
