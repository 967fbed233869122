// What another kernel version changed without being asked: the switches that follow the version, by
// the runs before and after.

import type { KnobValue, RunMeta } from "../../engine/gen/types.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import { effectiveSet, lookUp } from "../../scenario/knob-sets.ts";
import { sameValue, VERSION } from "../../scenario/knob-values.ts";
import { latestMeta } from "../select/offers.ts";

export interface MovedByVersion {
  readonly path: string;
  readonly where: Side | "both";
  readonly from: KnobValue;
  readonly to: KnobValue;
}

/**
 * The switches that another version moved, since the last change of a knob; none while the runs of
 * that version are not there.
 */
export function movedByVersion(state: State): readonly MovedByVersion[] {
  const [a, b] = SIDES.map((side) => movedOn(state, side));
  const isIn = (
    list: readonly MovedByVersion[] | undefined,
    { path, from, to }: MovedByVersion,
  ): boolean =>
    list?.some(
      (each) => each.path === path && sameValue(each.from, from) && sameValue(each.to, to),
    ) === true;
  const shared = (a ?? [])
    .filter((each) => isIn(b, each))
    .map((each) => ({ ...each, where: "both" as const }));
  return [...shared, ...[...(a ?? []), ...(b ?? [])].filter((each) => !isIn(shared, each))];
}

function movedOn(state: State, side: Side): readonly MovedByVersion[] {
  const [before, now] = [state.metaBefore?.[side], latestMeta(state, side)];
  if (
    before === undefined ||
    now === undefined ||
    sameValue(valueIn(before, VERSION), valueIn(now, VERSION))
  )
    return [];
  const set = effectiveSet(state.entry, state.knobs, side);
  return now.knobs.flatMap(({ path, value: to }) => {
    const from = valueIn(before, path);
    // A knob that the set states was chosen, and the page says so.
    if (
      path === VERSION ||
      lookUp(set, path) !== undefined ||
      from === undefined ||
      sameValue(from, to)
    )
      return [];
    return [{ path, where: side, from, to }];
  });
}

function valueIn({ knobs }: RunMeta, path: string): KnobValue | undefined {
  return knobs.find((knob) => knob.path === path)?.value;
}
