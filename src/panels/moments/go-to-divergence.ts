// The first divergence on the page: the mark on the ruler, and the way there. It is looked for once
// both runs are done, by a script that comes then.

import { useEffect, useMemo, useState } from "react";
import { SIDES } from "../../scenario/sides.ts";
import type { Store } from "../../state/store.ts";
import type { Spot } from "../../timeline/index.ts";
import { atLeisure } from "../../lib/lazily.tsx";
import { useSelect } from "../page/page.ts";

type Finder = Awaited<ReturnType<typeof load>>;

const load = () => import("../../state/compare/first-divergence.ts");

/** Where the ruler marks it; undefined while there is none to mark. */
export function useDivergence(): Spot | undefined {
  const sides = useSelect((state) => state.sides);
  const finder = useFinder(SIDES.every((side) => sides[side].shown?.report !== undefined));
  return useMemo(() => {
    const found = finder?.firstDivergence({ sides });
    if (finder === undefined || found?.kind !== "found") return undefined;
    return {
      ns: found.atNs,
      words: `${finder.divergenceWords(found, sides)} Click or ⇧ X goes there.`,
    };
  }, [finder, sides]);
}

/** The script, once it was wanted. One that does not come is asked for again with the next runs. */
function useFinder(wanted: boolean): Finder | undefined {
  const [finder, setFinder] = useState<Finder>();
  useEffect(() => {
    if (wanted && finder === undefined) atLeisure(load).then(setFinder, () => undefined);
  }, [wanted, finder]);
  return finder;
}

/**
 * To the first instant at which the two runs differ, if they do; what is there, or that nothing is,
 * is said.
 */
export async function lookAtDivergence(store: Store): Promise<void> {
  const { divergenceView, divergenceWords, firstDivergence } = await load();
  const state = store.getState();
  const found = firstDivergence(state);
  if (found.kind === "found") {
    store.dispatch({ type: "paused" });
    store.dispatch({
      type: "viewport_set",
      viewport: divergenceView(state, found.atNs),
      settled: true,
    });
    store.dispatch({ type: "playhead_set", ns: found.atNs });
  }
  store.dispatch({ type: "replied", words: divergenceWords(found, state.sides) });
}
