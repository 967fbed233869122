// When the page offers the way back to a step, with the keys that move the view.

import { beforeAll, expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { loadEngine } from "../../engine/testing.ts";
import type { Viewport } from "../../model/trace/run-types.ts";
import { parseTime } from "../../scenario/knob-values.ts";
import { openContent } from "../../state/link/link-state.ts";
import { statedSwitch } from "../../scenario/viewer-scenario.ts";
import { AT_ONCE } from "../../effects/runs/feeder.ts";
import { startRunner } from "../../effects/runs/runner.ts";
import { BenchClient } from "../../testing/real-runs.ts";
import { domainNs, shownViewport } from "../../state/select/selectors.ts";
import { perSide, SIDES } from "../../scenario/sides.ts";
import { initialState, type State } from "../../state/shape/state.ts";
import { currentStep, hasLeft, isAway, sceneOf } from "../../state/steps/resolve.ts";
import { stepsOf } from "../../scenario/step.ts";
import { makeStore, type Store } from "../../state/store.ts";
import { handleTimelineKey } from "../../timeline/input/keys.ts";
import { goToWorst } from "../moments/wake-selection.ts";

beforeAll(loadEngine);

function opened(entry: ScenarioEntry): Store {
  const store = makeStore(initialState(entry, "dark"));
  const content = {
    slug: entry.slug,
    scenario: undefined,
    both: [],
    a: [],
    b: [],
    view: {},
    unknown: [],
  };
  store.dispatch({ type: "opened", route: "preset", opened: openContent(content, entry, KNOBS) });
  const clients = perSide(() => new BenchClient());
  startRunner(store, clients, AT_ONCE);
  for (const side of SIDES) clients[side].work();
  return store;
}

function pressed(code: string, viewport: Viewport, domain: number, playheadNs: number): Viewport {
  const event = { code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  const answer = handleTimelineKey(event, {
    viewport,
    domainNs: domain,
    playheadNs,
    focus: undefined,
  });
  if (answer === undefined) throw new Error(`${code} moves no view`);
  return answer;
}

function press(store: Store, code: string): void {
  const state = store.getState();
  if (code === "KeyL") goToWorst(store, state, 1);
  else {
    const viewport = pressed(code, shownViewport(state), domainNs(state), state.playheadNs);
    store.dispatch({ type: "viewport_set", viewport, settled: true });
  }
}

/** The step's own view and what is on screen, and whether the page says that they differ. */
function stand(state: State): {
  readonly own: object | undefined;
  readonly seen: object;
  readonly away: boolean;
} {
  const step = currentStep(state);
  if (step === undefined) throw new Error("no step");
  return {
    own: sceneOf(state, step)?.viewport,
    seen: shownViewport(state),
    away: isAway(state, step),
  };
}

test("a key that zooms away from the first step's view offers the way back, in every scenario", () => {
  for (const entry of SCENARIOS) {
    const view = stepsOf(entry)[0]?.view;
    const stated = statedSwitch(entry, "duration");
    const domain = (typeof stated === "string" ? parseTime(stated) : undefined) ?? NaN;
    const spanNs =
      view?.kind === "moment"
        ? view.beforeNs + view.afterNs
        : (view?.toNs ?? NaN) - (view?.fromNs ?? NaN);
    expect(spanNs, entry.slug).toBeLessThanOrEqual(domain);
    // At the start of the run, in its middle and at its end.
    for (const fromNs of [0, (domain - spanNs) / 2, domain - spanNs])
      for (const code of ["KeyW", "KeyS", "Digit0"]) {
        const own = { fromNs, toNs: fromNs + spanNs };
        const seen = pressed(code, own, domain, fromNs);
        expect(hasLeft(own, own), entry.slug).toBe(false);
        // A step that shows the whole run is not left by keys that show the whole run.
        expect(hasLeft(own, seen), `${entry.slug} after ${code}`).toBe(
          spanNs < domain || code === "KeyW",
        );
      }
  }
});

test("the worst wake-up, a zoom and the whole run offer the way back to the first step, and it leads there", () => {
  const store = opened(SCENARIOS[0] as ScenarioEntry);
  expect(stand(store.getState()).away, "as opened").toBe(false);
  for (const code of ["KeyL", "KeyW", "KeyS", "Digit0"]) {
    press(store, code);
    const { own, away } = stand(store.getState());
    expect(away, code).toBe(true);
    store.dispatch({ type: "step_opened", index: 0 });
    expect(stand(store.getState()), "back").toEqual({ own, seen: own, away: false });
  }
});

test("a view of the step's width leaves the step once it has moved by more than half of it", () => {
  const store = opened(SCENARIOS[0] as ScenarioEntry);
  const { fromNs, toNs } = shownViewport(store.getState());
  for (const [share, away] of [
    [0.15, false],
    [0.45, false],
    [0.6, true],
    [3, true],
  ] as const) {
    const moved = share * (toNs - fromNs);
    store.dispatch({
      type: "viewport_set",
      viewport: { fromNs: fromNs + moved, toNs: toNs + moved },
      settled: true,
    });
    expect(stand(store.getState()).away, String(share)).toBe(away);
  }
});
