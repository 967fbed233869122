// Which choices of a knob the rest of the scenario leaves: a kernel version lacks some. What is
// lacking and why, the engine says.

import type { KnobValue, RunMeta, ScenarioError, Unavailable } from "../../engine/gen/types.ts";
import { KNOBS } from "../../engine/gen/knobs.ts";
import {
  effectiveSet,
  lookUp,
  pruneKnob,
  setKnob,
  type KnobSets,
} from "../../scenario/knob-sets.ts";
import { parseValue, sameValue, valueWords } from "../../scenario/knob-values.ts";
import { statedValue } from "../../scenario/viewer-scenario.ts";
import type { Side } from "../../scenario/sides.ts";
import type { Moved, State } from "../shape/state.ts";

/** What is known of a side's latest run. */
export function latestMeta({ sides }: State, side: Side): RunMeta | undefined {
  return (sides[side].coming ?? sides[side].shown)?.meta;
}

/**
 * Choices of `path` that are not available in the runs described; where there are several runs, the
 * choices that any of them lacks.
 */
export function refusedChoices(
  runs: readonly (RunMeta | undefined)[],
  path: string,
): readonly Unavailable[] {
  const all = runs.flatMap((meta) => meta?.unavailable ?? []);
  const here = all.filter((refused) => refused.path === path);
  return here.filter(
    (refused, index) => here.findIndex((other) => other.value === refused.value) === index,
  );
}

/** Each reason once, with the choices it takes away. */
export function reasonsOf(
  refused: readonly Unavailable[],
): readonly { readonly why: string; readonly values: readonly string[] }[] {
  return [...new Set(refused.map(({ why }) => why))].map((why) => ({
    why,
    values: refused.filter((each) => each.why === why).map(({ value }) => value),
  }));
}

/**
 * After one knob was turned, the scenario may refuse the value another one has: then that one moves
 * to the value the engine suggests, in the same step of undo. Undefined if the refusal is not of
 * that kind: then it is the viewer's to read.
 */
export function movedAside(
  state: State,
  side: Side,
  error: ScenarioError,
): { readonly knobs: KnobSets; readonly moved: Moved } | undefined {
  const { turned } = state;
  const knob = KNOBS.find(({ path }) => path === error.path);
  if (
    turned === undefined ||
    knob?.type !== "enum" ||
    turned === knob.path ||
    error.suggestion === undefined
  )
    return undefined;
  if (
    state.moved.some(
      (moved) => moved.path === knob.path && (moved.where === "both" || moved.where === side),
    )
  )
    return undefined;
  const suggested = parseValue(knob, error.suggestion.replaceAll('"', ""));
  if (!suggested.ok) return undefined;
  const where = inForce(state, knob.path, turned) ? "both" : side;
  const knobs = pruneKnob(
    state.entry,
    setKnob(state.knobs, where, knob.path, suggested.value),
    knob.path,
    statedValue(state.entry, knob.path),
  );
  const from = valueOn(state, side, knob.path);
  return {
    knobs,
    moved: {
      path: knob.path,
      where,
      from: from === undefined ? undefined : valueWords(from),
      to: valueWords(suggested.value),
      why: error.message,
    },
  };
}

/** Whether both sides say the same of both knobs: then they move together. */
function inForce(state: State, ...paths: readonly string[]): boolean {
  return paths.every((path) => sameValue(valueOn(state, "a", path), valueOn(state, "b", path)));
}

function valueOn(state: State, side: Side, path: string): KnobValue | undefined {
  return (
    lookUp(effectiveSet(state.entry, state.knobs, side), path) ?? statedValue(state.entry, path)
  );
}
