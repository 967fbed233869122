// What is done to strips, and what their engine says.

import { assertUnreachable } from "../../lib/unreachable.ts";
import { partnerOf } from "../../model/index.ts";
import { otherSide } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import { withHistory } from "./undo.ts";
import { selectedOn } from "../select/selection.ts";
import {
  freshStrip,
  STRIPS_MAX,
  stripVariant,
  variantOn,
  wants,
  withStripOn,
} from "../compare/strips.ts";
import { type Strip, type StripAction } from "../shape/strip.ts";

export function reduceStrips(state: State, action: StripAction): State {
  switch (action.type) {
    case "strip_added":
      if (state.strips.length >= STRIPS_MAX || stripVariant(state, action) === undefined)
        return state;
      return chosen(state, [...state.strips, freshStrip(action.variant)]);
    case "strip_chosen":
      return stripVariant(state, action) === undefined
        ? state
        : chosen(
            state,
            at(state, action.index, (strip) => freshStrip(action.variant, strip.open)),
          );
    case "strip_removed":
      return chosen(
        state,
        state.strips.filter((_strip, index) => index !== action.index),
      );
    case "strip_toggled":
      return {
        ...state,
        strips: at(state, action.index, (strip) => ({ ...strip, open: !strip.open })),
      };
    case "strip_picked":
      return picked(state, action);
    case "variant_taken":
      return taken(state, action);
    case "strip_advanced": {
      const { asked, status, run } = action;
      const advanced = (strip: Strip): Strip =>
        wants(state, strip, asked) ? { ...strip, asked, status, run: run ?? strip.run } : strip;
      return { ...state, strips: state.strips.map(advanced) };
    }
    default:
      return assertUnreachable(action);
  }
}

function picked(
  state: State,
  { index, selection }: Extract<StripAction, { readonly type: "strip_picked" }>,
): State {
  const strip = state.strips[index];
  const wakes = strip?.run?.trace.wakes;
  const row = wakes?.findSelection(selection);
  if (strip === undefined || wakes === undefined || row === undefined) return state;
  for (const side of [state.focus, otherSide(state.focus)]) {
    const theirs = state.sides[side].shown?.trace.wakes;
    const partner = theirs && partnerOf(wakes, row, theirs);
    if (theirs !== undefined && partner !== undefined)
      return selectedOn(state, side, theirs.selectionOf(partner));
  }
  return { ...state, selection: undefined, picked: { variant: strip.variant, selection } };
}

function at({ strips }: State, index: number, change: (strip: Strip) => Strip): readonly Strip[] {
  return strips.map((strip, each) => (each === index ? change(strip) : strip));
}

/** Other variants are one step of undo, and another history entry of the browser. */
function chosen(state: State, strips: readonly Strip[]): State {
  return withHistory(state, { ...state, strips });
}

/**
 * What the side has of its own goes: it then runs what a strip or a tile of the variant shows. One
 * step of undo takes all of it back.
 */
function taken(
  state: State,
  action: Extract<StripAction, { readonly type: "variant_taken" }>,
): State {
  const { side, strip } = action;
  const variant = stripVariant(state, action);
  if (variant === undefined) return state;
  return withHistory(state, {
    ...state,
    knobs: withStripOn(state, side, variant.set),
    strips: strip === undefined ? state.strips : exchanged(state, strip, variantOn(state, side)),
    turned: undefined,
    moved: [],
    metaBefore: undefined,
    expectation: undefined,
  });
}

function exchanged(state: State, index: number, left: string | undefined): readonly Strip[] {
  if (left === undefined) return state.strips.filter((_strip, each) => each !== index);
  return at(state, index, ({ open }) => freshStrip(left, open));
}
