// What is compared, in one sentence.

import { listed } from "../../lib/listed.ts";
import type { Knob } from "../../engine/gen/types.ts";
import { counted } from "../../lib/count.ts";
import { instantText } from "../../lib/format.ts";
import { noRun } from "../../state/figures/no-run.ts";
import { findKnob, knobName, valueWords } from "../../state/knobs/knob-values.ts";
import { taskWriteName, taskWriteOf } from "../../state/knobs/task-writes.ts";
import { alikeInEffect, differingKnobs, isComputing, knobValue } from "../../state/selectors.ts";
import { SIDES } from "../../state/sides.ts";
import type { State } from "../../state/state.ts";

/** What is compared, in one sentence. */
export function setupWords(state: State, knobs: readonly Knob[]): string {
  const [a, b] = SIDES.map((side) => state.sides[side].shown?.meta.cpus);
  if (a === undefined) return isComputing(state) ? "Computing the first run." : noRun(state.sides.a.status);
  const cpus = b === undefined || a === b ? counted(a, "CPU") : `${counted(a, "CPU")} against ${b}`;
  const stated = differingKnobs(state);
  const alike = alikeInEffect(state);
  const differing = stated.filter((path) => !alike.includes(path));
  const draws = differing.includes("seed") ? "with different seeds" : "with the same seed";
  const nameOf = (path: string): string => {
    const knob = findKnob(knobs, path);
    return knob === undefined ? (taskWriteName(path) ?? path) : knobName(knob);
  };
  const later = state.knobs.live.map(({ where, path, value, atNs }) => {
    const on = where === "both" ? "On both sides" : `On ${where.toUpperCase()}`;
    const becomes = taskWriteOf(path)?.what === "wake" ? "" : "becomes ";
    return ` ${on} ${nameOf(path)} ${becomes}${valueWords(value)} at ${instantText(atNs)}.`;
  });
  if (later.length > 0 && differing.length === 0) return `${cpus}, simulated twice ${draws}; both start alike.${later.join("")}`;
  const [same] = alike;
  if (differing.length === 0 && same !== undefined) {
    const values = SIDES.map((side) => valueWords(knobValue(state, side, same) ?? "")).join(" and ");
    return `${cpus}. Both sides are identical: ${nameOf(same)} is ${values}, which has the same effect here. Change one knob on one side.`;
  }
  const labels = differing.map(nameOf);
  if (labels.length === 0) return `${cpus}. Both sides are identical: change one knob on one side.`;
  const list = labels.length === 1 ? `the only difference is ${listed(labels)}` : `${listed(labels)} differ`;
  return `${cpus}, simulated twice ${draws}: ${list}.${later.join("")}`;
}
