// What to change where both sides are the same: another variant, another choice of a knob the scenario is about, another seed.

import type { Knob, KnobValue } from "../../engine/gen/types.ts";
import type { KnobAction } from "../actions.ts";
import { alikeInEffect, differingKnobs, knobValue } from "../selectors.ts";
import type { State } from "../state.ts";
import { findKnob, knobName, parseTime, sameValue, valueText, valueWords, writeTime } from "./knob-values.ts";
import { latestMeta, refusedChoices } from "./offers.ts";
import { chosenVariant, variantsOf } from "./variants.ts";

export interface Suggestion {
  /** What B becomes: "CPUs 80". */
  readonly words: string;
  readonly action: KnobAction;
}

/** So many are offered; one of another kind is worth more than a third of the same. */
const OFFERED = 3;
const VARIANTS_MAX = 2;
/** Doubling stops here. */
const CPUS_MAX = 256;
const SEED = "seed";

/** Whether nothing tells the sides apart: no knob, and no change in mid-run of one side alone. */
export function sidesAlike(state: State): boolean {
  if (state.entry.text.trim() === "" || state.knobs.live.some(({ where }) => where !== "both")) return false;
  const differing = differingKnobs(state);
  if (differing.length === 0) return true;
  const alike = alikeInEffect(state);
  return differing.every((path) => alike.includes(path));
}

/** Three changes of B, the scenario's own first. */
export function suggestions(state: State, knobs: readonly Knob[]): readonly Suggestion[] {
  const variants = variantSuggestions(state);
  // What the variants are about is offered by their names.
  const named = variants.length === 0 ? [] : state.entry.variants.flatMap(({ set }) => Object.keys(set));
  const turned = state.entry.knobs
    .filter((path) => path !== SEED && !named.includes(path))
    .flatMap((path) => knobSuggestion(state, knobs, path));
  const all = [...variants, ...turned.slice(0, OFFERED - 1), ...knobSuggestion(state, knobs, SEED)];
  return all.slice(0, OFFERED);
}

function variantSuggestions({ entry, knobs }: State): readonly Suggestion[] {
  const shown = chosenVariant(entry, knobs, "b")?.name;
  return variantsOf(entry)
    .filter(({ name }) => name !== shown)
    .slice(0, VARIANTS_MAX)
    .map(({ name }) => ({ words: name, action: { type: "variant_chosen", side: "b", name } }));
}

function knobSuggestion(state: State, knobs: readonly Knob[], path: string): readonly Suggestion[] {
  const knob = findKnob(knobs, path);
  const now = knobValue(state, "b", path);
  const next = knob === undefined || now === undefined ? undefined : another(state, knob, now);
  if (knob === undefined || next === undefined) return [];
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
      const refused = refusedChoices([latestMeta(state, "b")], knob.path).map(({ value }) => value);
      return knob.choices?.find(({ value }) => !sameValue(value, now) && !refused.includes(valueText(value)))?.value;
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
