// The first divergence on the page: the mark on the ruler, and the way there.

import { useMemo } from "react";
import { formatNs } from "../../lib/format.ts";
import { divergenceView, firstDivergence } from "../../state/compare/divergence.ts";
import type { Store } from "../../state/store.ts";
import type { Spot } from "../../timeline/index.ts";
import { useSelect } from "../page.ts";

/** Where the ruler marks it; undefined while there is none to mark. */
export function useDivergence(): Spot | undefined {
  const sides = useSelect((state) => state.sides);
  return useMemo(() => {
    const found = firstDivergence({ sides });
    if (found.kind !== "found") return undefined;
    return { ns: found.atNs, words: `A and B first differ at ${formatNs(found.atNs, 6)}. ${found.words}. Click or ⇧ X goes there.` };
  }, [sides]);
}

/** To the first instant at which the two runs differ, if they do. */
export function lookAtDivergence(store: Store): void {
  const state = store.getState();
  const found = firstDivergence(state);
  if (found.kind !== "found") return;
  store.dispatch({ type: "paused" });
  store.dispatch({ type: "viewport_set", viewport: divergenceView(state, found.atNs), settled: true });
  store.dispatch({ type: "playhead_set", ns: found.atNs });
}
