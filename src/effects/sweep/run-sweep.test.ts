// Sweeps and searches through the page's state, with a batch that the test answers.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { BatchAnswer } from "../../engine/batch.ts";
import type { RunRequest } from "../../engine/protocol.ts";
import type { SweepForm } from "../../links/sweep-form.ts";
import type { BisectQuestion } from "../../scenario/bisect.ts";
import { initialState } from "../../state/shape/state.ts";
import type { LimitAsked, SweepPlan } from "../../state/shape/sweep.ts";
import { makeStore, type Store } from "../../state/store.ts";
import { HERD, report } from "../../testing/page-state.ts";
import { askLimit } from "./run-limit.ts";
import type { Runs } from "./search-run.ts";
import { startSearch, startSweep } from "./run-sweep.ts";

/** Frames come when the test says so. */
let frames: (() => void)[] = [];
beforeEach(() => {
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (work: () => void) => frames.push(work));
  vi.stubGlobal("cancelAnimationFrame", (nth: number) => {
    frames[nth - 1] = () => undefined;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const PLAN: SweepPlan = {
  path: "machine.cpus",
  values: [4, 8],
  metrics: ["rq_lock.max_waiters"],
  variants: [],
  seedFrom: 1,
  seeds: 2,
};
const QUESTION: BisectQuestion = { from: 1, to: 9, bound: 5, seeds: 1, step: 1, period: "" };
const FORM: SweepForm = {
  path: "machine.cpus",
  values: "4, 8",
  secondPath: "",
  secondValues: "",
  metrics: PLAN.metrics,
  variants: [],
  seeds: "2",
  seedFrom: "1",
};
const SEARCH = { metric: "rq_lock.max_waiters", variant: "", bound: "", from: "", to: "" };
const FORMS = { form: FORM, search: SEARCH };

/** Batches that wait for the test's answers. */
function bench() {
  const batches: {
    readonly requests: readonly RunRequest[];
    readonly answer: (index: number, depth: number) => void;
    readonly end: () => void;
    cancelled: boolean;
  }[] = [];
  const run: Runs = (requests, answer) => {
    let end = (): void => undefined;
    const done = new Promise<void>((resolve) => (end = resolve));
    const batch = {
      requests,
      answer: (index: number, depth: number) => {
        const heard: BatchAnswer = { kind: "report", report: report(depth), limit: undefined };
        answer(index, heard);
      },
      end,
      cancelled: false,
    };
    batches.push(batch);
    return {
      done,
      cancel: () => {
        batch.cancelled = true;
        end();
      },
    };
  };
  return { batches, run };
}

function page(): Store {
  const store = makeStore(initialState(HERD, "dark"));
  store.dispatch({ type: "sweep_opened", entry: HERD, forms: FORMS });
  return store;
}

test("results of a sweep reach the state once a frame, and all of them when it ends", async () => {
  const store = page();
  const { batches, run } = bench();
  const changes: number[] = [];
  store.subscribe(({ sweeping }) => changes.push(sweeping.done));
  const swept = startSweep(store, HERD, PLAN, [], run);
  const [batch] = batches;
  for (const index of [0, 1, 2]) batch?.answer(index, 3);
  expect(changes).toEqual([0]);
  frames.forEach((frame) => frame());
  expect(changes).toEqual([0, 3]);
  batch?.answer(3, 3);
  batch?.end();
  await swept;
  expect(store.getState().sweeping).toMatchObject({ done: 4, total: 4, running: undefined });
});

test("a sweep that is stopped ends its workers and keeps what is done", async () => {
  const store = page();
  const { batches, run } = bench();
  const swept = startSweep(store, HERD, PLAN, [], run);
  batches[0]?.answer(0, 3);
  store.dispatch({ type: "sweep_stopped" });
  await swept;
  expect(batches[0]?.cancelled).toBe(true);
  expect(store.getState().sweeping).toMatchObject({ done: 1, running: undefined });
  expect(store.getState().sweeping.results).toHaveLength(1);
});

test("a window that is filled in anew ends what runs, and nothing of it is heard any more", async () => {
  const store = page();
  const { batches, run } = bench();
  const swept = startSweep(store, HERD, PLAN, [], run);
  batches[0]?.answer(0, 3);
  store.dispatch({ type: "sweep_filled", entry: HERD, forms: FORMS });
  await swept;
  expect(batches[0]?.cancelled).toBe(true);
  expect(store.getState().sweeping).toMatchObject({ results: [], done: 0, running: undefined });
});

test("a search asks value after value until its answer is known", async () => {
  const store = page();
  const { batches, run } = bench();
  const plan = { ...PLAN, seeds: 1 };
  const searched = startSearch(store, HERD, plan, [], QUESTION, run);
  for (let nth = 0; nth < batches.length; nth += 1) {
    const [request] = batches[nth]?.requests ?? [];
    const [, cpus] = request?.set.find(([path]) => path === "machine.cpus") ?? [];
    batches[nth]?.answer(0, Number(cpus) >= 6 ? 5 : 6);
    batches[nth]?.end();
    await new Promise((resolve) => setTimeout(resolve));
  }
  await searched;
  const { found, done, total, running } = store.getState().sweeping;
  expect(found?.answer).toMatchObject({ kind: "smallest", value: 6 });
  expect([done, total, running]).toEqual([batches.length, batches.length, undefined]);
});

test("a search below a value that the sweep saw go above the bound does not call its find the smallest", async () => {
  const store = page();
  const { batches, run } = bench();
  const swept = startSweep(store, HERD, { ...PLAN, values: [7], seeds: 1 }, [], run);
  batches[0]?.answer(0, 6);
  batches[0]?.end();
  await swept;
  const searched = startSearch(store, HERD, { ...PLAN, seeds: 1 }, [], QUESTION, run);
  for (let nth = 1; nth < batches.length; nth += 1) {
    batches[nth]?.answer(0, 5);
    batches[nth]?.end();
    await new Promise((resolve) => setTimeout(resolve));
  }
  await searched;
  expect(store.getState().sweeping.found?.answer).toEqual({
    kind: "smallest",
    value: 8,
    next: { value: 7, worst: 6 },
    past: 1,
  });
});

test("another question lets go of the answer that stands; the same one keeps it", async () => {
  const store = page();
  const { batches, run } = bench();
  const searched = startSearch(store, HERD, { ...PLAN, seeds: 1 }, [], QUESTION, run);
  store.dispatch({ type: "sweep_stopped" });
  batches[0]?.end();
  await searched;
  store.dispatch({ type: "search_typed", search: SEARCH });
  expect(store.getState().sweeping.found).toBeDefined();
  store.dispatch({ type: "search_typed", search: { ...SEARCH, bound: "7" } });
  expect(store.getState().sweeping.found).toBeUndefined();
});

test("another question of a group ends the one that runs; one that is stopped says so", async () => {
  const store = page();
  const { batches, run } = bench();
  const asked = (key: string): LimitAsked => ({
    key,
    limit: { entry: HERD, plan: { ...PLAN, seeds: 1 }, common: [], question: QUESTION },
    burst: undefined,
  });
  const first = askLimit(store, asked("one"), run);
  const second = askLimit(store, asked("two"), run);
  await first;
  expect([batches[0]?.cancelled, batches[1]?.cancelled]).toEqual([true, false]);
  expect(store.getState().limit).toMatchObject({ running: true, asked: { key: "two" } });
  store.dispatch({ type: "limit_stopped" });
  await second;
  expect(store.getState().limit).toMatchObject({ running: false, stopped: true, done: 0 });
});
