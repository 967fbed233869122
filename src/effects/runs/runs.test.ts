// Runs through the state's public door: what an engine's answers make of the page, and where limits
// end them.

import { expect, test } from "vitest";
import { OTHER_SIDE } from "../../engine/protocol.ts";
import { contentOf, openContent } from "../../state/link/link-state.ts";
import {
  isComputing,
  MAX_RECORDS,
  MORE_RECORDS,
  reportOf,
  shownViewport,
} from "../../state/select/selectors.ts";
import { ownEntry } from "../../scenario/viewer-scenario.ts";
import { perSide, type Side } from "../../scenario/sides.ts";
import { initialState } from "../../state/shape/state.ts";
import { makeStore, type Store } from "../../state/store.ts";
import {
  FakeEngine,
  HERD,
  meta,
  NO_ROWS,
  NO_WAKES,
  page,
  PUSH,
  report,
  setKnob,
} from "../../testing/page-state.ts";
import { fittingNs, foreseenLimit, foreseenWith, isCertain } from "../../state/select/fit.ts";
import { startRunner } from "./runner.ts";

test("the previous picture stays until the new run has data, and a little longer: a short run comes with its numbers, and is drawn once", () => {
  const { store, engines, finish, pass } = page();
  finish("a", 30);
  setKnob(store, "a", PUSH, "on");
  engines.a.last.listener.onMeta(meta());
  expect(reportOf(store.getState(), "a")?.metrics.rq_lock.max_waiters).toBe(30);
  pass(150);
  engines.a.last.listener.onChunk(
    { simulatedNs: 9, shareDone: 190 },
    NO_ROWS,
    NO_WAKES,
    () => undefined,
  );
  expect(reportOf(store.getState(), "a")?.metrics.rq_lock.max_waiters).toBe(30);
  pass(100);
  engines.a.last.listener.onChunk(
    { simulatedNs: 10, shareDone: 200 },
    NO_ROWS,
    NO_WAKES,
    () => undefined,
  );
  expect(reportOf(store.getState(), "a")).toBeUndefined();
  expect(store.getState().sides.a.status).toEqual({ kind: "computing", shareDone: 200 });
});

test("the numbers stand as soon as the engine is through, while its rows are still taken in; the run is done with its last row", () => {
  const store = makeStore(initialState(HERD, "dark"));
  const engines = perSide(() => new FakeEngine());
  const turns: (() => void)[] = [];
  startRunner(store, engines, {
    now: () => 0,
    later: (work) => turns.push(work),
    idle: () => undefined,
  });
  const { listener } = engines.a.last;
  const side = (): unknown => {
    const { reported, status } = store.getState().sides.a;
    return [
      reported?.metrics.rq_lock.max_waiters,
      status.kind,
      reportOf(store.getState(), "a")?.metrics.rq_lock.max_waiters,
    ];
  };
  listener.onMeta(meta());
  listener.onChunk(
    { simulatedNs: 1_000_000, shareDone: 10_000 },
    NO_ROWS,
    NO_WAKES,
    () => undefined,
  );
  listener.onFinished(report(30), undefined);
  expect(side()).toEqual([30, "computing", undefined]);
  while (turns.length > 0) turns.shift()?.();
  expect(side()).toEqual([undefined, "finished", 30]);
  setKnob(store, "a", "seed", 9);
  engines.a.last.listener.onMeta(meta());
  engines.a.last.listener.onFinished(report(31), undefined);
  expect(side()).toEqual([31, "computing", 30]);
  setKnob(store, "a", "seed", 10);
  expect(side(), "what an older request came to is no number of the new one").toEqual([
    undefined,
    "computing",
    30,
  ]);
});

test("answers to an older request are dropped", () => {
  const { store, engines, finish } = page();
  const old = engines.a.last.listener;
  setKnob(store, "a", PUSH, "on");
  finish("a", 2);
  old.onMeta(meta());
  old.onFinished(report(99), undefined);
  expect(reportOf(store.getState(), "a")?.metrics.rq_lock.max_waiters).toBe(2);
});

