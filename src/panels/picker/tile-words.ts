// What a tile says of its scenario besides the question: the number that answers it on both sides,
// what is compared, and of what year it is.

import type { Knob, ScenarioEntry } from "../../engine/gen/types.ts";
import { figureText } from "../../state/figures/figure.ts";
import { headlineWords, isPerSecond, knownValue } from "../../state/figures/headline.ts";
import type { KnownRun } from "../../state/shape/known-run.ts";
import { findKnob } from "../../scenario/knob-values.ts";

export interface TilePair {
  /** "276 µs → 6.65 µs": A, then B. */
  readonly figures: string;
  /** What they are figures of. */
  readonly of: string;
}

/**
 * The first metric of the headline that both sides have: it answers the question, even where both
 * are alike. `runs`: by variant.
 */
export function tilePair(
  { headline, labels, variants }: ScenarioEntry,
  runs: Readonly<Record<string, KnownRun>> = {},
): TilePair | undefined {
  const written = { name: "as written" };
  const { 0: first = written, 1: second } = variants;
  const [a, b] =
    second === undefined
      ? [runs[written.name], runs[first.name]]
      : [runs[first.name], runs[second.name]];
  if (a === undefined || b === undefined) return undefined;
  for (const words of headlineWords(headline, labels)) {
    const [one, other] = [knownValue(a, words), knownValue(b, words)];
    if (one === undefined || other === undefined) continue;
    const figures = `${figureText(one, words.unit)} → ${figureText(other, words.unit)}`;
    return { figures, of: `${words.label}${isPerSecond(words) ? ", per second" : ""}` };
  }
  return undefined;
}

/** What is compared, by which switch, and when. */
export function tileTags(entry: ScenarioEntry, knobs: readonly Knob[]): string {
  const [a, b] = entry.variants;
  const path = entry.knobs[0];
  const label = path === undefined ? "" : (findKnob(knobs, path)?.label ?? path);
  const pair = a === undefined || b === undefined ? "" : `${a.name} against ${b.name}`;
  return [pair, label, tileYear(entry)].filter((words) => words !== "").join(" · ");
}

/**
 * The year of the first source that names one; else the kernel version that a source names; ""
 * where no source names either.
 */
export function tileYear({ source }: Pick<ScenarioEntry, "source">): string {
  const told = source.map(({ id, title }) => `${title} ${id ?? ""}`);
  const year = told.flatMap((words) => /\b(?:19|20)\d\d\b/.exec(words) ?? [])[0];
  const version = told.flatMap((words) => /\b[2-9]\.\d{1,2}\b(?!\.)/.exec(words) ?? [])[0];
  return year ?? (version === undefined ? "" : `Linux ${version}`);
}
