// Knob values as text and back. A value is typed by its knob's schema, never by its look: `5.10` is
// a version, not a number. It must not know which scenario or side a value is for.

import { KNOBS } from "../engine/gen/knobs.ts";
import type { Knob, KnobValue } from "../engine/gen/types.ts";
import { timeSigns } from "../lib/format.ts";
import { plainRanges } from "../lib/ranges.ts";

export const VERSION = "kernel.version";
/**
 * The rail shows them in every scenario, whatever the scenario's own list says: which kernel it is.
 */
export const KERNEL_KNOBS: readonly string[] = [
  VERSION,
  "kernel.preempt",
  "kernel.hz",
  "kernel.rt_balance",
];
const FOLLOWING: ReadonlySet<string> = new Set(
  KNOBS.filter((knob) => knob.follows_version).map((knob) => knob.path),
);

/**
 * Whether the kernel's version decides this knob where neither the file nor a set states it:
 * changing the version takes the file's own value back.
 */
export function followsVersion(path: string): boolean {
  return FOLLOWING.has(path);
}

const UNIT_NS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1_000,
  ms: 1_000_000,
  s: 1_000_000_000,
};

/**
 * Nanoseconds of a scenario time such as `"3us"` or `"1.5ms"`; undefined if it is not one or not a
 * whole number of ns.
 */
export function parseTime(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s)$/.exec(text.trim());
  const unit = match?.[2] === "µs" ? "us" : match?.[2];
  if (match?.[1] === undefined || unit === undefined) return undefined;
  const ns = Number(match[1]) * (UNIT_NS[unit] ?? Number.NaN);
  const whole = Math.round(ns);
  return Number.isSafeInteger(whole) && Math.abs(ns - whole) < 1e-6 ? whole : undefined;
}

/** The shortest scenario time that means exactly `ns`. */
export function writeTime(ns: number): string {
  for (const unit of ["s", "ms", "us"] as const) {
    const size = UNIT_NS[unit] ?? 1;
    if (ns !== 0 && ns % size === 0) return `${ns / size}${unit}`;
  }
  for (const unit of ["s", "ms", "us"] as const) {
    const size = UNIT_NS[unit] ?? 1;
    const decimal = `${ns / size}`;
    if (ns >= size && /^\d+\.\d{1,3}$/.test(decimal) && parseTime(decimal + unit) === ns)
      return decimal + unit;
  }
  return ns === 0 ? "0us" : `${ns}ns`;
}

/**
 * One form per value, so that equal values compare equal as text. Keys of objects keep their order.
 */
export function valueText(value: KnobValue): string {
  return typeof value === "object" ? JSON.stringify(value) : `${value}`;
}

/** Words for a flag, both as files write it and as the page shows it. */
const FLAGS: ReadonlySet<string> = new Set(["true", "false", "on", "off"]);

/** A value in the words that people read; the page also reads these words when they type them. */
export function valueWords(value: KnobValue): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return timeSigns(valueText(value));
}

/** What people call a knob: an option letter of a tool comes after the word for it. */
export function knobName({ label, path }: Pick<Knob, "label" | "path">): string {
  const word = (path.split(".").at(-1) ?? path).replaceAll("_", " ");
  return label.startsWith("-") ? `${word} ${label}` : label;
}

/**
 * A control group's knob: `cgroups.web.cpu_max`, the name in double quotes where it holds a dot.
 */
const GROUP_PATH = /^cgroups\.(?:"([^"]+)"|([^"]+))\.(\w+)$/;

/** Paths of knobs that count microseconds. */
const MICROSECONDS = /_us$|\.cpu_max_burst$/;

/** The keys of a path, from the file's root. */
export function keysOf(path: string): readonly string[] {
  const [, quoted, bare, key] = GROUP_PATH.exec(path) ?? [];
  return key === undefined ? path.split(".") : ["cgroups", quoted ?? bare ?? "", key];
}

/**
 * The knob at a path; those of control groups are instances of a pattern, and are called by their
 * group's name.
 */
export function findKnob(knobs: readonly Knob[], path: string): Knob | undefined {
  const own = knobs.find((knob) => knob.path === path);
  const [root, name, key] = keysOf(path);
  if (own !== undefined || root !== "cgroups" || name === undefined || key === undefined)
    return own;
  const pattern = knobs.find((knob) => knob.path === `cgroups.<name>.${key}`);
  return pattern === undefined
    ? undefined
    : { ...pattern, path, label: `${name}: ${pattern.label}` };
}

const US = 1_000;
const PERIOD_DEFAULT_US = 100_000;
const MAX = "max";

/** cpu.max as its two numbers. */
export interface CpuMax {
  /** A scenario time, or "max". */
  readonly quota: string;
  readonly period: string;
}

/** Whether it is the `cpu.max` of a group: a quota and a period. */
export function isCpuMax({ path }: Pick<Knob, "path">): boolean {
  return path.startsWith("cgroups.") && path.endsWith(".cpu_max");
}

/** Reads "10000 100000", "max" and the like, in us; undefined for anything else. */
export function readCpuMax(text: string): CpuMax | undefined {
  const [, quota, period] = /^(max|\d{1,14})(?:\s+(\d{1,9}))?$/.exec(text.trim()) ?? [];
  if (quota === undefined) return undefined;
  const periodUs = period === undefined ? PERIOD_DEFAULT_US : Number(period);
  return {
    quota: quota === MAX ? MAX : writeTime(Number(quota) * US),
    period: writeTime(periodUs * US),
  };
}

