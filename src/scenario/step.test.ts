// The steps through the page's public door, on real runs: actions in, selectors out.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, expect, test } from "vitest";
import { KNOBS } from "../engine/gen/knobs.ts";
import type { EngineClient, RunListener, RunRequest } from "../engine/protocol.ts";
import { DriverOnBench, loadEngine } from "../engine/testing.ts";
import { NO_KNOBS } from "./knob-sets.ts";
import { searchedFromNs } from "../state/play/breakpoints.ts";
import { openContent } from "../state/link/link-state.ts";
import { addressOf } from "../effects/address/address-bar.ts";
import { TraceStore } from "../model/index.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk, wakesFrom } from "../model/trace/trace-text.ts";
import { ownEntry } from "./viewer-scenario.ts";
import { reduce } from "../state/reduce/reducer.ts";
import { startRunner } from "../effects/runs/runner.ts";
import { knobValue, shownViewport } from "../state/select/selectors.ts";
import { perSide, SIDES } from "./sides.ts";
import { initialState } from "../state/shape/state.ts";
import { makeStore, type Store } from "../state/store.ts";
import {
  captionOf,
  currentStep,
  emphasisOf,
  focusedLock,
  isAsWritten,
  isMissing,
  lacksFigures,
  neighbourStep,
} from "../state/steps/resolve.ts";
import { figureText } from "../state/figures/figure.ts";
import { knownPart, metricText } from "../state/steps/caption.ts";
import { emphasisIn } from "../state/steps/emphasis.ts";
import { stepsOf, type Step } from "./step.ts";

beforeAll(loadEngine);

/** Computes a run at once. */
class BenchEngine implements EngineClient {
  start(request: RunRequest, listener: RunListener): void {
    const bench = new DriverOnBench();
    bench.start(1, request);
    for (const message of bench.finish()) {
      if (message.type === "meta") listener.onMeta(message.meta);
      else if (message.type === "chunk")
        listener.onChunk(message.reached, message.trace, message.wakes, () => undefined);
      else if (message.type === "finished") listener.onFinished(message.report, message.limit);
      else if (message.type === "scenario_error") listener.onScenarioError(message.error);
    }
  }
  cancel(): void {}
  dispose(): void {}
}

const STRETCH = { from: "0us", to: "100us" };
const DEEPEST = {
  caption: "{rq_lock.max_waiters a} of {machine.cpus} CPUs wait.",
  view: { moment: "deepest_queue", before: "20us", after: "30us", side: "a" },
  focus: { lock: "rq 0", wakeup: "cyclictest" },
  side: "a",
  speed: "5us",
};
const THROTTLED = {
  caption: "Throttled.",
  view: { moment: "rt_throttle", before: "1us", after: "1us" },
};

function scenario(...steps: readonly object[]): string {
  return JSON.stringify({
    schema: 1,
    title: "t",
    duration: "3ms",
    machine: { cpus: 8, costs: "2012_40core_ticket" },
    kernel: { version: "3.19-push-ipi", hz: 1000, rt_push_ipi: "off" },
    workload: { cyclictest: { phase: "aligned" }, rt_noise: { tasks: 2, when: "random" } },
    variants: [
      { name: "pull", set: {} },
      { name: "push", set: { "kernel.rt_push_ipi": "on" } },
    ],
    ...(steps.length === 0 ? {} : { steps }),
  });
}

function opened(...steps: readonly object[]): Store {
  const entry = { ...ownEntry(scenario(...steps)), slug: "t" };
  const store = makeStore(initialState(entry, "dark"));
  const content = { slug: "t", scenario: undefined, both: [], a: [], b: [], view: {}, unknown: [] };
  store.dispatch({ type: "opened", route: "preset", opened: openContent(content, entry, KNOBS) });
  startRunner(
    store,
    perSide(() => new BenchEngine()),
  );
  return store;
}

