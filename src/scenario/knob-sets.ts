// Which knob has which value on which side: the scenario's variants, then changes for both sides,
// then changes for one. It knows nothing of runs; a side's `set` list is all an engine needs beside
// the scenario's text.

import type { KnobValue, ScenarioEntry, Variant } from "../engine/gen/types.ts";
import { followsVersion, sameValue, VERSION, writtenOver } from "./knob-values.ts";
import { SIDES, type Side } from "./sides.ts";

export type KnobSet = readonly (readonly [path: string, value: KnobValue])[];

/** Where a change goes. */
export type Where = "both" | Side;

/** A live switch that is written to the running kernel at an instant. */
export interface LiveChange {
  readonly where: Where;
  readonly path: string;
  readonly value: KnobValue;
  readonly atNs: number;
}

/** What the viewer changed. `both` is applied before the side's own list; `live` goes by time. */
export interface KnobSets {
  readonly both: KnobSet;
  readonly a: KnobSet;
  readonly b: KnobSet;
  readonly live: readonly LiveChange[];
}

export const NO_KNOBS: KnobSets = { both: [], a: [], b: [], live: [] };

export function lookUp(set: KnobSet, path: string): KnobValue | undefined {
  return set.find(([key]) => key === path)?.[1];
}

/** Whether two sets say the same, in whatever order. */
export function sameSet(one: KnobSet, other: KnobSet): boolean {
  return (
    one.length === other.length &&
    one.every(([path, value]) => other.some(([key, its]) => key === path && sameValue(its, value)))
  );
}

function put(set: KnobSet, path: string, value: KnobValue): KnobSet {
  const rest = set.filter(([key]) => key !== path);
  return [...rest, [path, value] as const];
}

function drop(set: KnobSet, path: string): KnobSet {
  return set.some(([key]) => key === path) ? set.filter(([key]) => key !== path) : set;
}

/** Sets a knob. A value for both sides replaces what each side had of its own. */
export function setKnob(sets: KnobSets, where: Where, path: string, value: KnobValue): KnobSets {
  if (where === "both")
    return {
      ...sets,
      both: put(sets.both, path, value),
      a: drop(sets.a, path),
      b: drop(sets.b, path),
    };
  return { ...sets, [where]: put(sets[where], path, value) };
}

/**
 * Without what says nothing new about `path`: only differences are written into links. `stated` is
 * what the file itself says; a changed version takes it back.
 */
export function pruneKnob(
  entry: ScenarioEntry,
  sets: KnobSets,
  path: string,
  stated: KnobValue | undefined,
): KnobSets {
  const own = (side: Side): KnobValue | undefined => {
    const moved =
      followsVersion(path) && lookUp(effectiveSet(entry, sets, side), VERSION) !== undefined;
    return sideVariant(entry, side).set[path] ?? (moved ? undefined : stated);
  };
  const common = lookUp(sets.both, path);
  const idle = common !== undefined && SIDES.every((side) => sameValue(own(side), common));
  const both = idle ? drop(sets.both, path) : sets.both;
  const pruned = (side: Side): KnobSet => {
    const value = lookUp(sets[side], path);
    return value !== undefined && sameValue(lookUp(both, path) ?? own(side), value)
      ? drop(sets[side], path)
      : sets[side];
  };
  return { ...sets, both, a: pruned("a"), b: pruned("b") };
}

/** Back to what the scenario says. */
export function resetKnob(sets: KnobSets, path: string): KnobSets {
  const live = sets.live.filter((change) => change.path !== path);
  return { both: drop(sets.both, path), a: drop(sets.a, path), b: drop(sets.b, path), live };
}

/** Writes a live switch from `atNs` on, in place of what was written there at that instant. */
export function setLive(sets: KnobSets, change: LiveChange): KnobSets {
  const { where, path, atNs } = change;
  const covered = (other: LiveChange): boolean =>
    other.path === path && other.atNs === atNs && (where === "both" || other.where === where);
  const live = [...sets.live.filter((other) => !covered(other)), change];
  return { ...sets, live: live.sort((one, other) => one.atNs - other.atNs) };
}

export function dropLive(sets: KnobSets, change: LiveChange): KnobSets {
  return { ...sets, live: sets.live.filter((other) => other !== change) };
}

/** The live changes of one side, in order of time. */
export function liveOn(sets: KnobSets, side: Side): readonly LiveChange[] {
  return sets.live.filter(({ where }) => where === "both" || where === side);
}

/** The side's variant among the scenario's first two; the base where the scenario has fewer. */
export function sideVariant(entry: ScenarioEntry, side: Side): Variant {
  const [first, second] = entry.variants;
  const base: Variant = { name: "as written", set: {} };
  if (first === undefined) return base;
  if (second === undefined) return side === "a" ? base : first;
  return side === "a" ? first : second;
}

const effective = new WeakMap<
  KnobSets,
  { readonly entry: ScenarioEntry; a?: KnobSet; b?: KnobSet }
>();

/**
 * Everything laid over the scenario's text on one side, each path once, in the order in which it is
 * applied. Worked out once for the same knobs: dozens of panels ask at every change of anything.
 */
export function effectiveSet(entry: ScenarioEntry, sets: KnobSets, side: Side): KnobSet {
  let known = effective.get(sets);
  if (known?.entry !== entry) effective.set(sets, (known = { entry }));
  return (known[side] ??= laidOver(entry, sets, side));
}

function laidOver(entry: ScenarioEntry, sets: KnobSets, side: Side): KnobSet {
  const merged = new Map<string, KnobValue>(Object.entries(sideVariant(entry, side).set));
  for (const [path, value] of [...sets.both, ...sets[side]]) {
    const written = writtenOver(path, merged.get(path), value);
    merged.delete(path);
    merged.set(path, written);
  }
  return [...merged];
}

/** Whether A and B are given different values for this knob. */
export function sidesDiffer(entry: ScenarioEntry, sets: KnobSets, path: string): boolean {
  const [a, b] = SIDES.map((side) => lookUp(effectiveSet(entry, sets, side), path));
  return !sameValue(a, b);
}

/**
 * Whether this knob is meant to differ between the sides: in the scenario's variants, or by the
 * viewer's choice.
 */
export function isPerSide(entry: ScenarioEntry, sets: KnobSets, path: string): boolean {
  const inVariants = SIDES.some((side) => path in sideVariant(entry, side).set);
  const own = lookUp(sets.a, path) !== undefined || lookUp(sets.b, path) !== undefined;
  return (
    own || (inVariants && lookUp(sets.both, path) === undefined) || sidesDiffer(entry, sets, path)
  );
}
