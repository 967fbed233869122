// What another kernel version moved, in words: a few of the knobs in a sentence, the others in a
// list. Must not know how the words are shown.

import type { Knob } from "../../engine/gen/types.ts";
import { counted } from "../../lib/count.ts";
import { findKnob, KERNEL_KNOBS, knobName, saidValue } from "../../scenario/knob-values.ts";
import { movedByVersion } from "../../state/knobs/moved-by-version.ts";
import { differingKnobs } from "../../state/select/selectors.ts";
import type { State } from "../../state/shape/state.ts";

/** More moved knobs than these are a list: a sentence of thirteen arrows cannot be read. */
const IN_A_SENTENCE = 3;

export interface MovedKnob {
  /** Unlike that of any other. */
  readonly key: string;
  readonly name: string;
  /** "off → on" */
  readonly change: string;
}

/**
 * The knobs that moved with the version: those that had to move because the version lacks their
 * value, then those with a row in the rail, then the others.
 */
export function movedKnobs(state: State, knobs: readonly Knob[]): readonly MovedKnob[] {
  const rows = [...state.entry.knobs, ...KERNEL_KNOBS, ...differingKnobs(state)];
  const following = movedByVersion(state).map((each) => ({
    ...each,
    from: saidValue(each.path, each.from),
    to: saidValue(each.path, each.to),
  }));
  const [inRail, others] = [true, false].map((wanted) =>
    following.filter(({ path }) => rows.includes(path) === wanted),
  );
  return [...state.moved, ...(inRail ?? []), ...(others ?? [])].map(({ path, where, from, to }) => {
    const knob = findKnob(knobs, path);
    return {
      key: `${where} ${path}`,
      name: `${where === "both" ? "" : `${where.toUpperCase()}: `}${knob === undefined ? path : knobName(knob)}`,
      change: from === undefined ? to : `${from} → ${to}`,
    };
  });
}

/**
 * Read at a glance: all of a few, or how many and the first of them. `whole`: whether the sentence
 * names every one.
 */
export function movedSentence(all: readonly MovedKnob[]): {
  readonly words: string;
  readonly whole: boolean;
} {
  const first = all.slice(0, IN_A_SENTENCE).map(({ name, change }) => `${name} ${change}`);
  if (all.length <= IN_A_SENTENCE)
    return { words: `Moved with it: ${first.join(", ")}.`, whole: true };
  const rest = all.length - IN_A_SENTENCE;
  return {
    words: `${counted(all.length, "knob")} moved with it: ${first.join(", ")} and ${counted(rest, "other")}`,
    whole: false,
  };
}

/** Spoken: the first of them, and how many more. */
export function movedSpoken([first, ...more]: readonly MovedKnob[]): string {
  if (first === undefined) return "";
  const others = more.length === 0 ? "" : ` and ${counted(more.length, "other knob")}`;
  return `Moved with the kernel version: ${first.name} ${first.change.replace("→", "to")}${others}.`;
}
