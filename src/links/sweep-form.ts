// A sweep as it is asked for, every field as typed: by the window, by a story's command, by a link.
// What is wrong with it is said where it is run.

import type { RawSet } from "./link-types.ts";

export interface SweepForm {
  /** The knob that moves, and its values. */
  readonly path: string;
  readonly values: string;
  /** Another one: each of its values makes lines of its own. "" for none. */
  readonly secondPath: string;
  readonly secondValues: string;
  readonly metrics: readonly string[];
  readonly variants: readonly string[];
  readonly seeds: string;
  readonly seedFrom: string;
}

/** "The smallest value for which the metric stays at or under the bound." */
export interface SearchForm {
  readonly metric: string;
  readonly variant: string;
  readonly bound: string;
  readonly from: string;
  readonly to: string;
}

/** A sweep's part of a link: keys without their prefix. `docs/use/links.md` has their meaning. */
export function writeSweep(form: SweepForm, search: SearchForm): RawSet {
  const asked = [search.bound, search.from, search.to].some((text) => text.trim() !== "");
  return [
    [`over.${form.path}`, form.values],
    ...(form.secondPath === "" ? [] : [[`lines.${form.secondPath}`, form.secondValues] as const]),
    ["seeds", form.seeds],
    ["first", form.seedFrom],
    ...form.metrics.map((path) => [`metric.${path}`, ""] as const),
    ...form.variants.map((name) => [`variant.${name}`, ""] as const),
    ...(asked
      ? Object.entries(search).map(([field, text]) => [`find.${field}`, text] as const)
      : []),
  ];
}

/**
 * What a link says of a sweep, over what the window would open with; names that this page does not
 * know are left out.
 */
export function readSweep(
  raw: RawSet,
  first: { readonly form: SweepForm; readonly search: SearchForm },
  known: { readonly knob: (path: string) => boolean; readonly variant: (name: string) => boolean },
): { readonly form: SweepForm; readonly search: SearchForm } {
  const under = (prefix: string): RawSet =>
    raw.flatMap(([key, text]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), text] as const] : [],
    );
  const value = (key: string, otherwise: string): string =>
    raw.find(([each]) => each === key)?.[1] ?? otherwise;
  const [over] = under("over.").filter(([path]) => known.knob(path));
  if (over === undefined) return first;
  const [lines] = under("lines.").filter(([path]) => known.knob(path) && path !== over[0]);
  const metrics = under("metric.").map(([path]) => path);
  const form = {
    path: over[0],
    values: over[1],
    secondPath: lines?.[0] ?? "",
    secondValues: lines?.[1] ?? "",
    metrics: metrics.length > 0 ? metrics.slice(0, METRICS_MAX) : first.form.metrics,
    variants: under("variant.").flatMap(([name]) => (known.variant(name) ? [name] : [])),
    seeds: value("seeds", first.form.seeds),
    seedFrom: value("first", first.form.seedFrom),
  };
  const { search } = first;
  const field = (name: keyof SearchForm): string => value(`find.${name}`, search[name]);
  const variant = field("variant");
  return {
    form,
    search: {
      metric: value("find.metric", form.metrics[0] ?? search.metric),
      variant: known.variant(variant) ? variant : search.variant,
      bound: field("bound"),
      from: field("from"),
      to: field("to"),
    },
  };
}

/** The greatest number of headline metrics that a scenario has. */
const METRICS_MAX = 8;