test("a step's speed holds while its view is moved, and not in a wider one", () => {
  const store = opened(DEEPEST, { caption: "c", view: STRETCH }, THROTTLED);
  const chosen = (): number | undefined => store.getState().playback.chosenNsPerSecond;
  const look = (fromNs: number, toNs: number): void =>
    store.dispatch({ type: "viewport_set", viewport: { fromNs, toNs }, settled: true });
  look(1_000_000, 1_050_000);
  expect(chosen()).toBe(5_000);
  look(0, 3_000_000);
  expect(chosen()).toBeUndefined();
  store.dispatch({ type: "speed_set", nsPerSecond: 5_000 });
  look(0, 1_000_000);
  expect(chosen(), "the viewer's own stays").toBe(5_000);
});

test("a scenario opens on its first step: its moment in view, its wake-up selected, its figures filled in, its address bare", () => {
  const store = opened(DEEPEST, { caption: "c", view: STRETCH }, THROTTLED);
  const state = store.getState();
  const peak = state.sides.a.shown?.trace.locks.lock(
    state.sides.a.shown.trace.locks.deepest() ?? -1,
  )?.peak;
  expect(peak?.depth).toBeGreaterThan(1);
  expect(state.playheadNs).toBe(peak?.atNs);
  expect(shownViewport(state)).toEqual({
    fromNs: (peak?.atNs ?? 0) - 20_000,
    toNs: (peak?.atNs ?? 0) + 30_000,
  });
  expect(state.selection?.task).toMatch(/^cyclictest\.\d+$/);
  expect([state.playback.playing, state.playback.chosenNsPerSecond]).toEqual([false, 5_000]);
  expect(focusedLock(state)).toBe(0);
  const step = currentStep(state);
  expect(step === undefined ? "" : captionOf(state, step)).toBe(
    `${String(peak?.depth)} of 8 CPUs wait.`,
  );
  expect(addressOf(state, "/")).toBe("/s/t/");
});

test("a step plays from its left edge to its answer in 4 to 12 s, as often as it is opened, and stops there", () => {
  const plain = { caption: "c", view: STRETCH };
  const slow = [["10us", "50us"]];
  const store = opened(plain, { ...plain, answer: "30us" }, { ...plain, slow });
  const played = (index: number): number => {
    store.dispatch({ type: "step_opened", index });
    expect(store.getState().step, "asks to be played").toMatchObject({ plays: true });
    store.dispatch({ type: "step_played" });
    expect(store.getState()).toMatchObject({ playheadNs: 0, step: { plays: false } });
    let frames = 0;
    for (; store.getState().playback.playing; frames += 1)
      store.dispatch({ type: "time_passed", seconds: 0.05 });
    return frames * 0.05;
  };
  expect(played(0)).toBeCloseTo(7, 0);
  expect(store.getState().playheadNs, "four fifths of a stretch").toBe(80_000);
  for (let times = 0; times < 2; times += 1) {
    expect(played(1)).toBeCloseTo(7, 0);
    expect(store.getState().playheadNs).toBe(30_000);
  }
  const slowly = played(2);
  expect(slowly).toBeGreaterThan(8);
  expect(slowly).toBeLessThanOrEqual(12.1);
});

test("a step shows its answer at once where it does not play", () => {
  const store = opened(DEEPEST, { caption: "c", view: STRETCH, answer: "30us" }, THROTTLED);
  store.dispatch({ type: "step_opened", index: 1 });
  store.dispatch({ type: "step_shown" });
  const { playheadNs, playback, step } = store.getState();
  expect([playheadNs, playback.playing, step.plays]).toEqual([30_000, false, false]);
});