test("a scenario error and a fault keep the run before, and are told apart", () => {
  const { store, engines, finish } = page();
  finish("a", 30);
  setKnob(store, "a", "machine.cpus", 0);
  engines.a.last.listener.onScenarioError({
    message: "0 is out of range",
    path: "machine.cpus",
    expected: "1 to 1024",
  });
  expect(store.getState().sides.a.status.kind).toBe("scenario_error");
  expect(reportOf(store.getState(), "a")?.metrics.rq_lock.max_waiters).toBe(30);
  setKnob(store, "a", "machine.cpus", 8);
  engines.a.last.listener.onFault("index out of bounds", "schedscope run", "engine");
  expect(store.getState().sides.a.status.kind).toBe("fault");
  expect(reportOf(store.getState(), "a")?.metrics.rq_lock.max_waiters).toBe(30);
});

test("what an engine says where it cannot is a fault of its side, and the other side goes on", () => {
  const { store, engines, finish } = page();
  const { listener } = engines.a.last;
  finish("a", 30);
  listener.onFinished(report(31), undefined);
  expect(store.getState().sides.a.status).toMatchObject({
    kind: "fault",
    message: expect.stringContaining("of a side that is finished") as string,
    replay: expect.stringContaining("schedscope run rt-pull-herd") as string,
    blame: "engine",
  });
  finish("b", 2);
  expect(reportOf(store.getState(), "b")?.metrics.rq_lock.max_waiters).toBe(2);
  setKnob(store, "a", "machine.cpus", 8);
  finish("a", 5);
  expect(store.getState().sides.a.status.kind).toBe("finished");
});

test("a text that the engine refuses leaves the page to the scenario it took last, until a text is taken again", () => {
  const { store, engines, finish } = page();
  const write = (text: string): void =>
    store.dispatch({ type: "scenario_written", entry: ownEntry(text) });
  finish("a", 30);
  finish("b", 2);
  write(HERD.text.replace('"variants"', '"variant"'));
  // The text is asked about again with the variants that stay on screen.
  for (const side of ["a", "b", "a"] as const)
    engines[side].last.listener.onScenarioError({
      message: "unknown key",
      path: "variant",
      expected: "variants",
    });
  expect(store.getState().entry).toMatchObject({
    variants: HERD.variants,
    headline: HERD.headline,
    slug: "lab",
  });
  expect(store.getState().entry.text).toContain('"variant"');
  expect([store.getState().sides.a.status.kind, store.getState().sides.b.status.kind]).toEqual([
    "scenario_error",
    "scenario_error",
  ]);
  write(`{"title": "mended"}`);
  engines.a.last.listener.onMeta(meta());
  expect(store.getState().entry.title).toBe("mended");
});

test("a run stopped at the limit is said to be one, with its partial report", () => {
  const { store, engines } = page();
  engines.a.last.listener.onMeta(meta());
  engines.a.last.listener.onFinished({ ...report(3), complete: false }, "steps");
  expect(store.getState().sides.a.status).toEqual({ kind: "limit", limit: "steps" });
  expect(reportOf(store.getState(), "a")?.metrics.rq_lock.max_waiters).toBe(3);
});

