// How two numbers compare, in two or three words. Knows arithmetic only.

/** "39 × less" of B against A; "" while one of them is missing. */
export function ratioWords(a: number | undefined, b: number | undefined): string {
  if (a === undefined || b === undefined) return "";
  if (a === b) return "same";
  if (a === 0) return "only in B";
  if (b === 0) return "only in A";
  const ratio = Math.max(a, b) / Math.min(a, b);
  if (ratio < 1.005) return "about equal";
  if (ratio < 1.1) return `${((ratio - 1) * 100).toFixed(1)} % ${b > a ? "more" : "less"}`;
  return `${ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(1)} × ${b > a ? "more" : "less"}`;
}
