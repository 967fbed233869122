// Words of the glossary by what a person types: for names that no scenario speaks of, and beside
// those that some do.

import { folded } from "../../lib/match.ts";
import { slugOf } from "../../lib/slug.ts";
import { NAMES } from "../glossary/names.ts";
import { plainName } from "./tool-words.ts";

export interface Term {
  readonly name: string;
  /** The term's place on the glossary's page. */
  readonly anchor: string;
}

const TERMS_MAX = 5;
/** The least that a beginning of a word has to say. */
const BEGINNING = 4;
/** Too many names begin with it. */
const COMMON = new Set(["sched"]);

/** Names that are a word of the query or begin with one. */
export function findTerms(query: string): readonly Term[] {
  const typed = folded(query)
    .split(/[\s,;:!?"“”()]+/)
    .map((word) => word.replace(/^%/, ""));
  const words = new Set(
    typed.flatMap((word) => [word, plainName(word)]).filter((word) => word !== ""),
  );
  const phrase = ` ${typed.join(" ")} `;
  const rank = (forms: readonly string[]): number => {
    const plain = forms.map(folded);
    if (plain.some((form) => words.has(form) || phrase.includes(` ${form} `))) return 0;
    return [...words].some(
      (word) =>
        word.length >= BEGINNING &&
        !COMMON.has(word) &&
        plain.some((form) => form.startsWith(word)),
    )
      ? 1
      : 2;
  };
  return Object.entries(NAMES)
    .map(([name, forms]) => ({ name, anchor: slugOf(name), rank: rank([name, ...forms]) }))
    .filter((each) => each.rank < 2)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, TERMS_MAX)
    .map(({ name, anchor }) => ({ name, anchor }));
}
