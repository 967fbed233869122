// The state through its public door: actions in, selectors out. The engine is stood in for by listeners the test drives.

import { describe, expect, test } from "vitest";
import { KNOBS } from "../engine/gen/knobs.ts";
import { SCENARIOS } from "../engine/gen/scenarios.ts";
import type { RunMeta, RunReport, ScenarioEntry } from "../engine/gen/types.ts";
import { type EngineClient, OTHER_SIDE, type RunListener, type RunRequest } from "../engine/protocol.ts";
import { compareCommand } from "./links/commands.ts";
import { isPerSide, lookUp, NO_KNOBS } from "./knobs/knob-sets.ts";
import { contentOf, openContent } from "./links/link-state.ts";
import { readLink, writeAddress } from "./links/link.ts";
import { reasonsOf, refusedChoices } from "./knobs/offers.ts";
import { fittingNs, foreseenLimit } from "./runs/fit.ts";
import { startRunner } from "./runs/runner.ts";
import {
  differingKnobs,
  isComputing,
  knobValue,
  questionOf,
  reportOf,
  requestFor,
  resultMismatch,
  shownViewport,
  sideLabel,
} from "./selectors.ts";
import { perSide, type Side } from "./sides.ts";
import { initialState } from "./state.ts";
import { makeStore, type Store } from "./store.ts";

const HERD = SCENARIOS.find((entry) => entry.slug === "rt-pull-herd") as ScenarioEntry;
const PUSH = "kernel.rt_push_ipi";
/** No figure of the made-up reports. */
const WORST = "latency.cyclictest.max_ns";
const DEPTH = "rq_lock.max_waiters";
const SPIN = "rq_lock.wait_ns";

class FakeEngine implements EngineClient {
  readonly asked: { readonly request: RunRequest; readonly listener: RunListener }[] = [];
  start(request: RunRequest, listener: RunListener): void {
    this.asked.push({ request, listener });
  }
  cancel(): void {
    this.asked.pop();
  }
  dispose(): void {
    this.asked.length = 0;
  }
  get last(): { readonly request: RunRequest; readonly listener: RunListener } {
    const last = this.asked.at(-1);
    if (last === undefined) throw new Error("nothing was asked");
    return last;
  }
}

function meta(cpus = 4): RunMeta {
  return {
    slug: "rt-pull-herd",
    seed: 7,
    duration_ns: 1_000_000,
    cpus,
    package_size: 10,
    tasks: [{ name: "cyclictest.0", kind: "cyclictest", policy: "SCHED_FIFO", priority: 95, cpus: "0", group: 0 }],
    groups: [],
    kernel: "6.12",
    own_switches: [],
    locks: ["rq 0"],
    knobs: [{ path: "machine.cpus", value: cpus, origin: "stated" }],
    costs: [],
    notes: [],
    unavailable: [],
    live: [],
    replay: "schedscope run rt-pull-herd",
  };
}

const NO_IPIS = { sent: 0, delivered: 0, coalesced: 0, in_flight: 0, elided_polling: 0, elided_list: 0, elided_set: 0 };
const NOTHING_ELSE = {
  ipi: { reschedule: NO_IPIS, call_function: NO_IPIS, rto_push: { sent: 0, max_in_flight: 0, self_sent: 0 } },
  latency: {},
  resched: { now_set: 0, lazy_set: 0, lazy_upgraded: 0 },
  sched: { context_switches: 0, migrations: 0, pushes: 0, pulls: 0, ticks: 0 },
  tasks: {},
  wakeups: { local: 0, remote_direct: 0, wake_list: 0, still_queued: 0 },
};

function report(maxWaiters: number): RunReport {
  const rq_lock = { acquisitions: 10, contended: 5, max_waiters: maxWaiters, wait_ns: 100, irq_off_max_ns: 9, pull_remote_acquisitions: 0 };
  return {
    schema: "schedscope.run/1",
    scenario: "rt-pull-herd",
    seed: 7,
    engine: "0.1.0",
    engine_behaviour: "0123abcd",
    digest: "1-ab",
    simulated_ns: 1_000_000,
    records: 3,
    complete: true,
    config: {},
    metrics: { rq_lock, ...NOTHING_ELSE },
    findings: [],
  };
}

const NO_ROWS = {
  time: new Float64Array(0),
  kind: new Uint8Array(0),
  cpu: new Uint16Array(0),
  a: new Uint32Array(0),
  b: new Uint32Array(0),
};
const NO_WAKES = {
  task: new Uint32Array(0),
  nth: new Uint32Array(0),
  cpu: new Uint16Array(0),
  due: new Float64Array(0),
  latency: new Float64Array(0),
  segmentsEnd: new Uint32Array(0),
  segmentCause: new Uint8Array(0),
  segmentNs: new Uint32Array(0),
};

