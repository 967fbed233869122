// A metric's number as it is printed, in the score, in a sentence and in a table of runs: the same
// digits everywhere. Digits and unit are apart, so that they can have two sizes.

import type { Reference } from "../../engine/gen/types.ts";
import {
  digitsOf,
  fixed,
  formatCount,
  threeFigures,
  unitOf,
  withDigits,
} from "../../lib/format.ts";
import type { MetricUnit } from "./headline.ts";

export interface Figure {
  readonly digits: string;
  readonly unit: string;
}

export function figureOf(value: number, unit: MetricUnit): Figure {
  if (unit === "count" || unit === "per_s") return { digits: formatCount(value), unit: "" };
  if (unit === "share") return { digits: fixed(value, 100, 1), unit: "%" };
  const [digits = "", short = ""] = threeFigures(value).split(" ");
  return { digits, unit: short };
}

export function figureText(value: number, unit: MetricUnit): string {
  const { digits, unit: short } = figureOf(value, unit);
  return short === "" ? digits : `${digits} ${short}`;
}

/** A mean with its standard error, and as many digits as that leaves: `1.23 ± 0.04 ms`. */
export function meanText(
  { mean, error }: { readonly mean: number; readonly error: number | undefined },
  unit: MetricUnit,
): string {
  if (error === undefined || error === 0) return figureText(mean, unit);
  const { size, short } = sizeOf(mean, unit);
  const digits = digitsOf(error / size);
  const [value, off] = [mean, error].map((each) => withDigits(each / size, digits));
  return `${value} ± ${off}${short === "" ? "" : ` ${short}`}`;
}

function sizeOf(
  value: number,
  unit: MetricUnit,
): { readonly size: number; readonly short: string } {
  if (unit === "count" || unit === "per_s") return { size: 1, short: "" };
  if (unit === "share") return { size: 100, short: "%" };
  const { ns, short } = unitOf(value);
  return { size: ns, short };
}

/** What a source reports: one figure, or from one to another. */
export function rangeText(
  { low, high }: Pick<Reference, "low" | "high">,
  unit: MetricUnit,
): string {
  if (low === high) return figureText(low, unit);
  const [from, to] = [figureOf(low, unit), figureOf(high, unit)];
  const first = from.unit === to.unit ? from.digits : figureText(low, unit);
  return `${first}–${figureText(high, unit)}`;
}
