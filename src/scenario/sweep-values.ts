// The values of a sweep as a person writes them: "16, 24, 40..48", "off,on", "100us, 1ms, 10ms".
// Typed by the knob's schema.

import type { Knob, KnobValue } from "../engine/gen/types.ts";
import { formatNs } from "../lib/format.ts";
import {
  isCpuMax,
  parseCpuMax,
  parseTime,
  parseValue,
  readCpuMax,
  valueText,
  valueWords,
  writeCpuMax,
  writeTime,
  type Parsed,
} from "./knob-values.ts";

/** Values of one sweep; more would take hours. */
export const VALUES_MAX = 200;

/** Parts that are read at most: a list may repeat itself. */
const TRIED_MAX = 5 * VALUES_MAX;

export type ValueList =
  | { readonly ok: true; readonly values: readonly KnobValue[] }
  /** `item`: the part that cannot be read. */
  | { readonly ok: false; readonly item: string; readonly expected: string };

/**
 * Reads a list of values; ranges of whole numbers (`4..8`) hold both ends. Each value once, in the
 * order written. A quota may come without a period: each line of the sweep then keeps its own.
 */
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
      const parsed = isCpuMax(knob) ? parseQuota(part) : parseValue(knob, part);
      if (!parsed.ok)
        return { ok: false, item: part, expected: turned(knob, item) ?? parsed.expected };
      values.set(valueText(parsed.value), parsed.value);
      if (values.size > VALUES_MAX)
        return { ok: false, item, expected: `at most ${VALUES_MAX} values` };
    }
  }
  return values.size === 0
    ? { ok: false, item: text, expected: "at least one value" }
    : { ok: true, values: [...values.values()] };
}

/** "50 ms", or quota and period in µs as the kernel has them: "50000 100000", "max 100000". */
function parseQuota(text: string): Parsed {
  const both = readCpuMax(text);
  if (
    both !== undefined &&
    parseCpuMax("quota", both.quota).ok &&
    parseCpuMax("period", both.period).ok
  )
    return { ok: true, value: text };
  const quota = parseCpuMax("quota", text);
  if (!quota.ok)
    return {
      ok: false,
      expected:
        "a quota of 1 ms or more such as 50 ms, max, or quota and period in µs such as 50000 100000",
    };
  const ns = parseTime(valueText(quota.value));
  return { ok: true, value: ns === undefined ? quota.value : bareQuota(ns) };
}

/** A quota without a period, as it is written to cpu.max. */
function bareQuota(ns: number): string {
  return String(Math.round(ns / 1_000));
}

/** The period of a cpu.max, as a scenario time; the kernel's where the value names none. */
export function periodOf(now: KnobValue | undefined): string {
  return (readCpuMax(valueText(now ?? "max")) ?? { period: "100ms" }).period;
}

/**
 * What is to be written for a range from its greater end down: `8..4` -> "4..8, the lesser number
 * first".
 */
function turned({ type }: Knob, item: string): string | undefined {
  const [, from, to] = (type === "integer" && /^(\d{1,9})\.\.(\d{1,9})$/.exec(item)) || [];
  return Number(to) >= Number(from) || from === undefined || to === undefined
    ? undefined
    : `${to}..${from}, the lesser number first`;
}

/**
 * A value for people: a time and a quota with their unit, "50 ms", "50 ms in every 100 ms";
 * `parseValues` reads a time and a quota back.
 */
export function valueLabel(knob: Knob | undefined, value: KnobValue): string {
  const place = knob === undefined || knob.type === "integer" ? undefined : numberOf(knob, value);
  if (place === undefined) return valueWords(value);
  const every =
    knob?.type === "text" && !isBare(value)
      ? ` in every ${formatNs(parseTime(periodOf(value)) ?? 0, 6)}`
      : "";
  return `${formatNs(place, 6)}${every}`;
}

/** Whether a value of cpu.max is a quota without a period. */
export function isBare(value: KnobValue): boolean {
  return /^\d+$/.test(valueText(value));
}

/** `4..8` as its numbers, never more than a sweep may have and one. */
function spreadRange(item: string): readonly string[] {
  const [, from, to] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(item) ?? [];
  if (from === undefined || to === undefined || Number(to) < Number(from)) return [item];
  const length = Math.min(Number(to) - Number(from) + 1, VALUES_MAX + 1);
  return Array.from({ length }, (_, index) => String(Number(from) + index));
}

export function writeValues(knob: Knob, values: readonly KnobValue[]): string {
  const asRead = (value: KnobValue): boolean => knob.type !== "text" || isBare(value);
  return values
    .map((value) => (asRead(value) ? valueLabel(knob, value) : valueWords(value)))
    .join(", ");
}

/**
 * Values that say something about a knob whose value is `now`: every choice, or a few steps of two
 * around it.
 */
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
    case "text": {
      const quota = isCpuMax(knob) ? numberOf(knob, now) : undefined;
      return quota === undefined ? [now] : around(quota, { min: 1_000_000 }).map(bareQuota);
    }
  }
}

const STEPS = [0.25, 0.5, 1, 2, 4];

function around(now: number, knob: Pick<Knob, "min" | "max">): readonly number[] {
  const least = knob.min ?? 0;
  const most = knob.max ?? Number.MAX_SAFE_INTEGER;
  return [...new Set(STEPS.map((step) => Math.min(most, Math.max(least, now * step))))];
}

/** Whether the knob's values lie on a line of numbers, where a smallest one can be looked for. */
export function isOnLine(knob: Knob): boolean {
  return knob.type === "integer" || knob.type === "time" || isCpuMax(knob);
}

/**
 * A value's place on a number line: whole numbers as they are, times and quotas in ns; undefined
 * for words.
 */
export function numberOf(knob: Knob, value: KnobValue): number | undefined {
  if (isCpuMax(knob)) return parseTime(readCpuMax(valueText(value))?.quota ?? "");
  if (knob.type === "integer") return typeof value === "number" ? value : undefined;
  return knob.type === "time" && typeof value === "string" ? parseTime(value) : undefined;
}

/**
 * The places of several values; undefined where one has none, and where quotas are of different
 * periods.
 */
export function placesOf(knob: Knob, values: readonly KnobValue[]): readonly number[] | undefined {
  const places = values.flatMap((value) => numberOf(knob, value) ?? []);
  const periods = new Set(
    isCpuMax(knob) ? values.map((value) => (isBare(value) ? "" : periodOf(value))) : [],
  );
  return places.length < values.length || periods.size > 1 ? undefined : places;
}

/** What the knob is at a place on its line. `period` is that of a quota. */
export function valueAt(knob: Knob | undefined, place: number, period: string): KnobValue {
  if (knob === undefined || knob.type === "integer") return place;
  return isCpuMax(knob) ? writeCpuMax({ quota: writeTime(place), period }) : writeTime(place);
}