function page(): {
  readonly store: Store;
  readonly engines: Readonly<Record<Side, FakeEngine>>;
  readonly finish: (side: Side, depth: number) => void;
} {
  const store = makeStore(initialState(HERD, "dark"));
  const engines = perSide(() => new FakeEngine());
  startRunner(store, engines);
  const finish = (side: Side, depth: number): void => {
    const { listener } = engines[side].last;
    listener.onMeta(meta());
    listener.onChunk({ simulatedNs: 1_000_000, shareDone: 5_000 }, NO_ROWS, NO_WAKES, () => undefined);
    listener.onFinished(report(depth), undefined);
  };
  return { store, engines, finish };
}

const setKnob = (store: Store, where: "both" | Side, path: string, value: string | number, settled = true): void =>
  store.dispatch({ type: "knob_set", where, path, value, settled });

describe("knobs", () => {
  test("the sides start as the scenario's first two variants", () => {
    const { store } = page();
    const state = store.getState();
    expect(HERD.variants.slice(0, 2).map((variant) => variant.name)).toEqual([sideLabel(state, "a"), sideLabel(state, "b")]);
    expect(requestFor(state, "b").set).toEqual(Object.entries(HERD.variants[1]?.set ?? {}));
  });

  test("turning a knob of one side runs that side alone", () => {
    const { store, engines, finish } = page();
    finish("a", 30);
    finish("b", 1);
    setKnob(store, "a", PUSH, "on");
    expect(engines.a.asked).toHaveLength(2);
    expect(engines.b.asked).toHaveLength(1);
    expect(engines.a.last.request.set).toContainEqual([PUSH, "on"]);
  });

  test("a knob for both sides runs both, and replaces what a side had of its own", () => {
    const { store, engines } = page();
    setKnob(store, "a", "machine.cpus", 16);
    setKnob(store, "both", "machine.cpus", 24);
    const state = store.getState();
    expect([knobValue(state, "a", "machine.cpus"), knobValue(state, "b", "machine.cpus")]).toEqual([24, 24]);
    expect(engines.b.asked).toHaveLength(2);
  });

  test("the knob the variants differ in has a control per side until it is joined", () => {
    const { store } = page();
    expect(isPerSide(HERD, store.getState().knobs, PUSH)).toBe(true);
    expect(isPerSide(HERD, store.getState().knobs, "machine.cpus")).toBe(false);
    store.dispatch({ type: "knob_joined", path: PUSH, value: "on" });
    expect(isPerSide(HERD, store.getState().knobs, PUSH)).toBe(false);
  });

  test("a knob turned back says nothing new: only differences are kept", () => {
    const { store } = page();
    setKnob(store, "both", "machine.cpus", 96);
    setKnob(store, "both", "machine.cpus", 40);
    setKnob(store, "a", PUSH, "on");
    setKnob(store, "a", PUSH, "off");
    expect(store.getState().knobs).toEqual(NO_KNOBS);
    setKnob(store, "both", PUSH, "off");
    expect(store.getState().knobs.both).toEqual([[PUSH, "off"]]);
    setKnob(store, "b", PUSH, "on");
    expect(requestFor(store.getState(), "b").set).toContainEqual([PUSH, "on"]);
  });

  test("what the sides differ in is named, and nothing is when they are alike", () => {
    const { store } = page();
    expect(differingKnobs(store.getState())).toEqual([PUSH]);
    setKnob(store, "b", "seed", 8);
    expect([...differingKnobs(store.getState())].sort()).toEqual([PUSH, "seed"]);
    setKnob(store, "both", "seed", 8);
    setKnob(store, "a", PUSH, "on");
    expect(differingKnobs(store.getState())).toEqual([]);
  });

  test("a drag is one step of undo, and undo brings every value back", () => {
    const { store } = page();
    for (const cpus of [41, 42, 43]) setKnob(store, "both", "machine.cpus", cpus, false);
    store.dispatch({ type: "knob_settled" });
    setKnob(store, "both", "seed", 9);
    store.dispatch({ type: "undone" });
    expect(knobValue(store.getState(), "a", "machine.cpus")).toBe(43);
    expect(knobValue(store.getState(), "a", "seed")).toBe(7);
    store.dispatch({ type: "undone" });
    expect(knobValue(store.getState(), "a", "machine.cpus")).toBe(40);
    store.dispatch({ type: "redone" });
    expect(knobValue(store.getState(), "b", "machine.cpus")).toBe(43);
  });
});