test("where a limit ends one side the other ends too, whichever comes first; another knob lets both run to their ends again", () => {
  const { store, engines, finish } = page();
  const stopAt = (side: Side, simulated_ns: number, limit: string): void => {
    engines[side].last.listener.onMeta(meta());
    engines[side].last.listener.onFinished({ ...report(3), simulated_ns, complete: false }, limit);
  };
  const ends = (): readonly unknown[] => [
    engines.a.last.request.untilNs,
    engines.b.last.request.untilNs,
  ];
  finish("b", 1);
  stopAt("a", 600_000, "records");
  expect(ends(), "B was through, and runs again as far as A").toEqual([undefined, 600_000]);
  stopAt("b", 400_000, "records");
  expect(ends(), "B meets a limit of its own before that").toEqual([400_000, 600_000]);
  stopAt("a", 400_000, OTHER_SIDE);
  expect([engines.a.asked.length, engines.b.asked.length]).toEqual([2, 2]);
  expect(fittingNs(store.getState())).toBe(400_000);
  setKnob(store, "b", PUSH, "off");
  expect(ends()).toEqual([undefined, undefined]);
  finish("a", 30);
  finish("b", 1);
  expect(isComputing(store.getState())).toBe(false);
  expect(
    [engines.a.asked.length, engines.b.asked.length],
    "nothing starts again by itself",
  ).toEqual([3, 3]);
});

test("where a limit of its own has ended a side, the other ends there too however it is turned, until that side is another one", () => {
  const { store, engines, finish } = page();
  const ends = (): readonly unknown[] => [
    engines.a.last.request.untilNs,
    engines.b.last.request.untilNs,
  ];
  finish("b", 1);
  engines.a.last.listener.onMeta(meta());
  engines.a.last.listener.onFinished(
    { ...report(3), simulated_ns: 600_000, complete: false },
    "records",
  );
  finish("b", 1);
  for (const seed of [8, 9]) {
    setKnob(store, "b", "seed", seed);
    expect([ends(), engines.a.asked.length]).toEqual([[undefined, 600_000], 1]);
    finish("b", 1);
  }
  setKnob(store, "a", "seed", 8);
  expect(ends(), "A is another run: B is free of what ended the last one").toEqual([
    undefined,
    undefined,
  ]);
});

test("after a record limit the viewer may keep four times the records: both sides run again, until another scenario is opened", () => {
  const { store, engines } = page();
  const asked = (): readonly number[] => [
    engines.a.last.request.maxRecords,
    engines.b.last.request.maxRecords,
  ];
  expect(asked()).toEqual([MAX_RECORDS, MAX_RECORDS]);
  engines.a.last.listener.onMeta(meta());
  engines.a.last.listener.onFinished({ ...report(3), complete: false }, "records");
  store.dispatch({ type: "more_records_allowed" });
  expect(asked()).toEqual([MORE_RECORDS, MORE_RECORDS]);
  expect(
    [engines.a.last.request.untilNs, engines.b.last.request.untilNs],
    "to their own ends",
  ).toEqual([undefined, undefined]);
  store.dispatch({
    type: "opened",
    route: "preset",
    opened: openContent(contentOf(store.getState()), HERD, []),
  });
  expect(asked()).toEqual([MAX_RECORDS, MAX_RECORDS]);
});

test("a view that lies behind the end of both runs is given up for the moment its step means", () => {
  const { store, finish } = page();
  finish("a", 30);
  finish("b", 1);
  store.dispatch({
    type: "viewport_set",
    viewport: { fromNs: 1_500_000, toNs: 1_600_000 },
    settled: true,
  });
  setKnob(store, "both", "duration", "1ms");
  finish("a", 30);
  expect(store.getState().viewport, "B may still come so far").toBeDefined();
  finish("b", 1);
  expect(shownViewport(store.getState()).fromNs).toBeLessThan(1_000_000);
});

/** A page whose side A is under way, and `reach`, which reports how far A has come. */
function underWay(): {
  readonly store: Store;
  readonly reach: (simulatedNs: number, shareDone: number) => void;
} {
  const { store, engines } = page();
  engines.a.last.listener.onMeta(meta());
  const reach = (simulatedNs: number, shareDone: number): void =>
    store.dispatch({
      type: "run_grew",
      side: "a",
      run: store.getState().sides.a.runId,
      simulatedNs,
      shareDone,
      version: 1,
    });
  return { store, reach };
}

