// Listing branches, and putting one on a side: the knobs and writes that make this side's request
// the branch's. The other side's stays what it is.

import type { ScenarioEntry } from "../../engine/gen/types.ts";
import {
  effectiveSet,
  liveOn,
  sameSet,
  type KnobSets,
  type LiveChange,
} from "../../scenario/knob-sets.ts";
import { valuesLike } from "../../scenario/swap-sides.ts";
import { otherSide, SIDES, type Side } from "../../scenario/sides.ts";
import type { Branch, Branches } from "../shape/branch.ts";

export function shownOn(
  entry: ScenarioEntry,
  sets: KnobSets,
  side: Side,
  { set, changes }: Branch,
): KnobSets {
  const alike = sameSet(effectiveSet(entry, sets, side), set);
  const own = alike
    ? sets[side]
    : valuesLike(entry, { ...sets, [side]: [] }, side, set, () => undefined);
  const mine = changes.map(([atNs, path, value]): LiveChange => ({
    where: side,
    path,
    value,
    atNs,
  }));
  const other = otherSide(side);
  const theirs = liveOn(sets, other).map((change): LiveChange => ({ ...change, where: other }));
  return { ...sets, [side]: own, live: joined(mine, theirs) };
}

/**
 * The writes of both sides as one list. The writes of a side keep their order, because the later of
 * two writes at one instant is the one that counts. A write that both sides have becomes one write
 * of both, as far as the two orders allow: a link then says it once.
 */
function joined(mine: readonly LiveChange[], theirs: readonly LiveChange[]): readonly LiveChange[] {
  const all: LiveChange[] = [];
  let [at, to] = [0, 0];
  for (const [mineAt, theirsAt] of commonOf(mine, theirs)) {
    all.push(...mine.slice(at, mineAt), ...theirs.slice(to, theirsAt));
    const alike = mine[mineAt];
    if (alike !== undefined) all.push({ ...alike, where: "both" });
    [at, to] = [mineAt + 1, theirsAt + 1];
  }
  all.push(...mine.slice(at), ...theirs.slice(to));
  // Stable: each side's writes go by time already, and keep their order at one instant.
  return all.sort((one, other) => one.atNs - other.atNs);
}

/** Indices of the longest run of writes that both have in one order. */
function commonOf(
  mine: readonly LiveChange[],
  theirs: readonly LiveChange[],
): readonly (readonly [number, number])[] {
  const key = (change: LiveChange): string =>
    JSON.stringify([change.atNs, change.path, change.value]);
  const [left, right] = [mine.map(key), theirs.map(key)];
  // Row i, column j: how many writes are common from there on.
  const lengths = Array.from({ length: left.length + 1 }, () =>
    new Array<number>(right.length + 1).fill(0),
  );
  const from = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const row = lengths[i] ?? [];
      row[j] =
        left[i] === right[j] ? from(i + 1, j + 1) + 1 : Math.max(from(i + 1, j), from(i, j + 1));
    }
  const pairs: (readonly [number, number])[] = [];
  for (let [i, j] = [0, 0]; i < left.length && j < right.length;) {
    if (left[i] === right[j]) pairs.push([i++, j++]);
    else if (from(i + 1, j) >= from(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** The sides that show a branch's writes and knobs. */
export function sidesOf(
  entry: ScenarioEntry,
  sets: KnobSets,
  { text, set, changes }: Branch,
): readonly Side[] {
  if (entry.text !== text) return [];
  const written = (side: Side): string =>
    JSON.stringify(liveOn(sets, side).map(({ atNs, path, value }) => [atNs, path, value]));
  return SIDES.filter(
    (side) =>
      sameSet(effectiveSet(entry, sets, side), set) && written(side) === JSON.stringify(changes),
  );
}

/**
 * The branches of a scenario's text, each behind its parent: `depth` counts the parents that are
 * listed.
 */
export function inOrder(
  { list }: Branches,
  text: string,
): readonly { readonly branch: Branch; readonly depth: number }[] {
  const own = list.filter((branch) => branch.text === text);
  const ids = new Set(own.map(({ id }) => id));
  const below = (parent: number | undefined, depth: number): ReturnType<typeof inOrder> =>
    own
      .filter((branch) =>
        parent === undefined
          ? branch.parent === undefined || !ids.has(branch.parent)
          : branch.parent === parent,
      )
      .flatMap((branch) => [{ branch, depth }, ...below(branch.id, depth + 1)]);
  return below(undefined, 0);
}
