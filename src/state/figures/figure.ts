// A metric's number as it is printed, in the score, in a sentence and in a table of runs: the same digits everywhere. Digits and unit are apart,
// so that they can have two sizes.

import type { Reference } from "../../engine/gen/types.ts";
import { fixed, formatCount, formatNs } from "../../lib/format.ts";
import type { MetricUnit } from "./headline.ts";

export interface Figure {
  readonly digits: string;
  readonly unit: string;
}

export function figureOf(value: number, unit: MetricUnit): Figure {
  if (unit === "count" || unit === "per_s") return { digits: formatCount(value), unit: "" };
  if (unit === "share") return { digits: fixed(value, 100, 1), unit: "%" };
  const [digits = "", short = ""] = formatNs(value, threeFigures(value)).split(" ");
  return { digits, unit: short };
}

/** Decimals that leave three figures: more would claim what nobody can read. */
function threeFigures(ns: number): number {
  const unit = [1e9, 1e6, 1e3, 1].find((size) => ns >= size) ?? 1;
  const whole = ns / unit;
  if (whole >= 100 || unit === 1) return 0;
  return whole >= 10 ? 1 : 2;
}

export function figureText(value: number, unit: MetricUnit): string {
  const { digits, unit: short } = figureOf(value, unit);
  return short === "" ? digits : `${digits} ${short}`;
}

/** What a source reports: one figure, or from one to another. */
export function rangeText({ low, high }: Pick<Reference, "low" | "high">, unit: MetricUnit): string {
  if (low === high) return figureText(low, unit);
  const [from, to] = [figureOf(low, unit), figureOf(high, unit)];
  const first = from.unit === to.unit ? from.digits : figureText(low, unit);
  return `${first}–${figureText(high, unit)}`;
}