test("a steady run that is too long for the page says so at a twentieth of the way", () => {
  const { store, reach } = underWay();
  reach(12_000, 300);
  expect(foreseenLimit(store.getState()), "nobody knows yet whether it is steady").toBeUndefined();
  reach(24_000, 600);
  expect(foreseenLimit(store.getState())).toEqual({
    side: "a",
    endNs: 400_000,
    leastNs: 400_000,
    durationNs: 1_000_000,
    by: "own",
  });
});

test("a run that is clearly too long at the rate of the one before says so as it starts, until its own rate is known", () => {
  const { store, engines, finish, pass } = page();
  finish("a", 30);
  setKnob(store, "a", "duration", "2s");
  const { listener } = engines.a.last;
  // 3 records a ms on 4 CPUs before; 12 on 16 now.
  listener.onMeta({ ...meta(16), duration_ns: 2_000_000_000_000 });
  expect(foreseenLimit(store.getState())).toMatchObject({
    side: "a",
    endNs: (MAX_RECORDS / 12) * 1e6,
    by: "other",
  });
  pass(250);
  listener.onChunk({ simulatedNs: 2e11, shareDone: 2_000 }, NO_ROWS, NO_WAKES, () => undefined);
  expect(foreseenLimit(store.getState()), "its own rate says otherwise").toMatchObject({
    endNs: 1e12,
    by: "own",
  });
});

test("a run that is too long, or may be, says so before it starts, while its duration is typed and once it is asked for", () => {
  const { store, engines, finish } = page();
  finish("a", 30);
  finish("b", 30);
  const typed = (value: string) => foreseenWith(store.getState(), "a", "duration", value);
  // 3 records a ms on the 4 CPUs of the run before.
  expect(typed("2000s")).toBeUndefined();
  expect(typed("9000s")).toMatchObject({
    side: "a",
    endNs: (MAX_RECORDS / 3) * 1e6,
    durationNs: 9e12,
    by: "other",
    ahead: true,
  });
  const nearNs = Math.round((MAX_RECORDS / 3) * 1.2) * 1e6;
  const near = typed(`${String(nearNs / 1e6)}ms`);
  expect(near).toMatchObject({ endNs: (MAX_RECORDS / 3) * 1e6, durationNs: nearNs, ahead: true });
  expect(
    [typed("9000s"), near].map((each) => each !== undefined && isCertain(each)),
    "near its end it may come through",
  ).toEqual([true, false]);
  expect(
    foreseenWith(store.getState(), "a", "kernel.hz", 250),
    "as long as the run on screen",
  ).toBeUndefined();
  expect(foreseenLimit(store.getState()), "nothing is asked for").toBeUndefined();
  setKnob(store, "a", "duration", "9000s", false);
  const asked = engines.a.asked.length;
  expect(foreseenLimit(store.getState()), "while a slider moves").toMatchObject({
    ahead: true,
    durationNs: 9e12,
  });
  expect(engines.a.asked.length, "nothing was started").toBe(asked);
  store.dispatch({ type: "knob_settled" });
  expect(store.getState().sides.a.status).toEqual({ kind: "computing", shareDone: 0 });
  expect(foreseenLimit(store.getState()), "before the engine has read the scenario").toMatchObject({
    ahead: true,
    durationNs: 9e12,
  });
});

test("before any run of a scenario, the shipped run tells that a run is too long; where none is shipped nobody knows", () => {
  const { store } = page();
  setKnob(store, "a", "duration", "100s");
  expect(foreseenLimit(store.getState())).toBeUndefined();
  const shipped = { simulatedNs: 100e6, records: 100_000, cpus: 40, metrics: {} };
  store.dispatch({ type: "figures_came", figures: { "rt-pull-herd": { pull: shipped } } });
  expect(foreseenLimit(store.getState())).toEqual({
    side: "a",
    endNs: MAX_RECORDS * 1e3,
    leastNs: MAX_RECORDS * 1e3,
    durationNs: 100e9,
    by: "other",
    ahead: true,
  });
});