describe("runs", () => {
  test("the previous picture stays until the new run has data", () => {
    const { store, engines, finish } = page();
    finish("a", 30);
    setKnob(store, "a", PUSH, "on");
    engines.a.last.listener.onMeta(meta());
    expect(reportOf(store.getState(), "a")?.metrics.rq_lock.max_waiters).toBe(30);
    engines.a.last.listener.onChunk({ simulatedNs: 10, shareDone: 1 }, NO_ROWS, NO_WAKES, () => undefined);
    expect(reportOf(store.getState(), "a")).toBeUndefined();
    expect(store.getState().sides.a.status).toEqual({ kind: "computing", shareDone: 1 });
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
    engines.a.last.listener.onScenarioError({ message: "0 is out of range", path: "machine.cpus", expected: "1 to 1024" });
    expect(store.getState().sides.a.status.kind).toBe("scenario_error");
    expect(reportOf(store.getState(), "a")?.metrics.rq_lock.max_waiters).toBe(30);
    setKnob(store, "a", "machine.cpus", 8);
    engines.a.last.listener.onFault("index out of bounds", "schedscope run", "engine");
    expect(store.getState().sides.a.status.kind).toBe("fault");
    expect(reportOf(store.getState(), "a")?.metrics.rq_lock.max_waiters).toBe(30);
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
    const ends = (): readonly unknown[] => [engines.a.last.request.untilNs, engines.b.last.request.untilNs];
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
    expect([engines.a.asked.length, engines.b.asked.length], "nothing starts again by itself").toEqual([3, 3]);
  });

  test("a view that lies behind the end of both runs is given up for the moment its step means", () => {
    const { store, finish } = page();
    finish("a", 30);
    finish("b", 1);
    store.dispatch({ type: "viewport_set", viewport: { fromNs: 1_500_000, toNs: 1_600_000 }, settled: true });
    setKnob(store, "both", "duration", "1ms");
    finish("a", 30);
    expect(store.getState().viewport, "B may still come so far").toBeDefined();
    finish("b", 1);
    expect(shownViewport(store.getState()).fromNs).toBeLessThan(1_000_000);
  });

  test("a run that is too long for the page says so at a twenty-fifth of the way, with the length that fits", () => {
    const { store, engines } = page();
    const reach = (simulatedNs: number, shareDone: number): void =>
      store.dispatch({ type: "run_grew", side: "a", run: store.getState().sides.a.runId, simulatedNs, shareDone, version: 1 });
    engines.a.last.listener.onMeta(meta());
    reach(10_000, 399);
    expect(foreseenLimit(store.getState())).toBeUndefined();
    reach(20_000, 500);
    expect(foreseenLimit(store.getState())).toEqual({ side: "a", endNs: 400_000, durationNs: 1_000_000 });
    expect(fittingNs(store.getState())).toBe(360_000);
    reach(900_000, 9_500);
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
});

describe("links", () => {
  const open = (address: string): ReturnType<typeof openContent> => {
    const result = readLink(address);
    if (!result.ok) throw new Error(result.problem.code);
    return openContent(result.content, HERD, KNOBS);
  };

  test("what is on screen comes back from its link: knobs typed, view and results", () => {
    const { store, finish } = page();
    setKnob(store, "both", "machine.cpus", 96);
    setKnob(store, "b", "machine.costs", "modern_2s_qspin");
    store.dispatch({ type: "viewport_set", viewport: { fromNs: 10_000, toNs: 12_345 }, settled: true });
    store.dispatch({ type: "selected", side: "a", selection: { kind: "wake", task: "cyclictest.12", nth: 41 } });
    finish("a", 30);
    finish("b", 1);
    const opened = open(writeAddress(contentOf(store.getState())) ?? "");
    expect(opened).toMatchObject({
      knobs: store.getState().knobs,
      viewport: { fromNs: 10_000, toNs: 12_345 },
      selection: { kind: "wake", task: "cyclictest.12", nth: 41 },
      notes: [],
      expectation: {
        engine: "0.1.0-0123abcd",
        was: undefined,
        figures: [
          [WORST, "-_-"],
          [DEPTH, "30_1"],
          [SPIN, "100_100"],
        ],
      },
    });
  });

  test("another result than the sender's is said, until a knob is turned", () => {
    const { store, finish } = page();
    finish("a", 30);
    finish("b", 1);
    store.dispatch({ type: "opened", route: "preset", opened: open(writeAddress(contentOf(store.getState())) ?? "") });
    finish("a", 29);
    finish("b", 1);
    expect(resultMismatch(store.getState())).toEqual({
      engineThen: "0.1.0-0123abcd",
      engineNow: "0.1.0-0123abcd",
      figures: [
        { path: WORST, side: "a", then: "-", now: "-" },
        { path: WORST, side: "b", then: "-", now: "-" },
        { path: DEPTH, side: "a", then: "30", now: "29" },
        { path: DEPTH, side: "b", then: "1", now: "1" },
        { path: SPIN, side: "a", then: "100", now: "100" },
        { path: SPIN, side: "b", then: "100", now: "100" },
      ],
      unnamed: [],
    });
    setKnob(store, "both", "seed", 8);
    finish("a", 5);
    finish("b", 1);
    expect(resultMismatch(store.getState())).toBeUndefined();
  });

  test("the same result says nothing", () => {
    const { store, finish } = page();
    finish("a", 30);
    finish("b", 1);
    store.dispatch({ type: "opened", route: "preset", opened: open(writeAddress(contentOf(store.getState())) ?? "") });
    finish("a", 30);
    finish("b", 1);
    expect(store.getState().expectation).toBeDefined();
    expect(resultMismatch(store.getState())).toBeUndefined();
  });

  test("the command says what is common once, what differs per side, and one run where nothing differs", () => {
    const { store } = page();
    expect(compareCommand(store.getState())).toBe("schedscope compare rt-pull-herd");
    setKnob(store, "both", "machine.cpus", 96);
    expect(compareCommand(store.getState())).toBe("schedscope compare rt-pull-herd --set machine.cpus=96");
    setKnob(store, "b", "seed", 9);
    expect(compareCommand(store.getState())).toBe(
      "schedscope compare rt-pull-herd --set machine.cpus=96 --a kernel.rt_push_ipi=off --b kernel.rt_push_ipi=on --b seed=9",
    );
    setKnob(store, "both", "seed", 9);
    setKnob(store, "both", PUSH, "on");
    expect(compareCommand(store.getState())).toBe(
      "schedscope run rt-pull-herd --set machine.cpus=96 --set seed=9 --set kernel.rt_push_ipi=on",
    );
  });
});

describe("a version that lacks a choice", () => {
  const refusal = { message: 'kernel 7.0 has no "none": it was dropped', path: "kernel.preempt", suggestion: '"lazy"' };

  test("the value in force moves to the suggested one and says so, in one step of undo", () => {
    const { store, engines } = page();
    setKnob(store, "both", "kernel.preempt", "none");
    setKnob(store, "both", "kernel.version", "4.15");
    engines.a.last.listener.onScenarioError(refusal);
    expect(knobValue(store.getState(), "a", "kernel.preempt")).toBe("lazy");
    expect(knobValue(store.getState(), "b", "kernel.preempt"), "both sides said the same: they move together").toBe("lazy");
    expect(store.getState().moved).toEqual([{ path: "kernel.preempt", where: "both", from: "none", to: "lazy", why: refusal.message }]);
    store.dispatch({ type: "undone" });
    expect(knobValue(store.getState(), "a", "kernel.preempt")).toBe("none");
    expect(lookUp(store.getState().knobs.both, "kernel.version")).toBeUndefined();
    expect(store.getState().moved).toEqual([]);
  });

  test("what the viewer asked for itself is refused in words, and never moved twice", () => {
    const { store, engines } = page();
    setKnob(store, "both", "kernel.preempt", "none");
    engines.a.last.listener.onScenarioError(refusal);
    expect(store.getState().sides.a.status).toEqual({ kind: "scenario_error", error: refusal });
    setKnob(store, "both", "kernel.version", "4.15");
    engines.a.last.listener.onScenarioError(refusal);
    engines.a.last.listener.onScenarioError(refusal);
    expect(store.getState().moved).toHaveLength(1);
    expect(store.getState().sides.a.status.kind).toBe("scenario_error");
  });

  test("choices either side lacks are not offered for both; each reason is said once", () => {
    const why = "7.0 dropped it";
    const lacking = { ...meta(), unavailable: ["none", "voluntary"].map((value) => ({ path: "kernel.preempt", value, why })) };
    expect(refusedChoices([meta(), lacking], "kernel.preempt").map(({ value }) => value)).toEqual(["none", "voluntary"]);
    expect(refusedChoices([meta(), undefined], "kernel.preempt")).toEqual([]);
    expect(reasonsOf(refusedChoices([lacking, lacking], "kernel.preempt"))).toEqual([{ why, values: ["none", "voluntary"] }]);
  });
});

test("a number of CPUs in the question follows the machine", () => {
  const { store } = page();
  setKnob(store, "both", "machine.cpus", 96);
  expect(questionOf(store.getState())).toBe("Why do 96 CPUs wait for one lock?");
  setKnob(store, "b", "machine.cpus", 16);
  expect(questionOf(store.getState())).toBe("Why do 96 or 16 CPUs wait for one lock?");
});
