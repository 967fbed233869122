// Finds items by typed words: every word must be there, a slip of the finger is forgiven. Knows
// letters and figures only.

import { nearest } from "./nearest.ts";

/** What a thing is found by. */
export interface Named {
  readonly name: string;
  /** Other words it answers to. */
  readonly also: string;
}

export interface Matches<T> {
  /** The best first; among equals in the order given. */
  readonly items: readonly T[];
  /** The words that were looked for, where they are not the ones typed. */
  readonly instead: string | undefined;
}

/**
 * The items that have every word of `query`: at the start of a name first, in a name next, in other
 * words last. All items if it has none.
 */
export function matching<T extends Named>(query: string, items: readonly T[]): Matches<T> {
  const typed = wordsOf(query);
  if (typed.length === 0) return { items, instead: undefined };
  const found = withWords(typed, items);
  if (found.length > 0) return { items: found, instead: undefined };
  const mended = mend(typed, items);
  return mended.join(" ") === typed.join(" ")
    ? { items: [], instead: undefined }
    : { items: withWords(mended, items), instead: mended.join(" ") };
}

/** A text in the form that is compared: without spaces in thousands, and with us for µs. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/(?<=\d)[\u2009\u202f](?=\d)/g, "")
    .replaceAll("µ", "u");
}

function wordsOf(text: string): readonly string[] {
  return folded(text)
    .split(/\s+/)
    .filter((word) => word !== "");
}

function withWords<T extends Named>(words: readonly string[], items: readonly T[]): readonly T[] {
  return items
    .flatMap((item) => {
      const rank = rankOf(words, item);
      return rank === undefined ? [] : [{ item, rank }];
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}

/** 0 is the best; undefined if a word is missing. */
function rankOf(words: readonly string[], { name, also }: Named): number | undefined {
  const lower = folded(name);
  const whole = words.join(" ");
  // "step 2" is a name that a thing answers to, and more than a 2 among another one's figures.
  if (words.length > 1 && placeOf(whole, folded(also)) === 0) return 1;
  // A sentence that speaks of a thing comes after the thing.
  let rank =
    (lower === whole ? 0 : lower.startsWith(whole) ? 1 : 2) + Math.min(6, lower.length / 16);
  for (const word of words) {
    const place = placeOf(word, lower) ?? (folded(also).includes(word) ? 12 : undefined);
    if (place === undefined) return undefined;
    rank += place;
  }
  return rank;
}

/** How far a word is from being one of the name's own: whole, its beginning, its middle. */
function placeOf(word: string, lower: string): number | undefined {
  let best: number | undefined;
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    const begins = at === 0 || !isLetter(lower[at - 1]);
    const ends = !isLetter(lower[at + word.length]);
    best = Math.min(best ?? 8, begins ? (ends ? 0 : 2) : 8);
  }
  return best;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

/** Words that are nowhere become the nearest word that is somewhere. */
function mend(words: readonly string[], items: readonly Named[]): readonly string[] {
  const vocabulary = [
    ...new Set(items.flatMap(({ name }) => folded(name).split(/[^\p{L}\p{N}_]+/u))),
  ];
  return words.map((word) =>
    vocabulary.some((known) => known.includes(word)) ? word : (nearest(word, vocabulary) ?? word),
  );
}