/**
 * What a write to cpu.max leaves there: a quota without a period keeps that of `before`, as in the
 * kernel. Any other value is itself.
 */
export function writtenOver(
  path: string,
  before: KnobValue | undefined,
  value: KnobValue,
): KnobValue {
  const period = /\s\d+$/.exec(valueText(before ?? ""))?.[0];
  return period !== undefined && isCpuMax({ path }) && /^\d+$/.test(valueText(value))
    ? `${valueText(value)}${period}`
    : value;
}

/** A knob's value as it is said: run time and periods with their units, all else as people read it. */
export function saidValue(path: string, value: KnobValue): string {
  const max = isCpuMax({ path }) ? readCpuMax(valueText(value)) : undefined;
  if (max !== undefined) return max.quota === MAX ? MAX : timeSigns(`${max.quota} / ${max.period}`);
  return MICROSECONDS.test(path) && typeof value === "number"
    ? timeSigns(writeTime(value * US))
    : valueWords(value);
}

/** The text of cpu.max; its parts must have been checked. */
export function writeCpuMax({ quota, period }: CpuMax): string {
  const us = (time: string): number => (parseTime(time) ?? 0) / US;
  return `${quota === MAX ? MAX : us(quota)} ${us(period)}`;
}

/** Checks one of the two numbers as a person wrote it: the kernel's limits. */
export function parseCpuMax(part: keyof CpuMax, text: string): Parsed {
  const written = text.trim().replace("µ", "u").replaceAll(/\s/g, "");
  if (part === "quota" && written === MAX) return { ok: true, value: MAX };
  const ns = parseTime(written);
  const most = part === "quota" ? Number.MAX_SAFE_INTEGER : 1_000_000 * US;
  if (ns === undefined || ns < US * US || ns > most || ns % US !== 0)
    return refuse(
      part === "quota"
        ? `max, or a time of 1 ms or more in whole µs${unitHint(written)}`
        : "a time from 1 ms to 1 s in whole µs",
    );
  return { ok: true, value: writeTime(ns) };
}

/**
 * A hint about a number without a unit: one of a few is meant in CPUs, a greater one in µs, as the
 * kernel's file has it.
 */
function unitHint(written: string): string {
  const number = /^\d+(\.\d+)?$/.test(written) ? Number(written) : 0;
  if (number === 0) return "";
  return number < 1_000
    ? `; ${number} CPUs are ${number * 100} ms in a period of 100 ms`
    : `, such as ${written}us`;
}

export function sameValue(left: KnobValue | undefined, right: KnobValue | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return typeof left === typeof right && valueText(left) === valueText(right);
}

export type Parsed =
  | { readonly ok: true; readonly value: KnobValue }
  | { readonly ok: false; readonly expected: string };

/** Reads what a person or a link wrote for `knob`. */
export function parseValue(knob: Knob, text: string): Parsed {
  // Numbers and times may have words beside them: "all" threads, an "auto" body.
  const word = [knob.default, ...(knob.choices ?? []).map((choice) => choice.value)].find(
    (value) => valueText(value) === text,
  );
  const renamed = knob.choices?.find(({ formerly }) => formerly === text)?.value;
  const known = word ?? renamed;
  if (known !== undefined) return { ok: true, value: known };
  switch (knob.type) {
    case "integer":
      return parseInteger(knob, text);
    case "time":
      return parseTimeValue(knob, text);
    case "boolean":
      return FLAGS.has(text)
        ? { ok: true, value: text === "true" || text === "on" }
        : refuse("on or off");
    case "enum":
      // The engine says whether there is such a release.
      if (knob.release === true && RELEASE.test(text.trim()))
        return { ok: true, value: text.trim() };
      return refuse((knob.choices ?? []).map((each) => valueText(each.value)).join(", "));
    case "text":
      return {
        ok: true,
        value:
          knob.cpu_list === true
            ? text.split(";").map(plainRanges).join(";")
            : readJsonOrText(text),
      };
  }
}

/** A kernel release as `uname -r` prints it. */
const RELEASE = /^(2\.6|[3-7])\.\d{1,3}([-.+_~][-.+_~\w]*)?$/;

function refuse(expected: string): Parsed {
  return { ok: false, expected };
}

function parseInteger(knob: Knob, text: string): Parsed {
  const min = knob.min ?? 0;
  const max = knob.max ?? Number.MAX_SAFE_INTEGER;
  const value = /^-?\d{1,16}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN;
  return value >= min && value <= max
    ? { ok: true, value }
    : refuse(`a whole number from ${min} to ${max}`);
}

function parseTimeValue(knob: Knob, text: string): Parsed {
  const ns = parseTime(text);
  const min = knob.min ?? 0;
  const max = knob.max ?? Number.MAX_SAFE_INTEGER;
  if (ns === undefined || ns < min || ns > max)
    return refuse(timeSigns(`a time with a unit, ${writeTime(min)} to ${writeTime(max)}`));
  return { ok: true, value: text.trim().replace("µ", "u").replaceAll(/\s/g, "") };
}

/** A list or object is JSON; anything else is the text itself, so that `5.10` stays a string. */
function readJsonOrText(text: string): KnobValue {
  if (!text.startsWith("[") && !text.startsWith("{")) return text;
  try {
    // JSON that starts with [ or { is a list or an object of KnobValues.
    return JSON.parse(text) as KnobValue;
  } catch {
    return text;
  }
}
