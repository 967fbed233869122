// The values of a sweep as a person writes them: "16, 24, 40..48", "off,on", "100us, 1ms, 10ms". Typed by the knob's schema.

import type { Knob, KnobValue } from "../../engine/gen/types.ts";
import { parseTime, parseValue, valueText, writeTime } from "../knobs/knob-values.ts";

/** Values of one sweep; more would take hours. */
export const VALUES_MAX = 200;

/** Parts that are read at most: a list may repeat itself. */
const TRIED_MAX = 5 * VALUES_MAX;

export type ValueList =
  | { readonly ok: true; readonly values: readonly KnobValue[] }
  /** `item`: the part that cannot be read. */
  | { readonly ok: false; readonly item: string; readonly expected: string };

/** Reads a list of values; ranges of whole numbers (`4..8`) hold both ends. Each value once, in the order written. */
export function parseValues(knob: Knob, text: string): ValueList {
  const items = text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  const values = new Map<string, KnobValue>();
  let tried = 0;
  for (const item of items) {
    for (const part of knob.type === "integer" ? spreadRange(item) : [item]) {
      // Repetitions count too: a hostile link may hold a million of them.
      tried += 1;
      if (tried > TRIED_MAX) return { ok: false, item, expected: `at most ${VALUES_MAX} values` };
      const parsed = parseValue(knob, part);
      if (!parsed.ok) return { ok: false, item: part, expected: parsed.expected };
      values.set(valueText(parsed.value), parsed.value);
      if (values.size > VALUES_MAX) return { ok: false, item, expected: `at most ${VALUES_MAX} values` };
    }
  }
  return values.size === 0 ? { ok: false, item: text, expected: "at least one value" } : { ok: true, values: [...values.values()] };
}

/** `4..8` as its numbers, never more than a sweep may have and one. */
function spreadRange(item: string): readonly string[] {
  const [, from, to] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(item) ?? [];
  if (from === undefined || to === undefined || Number(to) < Number(from)) return [item];
  const length = Math.min(Number(to) - Number(from) + 1, VALUES_MAX + 1);
  return Array.from({ length }, (_, index) => String(Number(from) + index));
}

export function writeValues(values: readonly KnobValue[]): string {
  return values.map(valueText).join(", ");
}

/** Values that say something about a knob whose value is `now`: every choice, or a few steps of two around it. */
export function suggestedValues(knob: Knob, now: KnobValue): readonly KnobValue[] {
  switch (knob.type) {
    case "enum":
      return (knob.choices ?? []).map((choice) => choice.value);
    case "boolean":
      return [false, true];
    case "integer":
      return typeof now === "number" ? around(now, knob).map(Math.round) : [now];
    case "time": {
      const ns = typeof now === "string" ? parseTime(now) : undefined;
      return ns === undefined ? [now] : around(ns, knob).map((each) => writeTime(Math.round(each)));
    }
    case "text":
      return [now];
  }
}

const STEPS = [0.25, 0.5, 1, 2, 4];

function around(now: number, knob: Knob): readonly number[] {
  const least = knob.min ?? 0;
  const most = knob.max ?? Number.MAX_SAFE_INTEGER;
  return [...new Set(STEPS.map((step) => Math.min(most, Math.max(least, now * step))))];
}

/** A value's place on a number line: whole numbers as they are, times in ns; undefined for words. */
export function numberOf(knob: Knob, value: KnobValue): number | undefined {
  if (knob.type === "integer") return typeof value === "number" ? value : undefined;
  return knob.type === "time" && typeof value === "string" ? parseTime(value) : undefined;
}
