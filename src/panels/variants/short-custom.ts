// The words of a side's picker where the side shows no variant, or a variant with changes. Knows
// letters only.

/** Letters that have room in the picker, and in its smaller letters. */
export const LETTERS_MAX = 18;
const SMALL_MAX = 24;

/**
 * Puts the difference from the other side first, then as many whole parts as have room. The tooltip
 * has all of them.
 */
export function shortCustom(custom: string, other: string): string {
  const [[own = "", ...more], [others = ""]] = [custom.split(", "), other.split(", ")];
  let words = endThatDiffers(own, others, LETTERS_MAX);
  if (more.length === 0) return `${words} (custom)`;
  for (const part of more) {
    if (words.length + part.length + 2 > SMALL_MAX) return `${words}, …`;
    words += `, ${part}`;
  }
  return words;
}

/** Letters that stay visible from the first difference on. */
const SEEN = 6;

/**
 * `own` without so much of its beginning, in whole words, that the first difference from `other`
 * lies among its first `room` letters: `endThatDiffers("period_phase of pod/cron 10ms",
 * "period_phase of pod/cron 20ms", 16)` -> `"…pod/cron 10ms"`.
 */
export function endThatDiffers(own: string, other: string, room: number): string {
  let differs = 0;
  while (differs < own.length && own[differs] === other[differs]) differs += 1;
  if (own.length <= room || own === other || differs + SEEN <= room) return own;
  const least = differs + SEEN + 1 - room;
  const starts = [...own.matchAll(/[ _,.:]+/g)].map((gap) => gap.index + gap[0].length);
  // A name that is the beginning of the other ends where they differ: only its last letters differ.
  return `…${own.slice(starts.find((at) => at >= least && at <= differs) ?? Math.min(differs, own.length - SEEN))}`;
}

/** More letters of a name are not in sight. */
const SEEN_MAX = 28;

/** The name of a run that is a variant with changes: that it has some is in sight. */
export function shortChanged(label: string, name: string): string {
  if (label === name || label.length <= SEEN_MAX || !label.startsWith(name)) return label;
  return name.length <= LETTERS_MAX ? `${name}, changed` : `changed: ${name}`;
}