test("on more CPUs than the known run's each may write more: a run near the limit may be too long, and what is offered is surely short enough", () => {
  const { store } = page();
  const shipped = { simulatedNs: 100e6, records: 100_000, cpus: 4, metrics: {} };
  store.dispatch({ type: "figures_came", figures: { "rt-pull-herd": { pull: shipped } } });
  const limitNs = MAX_RECORDS * 1e3;
  const withCpus = (share: number, cpus: number) => {
    setKnob(store, "both", "machine.cpus", cpus);
    const foreseen = foreseenWith(
      store.getState(),
      "a",
      "duration",
      `${String(Math.round((share * limitNs * 4) / cpus / 1e6))}ms`,
    );
    return (
      foreseen && [
        isCertain(foreseen),
        foreseen.endNs < foreseen.durationNs,
        Math.round((100 * foreseen.leastNs) / foreseen.endNs),
      ]
    );
  };
  expect(withCpus(0.65, 512)).toBeUndefined();
  expect(withCpus(0.7, 512)).toEqual([false, false, 67]);
  expect(withCpus(1.2, 512)).toEqual([false, true, 67]);
  expect(withCpus(2.2, 512)).toEqual([true, true, 67]);
  expect(withCpus(0.95, 4), "as many CPUs as known").toBeUndefined();
  expect(withCpus(0.95, 2), "fewer").toBeUndefined();
  setKnob(store, "both", "machine.cpus", 512);
  setKnob(store, "both", "duration", `${String(Math.round((0.8 * limitNs * 4) / 512 / 1e6))}ms`);
  const { leastNs = 0, durationNs = 0 } = foreseenLimit(store.getState()) ?? {};
  expect(fittingNs(store.getState())).toBeLessThan(Math.min(leastNs, durationNs));
});

test("a run with a busy start is not told to be too long", () => {
  // nohz-kick on 777 CPUs with the patch: its start is four times as busy as the rest.
  const { store, reach } = underWay();
  for (const [simulatedNs, shareDone] of [
    [6_180, 209],
    [12_510, 537],
    [66_340, 840],
    [157_750, 1_577],
    [300_950, 3_009],
    [902_870, 9_028],
  ] as const) {
    reach(simulatedNs, shareDone);
    expect(foreseenLimit(store.getState()), String(shareDone)).toBeUndefined();
  }
});

test("a run that is too long for the page says so at a fifth of the way, with the length that fits", () => {
  const { store, reach } = underWay();
  reach(40_000, 1_999);
  expect(foreseenLimit(store.getState())).toBeUndefined();
  reach(100_000, 2_500);
  expect(foreseenLimit(store.getState())).toEqual({
    side: "a",
    endNs: 400_000,
    leastNs: 400_000,
    durationNs: 1_000_000,
    by: "own",
  });
  expect(fittingNs(store.getState())).toBe(360_000);
  reach(900_000, 9_500);
  expect(
    foreseenLimit(store.getState()),
    "a run that misses its last twentieth is told too",
  ).toMatchObject({ side: "a" });
  reach(970_000, 9_800);
  expect(foreseenLimit(store.getState()), "it comes near enough to its end").toBeUndefined();
});

test("the page computes until both sides are done", () => {
  const { store, finish } = page();
  finish("a", 30);
  expect(isComputing(store.getState())).toBe(true);
  finish("b", 1);
  expect(isComputing(store.getState())).toBe(false);
});

test("nothing runs while a link is refused", () => {
  const store = makeStore(initialState(HERD, "dark"));
  store.dispatch({ type: "link_refused", problem: { code: "cut", slug: "rt-pull-herd" } });
  const engines = perSide(() => new FakeEngine());
  startRunner(store, engines);
  expect([engines.a.asked, engines.b.asked]).toEqual([[], []]);
  expect(isComputing(store.getState())).toBe(false);
});
