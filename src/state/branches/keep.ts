// Keeps the list of branches: whatever run of a side comes to its end is looked at once. Apart from the reducer, since no first picture needs it.

import { perSide, SIDES } from "../sides.ts";
import type { State } from "../state.ts";
import type { Store } from "../store.ts";
import { withEnded } from "./branches.ts";

/** Begins; what has ended already counts. Returns the way to stop. */
export function keepBranches(store: Store): () => void {
  const seen = { a: 0, b: 0 };
  const look = (state: State): void => {
    for (const side of SIDES) {
      const { shown, before } = state.sides[side];
      if (shown?.report === undefined || shown.id === seen[side]) continue;
      seen[side] = shown.id;
      const onScreen = Object.values(perSide((each) => state.sides[each].shown?.request)).filter((request) => request !== undefined);
      const { branches, entry } = store.getState();
      const next = withEnded(branches, { request: shown.request, report: shown.report }, before, entry.headline, onScreen);
      if (next !== branches) store.dispatch({ type: "branches_changed", branches: next });
    }
  };
  look(store.getState());
  return store.subscribe(look);
}
