// The questions that fit a symptom in a viewer's own words: what the table of symptoms knows, and
// what the scenarios' texts say. It does not read the languages of tools.

import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { folded } from "../../lib/match.ts";
import { scoredAmong, tellingWords, type Searched } from "./find-scenarios.ts";
import { measured } from "./quantity-words.ts";
import { SYMPTOMS, type Symptom } from "./symptom-words.ts";

/** Longest text that is looked at, characters: a log's first lines name its symptom. */
const TEXT_MAX = 8_192;
/** Words looked for in the scenarios' texts; each takes about a millisecond. */
const WORDS_MAX = 16;
/** Questions shown for words that are not all in one scenario. */
const NEAREST_MAX = 8;
/** What a word of a symptom weighs beside the text of a scenario, whose best is TEXT_SHARE. */
const SYMPTOM_SHARE = 2;
const TEXT_SHARE = 4;
/** A text that has every word is what was looked for. */
const WHOLE = 3;
/** Letters of a question that is recognised by them. */
const QUESTION_MIN = 8;
/** A question that the viewer types as it is comes first. */
const QUESTION = 50;
/** Every further scenario of a row is less likely. */
const LATER_SHARE = 0.8;

export interface FoundSymptoms {
  readonly entries: readonly ScenarioEntry[];
  /**
   * `all`: nothing was asked. `known`: a symptom of the table, or texts that have every word.
   * `near`: texts that have some of the words. `none`: nothing.
   */
  readonly how: "all" | "known" | "near" | "none";
}

export function findSymptoms(
  searched: readonly Searched<ScenarioEntry>[],
  query: string,
): FoundSymptoms {
  const cut = query.slice(0, TEXT_MAX);
  if (cut.trim() === "") return { entries: searched.map(({ entry }) => entry), how: "all" };
  const asked = folded(cut.trim());
  const { text, words } = measured(cut);
  const points = symptomPoints([...wordsOf(text), ...words]);
  // A sentence of figures alone is looked for as it is typed.
  const typed = tellingWords(/[\p{L}\p{N}]/u.test(text) ? text : cut);
  const telling = [...new Set(typed)].slice(0, WORDS_MAX);
  const texts = telling.length === 0 ? [] : scoredAmong(searched, telling);
  const most = Math.max(...texts.map(({ score }) => score), Number.MIN_VALUE);
  const whole = texts.some((each) => each.whole);
  const scored = searched.map(({ entry }, at) => {
    const said = texts[at];
    const isAsked = asked.length >= QUESTION_MIN && folded(entry.title).includes(asked);
    const isWhole = said?.whole === true || isAsked;
    const ofText = ((said?.score ?? 0) / most) * (TEXT_SHARE + (isWhole ? WHOLE : 0));
    const ofSymptom = points.get(entry.slug) ?? 0;
    const score = ofText + ofSymptom + (isAsked ? QUESTION : 0);
    return { entry, known: isWhole || ofSymptom > 0, score };
  });
  const known = scored.filter((each) => each.known);
  const near = known.length > 0 ? known : telling.length < 2 ? [] : scored;
  const sorted = near
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);
  const shown = sorted.slice(0, whole && points.size === 0 ? sorted.length : NEAREST_MAX);
  const how = known.length > 0 ? "known" : shown.length > 0 ? "near" : "none";
  return { entries: shown.map(({ entry }) => entry), how };
}

/** What the rows that fire give each scenario: more for a row that asks for more words. */
function symptomPoints(words: readonly string[]): ReadonlyMap<string, number> {
  const points = new Map<string, number>();
  for (const { groups, about } of ROWS)
    if (groups.every((group) => group.some((start) => words.some((word) => fits(word, start)))))
      about.forEach((slug, at) => {
        const weight = SYMPTOM_SHARE * groups.length * LATER_SHARE ** at;
        points.set(slug, (points.get(slug) ?? 0) + weight);
      });
  return points;
}

const ROWS = SYMPTOMS.map(({ said, about }: Symptom) => ({
  groups: said.split(" ").map((group) => group.split("|")),
  about,
}));

function fits(word: string, start: string): boolean {
  return start.startsWith("=") ? word === start.slice(1) : word.startsWith(start);
}

/** Each word once, whole and by its parts: `SCHED_FIFO` is also `fifo`. */
function wordsOf(text: string): readonly string[] {
  const whole = text.split(/[\s,;:!?"“”‘’'()[\]{}]+/);
  const parts = whole.flatMap((word) => word.split(/[/#+_]/));
  return [...new Set([...whole, ...parts])].filter((word) => word !== "");
}

/** Plain words of a line that is a sentence, at least. */
const PROSE_MIN = 4;

/** Commands whose words are all words of a sentence. */
const COMMAND = /^\s*(?:sudo )?(?:docker|helm|incus|kubectl|lxc|oc|pct|podman|systemctl) /;

/**
 * Whether a text is a person's sentence: one line, mostly of plain words. A sentence that names a
 * tool is no command of that tool.
 */
export function isProse(text: string): boolean {
  if (text.trim().includes("\n") || COMMAND.test(text)) return false;
  const words = text.slice(0, TEXT_MAX).trim().split(/\s+/);
  const plain = words.filter((word) => /^[\p{L}’']+[.,;:!?]*$/u.test(word)).length;
  return plain >= PROSE_MIN && plain * 2 > words.length;
}
