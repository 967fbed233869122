import { expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { formatNs } from "../../lib/format.ts";
import { initialState } from "../shape/state.ts";
import { divergenceView, firstDivergence } from "./first-divergence.ts";
import { finish, pageWith } from "../../testing/two-runs.ts";

const DUES = { a: [], b: [] };
const START = "0 cpu0 state idle\n 100 cpu1 waking t2 cpu0";

test("the first divergence is said as what A and B do there", () => {
  const { getState } = pageWith(SCENARIOS, DUES, {
    a: `${START}\n 7000 cpu3 acq 0 0`,
    b: `${START}\n 7200 cpu3 tick`,
  });
  expect(firstDivergence(getState())).toMatchObject({
    kind: "found",
    atNs: 7000,
    words: `A: CPU 3 takes the rq 0 lock; B: nothing then; at ${formatNs(7200)} CPU 3 runs the scheduler tick`,
  });
  expect(divergenceView(getState(), 7000)).toEqual({ fromNs: 0, toNs: 10_000 });
});

test("without both runs nothing is known; alike runs are alike for good only when both are done", () => {
  const [entry] = SCENARIOS;
  if (entry === undefined) throw new Error("no scenario");
  expect(firstDivergence(initialState(entry, "dark"))).toEqual({ kind: "unknown" });
  const store = pageWith(SCENARIOS, DUES, { a: START, b: START });
  expect(firstDivergence(store.getState())).toEqual({
    kind: "none",
    untilNs: 10_000,
    final: false,
  });
  finish(store, "a", {});
  finish(store, "b", {});
  expect(firstDivergence(store.getState())).toEqual({ kind: "none", untilNs: 10_000, final: true });
});

test("a difference at the last instant counts once both runs are done there", () => {
  const store = pageWith(SCENARIOS, DUES, { a: `${START}\n 10000 cpu3 tick`, b: START });
  expect(firstDivergence(store.getState()).kind).toBe("none");
  finish(store, "a", {});
  finish(store, "b", {});
  expect(firstDivergence(store.getState())).toMatchObject({ kind: "found", atNs: 10_000 });
});
