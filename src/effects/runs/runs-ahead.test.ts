// Runs that are computed before they are asked for, through the page's public door: a runner with
// the real engine behind it.

import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import type { Action } from "../../state/shape/actions.ts";
import { NO_KNOBS, type KnobSets } from "../../scenario/knob-sets.ts";
import { perSide, SIDES } from "../../scenario/sides.ts";
import { initialState } from "../../state/shape/state.ts";
import { makeStore } from "../../state/store.ts";
import { HERD, PUSH } from "../../testing/page-state.ts";
import { AHEAD_RECORDS, REST_MS, startAhead } from "./runs-ahead.ts";
import { AT_ONCE } from "./feeder.ts";
import { KeptRuns } from "./finished-runs.ts";
import { startRunner } from "./runner.ts";
import { BenchClient, seen } from "../../testing/real-runs.ts";

beforeAll(loadEngine);
afterEach(() => {
  vi.useRealTimers();
});

const SHORT: KnobSets = { ...NO_KNOBS, both: [["duration", "2ms"]] };

function pageOf(knobs = SHORT) {
  const store = makeStore({ ...initialState(HERD, "dark"), knobs });
  const engines = { a: new BenchClient(), b: new BenchClient() };
  const spare: BenchClient[] = [];
  const kept = new KeptRuns();
  const clients = perSide((side) => engines[side]);
  startRunner(store, clients, AT_ONCE, kept);
  SIDES.forEach((side) => engines[side].work());
  let may = true;
  const make = (): BenchClient => {
    const client = new BenchClient();
    spare.push(client);
    return client;
  };
  const ahead = startAhead({ store, make, turns: AT_ONCE, kept, may: () => may, workers: 1 });
  return {
    store,
    engines,
    spare,
    ahead,
    forbid: () => (may = false),
    asked: () => engines.a.asked + engines.b.asked,
  };
}

/** What a batch has answered reaches those who wait for it. */
const heard = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const choice = (value: string): Action => ({
  type: "knob_set",
  where: "a",
  path: PUSH,
  value,
  settled: true,
});
const seed: Action = { type: "knob_set", where: "both", path: "seed", value: 9, settled: true };

test("what is likely is computed one after the other without a change of the state, and a choice then computes nothing", async () => {
  const { store, spare, ahead, asked } = pageOf();
  const before = store.getState();
  ahead.want(() => [choice("on"), choice("rt_only"), seed]);
  for (let nth = 0; nth < spare.length; nth += 1) {
    expect(spare).toHaveLength(nth + 1);
    spare[nth]?.work();
    await heard();
  }
  expect(
    spare.map((each) => each.asked),
    "the reports of all, then each run; B shows what the first would",
  ).toEqual([3, 1, 1, 1]);
  expect(spare.every(({ disposed }) => disposed)).toBe(true);
  expect(store.getState()).toBe(before);
  store.dispatch(seed);
  expect(SIDES.map((side) => store.getState().sides[side].status.kind)).toEqual([
    "finished",
    "finished",
  ]);
  expect(asked()).toBe(2);
  const fresh = pageOf(store.getState().knobs).store.getState();
  for (const side of SIDES) expect(seen(store.getState(), side)).toEqual(seen(fresh, side));
});

test("of several choices at hand the numbers come before any run, and a choice has them at once", async () => {
  const { store, engines, spare, ahead } = pageOf();
  ahead.want(() => [choice("rt_only"), choice("auto_gt16"), choice("on")], 1);
  spare[0]?.work();
  await heard();
  expect([spare[0]?.asked, spare.length]).toEqual([2, 2]);
  store.dispatch(choice("auto_gt16"));
  expect(spare[1]?.disposed, "the run of the other choice is given up").toBe(true);
  const { reported, status } = store.getState().sides.a;
  expect(status.kind).toBe("computing");
  engines.a.work();
  expect(reported).toEqual(store.getState().sides.a.shown?.report);
});

