// Knob changes and their undo. A drag is one step: its first value makes the step, the others
// replace it.

import type { KnobValue } from "../../engine/gen/types.ts";
import { assertUnreachable } from "../../lib/unreachable.ts";
import type { KnobAction } from "../shape/actions.ts";
import {
  dropLive,
  pruneKnob,
  resetKnob,
  setKnob,
  setLive,
  type KnobSet,
  type KnobSets,
  type Where,
} from "../../scenario/knob-sets.ts";
import { latestMeta } from "../select/offers.ts";
import { perSide, type Side } from "../../scenario/sides.ts";
import { swapped } from "../../scenario/swap-sides.ts";
import { statedValue } from "../../scenario/viewer-scenario.ts";
import { variantsOf, withVariant } from "../../scenario/variants.ts";
import type { State } from "../shape/state.ts";
import { exchanged, redone, settled, undone, withHistory } from "./undo.ts";

export function reduceKnob(state: State, action: KnobAction): State {
  switch (action.type) {
    case "knob_set":
      return {
        ...changed(state, withKnob(state, action.where, action.path, action.value), action.settled),
        turned: action.path,
      };
    case "knob_settled":
      return settled(state);
    case "knob_live_set":
      return changed(state, setLive(state.knobs, action.change), true);
    case "knob_live_dropped":
      return changed(state, dropLive(state.knobs, action.change), true);
    case "knob_reset":
      return {
        ...changed(state, resetKnob(state.knobs, action.path), true),
        split: without(state.split, action.path),
      };
    case "knob_split":
      return state.split.includes(action.path)
        ? state
        : { ...state, split: [...state.split, action.path] };
    case "knob_joined":
      return {
        ...changed(state, withKnob(state, "both", action.path, action.value), true),
        split: without(state.split, action.path),
      };
    case "variant_chosen": {
      const variant = variantsOf(state.entry).find(({ name }) => name === action.name);
      return variant === undefined
        ? state
        : changed(state, withVariant(state.entry, state.knobs, action.side, variant), true);
    }
    case "sides_swapped":
      return {
        ...exchanged(changed(state, swapped(state.entry, state.knobs, valueIn(state)), true, true)),
        metaBefore: undefined,
      };
    case "branch_shown":
      return changed(state, action.knobs, true);
    case "branches_changed":
      return { ...state, branches: action.branches };
    case "knobs_tried":
      // What the step shows may lie elsewhere in the new runs.
      return {
        ...changed(state, action.knobs, true),
        step: { ...state.step, linked: undefined, waiting: state.step.index !== undefined },
      };
    case "undone":
      return undone(state);
    case "redone":
      return redone(state);
    default:
      return assertUnreachable(action);
  }
}

/** What the latest run of a side has of a knob. */
function valueIn(state: State): (side: Side, path: string) => KnobValue | undefined {
  return (side, path) => latestMeta(state, side)?.knobs.find((knob) => knob.path === path)?.value;
}

/** Several knobs for both sides, as one undo step that goes back to `undone`. */
export function withKnobs(state: State, set: KnobSet, undone: KnobSets): State {
  const knobs = set.reduce(
    (sets, [path, value]) =>
      pruneKnob(
        state.entry,
        setKnob(sets, "both", path, value),
        path,
        statedValue(state.entry, path),
      ),
    state.knobs,
  );
  return changed({ ...state, knobs: undone }, knobs, true);
}

function withKnob({ entry, knobs }: State, where: Where, path: string, value: KnobValue): KnobSets {
  return pruneKnob(entry, setKnob(knobs, where, path, value), path, statedValue(entry, path));
}

function without(list: readonly string[], item: string): readonly string[] {
  return list.filter((each) => each !== item);
}

/** What a link said of its results no longer holds once a knob is turned. */
function changed(state: State, knobs: KnobSets, isSettled: boolean, swaps = false): State {
  const next = {
    ...state,
    knobs,
    turned: undefined,
    moved: [],
    metaBefore: perSide((side) => latestMeta(state, side)),
    expectation: undefined,
  };
  return withHistory(state, next, { open: !isSettled, swaps });
}