test("a search from an opening view begins at its left edge, until the viewer moves the playhead or the view", () => {
  const store = opened(DEEPEST, { caption: "c", view: STRETCH }, THROTTLED);
  const { fromNs, toNs } = shownViewport(store.getState());
  expect(searchedFromNs(store.getState())).toBe(fromNs - 1);
  store.dispatch({ type: "viewport_set", viewport: { fromNs: fromNs + 10, toNs }, settled: true });
  expect(searchedFromNs(store.getState())).toBe(store.getState().playheadNs);
  store.dispatch({ type: "viewport_set", viewport: { fromNs, toNs }, settled: true });
  store.dispatch({ type: "playhead_set", ns: fromNs + 7 });
  expect(searchedFromNs(store.getState())).toBe(fromNs + 7);
});

test("a step whose moment the runs do not have says so and moves nothing", () => {
  const store = opened(DEEPEST, { caption: "c", view: STRETCH }, THROTTLED);
  store.dispatch({ type: "step_opened", index: 1 });
  const before = store.getState();
  expect(shownViewport(before)).toEqual({ fromNs: 0, toNs: 100_000 });
  store.dispatch({ type: "step_opened", index: 2 });
  const after = store.getState();
  const step = currentStep(after);
  expect(step !== undefined && isMissing(after, step)).toBe(true);
  expect([shownViewport(after), after.playheadNs]).toEqual([
    shownViewport(before),
    before.playheadNs,
  ]);
  expect([neighbourStep(after, 1), neighbourStep(after, -1)]).toEqual([undefined, 1]);
});

test("what a step flips is one undo step, is shown in runs of its own, and is taken back where one walks on", () => {
  const flips = {
    caption: "c",
    view: { moment: "tick", before: "1us", after: "9us" },
    set: { "machine.cpus": 4, seed: 3 },
  };
  const store = opened(DEEPEST, flips, { caption: "c", view: STRETCH });
  store.dispatch({ type: "step_opened", index: 1 });
  const state = store.getState();
  expect([knobValue(state, "a", "machine.cpus"), knobValue(state, "b", "seed")]).toEqual([4, 3]);
  expect(state.sides.a.shown?.meta.cpus).toBe(4);
  expect([state.step.waiting, state.undo.past.length]).toEqual([false, 1]);
  expect(shownViewport(state).toNs - shownViewport(state).fromNs).toBe(10_000);
  store.dispatch({ type: "step_opened", index: 2 });
  expect(store.getState().knobs).toEqual(NO_KNOBS);
  store.dispatch({ type: "undone" });
  expect(knobValue(store.getState(), "a", "machine.cpus")).toBe(4);
});

test("a caption keeps the figures of its own runs while others are shown: its words are true of no others", () => {
  const flips = {
    caption: "{machine.cpus} CPUs, {rq_lock.max_waiters a} deep",
    view: DEEPEST.view,
    set: { "machine.cpus": 4 },
  };
  const store = opened(DEEPEST, flips, { caption: "c", view: STRETCH });
  const [first, second] = stepsOf(store.getState().entry);
  if (first === undefined || second === undefined) throw new Error("no steps");
  const before = captionOf(store.getState(), first);
  expect(before).toMatch(/^\d of 8 CPUs wait\.$/);
  expect(captionOf(store.getState(), second), "its runs were never made").toBe("4 CPUs, … deep");
  store.dispatch({ type: "step_opened", index: 1 });
  const after = captionOf(store.getState(), second);
  expect(after).toMatch(/^4 CPUs, \d deep$/);
  expect([isAsWritten(store.getState(), first), isAsWritten(store.getState(), second)]).toEqual([
    false,
    true,
  ]);
  expect(captionOf(store.getState(), first)).toBe(before);
  store.dispatch({ type: "step_opened", index: 0 });
  expect([captionOf(store.getState(), first), captionOf(store.getState(), second)]).toEqual([
    before,
    after,
  ]);
  store.dispatch({
    type: "knob_set",
    where: "both",
    path: "machine.cpus",
    value: 6,
    settled: true,
  });
  expect(isAsWritten(store.getState(), first)).toBe(false);
  expect(captionOf(store.getState(), first)).toBe(before);
});

