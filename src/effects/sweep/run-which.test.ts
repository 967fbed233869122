// "Which change did it?" through the page's state, with a bisector and batches that the test gives.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { BatchAnswer } from "../../engine/batch.ts";
import type { BisectObject } from "../../engine/bisect-object.ts";
import type { Bisector, NextRuns } from "../../engine/bisector.ts";
import type { RunRequest } from "../../engine/protocol.ts";
import { initialState } from "../../state/shape/state.ts";
import type { WhichAsked } from "../../state/shape/which.ts";
import { makeStore, type Store } from "../../state/store.ts";
import { HERD, report } from "../../testing/page-state.ts";
import { askWhich } from "./run-which.ts";
import type { Runs } from "./search-run.ts";

beforeEach(() => {
  vi.stubGlobal("requestAnimationFrame", () => 1);
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const ASKED: WhichAsked = {
  entry: HERD,
  common: [["machine.cpus", 4]],
  live: [],
  from: "3.19",
  to: "4.18",
  metric: "rq_lock.max_waiters",
  seeds: 3,
  most: 3,
};
const STAGES: readonly NextRuns[] = [
  { stage: "releases", runs: [[["seed", 1]], [["seed", 2]]] },
  { stage: "changes", runs: [[["seed", 1]]] },
];

/** A bisector that wants both stages, and counts what it hears. */
function bisector() {
  const heard: number[] = [];
  let next = 0;
  let freed = 0;
  const own: Bisector = {
    next: () => STAGES[next++],
    hear: (place) => heard.push(place),
    answer: (complete) => ({ complete, runs: heard.length }) as BisectObject,
    value: () => undefined,
    free: () => (freed += 1),
  };
  return { own, heard, freed: () => freed };
}

const REPORT: BatchAnswer = { kind: "report", report: report(5), limit: undefined };

/** Every run of a batch has the answer that `of` gives it; without one it does not answer. */
function batches(of: (request: RunRequest, place: number) => BatchAnswer | undefined): Runs {
  return (requests, answer) => {
    let end = (): void => undefined;
    const done = new Promise<void>((resolve) => (end = resolve));
    const answers = requests.map(of);
    queueMicrotask(() => {
      answers.forEach((each, place) => each !== undefined && answer(place, each));
      if (!answers.includes(undefined)) end();
    });
    return { done, cancel: () => end() };
  };
}

async function ask(run: Runs, during: (store: Store) => void = () => undefined) {
  const store = makeStore(initialState(HERD, "dark"));
  const fake = bisector();
  const ended = askWhich(store, ASKED, HERD.slug, run, () => Promise.resolve(fake.own));
  await vi.waitFor(() => expect(fake.heard).not.toHaveLength(0));
  during(store);
  await ended;
  expect(fake.freed(), "the module keeps nothing of it").toBe(1);
  return { asking: store.getState().asking, heard: fake.heard };
}

test("stage by stage all runs are made, and the answer is whole", async () => {
  const stages: string[] = [];
  const { asking, heard } = await ask(
    batches(({ set }) => {
      stages.push(JSON.stringify(set));
      return REPORT;
    }),
  );
  expect(stages).toHaveLength(3);
  expect(heard).toEqual([0, 1, 0]);
  expect(asking).toMatchObject({ running: false, failed: undefined, stage: "changes" });
  expect(asking.found?.object.complete).toBe(true);
});

test("one who stops it keeps what came", async () => {
  const { asking, heard } = await ask(
    batches((_, place) => (place === 0 ? REPORT : undefined)),
    (store) => store.dispatch({ type: "which_stopped" }),
  );
  expect(heard).toEqual([0]);
  expect(asking.running).toBe(false);
  expect(asking.found?.object).toEqual({ complete: false, runs: 1 });
});

test("a run that a limit cut counts for nothing, and says so", async () => {
  const cut: BatchAnswer = { kind: "report", report: report(5), limit: "records" };
  const { asking, heard } = await ask(batches((_, place) => (place === 0 ? REPORT : cut)));
  expect(heard).toEqual([0]);
  expect(asking.failed).toBe("A run met its limit (records).");
  expect(asking.found?.object).toEqual({ complete: false, runs: 1 });
});
