// Why a key of the map would do nothing now. Keys that say so themselves when they are pressed are
// not here.

import { nextVariant, STRIPS_MAX, TILES_FROM } from "../../state/compare/strips.ts";
import { neighbourStep } from "../../state/steps/resolve.ts";
import type { State } from "../../state/shape/state.ts";

/** A sentence; undefined where the key does something. `key`: as the map prints it. */
export function blockedBy(state: State, key: string): string | undefined {
  switch (key) {
    case "→":
      return neighbourStep(state, 1) === undefined ? "There is no further step." : undefined;
    case "←":
      return neighbourStep(state, -1) === undefined ? "There is no step before." : undefined;
    case "V":
      if (state.strips.length >= STRIPS_MAX)
        return `There are ${STRIPS_MAX} strips already: remove one first.`;
      return nextVariant(state) === undefined
        ? "Every variant of this scenario is shown already."
        : undefined;
    case "⇧ V":
      return state.entry.variants.length < TILES_FROM
        ? "The pickers of A and B show all variants of this scenario."
        : undefined;
    case "M":
      return state.selection === undefined
        ? "Nothing is selected: choose a wake-up first."
        : undefined;
    case "⇧ M":
      return state.selection === undefined && state.area === undefined
        ? "Nothing is selected: choose a wake-up or an area first."
        : undefined;
    case "Del":
      return state.markers.from === undefined && state.markers.to === undefined
        ? "There are no markers."
        : undefined;
    case "T":
      return state.track === undefined ? "Point at a lane first." : undefined;
    case "Ctrl Z":
      return state.undo.past.length === 0 ? "There is nothing to undo." : undefined;
    case "Ctrl ⇧ Z":
      return state.undo.future.length === 0 ? "There is nothing to redo." : undefined;
    default:
      return undefined;
  }
}
