// The selected wake-up on each side. A selection names a wake-up of one side; the other side shows its partner by due time.

import { partnerOf } from "../../model/index.ts";
import type { Selection, WakeRecord } from "../../model/types.ts";
import { otherSide, type Side } from "../sides.ts";
import type { State } from "../state.ts";

type Selected = Pick<State, "sides" | "selection" | "selectedOn">;

/** Row of the selected wake-up in a side's wake-ups; undefined if nothing is selected, or that side has no such wake-up. */
export function selectedRow(state: Selected, side: Side): number | undefined {
  const { sides, selectedOn } = state;
  const named = sides[selectedOn].shown?.trace.wakes;
  const row = named?.findSelection(state.selection);
  if (named === undefined || row === undefined || side === selectedOn) return row;
  const other = sides[otherSide(selectedOn)].shown?.trace.wakes;
  return other === undefined ? undefined : partnerOf(named, row, other);
}

/** Everything about it. */
export function selectedWake(state: Selected, side: Side): WakeRecord | undefined {
  const row = selectedRow(state, side);
  return row === undefined ? undefined : state.sides[side].shown?.trace.wakes.record(row);
}

/** The selected wake-up as a side names it: its number there may be another one. */
export function selectionOn(state: Selected, side: Side): Selection | undefined {
  const row = selectedRow(state, side);
  return row === undefined ? undefined : state.sides[side].shown?.trace.wakes.selectionOf(row);
}
