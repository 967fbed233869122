// The viewer's own scenario as the page needs it: which variants are compared, which knobs and
// headlines are shown. The file is judged by the scenario crate alone; here only those lists are
// looked for, and what does not have their shape is left out.

import type { KnobValue, Reference, ScenarioEntry, Source, Variant } from "../engine/gen/types.ts";
import { plainText } from "../engine/plain.ts";
import type { Labels } from "./labels.ts";
import { followsVersion, keysOf, VERSION } from "./knob-values.ts";

/** Largest file that is opened, bytes. */
export const FILE_BYTES_MAX = 1_048_576;

export const OWN_SLUG = "lab";

const OWN_KNOBS = ["machine.cpus", "kernel.rt_push_ipi", "seed"];

/** A page entry around a text of any kind, broken ones included. */
export function ownEntry(text: string): ScenarioEntry {
  const file = readObject(text) ?? {};
  const knobs = strings(file["knobs"]);
  const headline = strings(file["headline"]);
  return {
    slug: OWN_SLUG,
    title: typeof file["title"] === "string" ? plainText(file["title"]) : "Your own scenario",
    source: sources(file["source"]),
    text,
    variants: completed(variants(file["variants"]), file),
    knobs: knobs.length > 0 ? knobs : OWN_KNOBS,
    headline: headline.length > 0 ? headline : ["rq_lock.max_waiters", "rq_lock.wait_ns"],
    labels: labels(file["labels"]),
    references: references(file["references"]),
  };
}

/** What the page shows of `shown`, above a text that has no run. */
export function withText(shown: ScenarioEntry, text: string): ScenarioEntry {
  const entry = { ...shown, slug: OWN_SLUG, text };
  read.set(entry, fileOf(shown));
  return entry;
}

const read = new WeakMap<ScenarioEntry, Readonly<Record<string, unknown>>>();

/** The scenario's text as an object, read once; without members where it is none. */
export function fileOf(entry: ScenarioEntry): Readonly<Record<string, unknown>> {
  const file = read.get(entry) ?? readObject(entry.text) ?? {};
  read.set(entry, file);
  return file;
}

/** What the file itself states for a knob, as long as no run has resolved it. */
export function statedValue(entry: ScenarioEntry, path: string): KnobValue | undefined {
  const value = valueIn(fileOf(entry), path);
  return typeof value === "object" ? undefined : value;
}

/**
 * Whether a text is another scenario than the one before it, not an edit of it: another title and
 * another machine, duration or workload. An instant of one is none of the other's.
 */
export function isAnother(before: ScenarioEntry, after: ScenarioEntry): boolean {
  const [from, to] = [fileOf(before), fileOf(after)];
  const alike = (key: string): boolean => JSON.stringify(from[key]) === JSON.stringify(to[key]);
  return !alike("title") && !["duration", "machine", "workload"].every(alike);
}

/** Whether the file's workload has the program. */
export function hasProgram(entry: ScenarioEntry, name: string): boolean {
  return valueIn(fileOf(entry), `workload.${name}`) !== undefined;
}

function valueIn(file: Readonly<Record<string, unknown>>, path: string): KnobValue | undefined {
  let here: unknown = file;
  for (const key of keysOf(path)) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[key];
  }
  // JSON has nothing else.
  return here === null || Array.isArray(here) ? undefined : (here as KnobValue);
}

/**
 * The variants with what they are compared by, as the scenario crate reads them: if one of them
 * sets a switch that follows the version, the file's value of it is what those mean that do not.
 * One that changes the version itself means that version's.
 */
function completed(
  all: readonly Variant[],
  file: Readonly<Record<string, unknown>>,
): readonly Variant[] {
  const compared = [...new Set(all.flatMap(({ set }) => Object.keys(set)))].filter(followsVersion);
  const stated = compared.flatMap((path) => {
    const value = switchIn(file, path);
    return value === undefined ? [] : [[path, value] as const];
  });
  return all.map(({ set, ...named }) => ({
    ...named,
    set: VERSION in set ? set : { ...Object.fromEntries(stated), ...set },
  }));
}

/** What the file states for a switch, under any of its keys. */
export function statedSwitch(entry: ScenarioEntry, path: string): KnobValue | undefined {
  return switchIn(fileOf(entry), path);
}

function switchIn(file: Readonly<Record<string, unknown>>, path: string): KnobValue | undefined {
  return (
    valueIn(file, path) ?? timeIn(file, `${path}_us`, "us") ?? timeIn(file, `${path}_ns`, "ns")
  );
}

function timeIn(
  file: Readonly<Record<string, unknown>>,
  path: string,
  unit: string,
): KnobValue | undefined {
  const value = valueIn(file, path);
  return typeof value === "number" ? `${value}${unit}` : undefined;
}

/** A text as an object; undefined where it is none. */
export function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value.filter((each): each is string => typeof each === "string")
    : [];
}

/** A list of sources, one of them, or the text that was one before sources had addresses. */
function sources(value: unknown): readonly Source[] {
  if (typeof value === "string") return value === "" ? [] : [{ title: plainText(value) }];
  return (Array.isArray(value) ? value : [value]).flatMap((each: unknown) => {
    const { id, title, url } = (typeof each === "object" && each !== null ? each : {}) as {
      readonly [Key in keyof Source]?: unknown;
    };
    if (typeof title !== "string") return [];
    return [
      {
        title: plainText(title),
        ...(typeof id === "string" ? { id: plainText(id) } : {}),
        ...(typeof url === "string" && /^https:\/\/[^ ]*$/.test(url) ? { url } : {}),
      },
    ];
  });
}

function labels(value: unknown): Labels {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((each): each is [string, string] => typeof each[1] === "string"),
  );
}

function references(value: unknown): readonly Reference[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown) => {
    const { metric, label, low, high, source } = (
      typeof each === "object" && each !== null ? each : {}
    ) as {
      readonly [Key in keyof Reference]?: unknown;
    };
    const words =
      typeof metric === "string" && typeof label === "string" && typeof source === "string";
    return words && typeof low === "number" && typeof high === "number"
      ? [{ metric, label: plainText(label), low, high, source: plainText(source) }]
      : [];
  });
}

function variants(value: unknown): readonly Variant[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown) => {
    if (typeof each !== "object" || each === null) return [];
    const { name, called, set } = each as Readonly<Record<string, unknown>>;
    if (typeof name !== "string" || typeof set !== "object" || set === null) return [];
    return [
      {
        name: plainText(name),
        ...(typeof called === "string" && { called: plainText(called) }),
        set: set as Readonly<Record<string, KnobValue>>,
      },
    ];
  });
}

/** Where the viewer's own text is kept, so that nothing typed is lost with the page. */
export function draftKey(root: string): string {
  return `schedscope:${root}:draft`;
}

export function readDraft(root: string, storage: () => Pick<Storage, "getItem">): string {
  try {
    return storage().getItem(draftKey(root)) ?? "";
  } catch {
    return "";
  }
}
