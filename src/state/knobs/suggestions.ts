// What to change where both sides are the same: another variant, another choice of a knob the
// scenario is about, another seed. What the engine says is without effect is not offered.

import type { Knob, KnobValue } from "../../engine/gen/types.ts";
import type { KnobAction } from "../shape/actions.ts";
import {
  alikeInEffect,
  differingKnobs,
  knobValue,
  resolvedKnob,
  sameRows,
} from "../select/selectors.ts";
import type { State } from "../shape/state.ts";
import { effectiveSet, lookUp, type KnobSet } from "../../scenario/knob-sets.ts";
import {
  findKnob,
  knobName,
  parseTime,
  sameValue,
  valueText,
  valueWords,
  writeTime,
} from "../../scenario/knob-values.ts";
import { latestMeta, refusedChoices } from "../select/offers.ts";
import { baseValue, chosenVariant, variantsOf, withVariant } from "../../scenario/variants.ts";

export interface Suggestion {
  /** What B becomes: "CPUs 80". */
  readonly words: string;
  readonly action: KnobAction;
}

/**
 * How many suggestions are offered; one of another kind is worth more than a third of the same
 * kind.
 */
const OFFERED = 3;
const VARIANTS_MAX = 2;
/** Doubling stops here. */
const CPUS_MAX = 256;
const SEED = "seed";
const VERSION = "kernel.version";
/** Offered where the scenario's own knobs are without effect: every run has these. */
const ELSE = ["machine.cpus", "kernel.hz"];

/**
 * Whether nothing distinguishes the sides: no knob that has an effect, no change in mid-run of one
 * side alone, or not even the runs themselves.
 */
export function sidesAlike(state: State): boolean {
  if (state.entry.text.trim() === "" || state.knobs.live.some(({ where }) => where !== "both"))
    return false;
  const differing = differingKnobs(state);
  if (differing.length === 0) return true;
  const alike = alikeInEffect(state);
  return differing.every((path) => alike.includes(path)) || sameRows(state);
}

/** Whether it is the runs that are the same, under knobs that differ. */
export function runsAlike(state: State): boolean {
  const alike = alikeInEffect(state);
  return !differingKnobs(state).every((path) => alike.includes(path));
}

/**
 * Three changes of B, the scenario's own first. `tried`: words of those that left the sides as they
 * were.
 */
export function suggestions(
  state: State,
  knobs: readonly Knob[],
  tried: readonly string[] = [],
): readonly Suggestion[] {
  const untried = ({ words }: Suggestion): boolean => !tried.includes(words);
  const variants = variantSuggestions(state).filter(untried);
  // What the variants are about is offered by their names.
  const named =
    variants.length === 0 ? [] : state.entry.variants.flatMap(({ set }) => Object.keys(set));
  const paths = [...state.entry.knobs, ...ELSE].filter(
    (path) => path !== SEED && !named.includes(path),
  );
  const turned = [...new Set(paths)]
    .flatMap((path) => knobSuggestion(state, knobs, path))
    .filter(untried);
  const seed = knobSuggestion(state, knobs, SEED).filter(untried);
  const first = [...variants.slice(0, VARIANTS_MAX), ...turned.slice(0, OFFERED - 1), ...seed];
  return [...new Set([...first, ...turned, ...variants])].slice(0, OFFERED);
}

function variantSuggestions(state: State): readonly Suggestion[] {
  const { entry, knobs } = state;
  const shown = chosenVariant(entry, knobs, "b")?.name;
  const now = effectiveSet(entry, knobs, "b");
  const other = effectiveSet(entry, knobs, "a");
  const isAs = (set: KnobSet, path: string, value: KnobValue): boolean =>
    sameValue(lookUp(set, path) ?? baseValue(entry, path), value);
  return variantsOf(entry)
    .filter((variant) => {
      const then = effectiveSet(entry, withVariant(entry, knobs, "b", variant), "b");
      const turned = then.filter(([path, value]) => !isAs(now, path, value));
      // A setting that A has already makes no difference between the sides.
      if (
        then.every(([path, value]) => isAs(other, path, value)) &&
        other.every(([path, value]) => isAs(then, path, value))
      )
        return false;
      // Another version may have what this one refuses.
      const runs =
        turned.some(([path]) => path === VERSION) ||
        !turned.some(([path, value]) => isRefused(state, path, value));
      return (
        variant.name !== shown &&
        runs &&
        turned.some(([path, value]) => hasEffect(state, path, value))
      );
    })
    .map(({ name }) => ({ words: name, action: { type: "variant_chosen", side: "b", name } }));
}

/** Whether the version of B's run has no such choice. */
function isRefused(state: State, path: string, value: KnobValue): boolean {
  return refusedChoices([latestMeta(state, "b")], path).some(
    (refused) => refused.value === valueText(value),
  );
}

/**
 * Whether a value does something in B's run that its present one does not, as far as the engine has
 * said.
 */
function hasEffect(state: State, path: string, value: KnobValue): boolean {
  const meta = latestMeta(state, "b");
  if (meta === undefined) return true;
  const knob = meta.knobs.find((each) => each.path === path);
  return knob !== undefined && knob.inert === undefined && !sameValue(knob.value, value);
}

function knobSuggestion(state: State, knobs: readonly Knob[], path: string): readonly Suggestion[] {
  const knob = findKnob(knobs, path);
  const now = knobValue(state, "b", path);
  const next = knob === undefined || now === undefined ? undefined : another(state, knob, now);
  if (knob === undefined || next === undefined || !hasEffect(state, path, next)) return [];
  const apart = differingKnobs(state);
  if (
    apart.every((each) => each === path) &&
    apart.length > 0 &&
    sameValue(knobValue(state, "a", path) ?? now, next)
  )
    return [];
  return [
    {
      words: `${knobName(knob)} ${valueWords(next)}`,
      action: { type: "knob_set", where: "b", path, value: next, settled: true },
    },
  ];
}

/** Another value that surely is one: a choice the version offers, twice the number. */
function another(state: State, knob: Knob, now: KnobValue): KnobValue | undefined {
  switch (knob.type) {
    case "enum": {
      const inForce = resolvedKnob(state.sides.b.shown, knob.path)?.value;
      return knob.choices?.find(
        ({ value }) =>
          !sameValue(value, now) &&
          !sameValue(value, inForce) &&
          !isRefused(state, knob.path, value),
      )?.value;
    }
    case "boolean":
      return now !== true;
    case "integer":
      return typeof now === "number" ? anotherNumber(knob, now) : undefined;
    case "time":
      return anotherTime(knob, now);
    case "text":
      return undefined;
  }
}

function anotherNumber({ path, max = Infinity }: Knob, now: number): number {
  if (path === SEED) return now + 1;
  const most = path === "machine.cpus" ? CPUS_MAX : max;
  return now > 0 && now * 2 <= most ? now * 2 : Math.max(1, Math.floor(now / 2));
}

function anotherTime({ max = Infinity }: Knob, now: KnobValue): KnobValue | undefined {
  const ns = typeof now === "string" ? parseTime(now) : undefined;
  return ns === undefined || ns === 0 || ns * 2 > max ? undefined : writeTime(ns * 2);
}
