// The bound of a search, as typed: a number with a unit, or a bare one in the unit beside the
// field.

import type { Knob, KnobValue } from "../../engine/gen/types.ts";
import { formatNs } from "../../lib/format.ts";
import type { MetricWords } from "../../state/figures/headline.ts";
import { parseTime } from "../../scenario/knob-values.ts";
import { numberOf } from "../../scenario/sweep-values.ts";

const BARE = /^\d{1,15}(\.\d{1,6})?$/;

function isTime({ unit }: Pick<MetricWords, "unit">): boolean {
  return unit === "ns" || unit === "ns_per_s";
}

/**
 * The unit in which a bare number is meant: of a time that in which the page shows `figure`, the
 * metric's own in the run on screen, or ms without one. Undefined where a number has no unit.
 */
export function boundUnit(
  metric: Pick<MetricWords, "unit">,
  figure: number | undefined,
): string | undefined {
  if (metric.unit === "share") return "%";
  if (!isTime(metric)) return undefined;
  return figure === undefined || figure <= 0 ? "ms" : formatNs(figure).split(" ").at(-1);
}

/**
 * The unit in which a bare number is meant for a knob that is a time: that in which the page shows
 * what it is now.
 */
export function knobUnit(knob: Knob, now: KnobValue | undefined): string | undefined {
  return knob.type === "time"
    ? boundUnit({ unit: "ns" }, numberOf(knob, now ?? knob.default))
    : undefined;
}

/** Whether the unit beside the field is a part of what it says. */
export function takesUnit(text: string): boolean {
  const plain = text.trim();
  return plain === "" || BARE.test(plain);
}

/**
 * The text with its unit, which stays with it: "81" is "81 ms", whatever the metric's figure is
 * later.
 */
export function withUnit(text: string, unit: string | undefined): string {
  const plain = text.trim();
  return unit !== undefined && BARE.test(plain) ? `${plain} ${unit}` : text;
}

/** How a bound on this metric is written. */
export function boundForm(metric: Pick<MetricWords, "unit">): string {
  if (isTime(metric)) return "a time such as 200 µs";
  return metric.unit === "share" ? "a share such as 50 %" : "a number";
}

/** A number of the metric's unit; undefined if the text is none. */
export function readBound(text: string, metric: Pick<MetricWords, "unit">): number | undefined {
  const plain = text.trim();
  if (isTime(metric)) return parseTime(plain);
  const isShare = metric.unit === "share";
  const number = /^\d{1,15}(\.\d{1,4})?\s*%?$/.test(plain) ? Number.parseFloat(plain) : undefined;
  if (number === undefined || plain.endsWith("%") !== isShare) return undefined;
  return isShare ? Math.round(number * 100) : number;
}
