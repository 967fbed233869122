// What a command of a scenario's story does in the page: "schedscope compare rt-pull-herd --set
// machine.cpus=16", or its flags alone, sets those knobs and no others; a sweep fills in the
// sweep's window. What is no such command stays text.

import type { Knob, KnobValue, ScenarioEntry, Variant } from "../engine/gen/types.ts";
import { NO_KNOBS, setKnob, type KnobSet, type KnobSets } from "../scenario/knob-sets.ts";
import { findKnob, parseValue, sameValue, valueText } from "../scenario/knob-values.ts";
import { withVariant } from "../scenario/variants.ts";
import { SIDES } from "../scenario/sides.ts";
import type { SweepForm } from "./sweep-form.ts";
import { parseValues, writeValues } from "../scenario/sweep-values.ts";
import { writeAddress } from "./link.ts";

/** The sweep a command asks for, as the window's form has it. */
export interface SweepAsked extends SweepForm {
  /** Further knobs the command sweeps; the window moves two, so these stay as they are. */
  readonly left: readonly string[];
}

export interface Trial {
  readonly verb: "run" | "compare" | "explain" | "sweep";
  /** The scenario as shipped with the command's knobs. */
  readonly knobs: KnobSets;
  readonly sweep: SweepAsked | undefined;
}

export type ReadTrial =
  { readonly ok: true; readonly trial: Trial } | { readonly ok: false; readonly wrong: string };

/** Flags that change what is printed, not what is run. */
const PRINTING = new Set(["--output", "--worst", "--reach"]);
const VERBS = ["run", "compare", "explain", "sweep"] as const;

/** Whether a piece of a story is meant as a command on this scenario. */
export function isCommand(text: string, { slug }: ScenarioEntry): boolean {
  return (
    /^--(set|a|b) /.test(text) ||
    (new RegExp(`^schedscope (${VERBS.join("|")}) ${slug}( |$)`).test(text) &&
      !text.includes("--output"))
  );
}

/** Reads a command that `isCommand` takes for one. */
export function readCommand(text: string, entry: ScenarioEntry, known: readonly Knob[]): ReadTrial {
  const words = splitWords(text);
  const verb = VERBS.find((each) => each === words[1]) ?? "compare";
  const flags = words.slice(words[0] === "schedscope" ? 3 : 0);
  const asked: Asked = { both: [], a: [], b: [], over: [], metrics: [], seeds: undefined };
  for (let at = 0; at < flags.length; at += 2) {
    const wrong = takeFlag(asked, flags[at] ?? "", flags[at + 1] ?? "", known);
    if (wrong !== undefined) return { ok: false, wrong };
  }
  return {
    ok: true,
    trial: {
      verb,
      knobs: knobsOf(entry, asked),
      sweep: verb === "sweep" ? sweepOf(entry, asked) : undefined,
    },
  };
}

interface Over {
  readonly path: string;
  readonly values: readonly KnobValue[];
  /** The values as the sweep's window shows them. */
  readonly text: string;
}

interface Asked {
  readonly both: [path: string, value: KnobValue][];
  readonly a: [path: string, value: KnobValue][];
  readonly b: [path: string, value: KnobValue][];
  readonly over: Over[];
  readonly metrics: string[];
  seeds: string | undefined;
}

const SETTING: Readonly<Record<string, "both" | "a" | "b">> = {
  "--set": "both",
  "--a": "a",
  "--b": "b",
};

/** Takes one flag over; what is wrong with it, if anything is. */
function takeFlag(
  asked: Asked,
  flag: string,
  value: string,
  known: readonly Knob[],
): string | undefined {
  if (PRINTING.has(flag)) return undefined;
  if (flag === "--metric") asked.metrics.push(value);
  else if (flag === "--seeds") asked.seeds = value;
  else if (flag === "--for") return put(asked.both, "duration", value, known);
  else if (flag === "--over") return putOver(asked.over, value, known);
  else {
    const where = SETTING[flag];
    return where === undefined
      ? `no such flag: ${flag}`
      : put(asked[where], ...splitAt(value, "="), known);
  }
  return undefined;
}

