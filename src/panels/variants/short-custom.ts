// What stands in a side's picker where the side shows no variant, or one with changes. Knows
// letters only.

import { toldApart } from "../../lib/told-apart.ts";

/** Letters that have room in the picker, and in its smaller letters. */
export const LETTERS_MAX = 18;
const SMALL_MAX = 24;

/**
 * What tells a side from the other stands first in its words; of what more there is, as many whole
 * parts as have room: the title says all.
 */
export function shortCustom(custom: string, other: string): string {
  const [[own = "", ...more], [others = ""]] = [custom.split(", "), other.split(", ")];
  let words = toldApart(own, others, LETTERS_MAX);
  if (more.length === 0) return `${words} (custom)`;
  for (const part of more) {
    if (words.length + part.length + 2 > SMALL_MAX) return `${words}, …`;
    words += `, ${part}`;
  }
  return words;
}

/** More letters of a name are not in sight. */
const SEEN_MAX = 28;

/** The name of a run that is a variant with changes: that it has some is in sight. */
export function shortChanged(label: string, name: string): string {
  if (label === name || label.length <= SEEN_MAX) return label;
  return name.length <= LETTERS_MAX ? `${name}, changed` : `changed: ${name}`;
}
