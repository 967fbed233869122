// "Which change did it?" as it is asked, every field as typed: by the window, by a link. What is
// wrong with it is said where it is asked.

import type { RawSet } from "./link-types.ts";

export interface WhichForm {
  /** Two releases, as `uname -r` prints them. */
  readonly from: string;
  readonly to: string;
  /** The path of the figure that differs. */
  readonly metric: string;
  /** Seeds of each kind of run, and the most that an open answer takes. */
  readonly seeds: string;
  readonly most: string;
}

const FIELDS = ["from", "to", "metric", "seeds", "most"] as const;

/** The question's part of a link: keys without their prefix. `docs/use/links.md` has them. */
export function writeWhich(form: WhichForm): RawSet {
  return FIELDS.map((field) => [field, form[field]] as const);
}

/** What a link asks, over what the window would open with. */
export function readWhich(raw: RawSet, first: WhichForm): WhichForm {
  const value = (field: keyof WhichForm): string =>
    raw.find(([key]) => key === field)?.[1] ?? first[field];
  return {
    from: value("from"),
    to: value("to"),
    metric: value("metric"),
    seeds: value("seeds"),
    most: value("most"),
  };
}
