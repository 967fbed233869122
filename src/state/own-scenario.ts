// The viewer's own scenario as the page needs it: which variants are compared, which knobs and headlines are shown. The file
// is judged by the scenario crate alone; here only those lists are looked for, and what does not have their shape is left out.

import type { KnobValue, ScenarioEntry, Variant } from "../engine/gen/types.ts";

/** Largest file that is opened, bytes. */
export const FILE_BYTES_MAX = 1_048_576;

export const OWN_SLUG = "lab";

const OWN_KNOBS = ["machine.cpus", "kernel.rt_push_ipi", "seed"];

/** A page entry around a text of any kind, broken ones included. */
export function ownEntry(text: string): ScenarioEntry {
  const file = readObject(text);
  const knobs = strings(file["knobs"]);
  const headline = strings(file["headline"]);
  return {
    slug: OWN_SLUG,
    title: typeof file["title"] === "string" ? file["title"] : "Your own scenario",
    source: typeof file["source"] === "string" ? file["source"] : "",
    text, story: "", variants: variants(file["variants"]),
    knobs: knobs.length > 0 ? knobs : OWN_KNOBS,
    headline: headline.length > 0 ? headline : ["rq_lock.max_waiters", "rq_lock.wait_ns"],
    references: [],
  };
}

/** What `/lab/` opens with: a shipped scenario's text to start from. */
export function emptyOwnEntry(model: ScenarioEntry | undefined): ScenarioEntry {
  return ownEntry(model?.text ?? "");
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}

function variants(value: unknown): readonly Variant[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown) => {
    if (typeof each !== "object" || each === null) return [];
    const { name, set } = each as { readonly name?: unknown; readonly set?: unknown };
    if (typeof name !== "string" || typeof set !== "object" || set === null) return [];
    return [{ name, set: set as Readonly<Record<string, KnobValue>> }];
  });
}
