// What a tile says of its scenario besides the question: the number that answers it on both sides,
// what is compared, and of what year it is.

import type { Knob, ScenarioEntry } from "../../engine/gen/types.ts";
import { figureText } from "../../state/figures/figure.ts";
import { headlineWords, isPerSecond, knownValue } from "../../state/figures/headline.ts";
import type { KnownRun } from "../../state/shape/known-run.ts";
import { findKnob, valueText, VERSION } from "../../scenario/knob-values.ts";
import { RELEASE_YEARS } from "../../scenario/release-years.ts";
import { baseValue } from "../../scenario/variants.ts";

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

/** What A and B are, in the words that people have for them: "before the 2015 fix → with it". */
export function sideWords({ variants }: Pick<ScenarioEntry, "variants">): string {
  const [a, b] = variants;
  return a === undefined || b === undefined ? "" : `${a.called ?? a.name} → ${b.called ?? b.name}`;
}

/** By which switch, and of what year it is where the sides' words say none. */
export function tileTags(entry: ScenarioEntry, knobs: readonly Knob[]): string {
  const path = entry.knobs[0];
  const label = path === undefined ? "" : (findKnob(knobs, path)?.label ?? path);
  const when = YEAR.test(sideWords(entry)) ? "" : tileYear(entry);
  return [label, when].filter((words) => words !== "").join(" · ");
}

const YEAR = /\b(?:19|20)\d\d\b/;
const RELEASE = /\b[2-9]\.\d{1,2}\b(?!\.)/;

/**
 * The year of the first source that names one, and of what it is the year: a mail to linux-kernel
 * or a commit; else the kernel that a source names, or that runs here, and when it was released.
 */
export function tileYear(entry: ScenarioEntry): string {
  const { source } = entry;
  for (const { id = "", title, url } of source) {
    const year = YEAR.exec(`${title} ${id}`)?.[0];
    if (year === undefined) continue;
    if (id.startsWith("commit ")) return `a commit of ${year}`;
    return url?.includes("lore.kernel.org") === true ? `linux-kernel, ${year}` : year;
  }
  const named = source.flatMap(({ id, title }) => RELEASE.exec(`${title} ${id ?? ""}`) ?? [])[0];
  const version = named ?? valueText(baseValue(entry, VERSION) ?? "");
  const year = RELEASE_YEARS[version];
  return year === undefined ? `Linux ${version}` : `Linux ${version}, ${year}`;
}
