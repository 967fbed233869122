// Which marks a scenario never speaks of, in its question, its figures or its steps: the lanes draw
// them without words, kicks and moves also thinner. Must not know what marks look like.

import type { ScenarioEntry } from "../engine/gen/types.ts";
import { stepsOf } from "./step.ts";

/** Marks of which there are many in nearly every run, by the words that speak of them. */
const WORDS: readonly (readonly [id: string, words: RegExp])[] = [
  ["kick", /kick|nohz/i],
  ["move", /\b(pull|push|migrat|move[sd]?\b|moving\b|balanc)/i],
  ["ipi", /\bIPIs?\b|interrupt|\bipi\.|rq_lock\./i],
];
const ALL_TOLD: readonly string[] = [];

const asides = new WeakMap<ScenarioEntry, readonly string[]>();

/** Ids of such marks; none in a scenario without steps, because no text says what matters there. */
export function asideMarks(entry: ScenarioEntry): readonly string[] {
  const known = asides.get(entry);
  if (known !== undefined) return known;
  const steps = stepsOf(entry);
  const told = [
    entry.title,
    ...entry.headline,
    ...steps.flatMap(({ caption, bet = "" }) => [caption, bet]),
  ].join("\n");
  const found =
    steps.length === 0 ? ALL_TOLD : WORDS.flatMap(([id, words]) => (words.test(told) ? [] : [id]));
  asides.set(entry, found);
  return found;
}
