// What a step of undo or redo changed, in a sentence: read from the two states, so that no change
// has to bring words of its own.

import type { Knob, KnobValue, ScenarioEntry } from "../../engine/gen/types.ts";
import { plainText } from "../../engine/plain.ts";
import { instantText } from "../../lib/format.ts";
import {
  effectiveSet,
  lookUp,
  type KnobSet,
  type KnobSets,
  type LiveChange,
} from "../../scenario/knob-sets.ts";
import { findKnob, knobName, sameValue, saidValue } from "../../scenario/knob-values.ts";
import { taskWriteName } from "../../scenario/task-writes.ts";
import { baseValue, chosenVariant } from "../../scenario/variants.ts";
import { MORE_RECORDS } from "../../state/select/selectors.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";

/** The most changes of one step that are named; further ones are counted. */
const TOLD_MAX = 3;

type Way = "undone" | "redone";

/** "Undone: seed from 1 to 2. 3 more can be undone." */
export function undoWords(before: State, after: State, way: Way, knobs: readonly Knob[]): string {
  const [verb, rest] =
    way === "undone"
      ? (["undo", after.undo.past.length] as const)
      : (["redo", after.undo.future.length] as const);
  if (after === before) return `There is nothing to ${verb}.`;
  // The words name the change that is undone or redone: from the earlier value to the later one.
  const [from, to] = way === "undone" ? [after, before] : [before, after];
  const swapped =
    (way === "undone" ? before.undo.past.at(-1) : before.undo.future[0])?.swaps === true;
  const parts = swapped ? ["A and B exchanged what they run"] : changes(from, to, knobs);
  const more = parts.length > TOLD_MAX ? ` and ${parts.length - TOLD_MAX} more` : "";
  const told = parts.length === 0 ? "a change" : `${parts.slice(0, TOLD_MAX).join("; ")}${more}`;
  const left = rest === 0 ? "Nothing more" : `${rest} more`;
  return plainText(`${way === "undone" ? "Undone" : "Redone"}: ${told}. ${left} can be ${way}.`);
}

function changes(from: State, to: State, knobs: readonly Knob[]): readonly string[] {
  return [
    ...textWords(from.entry, to.entry),
    ...(from.moreRecords === to.moreRecords ? [] : [`up to ${MORE_RECORDS / 1e6} million records`]),
    ...stripWords(from, to),
    ...liveWords(from.knobs, to.knobs, knobs),
    ...knobWords(from, to, knobs),
  ];
}

function textWords(from: ScenarioEntry, to: ScenarioEntry): readonly string[] {
  if (from === to) return [];
  return [
    from.title === to.title
      ? "an edit of the scenario’s text"
      : `the text “${to.title}” in place of “${from.title}”`,
  ];
}

function stripWords(from: State, to: State): readonly string[] {
  const names = ({ strips }: State): readonly string[] => strips.map(({ variant }) => variant);
  const [had, has] = [names(from), names(to)];
  const added = has.filter((name) => !had.includes(name)).map((name) => `strip “${name}” added`);
  const gone = had.filter((name) => !has.includes(name)).map((name) => `strip “${name}” removed`);
  return [...added, ...gone];
}

function liveWords(from: KnobSets, to: KnobSets, knobs: readonly Knob[]): readonly string[] {
  const words = ({ where, path, value, atNs }: LiveChange): string => {
    const knob = findKnob(knobs, path);
    const name = taskWriteName(path) ?? (knob === undefined ? path : knobName(knob));
    return `${where === "both" ? "" : `${where.toUpperCase()}: `}${name} ${saidValue(path, value)} at ${instantText(atNs)}`;
  };
  const written = to.live
    .filter((change) => !from.live.includes(change))
    .map((change) => `write of ${words(change)}`);
  const dropped = from.live
    .filter((change) => !to.live.includes(change))
    .map((change) => `removal of ${words(change)}`);
  return [...written, ...dropped];
}

/** The knobs whose value differs; knobs that make up another variant are named by that variant. */
function knobWords(from: State, to: State, knobs: readonly Knob[]): readonly string[] {
  const bySide = SIDES.map((side) => sideWords(from, to, side, knobs));
  const [a = [], b = []] = bySide;
  const shared = a.filter((words) => b.includes(words));
  const own = SIDES.flatMap((side, index) =>
    (bySide[index] ?? [])
      .filter((words) => !shared.includes(words))
      .map((words) => `${side.toUpperCase()}: ${words}`),
  );
  return [...shared, ...own];
}

function sideWords(from: State, to: State, side: Side, knobs: readonly Knob[]): readonly string[] {
  // Another text has knobs and variants of its own: its words say enough.
  if (from.entry !== to.entry) return [];
  const { entry } = from;
  const was = chosenVariant(entry, from.knobs, side)?.name;
  const is = chosenVariant(entry, to.knobs, side)?.name;
  const named = new Set(entry.variants.flatMap(({ set }) => Object.keys(set)));
  const other = was !== undefined && is !== undefined && was !== is;
  const [old, own] = [effectiveSet(entry, from.knobs, side), effectiveSet(entry, to.knobs, side)];
  const paths = [...new Set([...old, ...own].map(([path]) => path))].filter(
    (path) => !other || !named.has(path),
  );
  const value = (set: KnobSet, path: string): KnobValue | undefined =>
    lookUp(set, path) ?? baseValue(entry, path);
  const turned = paths.flatMap((path) => {
    const [before, after] = [value(old, path), value(own, path)];
    if (sameValue(before, after)) return [];
    const knob = findKnob(knobs, path);
    const name = knob === undefined ? path : knobName(knob);
    const start = before === undefined ? "" : ` from ${saidValue(path, before)}`;
    return [
      after === undefined
        ? `${name} as the scenario has it`
        : `${name}${start} to ${saidValue(path, after)}`,
    ];
  });
  return other ? [`“${is}” in place of “${was}”`, ...turned] : turned;
}
