// Shares that add up. Knows arithmetic only.

/** The whole: 100.00 % in hundredths of a per cent. */
export const WHOLE = 10_000;

/**
 * Shares of `parts` in hundredths of a per cent by largest remainder (Hamilton): they add to
 * exactly `whole`, and none is off by a whole hundredth. Ties go to the earlier part. All zero
 * gives all zero. Parts are integers >= 0.
 *
 *   [1, 1, 1] -> [3334, 3333, 3333]
 */
export function largestRemainder(parts: readonly number[], whole = WHOLE): number[] {
  const total = parts.reduce((sum, part) => sum + part, 0);
  if (total === 0) return parts.map(() => 0);
  const exact = parts.map((part) => (part * whole) / total);
  const shares = exact.map(Math.floor);
  const missing = whole - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((one, other) => other.remainder - one.remainder || one.index - other.index);
  for (const { index } of byRemainder.slice(0, missing)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}

/** `3334` -> `"33.34"`. */
export function basisPointsText(basisPoints: number): string {
  return (basisPoints / 100).toFixed(2);
}
