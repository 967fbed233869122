// The two searches of a throttled group, one after the other, on workers of their own. They stop when
// the state says that another question is asked, or none.

import { runBatch, type Batch } from "../../engine/batch.ts";
import type { LimitAsked, SearchAsked } from "../../state/shape/sweep.ts";
import type { Store } from "../../state/store.ts";
import { eachFrame } from "./each-frame.ts";
import { runSearch, runsLeft, type Runs } from "./search-run.ts";

export async function askLimit(
  store: Store,
  asked: LimitAsked,
  run: Runs = runBatch,
): Promise<void> {
  store.dispatch({ type: "limit_asked", asked });
  const { nth } = store.getState().limit;
  let batch: Batch | undefined;
  const goesOn = (): boolean => {
    const { limit } = store.getState();
    return limit.nth === nth && limit.running;
  };
  const unsubscribe = store.subscribe(() => {
    if (!goesOn()) batch?.cancel();
  });
  const ran = eachFrame<undefined>(({ length }) =>
    store.dispatch({ type: "limit_ran", nth, runs: length }),
  );
  const search = (which: "limit" | "burst", one: SearchAsked): Promise<boolean> =>
    runSearch(
      one,
      {
        onBatch: (started) => (batch = started),
        onRun: () => ran.add(undefined),
        onAnswer: ({ answer, probes }) => {
          ran.now();
          const later =
            which === "limit" && asked.burst !== undefined ? runsLeft(asked.burst.question, []) : 0;
          const left = runsLeft(one.question, probes) + later;
          store.dispatch({ type: "limit_found", nth, which, answer, left });
        },
        goesOn,
      },
      run,
    );
  const ended =
    (await search("limit", asked.limit)) &&
    (asked.burst === undefined || (await search("burst", asked.burst)));
  unsubscribe();
  ran.now();
  if (ended) store.dispatch({ type: "limit_ended", nth });
}