test("a caption leaves out what cannot be said without a figure that is not known, and says it once the run has it", () => {
  const flips = {
    caption: "With four CPUs it is shorter: {rq_lock.max_waiters a} deep in A.",
    view: DEEPEST.view,
    set: { "machine.cpus": 4 },
  };
  const store = opened(DEEPEST, flips, { caption: "c", view: STRETCH });
  const second = stepsOf(store.getState().entry)[1];
  if (second === undefined) throw new Error("no step");
  expect([captionOf(store.getState(), second), lacksFigures(store.getState(), second)]).toEqual([
    "With four CPUs it is shorter.",
    true,
  ]);
  // The runs on screen are still those of the step before.
  const waiting = reduce(store.getState(), { type: "step_opened", index: 1 });
  expect([isAsWritten(waiting, second), captionOf(waiting, second)]).toEqual([
    true,
    "With four CPUs it is shorter.",
  ]);
  store.dispatch({ type: "step_opened", index: 1 });
  expect(captionOf(store.getState(), second)).toMatch(
    /^With four CPUs it is shorter: \d deep in A\.$/,
  );
  expect(knownPart("A: … of them wait."), "no sentence would be left").toBe("A: … of them wait.");
});

test("a figure in a caption has the digits it has in the score", () => {
  for (const ns of [341_256, 7_283_000, 41_204, 999])
    expect(metricText("latency.cyclictest.max_ns", ns)).toBe(figureText(ns, "ns"));
  expect(figureText(341_256, "ns")).toBe("341 µs");
});

test("a step that flips to what a shipped variant is tells that variant's figures before its runs are made", () => {
  const flips = {
    caption: "{rq_lock.max_waiters a} and {rq_lock.max_waiters b}",
    view: STRETCH,
    set: { "kernel.rt_push_ipi": "on" },
  };
  const store = opened(DEEPEST, flips, { ...flips, set: { "machine.cpus": 4 } });
  const known = (figure: number) => ({
    simulatedNs: 3e6,
    records: 3,
    cpus: 4,
    metrics: { "rq_lock.max_waiters": figure },
  });
  store.dispatch({ type: "figures_came", figures: { t: { pull: known(71), push: known(72) } } });
  const captions = (): readonly string[] =>
    stepsOf(store.getState().entry).map((step) => captionOf(store.getState(), step));
  expect(captions().slice(1), "both sides are the pushing variant; four CPUs are nobody's").toEqual(
    ["72 and 72", "… and …"],
  );
});

test("what the viewer turned at a step stays where one walks on", () => {
  const flips = { caption: "c", view: DEEPEST.view, set: { "machine.cpus": 4 } };
  const store = opened(DEEPEST, flips, { caption: "c", view: STRETCH });
  store.dispatch({ type: "step_opened", index: 1 });
  store.dispatch({ type: "knob_set", where: "both", path: "seed", value: 9, settled: true });
  store.dispatch({ type: "step_opened", index: 2 });
  const state = store.getState();
  expect([knobValue(state, "a", "seed"), knobValue(state, "a", "machine.cpus")]).toEqual([9, 4]);
});

test("texts of others give at most six steps, none that turns the text around, and nothing that throws", () => {
  const hostile = [
    1,
    null,
    [],
    {},
    { caption: 3, view: STRETCH },
    { caption: "c", view: { from: "9us", to: "1us" } },
    { caption: "c", view: [] },
  ];
  expect(stepsOf(ownEntry(JSON.stringify({ steps: hostile })))).toEqual([]);
  expect(stepsOf(ownEntry('{ "steps": "many" }'))).toEqual([]);
  const many = Array.from({ length: 99 }, () => ({
    caption: `\u202e${"x".repeat(9_000)}`,
    view: STRETCH,
    focus: { lanes: "0-99999999,3" },
  }));
  const read = stepsOf(ownEntry(JSON.stringify({ steps: many })));
  expect(read.length).toBe(6);
  expect(read[0]?.caption).toMatch(/^\\u\{202e\}x{300,400}$/);
  expect(read[0]?.focus.lanes).toEqual([3]);
});

