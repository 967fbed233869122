// Listing branches, and putting one on a side: the knobs and writes that make this side's request the branch's. The other side's stays what it is.

import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { effectiveSet, liveOn, type KnobSets, type LiveChange } from "../knobs/knob-sets.ts";
import { valuesLike } from "../knobs/swap.ts";
import { otherSide, SIDES, type Side } from "../sides.ts";
import { sameSet, type Branch, type Branches } from "./branches.ts";

export function shownOn(entry: ScenarioEntry, sets: KnobSets, side: Side, { set, changes }: Branch): KnobSets {
  const alike = sameSet(effectiveSet(entry, sets, side), set);
  const own = alike ? sets[side] : valuesLike(entry, { ...sets, [side]: [] }, side, set, () => undefined);
  const mine = changes.map(([atNs, path, value]): LiveChange => ({ where: side, path, value, atNs }));
  const other = otherSide(side);
  const theirs = liveOn(sets, other).map((change): LiveChange => ({ ...change, where: other }));
  return { ...sets, [side]: own, live: joined(mine, theirs) };
}

/** What both sides write alike, at one instant, is one write of both: a link says it once. */
function joined(mine: readonly LiveChange[], theirs: readonly LiveChange[]): readonly LiveChange[] {
  const alike = (one: LiveChange) => (other: LiveChange) =>
    JSON.stringify({ ...one, where: "" }) === JSON.stringify({ ...other, where: "" });
  const both = mine.filter((change) => theirs.some(alike(change)));
  const apart = [...mine, ...theirs].filter((change) => !both.some(alike(change)));
  const all = [...both.map((change): LiveChange => ({ ...change, where: "both" })), ...apart];
  return all.sort((one, other) => one.atNs - other.atNs);
}

/** The sides on which a branch's writes and knobs stand. */
export function sidesOf(entry: ScenarioEntry, sets: KnobSets, { text, set, changes }: Branch): readonly Side[] {
  if (entry.text !== text) return [];
  const written = (side: Side): string => JSON.stringify(liveOn(sets, side).map(({ atNs, path, value }) => [atNs, path, value]));
  return SIDES.filter((side) => sameSet(effectiveSet(entry, sets, side), set) && written(side) === JSON.stringify(changes));
}

/** The branches of a scenario's text, each behind its parent: `depth` counts the parents that are listed. */
export function inOrder({ list }: Branches, text: string): readonly { readonly branch: Branch; readonly depth: number }[] {
  const own = list.filter((branch) => branch.text === text);
  const ids = new Set(own.map(({ id }) => id));
  const below = (parent: number | undefined, depth: number): ReturnType<typeof inOrder> =>
    own
      .filter((branch) => (parent === undefined ? branch.parent === undefined || !ids.has(branch.parent) : branch.parent === parent))
      .flatMap((branch) => [{ branch, depth }, ...below(branch.id, depth + 1)]);
  return below(undefined, 0);
}
