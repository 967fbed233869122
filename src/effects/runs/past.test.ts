// Time travel through the page's public door: a runner with the real engine behind it, on both
// sides.

import { beforeAll, expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { commonPast, type RunRequest } from "../../engine/protocol.ts";
import { loadEngine } from "../../engine/testing.ts";
import type { LiveChange } from "../../scenario/knob-sets.ts";
import { perSide } from "../../scenario/sides.ts";
import { initialState } from "../../state/shape/state.ts";
import { makeStore } from "../../state/store.ts";
import { AT_ONCE } from "./feeder.ts";
import { KeptRuns } from "./finished-runs.ts";
import { startRunner } from "./runner.ts";
import { BenchClient, seen } from "../../testing/real-runs.ts";

beforeAll(loadEngine);

function pageOf(slug: string, set: readonly (readonly [string, string | number])[]) {
  const entry = SCENARIOS.find((each) => each.slug === slug);
  if (entry === undefined) throw new Error(slug);
  const store = makeStore({
    ...initialState(entry, "dark"),
    knobs: { both: set, a: [], b: [], live: [] },
  });
  const engines = { a: new BenchClient(), b: new BenchClient() };
  startRunner(
    store,
    perSide((side) => engines[side]),
    AT_ONCE,
    new KeptRuns(0), // Undo would find the run before: here it is computed.
  );
  return { store, engine: engines.a };
}

const MS = 1_000_000;
const HERD = [
  "rt-pull-herd",
  [
    ["machine.cpus", 16],
    ["duration", "40ms"],
  ],
] as const;

function write(atNs: number, path: string, value: string): LiveChange {
  return { where: "a", path, value, atNs };
}

test("what is written at the playhead gives the same picture, tables and report as a page that had it from the start", () => {
  const writes = [
    write(31 * MS, "kernel.rt_push_ipi", "on"),
    write(20 * MS + 321, "kernel.sched_rt_runtime_us", "300"),
    write(25 * MS, 'tasks."cyclictest.3".policy', "SCHED_FIFO 20"),
    write(39 * MS, 'tasks."rt_noise.0".cpus', "0-3"),
  ];
  const travelled = pageOf(...HERD);
  travelled.engine.work();
  for (let count = 1; count <= writes.length; count += 1) {
    const change = writes[count - 1];
    if (change === undefined) throw new Error("no change");
    travelled.store.dispatch({ type: "knob_live_set", change });
    travelled.engine.work();
    const fresh = pageOf(...HERD);
    for (const other of writes.slice(0, count))
      fresh.store.dispatch({ type: "knob_live_set", change: other });
    fresh.engine.work();
    expect(fresh.engine.resumed).toEqual([]);
    // The first write to a task brings stoppers, which may have changed what came before: all is
    // computed.
    expect(travelled.engine.resumed.length, "only the future was computed").toBe(
      count < 3 ? count : count - 1,
    );
    expect(travelled.engine.resumed.at(-1)).toBeGreaterThan(0);
    expect(travelled.engine.resumed.at(-1)).toBeLessThanOrEqual(change.atNs);
    expect(seen(travelled.store.getState())).toEqual(seen(fresh.store.getState()));
  }
});

test("the past stays on screen while the future is computed, and undo goes back to it", () => {
  const page = pageOf(...HERD);
  page.engine.work();
  const before = seen(page.store.getState());
  page.store.dispatch({
    type: "knob_live_set",
    change: write(30 * MS, "kernel.rt_push_ipi", "on"),
  });
  const ends: number[] = [];
  const stop = page.store.subscribe((state) => ends.push(state.sides.a.shown?.simulatedNs ?? 0));
  page.engine.work();
  stop();
  expect(Math.min(...ends), "nothing of the past was taken off").toBeGreaterThanOrEqual(
    page.engine.resumed[0] ?? Infinity,
  );
  page.store.dispatch({ type: "undone" });
  page.engine.work();
  expect(page.engine.resumed).toHaveLength(2);
  expect(seen(page.store.getState())).toEqual(before);
});

test("undo of a write to a task takes the rows of its own instant away too", () => {
  const page = pageOf(...HERD);
  page.store.dispatch({
    type: "knob_live_set",
    change: write(20 * MS, 'tasks."cyclictest.3".policy', "SCHED_FIFO 20"),
  });
  page.engine.work();
  const before = seen(page.store.getState());
  for (const atNs of [30 * MS + 50_000, 33 * MS + 7]) {
    page.store.dispatch({
      type: "knob_live_set",
      change: write(atNs, 'tasks."cyclictest.3".policy', "SCHED_FIFO 30"),
    });
    page.engine.work();
    expect(seen(page.store.getState())).not.toEqual(before);
    page.store.dispatch({ type: "undone" });
    page.engine.work();
    expect(seen(page.store.getState())).toEqual(before);
  }
  expect(page.engine.resumed).toHaveLength(4);
});

test("writes that come before the first is computed, or while it is, end in the same picture", () => {
  const page = pageOf(...HERD);
  page.engine.work();
  page.store.dispatch({
    type: "knob_live_set",
    change: write(30 * MS, "kernel.rt_push_ipi", "on"),
  });
  page.store.dispatch({
    type: "knob_live_set",
    change: write(28 * MS, "kernel.sched_rt_runtime_us", "500"),
  });
  page.engine.work(3);
  page.store.dispatch({
    type: "knob_live_set",
    change: write(36 * MS, "kernel.sched_rt_runtime_us", "200"),
  });
  page.engine.work();
  const fresh = pageOf(...HERD);
  for (const change of page.store.getState().knobs.live)
    fresh.store.dispatch({ type: "knob_live_set", change });
  fresh.engine.work();
  expect(page.engine.resumed.at(-1)).toBeGreaterThan(0);
  expect(seen(page.store.getState())).toEqual(seen(fresh.store.getState()));
});

test("a value that the kernel does not take leaves the run's snapshots to the next one", () => {
  const page = pageOf(...HERD);
  page.engine.work();
  page.store.dispatch({
    type: "knob_live_set",
    change: write(30 * MS, "kernel.sched_rt_runtime_us", "1000001"),
  });
  page.engine.work();
  expect(page.store.getState().sides.a.status.kind).toBe("scenario_error");
  page.store.dispatch({ type: "undone" });
  page.store.dispatch({
    type: "knob_live_set",
    change: write(30 * MS, "kernel.sched_rt_runtime_us", "500"),
  });
  page.engine.work();
  expect(page.engine.resumed).toHaveLength(2);
  expect(page.store.getState().sides.a.status.kind).toBe("finished");
});

test("runs have a past in common only of the same machine, programs and limits, and up to the first change that differs", () => {
  const request: RunRequest = { slug: "x", text: "{}", set: [["seed", 1]], maxRecords: 9 };
  const one = [5, "p", "v"] as const;
  expect(commonPast(request, { ...request, set: [["seed", 2]] })).toBeUndefined();
  expect(commonPast(request, { ...request, maxRecords: 8 })).toBeUndefined();
  expect(commonPast(request, { ...request, trace: "none" })).toBeUndefined();
  expect(
    commonPast({ ...request, changes: [one] }, { ...request, changes: [one, [7, "p", "w"]] }),
  ).toEqual({ ns: 6, changes: 1 });
  expect(
    commonPast({ ...request, changes: [[4, "p", "v"], one] }, { ...request, changes: [one] }),
  ).toEqual({ ns: 3, changes: 0 });
  expect(commonPast(request, { ...request, untilNs: 3 })).toEqual({ ns: 3, changes: 0 });
});