test("a moment that no table knows is found nowhere", () => {
  const store = opened(
    { caption: "c", view: STRETCH },
    { caption: "c", view: STRETCH },
    { caption: "c", view: STRETCH },
  );
  const entry = ownEntry(
    JSON.stringify({
      steps: [
        { caption: "{no.such a}", view: { moment: "__proto__", before: "1us", after: "1us" } },
      ],
    }),
  );
  const state = {
    ...store.getState(),
    entry: { ...store.getState().entry, ...{ text: entry.text } },
  };
  const step = stepsOf(state.entry)[0];
  expect(
    step === undefined
      ? undefined
      : [isMissing({ ...state, entry: store.getState().entry }, step), captionOf(state, step)],
  ).toEqual([true, "…"]);
});

test("the CPUs that hold the lock in focus or wait for it stand out, by its name and by its meaning", () => {
  const store = opened(
    DEEPEST,
    { ...DEEPEST, focus: { lock: "rq 0", lanes: "3" } },
    { ...DEEPEST, focus: { wakeup: "cyclictest" }, side: "b" },
  );
  const { fromNs, toNs } = shownViewport(store.getState());
  const traces = SIDES.flatMap((side) => store.getState().sides[side].shown?.trace ?? []);
  const users = traces.flatMap(({ locks }) =>
    (locks.lock(0)?.steps(fromNs, toNs) ?? []).flatMap(({ holder, queue }) => [
      ...queue,
      ...(holder === undefined ? [] : [holder]),
    ]),
  );
  const all = [...new Set(users)].sort((one, other) => one - other);
  expect(all.length).toBeGreaterThan(1);
  expect(emphasisOf(store.getState())).toEqual(all.length === 8 ? [] : all);
  const [step] = stepsOf(store.getState().entry);
  if (step === undefined) throw new Error("no step");
  const deepest = emphasisIn({ ...step, focus: { ...step.focus, lock: "deepest" } }, traces, {
    fromNs,
    toNs,
  });
  expect(deepest.lock).toBe(traces[0]?.locks.deepestIn(fromNs, toNs));
  store.dispatch({ type: "step_opened", index: 1 });
  expect(emphasisOf(store.getState()), "lanes decide about lanes").toEqual([3]);
  store.dispatch({ type: "step_opened", index: 2 });
  expect(store.getState().selectedOn, "a wake-up's number counts on the step's own side").toBe("b");
});

test("where the wake-up in focus runs, who wakes it and who holds the locks it waits for stand out, those of another time do not", () => {
  const trace = new TraceStore(shapeOf(8, 8));
  const rows = `
    0    cpu6  waking t1 cpu6
    5    cpu4  acq    0 0
    20   cpu5  waking t3 cpu5
    40   cpu3  waking t1 cpu1
    45   cpu1  wait   0 1
    60   cpu4  rel    0 2
    65   cpu1  acq    0 20
    70   cpu1  rel    0 1
    80   cpu7  acq    0 0
    90   cpu7  rel    0 1`;
  trace.append(
    1000,
    traceChunk(rowsFrom(rows)),
    wakeChunk(wakesFrom("t1 0 cpu1 due 40: rq_lock_spin 20, switch 20")),
  );
  const [step] = stepsOf(ownEntry(scenario({ ...DEEPEST, focus: { wakeup: "t1" } })));
  if (step === undefined) throw new Error("no step");
  const view = { fromNs: 0, toNs: 1000 };
  expect(emphasisIn(step, [trace], view, [{ trace, row: 0 }]).lanes).toEqual([1, 3, 4]);
  expect(
    emphasisIn({ focus: { ...step.focus, lanes: [7] } }, [trace], view, [{ trace, row: 0 }]).lanes,
    "lanes decide",
  ).toEqual([7]);
});

