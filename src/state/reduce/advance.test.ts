import { expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { initialState, type State } from "../shape/state.ts";
import { reduce } from "./reducer.ts";

const entry = SCENARIOS[0];
if (entry === undefined) throw new Error("no scenario");

/** A state with 1 ms computed on A, its view from 200 to 600 us. */
function ready(playheadNs: number): State {
  const state = initialState(entry as NonNullable<typeof entry>, "dark");
  const shown = {
    simulatedNs: 1_000_000,
    meta: { duration_ns: 1_000_000 },
    trace: { version: 1, events: { firstAt: () => 0 } },
  };
  const sides = {
    ...state.sides,
    a: { ...state.sides.a, shown: shown as unknown as State["sides"]["a"]["shown"] },
  };
  return { ...state, sides, playheadNs, viewport: { fromNs: 200_000, toNs: 600_000 } };
}

const pass = (state: State, seconds: number): State =>
  reduce(state, { type: "time_passed", seconds });

test("playing starts at the view's beginning when the playhead is elsewhere, and where it stands when it is inside", () => {
  expect(reduce(ready(0), { type: "played" }).playheadNs).toBe(200_000);
  expect(reduce(ready(600_000), { type: "played" }).playheadNs).toBe(200_000);
  expect(reduce(ready(300_000), { type: "played" }).playheadNs).toBe(300_000);
});

test("the view is crossed in eight seconds and begins again", () => {
  let state = reduce(ready(0), { type: "played" });
  state = pass(state, 4);
  expect(state.playheadNs).toBeCloseTo(400_000, 0);
  state = pass(state, 4.1);
  expect(state).toMatchObject({ playheadNs: 200_000, playback: { playing: true } });
});

test("without the loop it goes on behind the view and stops at the end of what is computed", () => {
  let state = reduce(reduce(ready(590_000), { type: "loop_toggled" }), { type: "played" });
  state = pass(state, 2);
  expect(state.playheadNs).toBeGreaterThan(600_000);
  state = pass(state, 60);
  expect(state).toMatchObject({ playheadNs: 1_000_000, playback: { playing: false } });
});

test("a speed that the viewer chose is even", () => {
  const chosen = reduce(ready(200_000), { type: "speed_set", nsPerSecond: 1_000 });
  const state = pass(reduce(chosen, { type: "played" }), 3);
  expect(state.playheadNs).toBe(203_000);
});
