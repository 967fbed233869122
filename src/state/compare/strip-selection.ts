// What is selected, as a strip's run has it: by meaning, as the sides show each other's.

import { partnerOf } from "../../model/index.ts";
import { findSample, samplePartner } from "../../model/tasks/samples.ts";
import type { Selection } from "../../model/trace/run-types.ts";
import type { State } from "../shape/state.ts";
import type { Strip } from "../shape/strip.ts";

/**
 * The strip's partner of the selected wake-up or sample, or what was picked on the strip itself;
 * undefined if it has none, or none yet.
 */
export function selectionOnStrip(
  {
    sides,
    selection,
    selectedOn,
    picked,
  }: Pick<State, "sides" | "selection" | "selectedOn" | "picked">,
  { run, variant }: Pick<Strip, "run" | "variant">,
): Selection | undefined {
  if (selection === undefined) return picked?.variant === variant ? picked.selection : undefined;
  const [from, to] = [sides[selectedOn].shown?.trace, run?.trace];
  if (from === undefined || to === undefined) return undefined;
  if (selection.kind === "sample") {
    const sample = findSample(from, selection);
    const partner = sample && samplePartner(sample, to);
    return partner && { kind: "sample", task: partner.task, nth: partner.nth };
  }
  const row = from.wakes.findSelection(selection);
  const partner = row === undefined ? undefined : partnerOf(from.wakes, row, to.wakes);
  return partner === undefined ? undefined : to.wakes.selectionOf(partner);
}
