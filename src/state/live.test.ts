import { expect, test } from "vitest";
import { SCENARIOS } from "../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../engine/gen/types.ts";
import { contentOf } from "./link-state.ts";
import { isLive, requestFor, sameRequest, valueAt } from "./selectors.ts";
import { initialState } from "./state.ts";
import { makeStore } from "./store.ts";

const HERD = SCENARIOS.find((entry) => entry.slug === "rt-pull-herd") as ScenarioEntry;
const PUSH = "kernel.rt_push_ipi";

test("a live change belongs to its side and its instant, is one step of undo, and the link says nothing of results", () => {
  const store = makeStore(initialState(HERD, "dark"));
  const before = requestFor(store.getState(), "a");
  store.dispatch({ type: "knob_live_set", change: { where: "a", path: PUSH, value: "on", atNs: 500 } });
  store.dispatch({ type: "knob_live_set", change: { where: "a", path: PUSH, value: "off", atNs: 200 } });
  const state = store.getState();
  expect(requestFor(state, "a").changes).toEqual([
    [200, PUSH, "off"],
    [500, PUSH, "on"],
  ]);
  expect(requestFor(state, "b").changes).toEqual([]);
  expect(sameRequest(requestFor(state, "a"), before)).toBe(false);
  expect([100, 200, 499, 500].map((ns) => valueAt(state, "a", PUSH, ns))).toEqual(["off", "off", "off", "on"]);
  expect(contentOf(state).view.fp).toBeUndefined();
  store.dispatch({ type: "knob_live_set", change: { where: "both", path: PUSH, value: "off", atNs: 500 } });
  expect(
    store.getState().knobs.live.map(({ where }) => where),
    "both sides at one instant replace what one had there",
  ).toEqual(["a", "both"]);
  for (let step = 0; step < 3; step += 1) store.dispatch({ type: "undone" });
  expect(sameRequest(requestFor(store.getState(), "a"), before)).toBe(true);
});

test("of the preemption models only those of PREEMPT_DYNAMIC can be switched in a running kernel", () => {
  const store = makeStore(initialState(HERD, "dark"));
  const live = (): boolean => isLive(store.getState(), "a", "kernel.preempt");
  expect(live()).toBe(false);
  store.dispatch({ type: "knob_set", where: "both", path: "kernel.preempt", value: "dynamic-full", settled: true });
  expect(live()).toBe(true);
});
