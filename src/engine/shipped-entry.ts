// A shipped scenario as the page lists it. What its file says is read out of the file, so that a
// visitor does not download it twice; a field that the scenario crate completes is stated in the
// row.

import type { ScenarioEntry } from "./gen/types.ts";

/**
 * A row of `gen/scenarios.ts`: the scenario's name, its file, and the fields that are not as the
 * file says.
 */
export type ShippedRow = Pick<ScenarioEntry, "slug" | "text"> & Partial<ScenarioEntry>;

/** What a shipped file holds of its entry. */
type ShippedFile = Pick<ScenarioEntry, "title"> &
  Partial<
    Pick<ScenarioEntry, "source" | "variants" | "knobs" | "headline" | "labels" | "references">
  >;

/**
 * The entry of a row. The file of a shipped scenario is valid: `cargo xtask gen` wrote the row from
 * it.
 */
export function shippedEntry(row: ShippedRow): ScenarioEntry {
  const {
    title,
    source = [],
    variants = [],
    knobs = [],
    headline = [],
    labels = {},
    references = [],
  } = JSON.parse(row.text) as ShippedFile;
  return { title, source, variants, knobs, headline, labels, references, ...row };
}
