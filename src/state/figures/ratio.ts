// How two numbers compare, in two or three words. Knows arithmetic only.

import { fixed } from "../../lib/format.ts";
import type { Side } from "../../scenario/sides.ts";

/**
 * "1.9 × A", "0.53 × A", "0.024 × A" or "≈ A" of B, which "1.9 × more" is not; "" while one of them
 * is missing.
 */
export function ratioWords(a: number | undefined, b: number | undefined): string {
  if (a === undefined || b === undefined) return "";
  if (a === b) return "same";
  if (a === 0) return "only in B";
  if (b === 0) return "only in A";
  const [less, more] = [Math.min(a, b), Math.max(a, b)];
  const ratio = more / less;
  // Figures are shown with three digits: those that differ by less may read the same.
  if (ratio < 1.01) return "≈ A";
  if (ratio < 1.1) return `${fixed((more - less) * 100, a, 1)} % ${b > a ? "more" : "less"}`;
  if (b > a) return `${fixed(b, a, ratio >= 10 ? 0 : 1)} × A`;
  return `${fixed(b, a, Math.ceil(Math.log10(ratio)) + 1)} × A`;
}

/**
 * B beside A in words: "41 times less", "1.9 times more", "7.4 % more", "the same"; "only in"
 * what `nameOf` calls the side that has any. "" while one of them is missing.
 */
export function timesWords(
  a: number | undefined,
  b: number | undefined,
  nameOf: (side: Side) => string,
): string {
  if (a === undefined || b === undefined) return "";
  if (a === b) return "the same";
  if (a === 0 || b === 0) return `only in ${nameOf(a === 0 ? "b" : "a")}`;
  const [less, more] = [Math.min(a, b), Math.max(a, b)];
  const ratio = more / less;
  const than = b > a ? "more" : "less";
  if (ratio < 1.01) return "nearly the same";
  if (ratio < 1.1) return `${fixed((more - less) * 100, a, 1)} % ${than}`;
  return `${fixed(more, less, ratio >= 10 ? 0 : 1)} times ${than}`;
}
