// How two numbers compare, in two or three words. Knows arithmetic only.

import { fixed } from "../../lib/format.ts";

/** "39 × less" of B against A; "" while one of them is missing. */
export function ratioWords(a: number | undefined, b: number | undefined): string {
  if (a === undefined || b === undefined) return "";
  if (a === b) return "same";
  if (a === 0) return "only in B";
  if (b === 0) return "only in A";
  const [less, more] = [Math.min(a, b), Math.max(a, b)];
  const ratio = more / less;
  if (ratio < 1.005) return "about equal";
  if (ratio < 1.1) return `${fixed((more - less) * 100, less, 1)} % ${b > a ? "more" : "less"}`;
  return `${fixed(more, less, ratio >= 10 ? 0 : 1)} × ${b > a ? "more" : "less"}`;
}