test("a lock for which the wake-up's CPU has spun since before the wake-up was due counts, one that it waits for later does not", () => {
  const trace = new TraceStore(shapeOf(8, 8));
  const rows = `
    5    cpu4  acq    0 0
    6    cpu6  acq    1 0
    10   cpu1  wait   0 1
    40   cpu3  waking t1 cpu1
    60   cpu4  rel    0 1
    61   cpu1  acq    0 51
    62   cpu1  rel    0 1
    200  cpu1  wait   1 1
    210  cpu6  rel    1 1
    211  cpu1  acq    1 11`;
  trace.append(
    1000,
    traceChunk(rowsFrom(rows)),
    wakeChunk(wakesFrom("t1 0 cpu1 due 40: rq_lock_spin 20, switch 20")),
  );
  const [step] = stepsOf(ownEntry(scenario({ ...DEEPEST, focus: { wakeup: "t1" } })));
  if (step === undefined) throw new Error("no step");
  expect(emphasisIn(step, [trace], { fromNs: 0, toNs: 1000 }, [{ trace, row: 0 }]).lanes).toEqual([
    1, 3, 4,
  ]);
});

test("the CPUs that run the group in focus or keep it throttled stand out, by its name and by its meaning", () => {
  const text = {
    schema: 1,
    title: "t",
    duration: "300ms",
    machine: { cpus: 4, costs: "2012_40core_ticket" },
    kernel: { version: "5.4", hz: 1000 },
    cgroups: { starved: { cpu_max: "10000 100000" }, fed: { cpu_max: "90000 100000" } },
    workload: {
      tasks: {
        hungry: { cpus: [1, 2], instance: 2, taskgroup: "/starved", loop: -1, run: 50000 },
        calm: { cpus: [3], taskgroup: "/fed", loop: -1, run: 1000, sleep: 9000 },
      },
    },
    steps: ["starved", "fed", "starved"].map((group) => ({
      caption: "c",
      view: { from: "100ms", to: "200ms" },
      focus: { group },
    })),
  };
  const entry = { ...ownEntry(JSON.stringify(text)), slug: "t" };
  const store = makeStore(initialState(entry, "dark"));
  const content = { slug: "t", scenario: undefined, both: [], a: [], b: [], view: {}, unknown: [] };
  store.dispatch({ type: "opened", route: "preset", opened: openContent(content, entry, KNOBS) });
  startRunner(
    store,
    perSide(() => new BenchEngine()),
  );
  expect(emphasisOf(store.getState())).toEqual([1, 2]);
  const traces = SIDES.flatMap((side) => store.getState().sides[side].shown?.trace ?? []);
  const [step] = stepsOf(entry);
  if (step === undefined) throw new Error("no step");
  const most = emphasisIn({ ...step, focus: { ...step.focus, group: "most_throttled" } }, traces, {
    fromNs: 1e8,
    toNs: 2e8,
  });
  expect(most.lanes).toEqual([1, 2]);
  store.dispatch({ type: "step_opened", index: 1 });
  expect(emphasisOf(store.getState())).toEqual([3]);
});

test("a step, which lives as long as the page, keeps no run that has left it", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // In a function of its own, whose variables are gone when it has returned.
  const look = (): readonly [Step | undefined, WeakRef<object>] => {
    const state = opened(DEEPEST, { caption: "c", view: STRETCH }, THROTTLED).getState();
    const step = currentStep(state);
    expect(step === undefined ? "" : captionOf(state, step)).toMatch(/ of 8 CPUs wait/);
    return [step, new WeakRef(state.sides.a.shown?.trace ?? {})];
  };
  const [step, run] = look();
  await new Promise(setImmediate); // What a WeakRef was asked for stays until the turn ends.
  collect();
  expect(run.deref()).toBeUndefined();
  expect(step?.focus.lock).toBe("rq 0");
});