function put(
  set: Asked["both"],
  path: string,
  text: string,
  known: readonly Knob[],
): string | undefined {
  const knob = findKnob(known, path);
  if (knob === undefined) return `no such knob: ${path}`;
  const parsed = parseValue(knob, text);
  if (!parsed.ok) return `${path}: expected ${parsed.expected}, got ${text}`;
  set.push([path, parsed.value]);
  return undefined;
}

function putOver(over: Over[], text: string, known: readonly Knob[]): string | undefined {
  const [path, list] = splitAt(text, "=");
  const knob = findKnob(known, path);
  if (knob === undefined) return `no such knob: ${path}`;
  // A list in JSON is how the command line writes texts with spaces.
  const parsed = parseValues(knob, list.replaceAll(/^\[|\]$|"/g, ""));
  if (!parsed.ok) return `${path}: expected ${parsed.expected}, got ${parsed.item}`;
  over.push({ path, values: parsed.values, text: writeValues(knob, parsed.values) });
  return undefined;
}

/**
 * With `--a` or `--b` the sides are the file as written and these, as on the command line; else the
 * first two variants.
 */
function knobsOf(entry: ScenarioEntry, { both, a, b }: Asked): KnobSets {
  const bare = a.length + b.length > 0;
  const start = bare
    ? SIDES.reduce((sets, side) => withVariant(entry, sets, side, FILE), NO_KNOBS)
    : NO_KNOBS;
  const common = both.reduce((sets, [path, value]) => setKnob(sets, "both", path, value), start);
  const withA = a.reduce((sets, [path, value]) => setKnob(sets, "a", path, value), common);
  return b.reduce((sets, [path, value]) => setKnob(sets, "b", path, value), withA);
}

const FILE: Variant = { name: "as written", set: {} };

/**
 * The sweep that the command asks for. If the scenario's variants set one of two knobs to its
 * values, these variants are the lines; else the second knob makes the lines.
 */
function sweepOf(
  entry: ScenarioEntry,
  { over, metrics, seeds = "1" }: Asked,
): SweepAsked | undefined {
  const [first, second, ...more] = over;
  if (first === undefined) return undefined;
  const byVariants = [first, second].flatMap((moved) => {
    const rest = moved === first ? second : first;
    const lines =
      moved === undefined || rest === undefined || more.length > 0 ? [] : linesOf(entry, rest);
    return lines.length === 0 || moved === undefined ? [] : [{ moved, lines }];
  })[0];
  const moved = byVariants?.moved ?? first;
  const beside = byVariants === undefined ? second : undefined;
  const [from, to = from] = seeds.split("..").map(Number);
  return {
    path: moved.path,
    values: moved.text,
    secondPath: beside?.path ?? "",
    secondValues: beside?.text ?? "",
    metrics: metrics.length > 0 ? metrics : entry.headline.slice(0, 2),
    variants: byVariants?.lines ?? [],
    seeds: String((to ?? 1) - (from ?? 1) + 1),
    seedFrom: String(from ?? 1),
    left: more.map(({ path }) => path),
  };
}

/**
 * Names of the variants that set this knob alone, to these values; none unless every value has one.
 */
function linesOf(entry: ScenarioEntry, { path, values }: Over): readonly string[] {
  const lines = values.flatMap((value) => {
    const found = entry.variants.find(
      ({ set }) => Object.keys(set).join() === path && sameValue(set[path], value),
    );
    return found === undefined ? [] : [found.name];
  });
  return lines.length === values.length ? lines : [];
}

/** The link that does the same from anywhere, below the site's root. */
export function addressOfTrial({ slug }: ScenarioEntry, { knobs }: Trial): string {
  const raw = (set: KnobSet): readonly (readonly [string, string])[] =>
    set.map(([path, value]) => [path, valueText(value)] as const);
  const content = {
    slug,
    scenario: undefined,
    both: raw(knobs.both),
    a: raw(knobs.a),
    b: raw(knobs.b),
    view: {},
    unknown: [],
  };
  return writeAddress(content) ?? `s/${slug}/`;
}

/** Words of a shell command; what is quoted is one. */
function splitWords(text: string): readonly string[] {
  const words = text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(
      /'([^']*)'|"([^"]*)"/g,
      (_, single: string | undefined, double: string | undefined) => single ?? double ?? "",
    ),
  );
}

function splitAt(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + mark.length)];
}
