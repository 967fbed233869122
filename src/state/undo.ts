// What undo keeps: one bounded list, whoever adds to it.

import type { State, Undo, UndoStep } from "./state.ts";

/** Steps kept; of more, the oldest goes. */
export const UNDO_MAX = 200;

/** The steps with one more. */
export function pushed(past: readonly UndoStep[], step: UndoStep): readonly UndoStep[] {
  return [...past, step].slice(-UNDO_MAX);
}

/** After a change of knobs and strips at once: one step takes both back. */
export function withStripsKept({ undo, knobs, strips }: Pick<State, "undo" | "knobs" | "strips">): Undo {
  const before: UndoStep = { knobs, swaps: false, strips: strips.map(({ variant }) => variant) };
  return { past: pushed(undo.past, before), future: [], open: false };
}
