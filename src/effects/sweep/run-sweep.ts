// Runs the sweep or the search of the sweep's window on workers of its own, and dispatches what they
// come to. It stops when the state says that something else runs, or nothing.

import { runBatch, type Batch } from "../../engine/batch.ts";
import { KNOBS } from "../../engine/gen/knobs.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import type { BisectQuestion } from "../../scenario/bisect.ts";
import type { KnobSet } from "../../scenario/knob-sets.ts";
import { findKnob } from "../../scenario/knob-values.ts";
import type { SweepPlan, SweepResult } from "../../state/shape/sweep.ts";
import type { Store } from "../../state/store.ts";
import { knownFailures } from "../../state/sweep/known-failures.ts";
import { pointsOf, requestsOf } from "../../state/sweep/plan.ts";
import { eachFrame } from "./each-frame.ts";
import { outcomeOf, runSearch, runsLeft, type Runs } from "./search-run.ts";

/** Whether what was started as the `nth` still runs. */
function runs({ getState }: Store, nth: number): boolean {
  const { sweeping } = getState();
  return sweeping.nth === nth && sweeping.running !== undefined;
}

/** Runs the plan. Results are dispatched once a frame: each time, charts and table are drawn anew. */
export async function startSweep(
  store: Store,
  entry: ScenarioEntry,
  plan: SweepPlan,
  common: KnobSet,
  run: Runs = runBatch,
): Promise<void> {
  const points = pointsOf(entry, plan);
  store.dispatch({ type: "sweep_started", plan, common, total: points.length });
  const { nth } = store.getState().sweeping;
  const heard = eachFrame<SweepResult>((results) =>
    store.dispatch({ type: "sweep_heard", nth, results }),
  );
  const batch = run(requestsOf(entry, plan, common, points), (index, answer) => {
    const point = points[index];
    if (point !== undefined) heard.add({ point, outcome: outcomeOf(plan, answer) });
  });
  const unsubscribe = store.subscribe(() => {
    if (!runs(store, nth)) batch.cancel();
  });
  await batch.done;
  unsubscribe();
  heard.now();
  store.dispatch({ type: "sweep_ended", nth });
}

/**
 * Looks for the smallest value of the plan's knob for which its one metric stays under the bound;
 * every probe runs all seeds. A value that a sweep in the same window saw go above it is not called
 * good by what lies below.
 */
export async function startSearch(
  store: Store,
  entry: ScenarioEntry,
  plan: SweepPlan,
  common: KnobSet,
  question: BisectQuestion,
  run: Runs = runBatch,
): Promise<void> {
  const knob = findKnob(KNOBS, plan.path);
  const known = knownFailures(store.getState().sweeping, entry, plan, common, question, knob);
  store.dispatch({ type: "search_started" });
  const { nth } = store.getState().sweeping;
  let batch: Batch | undefined;
  const ran = eachFrame<undefined>(({ length }) =>
    store.dispatch({ type: "search_ran", nth, runs: length }),
  );
  const unsubscribe = store.subscribe(() => {
    if (!runs(store, nth)) batch?.cancel();
  });
  const ended = await runSearch(
    { entry, plan, common, question, known },
    {
      onBatch: (started, count) => {
        batch = started;
        store.dispatch({ type: "search_tries", nth, runs: count });
      },
      onRun: () => ran.add(undefined),
      onAnswer: (found) => {
        ran.now();
        const left = runsLeft(question, found.probes);
        store.dispatch({ type: "search_found", nth, found, left });
      },
      goesOn: () => runs(store, nth),
    },
    run,
  );
  unsubscribe();
  ran.now();
  if (ended) store.dispatch({ type: "sweep_ended", nth });
}
