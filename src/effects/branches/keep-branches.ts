// Keeps the list of branches: whatever run of a side comes to its end is looked at once. Apart from
// the reducer, since no first picture needs it. Branch numbers must not depend on which of two runs
// the machine ended first: a side's run waits for the other's, and A's is looked at before B's.

import { perSide, SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import type { Store } from "../../state/store.ts";
import { withEnded } from "../../state/branches/branches.ts";
import { type Ended } from "../../state/shape/run.ts";

interface Waiting {
  readonly side: Side;
  readonly ended: Ended;
  /** What the side had shown before. */
  readonly from: Ended | undefined;
}

/** Begins; what has ended already counts. Returns the way to stop. */
export function keepBranches(store: Store): () => void {
  const seen = { a: 0, b: 0 };
  let waiting: readonly Waiting[] = [];
  const look = (state: State): void => {
    for (const side of SIDES) {
      const { shown, before } = state.sides[side];
      if (shown?.report === undefined || shown.id === seen[side]) continue;
      seen[side] = shown.id;
      waiting = [
        ...waiting,
        { side, ended: { request: shown.request, report: shown.report }, from: before },
      ];
    }
    if (waiting.length === 0 || SIDES.some((side) => state.sides[side].status.kind === "computing"))
      return;
    const ended = SIDES.flatMap((side) => waiting.filter((each) => each.side === side));
    waiting = [];
    ended.forEach(keep);
  };
  const keep = ({ ended, from }: Waiting): void => {
    const { branches, entry, sides } = store.getState();
    const onScreen = Object.values(perSide((each) => sides[each].shown?.request)).filter(
      (request) => request !== undefined,
    );
    const next = withEnded(branches, ended, from, entry.headline, onScreen);
    if (next !== branches) store.dispatch({ type: "branches_changed", branches: next });
  };
  look(store.getState());
  return store.subscribe(look);
}
