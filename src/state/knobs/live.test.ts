import { expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { RunMeta, ScenarioEntry } from "../../engine/gen/types.ts";
import { TraceStore } from "../../model/index.ts";
import { shapeOf } from "../../model/trace/trace-text.ts";
import { contentOf } from "../link/link-state.ts";
import { isLive, liveValues, requestFor, sameRequest, valueAt } from "../select/selectors.ts";
import { initialState } from "../shape/state.ts";
import { makeStore } from "../store.ts";

const HERD = SCENARIOS.find((entry) => entry.slug === "rt-pull-herd") as ScenarioEntry;
const PUSH = "kernel.rt_push_ipi";
const META: RunMeta = {
  slug: HERD.slug,
  seed: 7,
  duration_ns: 1_000_000,
  cpus: 1,
  package_size: 1,
  tasks: [],
  groups: [],
  locks: [],
  series: [],
  objects: [],
  kernel: "6.12",
  own_switches: [],
  knobs: [],
  costs: [],
  notes: [],
  unavailable: [],
  live: [],
  replay: "",
};

test("a live change belongs to its side and its instant, is one step of undo, and the link says nothing of results", () => {
  const store = makeStore(initialState(HERD, "dark"));
  const before = requestFor(store.getState(), "a");
  store.dispatch({
    type: "knob_live_set",
    change: { where: "a", path: PUSH, value: "on", atNs: 500 },
  });
  store.dispatch({
    type: "knob_live_set",
    change: { where: "a", path: PUSH, value: "off", atNs: 200 },
  });
  const state = store.getState();
  expect(requestFor(state, "a").changes).toEqual([
    [200, PUSH, "off"],
    [500, PUSH, "on"],
  ]);
  expect(requestFor(state, "b").changes).toEqual([]);
  expect(sameRequest(requestFor(state, "a"), before)).toBe(false);
  expect([100, 200, 499, 500].map((ns) => valueAt(state, "a", PUSH, ns))).toEqual([
    "off",
    "off",
    "off",
    "on",
  ]);
  expect(contentOf(state).view.fp).toBeUndefined();
  store.dispatch({
    type: "knob_live_set",
    change: { where: "both", path: PUSH, value: "off", atNs: 500 },
  });
  expect(
    store.getState().knobs.live.map(({ where }) => where),
    "both sides at one instant replace what one had there",
  ).toEqual(["a", "both"]);
  for (let step = 0; step < 3; step += 1) store.dispatch({ type: "undone" });
  expect(sameRequest(requestFor(store.getState(), "a"), before)).toBe(true);
});

test("what a running kernel takes is what its engine says: which switches, and which of their values", () => {
  const store = makeStore(initialState(HERD, "dark"));
  const taken = (path: string): readonly string[] | undefined =>
    liveValues(store.getState(), "a", path);
  expect(
    isLive(store.getState(), "a", PUSH),
    "nothing is known of a kernel that does not run yet",
  ).toBe(false);
  const live = [
    { path: PUSH, values: [] },
    { path: "kernel.ttwu_queue", values: ["off", "cross_llc"] },
  ];
  store.dispatch({ type: "run_requested", side: "a", run: 1 });
  store.dispatch({
    type: "run_meta",
    side: "a",
    run: 1,
    request: requestFor(store.getState(), "a"),
    meta: { ...META, live },
    trace: new TraceStore(shapeOf(1, 1)),
  });
  expect(taken(PUSH)).toEqual([]);
  expect(taken("kernel.ttwu_queue")).toEqual(["off", "cross_llc"]);
  expect(taken("kernel.preempt")).toBeUndefined();
});
