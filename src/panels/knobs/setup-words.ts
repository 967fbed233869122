// What is compared, in one sentence, and which costs were set.

import { sentenceList } from "../../lib/sentence-list.ts";
import type { Knob, RunMeta } from "../../engine/gen/types.ts";
import { counted } from "../../lib/count.ts";
import { instantText } from "../../lib/format.ts";
import { noRun } from "../../state/select/no-run.ts";
import { findKnob, knobName, valueText, saidValue } from "../../scenario/knob-values.ts";
import { taskWriteName, taskWriteOf } from "../../scenario/task-writes.ts";
import {
  alikeInEffect,
  differingKnobs,
  followingKnobs,
  isComputing,
  knobValue,
  sameRows,
} from "../../state/select/selectors.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";

type NameOf = (path: string) => string;

/** More knobs that follow are counted. */
const FOLLOWING_NAMED = 2;

/** What is compared, in one sentence. */
export function setupWords(state: State, knobs: readonly Knob[]): string {
  const [a, b] = SIDES.map((side) => state.sides[side].shown?.meta.cpus);
  const computing = isComputing(state);
  const some = a ?? b;
  if (some === undefined)
    return computing ? "Computing the first run." : noRun(state.sides.a.status);
  const cpus =
    a === undefined || b === undefined || a === b
      ? counted(some, "CPU")
      : `${counted(a, "CPU")} against ${b}`;
  if (!computing && (a === undefined || b === undefined))
    return `${cpus}. Side ${a === undefined ? "A" : "B"} has no run.`;
  const alike = alikeInEffect(state);
  const differing = differingKnobs(state).filter((path) => !alike.includes(path));
  const nameOf = (path: string): string => {
    const knob = findKnob(knobs, path);
    return knob === undefined ? (taskWriteName(path) ?? path) : knobName(knob);
  };
  const later = laterWords(state, nameOf);
  const draws = differing.includes("seed") ? "different seeds" : "same seed";
  if (differing.length > 0)
    return `${cpus}, ${draws}: ${differenceWords(state, differing, nameOf)}.${later}`;
  if (later !== "") return `${cpus}, ${draws}; both start alike.${later}`;
  if (state.onlyOneSide)
    return `${cpus}. Side ${state.focus.toUpperCase()} alone is shown; the other side is identical.`;
  const [same] = alike;
  if (same === undefined) return `${cpus}. Both sides are identical: change one knob on one side.`;
  const values = SIDES.map((side) => saidValue(same, knobValue(state, side, same) ?? "")).join(
    " and ",
  );
  return `${cpus}. Both sides are identical: ${nameOf(same)} is ${values}, which has the same effect here. Change one knob on one side.`;
}

/**
 * "the only difference is RT_PUSH_IPI" is said where nothing else differs: no knob that follows, no
 * change in mid-run of one side.
 */
function differenceWords(state: State, differing: readonly string[], nameOf: NameOf): string {
  const following = followingKnobs(state);
  const apartLater = state.knobs.live.some(({ where }) => where !== "both");
  const names = sentenceList(differing.map(nameOf));
  const same = sameRows(state) ? "; both runs are the same" : "";
  const one = differing.length === 1;
  if (one && following.length === 0 && !apartLater) return `the only difference is ${names}${same}`;
  const others =
    following.length > FOLLOWING_NAMED
      ? `${following.length} other knobs`
      : sentenceList(following.map(nameOf));
  const follow = following.length === 0 ? "" : `, and ${others} with ${one ? "it" : "them"}`;
  return `${names} ${one ? "differs" : "differ"}${apartLater ? " from the start" : ""}${follow}${same}`;
}

/** What is written to the running kernels, a sentence each. */
function laterWords(state: State, nameOf: NameOf): string {
  const sentences = state.knobs.live.map(({ where, path, value, atNs }) => {
    const on = where === "both" ? "On both sides" : `On ${where.toUpperCase()}`;
    const becomes = taskWriteOf(path)?.what === "wake" ? "" : "becomes ";
    return ` ${on} ${nameOf(path)} ${becomes}${saidValue(path, value)} at ${instantText(atNs)}.`;
  });
  return sentences.join("");
}

/**
 * What a run says of its costs, in the words of the command's header: "vm2_meas, schedule_ns 1200";
 * undefined where every cost is the preset's.
 */
export function changedCosts(meta: Pick<RunMeta, "costs" | "knobs">): string | undefined {
  const stated = meta.costs.filter((cost) => cost.provenance === "stated");
  if (stated.length === 0) return undefined;
  const preset = meta.knobs.find((knob) => knob.path === "machine.costs")?.value ?? "";
  return [valueText(preset), ...stated.map((cost) => `${cost.name} ${cost.value}`)].join(", ");
}
