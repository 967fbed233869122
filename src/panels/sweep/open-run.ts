// A run of the sweep on screen: its value and seed on both sides, seen where its figure was made.
// The view of the run before says nothing of it.

import { momentOf } from "../../state/figures/moments.ts";
import { linesOf, variantsOf } from "../../state/sweep/plan.ts";
import type { SweepPlan, SweepPoint } from "../../state/shape/sweep.ts";
import { shownViewport } from "../../state/select/selectors.ts";
import type { Side } from "../../scenario/sides.ts";
import { readyRuns } from "../../state/steps/resolve.ts";
import { whenReady } from "../../effects/runs/when-ready.ts";
import type { Store } from "../../state/store.ts";
import { goToMoment } from "../moments/to-moment.ts";

/** `metric`: the path of the figure that was pressed. */
export function openRun(store: Store, plan: SweepPlan, point: SweepPoint, metric: string): void {
  const side = layRun(store, plan, point);
  // The first step finds its moment in the new runs; a scenario without steps shows what it showed
  // first.
  store.dispatch({ type: "viewport_set", viewport: undefined, settled: true });
  store.dispatch({ type: "selection_cleared" });
  store.dispatch({ type: "step_opened", index: 0 });
  store.dispatch({ type: "side_focused", side });
  const { knobs, entry, viewport } = store.getState();
  whenReady(
    store,
    (state) => readyRuns(state) !== undefined && !state.step.waiting,
    // The viewer has nothing else on the page, and does not look elsewhere.
    (state) => state.knobs === knobs && state.entry === entry && state.viewport === viewport,
    () => goToMaker(store, side, metric),
  );
}

/** Sets the run's knobs, its variant on A where neither side shows it; the side that shows it. */
function layRun({ getState, dispatch }: Store, plan: SweepPlan, point: SweepPoint): Side {
  const { entry } = getState();
  const variant = linesOf(entry, plan)[point.variant];
  const names = variantsOf(entry, plan).map(({ name }) => name);
  const perVariant = plan.second?.values.length ?? 1;
  const name = names[Math.floor(point.variant / perVariant)];
  const shown = entry.variants.slice(0, 2).findIndex((each) => each.name === name);
  if (shown < 0)
    for (const [path, set] of Object.entries(variant?.set ?? {}))
      dispatch({ type: "knob_set", where: "a", path, value: set, settled: true });
  const both = [
    [plan.second?.path, plan.second?.values[point.variant % perVariant]],
    [plan.path, plan.values[point.value]],
    ["seed", point.seed],
  ] as const;
  for (const [path, value] of both)
    if (path !== undefined && value !== undefined)
      dispatch({ type: "knob_set", where: "both", path, value, settled: true });
  return shown === 1 ? "b" : "a";
}

/**
 * To the wake-up or the sample that is the figure; a figure that many moments made is seen as the
 * scenario opens.
 */
function goToMaker(store: Store, side: Side, metric: string): void {
  const state = store.getState();
  const run = state.sides[side].shown;
  const moment = run && momentOf(run, metric, shownViewport(state));
  if (moment?.chosen !== undefined && moment.summed !== true) goToMoment(store, side, metric);
}