test("a choice that comes earlier takes the run over, with what it has told already", () => {
  const { store, engines, spare, ahead } = pageOf();
  ahead.want(() => [choice("rt_only")]);
  spare[0]?.work(3);
  store.dispatch(choice("rt_only"));
  expect(store.getState().sides.a.status.kind).toBe("computing");
  expect(engines.a.disposed, "the worker of the run before is of no use").toBe(true);
  spare[0]?.work();
  expect([spare[0]?.asked, spare[0]?.disposed, engines.a.asked]).toEqual([1, false, 1]);
  expect(seen(store.getState())).toEqual(seen(pageOf(store.getState().knobs).store.getState()));
  store.dispatch({ type: "knob_set", where: "a", path: "seed", value: 3, settled: true });
  spare[0]?.work();
  expect(seen(store.getState()), "it is the side's worker now").toEqual(
    seen(pageOf(store.getState().knobs).store.getState()),
  );
});

test("it ends when the choice is likely no more, or anything else is asked", () => {
  const { store, engines, spare, ahead } = pageOf();
  ahead.want(() => [choice("rt_only")]);
  ahead.want(undefined);
  expect(spare[0]?.disposed).toBe(true);
  ahead.want(() => [choice("rt_only")]);
  store.dispatch(seed);
  expect(spare.map(({ disposed }) => disposed)).toEqual([true, true]);
  expect(store.getState().sides.a.status.kind).toBe("computing");
  SIDES.forEach((side) => engines[side].work());
  expect(spare, "the same is likely still, of the new run").toHaveLength(3);
  store.dispatch({ type: "played" });
  expect(spare[2]?.disposed).toBe(true);
});

test("nothing is computed ahead where it may not be, for a big run, or for what a kernel does not take", async () => {
  const refused = pageOf();
  refused.forbid();
  refused.ahead.want(() => [choice("rt_only")]);
  expect(refused.spare).toEqual([]);
  const big = pageOf();
  const { shown } = big.store.getState().sides.a;
  if (shown?.report === undefined) throw new Error("no run");
  const report = { ...shown.report, records: AHEAD_RECORDS + 1 };
  big.store.dispatch({ type: "run_finished", side: "a", run: shown.id, report, limit: undefined });
  big.ahead.want(() => [choice("rt_only")]);
  expect(big.spare).toEqual([]);
  const wrong = pageOf();
  const before = wrong.store.getState();
  wrong.ahead.want(() => [choice("sideways"), choice("rt_only")]);
  for (const nth of [0, 1]) {
    wrong.spare[nth]?.work();
    await heard();
  }
  expect(wrong.store.getState()).toBe(before);
  expect(wrong.spare.map(({ disposed }) => disposed)).toEqual([true, true, false]);
});

test("after a rest the page knows what other choices come to: their numbers stand at once, and are those that their runs end with", () => {
  vi.useFakeTimers();
  const { store, engines, spare, ahead } = pageOf();
  const before = store.getState();
  ahead.want(() => [choice("on"), choice("rt_only"), seed], 0);
  vi.advanceTimersByTime(REST_MS - 1);
  expect(spare).toHaveLength(0);
  store.dispatch({ type: "theme_set", theme: "light" });
  vi.advanceTimersByTime(REST_MS - 1);
  expect(spare, "something has changed meanwhile").toHaveLength(0);
  vi.advanceTimersByTime(1);
  expect(spare).toHaveLength(1);
  spare[0]?.work();
  expect(
    [spare[0]?.asked, spare[0]?.disposed],
    "B shows what the first would; the seed is of both",
  ).toEqual([3, true]);
  expect(store.getState().sides).toBe(before.sides);
  store.dispatch(seed);
  const reports = SIDES.map((side) => store.getState().sides[side].reported);
  expect(SIDES.map((side) => store.getState().sides[side].status.kind)).toEqual([
    "computing",
    "computing",
  ]);
  SIDES.forEach((side) => engines[side].work());
  const ended = SIDES.map((side) => store.getState().sides[side].shown?.report);
  expect(reports).toEqual(ended);
  expect(ended.every((report) => report?.complete)).toBe(true);
});

test("whoever is at work is left alone: reports are given up when anything is asked, and begun again after the next rest", () => {
  vi.useFakeTimers();
  const { store, engines, spare, ahead } = pageOf();
  ahead.want(() => [choice("rt_only"), seed], 0);
  vi.advanceTimersByTime(REST_MS);
  spare[0]?.work(1);
  store.dispatch({ type: "played" });
  expect(spare[0]?.disposed).toBe(true);
  store.dispatch({ type: "paused" });
  store.dispatch(choice("on"));
  engines.a.work();
  vi.advanceTimersByTime(REST_MS);
  expect(spare).toHaveLength(2);
});
