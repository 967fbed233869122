// What is said where a side has no run.

import { expect, test } from "vitest";
import type { Blame } from "../../engine/protocol.ts";
import { setupWords } from "../knobs/setup-words.ts";
import { goToWorst } from "./wake-selection.ts";
import { divergenceWords, firstDivergence } from "../../state/compare/first-divergence.ts";
import { HERD } from "../../testing/page-state.ts";
import { SIDES } from "../../scenario/sides.ts";
import { initialState } from "../../state/shape/state.ts";
import { makeStore, type Store } from "../../state/store.ts";

function faulted(blame: Blame): Store {
  const store = makeStore(initialState(HERD, "dark"));
  for (const side of SIDES) {
    const run = store.getState().sides[side].runId + 1;
    store.dispatch({ type: "run_requested", side, run });
    store.dispatch({ type: "run_faulted", side, run, message: "", replay: "", blame });
  }
  return store;
}

function said(store: Store): readonly (string | undefined)[] {
  const state = store.getState();
  goToWorst(store, state, 1);
  return [
    store.getState().reply,
    divergenceWords(firstDivergence(state), state.sides),
    setupWords(state, []),
  ];
}

test.each([
  ["browser", "no run: this browser cannot run the simulator"],
  ["network", "no run: the simulator could not be loaded"],
  ["engine", "no run: the simulator failed"],
] as const)("where no run will come, nothing speaks of one to come: %s", (blame, why) => {
  const [worst, divergence, setup] = said(faulted(blame));
  expect(worst).toBe(`A has ${why}.`);
  expect(divergence).toBe(`A has ${why}. There is nothing to compare.`);
  expect(setup).toBe(`N${why.slice(1)}.`);
});

test("before the first run has come, one is said to be missing yet", () => {
  const [worst, divergence] = said(makeStore(initialState(HERD, "dark")));
  expect(worst).toBe("A has no run yet.");
  expect(divergence).toBe("A has no run yet. There is nothing to compare.");
});
