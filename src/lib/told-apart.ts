// Telling two names apart where there is room for their beginnings only. Knows letters only.

/** So many letters from the first difference on are in sight. */
const SEEN = 6;

/**
 * `own` without so much of its beginning, in whole words, that what tells it from `other` lies
 * among its first `room` letters: `toldApart("period_phase of pod/cron 10ms", "period_phase of
 * pod/cron 20ms", 16)` -> `"…pod/cron 10ms"`.
 */
export function toldApart(own: string, other: string, room: number): string {
  let differs = 0;
  while (differs < own.length && own[differs] === other[differs]) differs += 1;
  if (own.length <= room || own === other || differs + SEEN <= room) return own;
  const least = differs + SEEN + 1 - room;
  const starts = [...own.matchAll(/[ _,.:]+/g)].map((gap) => gap.index + gap[0].length);
  // A name that is the beginning of the other ends where they differ: its last letters tell it.
  return `…${own.slice(starts.find((at) => at >= least && at <= differs) ?? Math.min(differs, own.length - SEEN))}`;
}
