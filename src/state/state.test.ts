// The state through its public door: actions in, selectors out. Listeners that the test drives take
// the place of the engine.

import { formatNs } from "../lib/format.ts";
import { describe, expect, test } from "vitest";
import { KNOBS } from "../engine/gen/knobs.ts";
import { compareCommand } from "./link/commands.ts";
import { isPerSide, lookUp, NO_KNOBS } from "../scenario/knob-sets.ts";
import { contentOf, openContent } from "./link/link-state.ts";
import { ownEntry } from "../scenario/viewer-scenario.ts";
import { readLink, writeAddress } from "../links/link.ts";
import { reasonsOf, refusedChoices } from "./select/offers.ts";
import { reduce } from "./reduce/reducer.ts";
import {
  differingKnobs,
  knobValue,
  questionOf,
  requestFor,
  resultMismatch,
  sideLabel,
  shownViewport,
  sidesToDraw,
} from "./select/selectors.ts";
import { HERD, meta, page, PUSH, setKnob } from "../testing/page-state.ts";

/** No figure of the made-up reports. */
const WORST = "latency.cyclictest.max_ns";
const DEPTH = "rq_lock.max_waiters";
const SPIN = "rq_lock.wait_ns";

test("two sides are drawn together: the one that is there first waits for the other", () => {
  const { store, finish } = page();
  finish("b", 1);
  expect(sidesToDraw(store.getState().sides, undefined)).toEqual([]);
  expect(sidesToDraw(store.getState().sides, "b")).toEqual(["b"]);
  finish("a", 30);
  expect(sidesToDraw(store.getState().sides, undefined)).toEqual(["a", "b"]);
});

describe("knobs", () => {
  test("the sides start as the scenario's first two variants", () => {
    const { store } = page();
    const state = store.getState();
    expect(HERD.variants.slice(0, 2).map((variant) => variant.name)).toEqual([
      sideLabel(state, "a"),
      sideLabel(state, "b"),
    ]);
    expect(requestFor(state, "b").set).toEqual(Object.entries(HERD.variants[1]?.set ?? {}));
  });

  test("a side that was written to in mid-run says so behind its name, and the other one does not", () => {
    const { store } = page();
    const [first = "", second = ""] = HERD.variants.map((variant) => variant.name);
    const write = (value: string, atNs: number): void =>
      store.dispatch({
        type: "knob_live_set",
        change: { where: "a", path: "kernel.rt_push_ipi", value, atNs },
      });
    write("on", 50_000_000);
    expect((["a", "b"] as const).map((side) => sideLabel(store.getState(), side))).toEqual([
      `${first}, on from ${formatNs(50_000_000)}`,
      second,
    ]);
    write("off", 60_000_000);
    expect(sideLabel(store.getState(), "a")).toBe(
      `${first}, written to from ${formatNs(50_000_000)}`,
    );
  });

  test("turning a knob of one side runs that side alone", () => {
    const { store, engines, finish } = page();
    finish("a", 30);
    finish("b", 1);
    setKnob(store, "a", PUSH, "rt_only");
    expect(engines.a.asked).toHaveLength(2);
    expect(engines.b.asked).toHaveLength(1);
    expect(engines.a.last.request.set).toContainEqual([PUSH, "rt_only"]);
  });

  test("a knob for both sides runs both, and replaces what a side had of its own", () => {
    const { store, engines } = page();
    setKnob(store, "a", "machine.cpus", 16);
    setKnob(store, "both", "machine.cpus", 24);
    const state = store.getState();
    expect([knobValue(state, "a", "machine.cpus"), knobValue(state, "b", "machine.cpus")]).toEqual([
      24, 24,
    ]);
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

  test("what computes the same as before is no step of undo: a slider brought back, a value or a write set again", () => {
    const { store } = page();
    const { commits } = store.getState();
    for (const cpus of [41, 42, 40]) setKnob(store, "both", "machine.cpus", cpus, false);
    store.dispatch({ type: "knob_settled" });
    setKnob(store, "both", "machine.cpus", 40);
    store.dispatch({ type: "knob_reset", path: "machine.cpus" });
    expect([store.getState().undo.past.length, store.getState().commits]).toEqual([0, commits]);
    const write = {
      type: "knob_live_set",
      change: { where: "a", path: PUSH, value: "on", atNs: 500 },
    } as const;
    for (let times = 0; times < 2; times += 1) store.dispatch(write);
    expect(store.getState().undo.past).toHaveLength(1);
    setKnob(store, "both", "seed", 9);
    store.dispatch({ type: "undone" });
    setKnob(store, "both", "machine.cpus", 40);
    expect(store.getState().undo.future, "nor does it end what can be redone").toHaveLength(1);
  });
});

describe("links", () => {
  test("a text that was edited is shown to others in the view it has here, not in the one it would open with", () => {
    const before = { ...page().store.getState(), firstViewport: { fromNs: 10e6, toNs: 20e6 } };
    const after = reduce(before, { type: "scenario_written", entry: ownEntry(`${HERD.text}\n`) });
    expect(shownViewport(after)).toEqual(before.firstViewport);
    expect(contentOf(after).view.t).toBe("10ms-20ms");
  });

  test("another scenario in the text's place is looked at anew, and so is the one before it after undo", () => {
    const view = { fromNs: 98_814_000, toNs: 98_914_000 };
    const before = { ...page().store.getState(), viewport: view, playheadNs: view.toNs };
    const other = ownEntry('{ "schema": 1, "title": "mine", "duration": "500ms" }');
    const after = reduce(before, { type: "scenario_written", entry: other });
    expect([after.viewport, after.firstViewport, after.playheadNs]).toEqual([
      undefined,
      undefined,
      0,
    ]);
    const seen = { ...after, viewport: view };
    const back = reduce(seen, { type: "undone" });
    expect(back.entry).toBe(before.entry);
    expect(back.viewport).toBeUndefined();
    const retitled = ownEntry(HERD.text.replace(HERD.title, "Why do they wait?"));
    const edited = reduce(before, { type: "scenario_written", entry: retitled });
    expect(edited.viewport, "an edit").toEqual(view);
  });

  const open = (address: string): ReturnType<typeof openContent> => {
    const result = readLink(address);
    if (!result.ok) throw new Error(result.problem.code);
    return openContent(result.content, HERD, KNOBS);
  };

  test("what is on screen comes back from its link: knobs typed, view and results", () => {
    const { store, finish } = page();
    setKnob(store, "both", "machine.cpus", 96);
    setKnob(store, "b", "machine.costs", "modern_2s_qspin");
    store.dispatch({
      type: "viewport_set",
      viewport: { fromNs: 10_000, toNs: 12_345 },
      settled: true,
    });
    store.dispatch({
      type: "selected",
      side: "a",
      selection: { kind: "wake", task: "cyclictest.12", nth: 41 },
    });
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
    const link = writeAddress(contentOf(store.getState())) ?? "";
    const other = page();
    other.store.dispatch({ type: "opened", route: "preset", opened: open(link) });
    other.finish("a", 29);
    other.finish("b", 1);
    expect(resultMismatch(other.store.getState())).toEqual({
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
    setKnob(other.store, "both", "seed", 8);
    other.finish("a", 5);
    other.finish("b", 1);
    expect(resultMismatch(other.store.getState())).toBeUndefined();
  });

  test("the same result says nothing", () => {
    const { store, finish } = page();
    finish("a", 30);
    finish("b", 1);
    store.dispatch({
      type: "opened",
      route: "preset",
      opened: open(writeAddress(contentOf(store.getState())) ?? ""),
    });
    finish("a", 30);
    finish("b", 1);
    expect(store.getState().expectation).toBeDefined();
    expect(resultMismatch(store.getState())).toBeUndefined();
  });

  test("the command says what is common once, what differs per side, and one run where nothing differs", () => {
    const { store } = page();
    expect(compareCommand(store.getState())).toBe("schedscope compare rt-pull-herd");
    setKnob(store, "both", "machine.cpus", 96);
    expect(compareCommand(store.getState())).toBe(
      "schedscope compare rt-pull-herd --set machine.cpus=96",
    );
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
  const refusal = {
    message: 'kernel 7.0 has no "none": it was dropped',
    path: "kernel.preempt",
    suggestion: '"lazy"',
  };

  test("the value in force moves to the suggested one and says so, in one step of undo", () => {
    const { store, engines } = page();
    setKnob(store, "both", "kernel.preempt", "none");
    setKnob(store, "both", "kernel.version", "4.15");
    engines.a.last.listener.onScenarioError(refusal);
    expect(knobValue(store.getState(), "a", "kernel.preempt")).toBe("lazy");
    expect(
      knobValue(store.getState(), "b", "kernel.preempt"),
      "both sides said the same: they move together",
    ).toBe("lazy");
    expect(store.getState().moved).toEqual([
      { path: "kernel.preempt", where: "both", from: "none", to: "lazy", why: refusal.message },
    ]);
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
    const lacking = {
      ...meta(),
      unavailable: ["none", "voluntary"].map((value) => ({ path: "kernel.preempt", value, why })),
    };
    expect(refusedChoices([meta(), lacking], "kernel.preempt").map(({ value }) => value)).toEqual([
      "none",
      "voluntary",
    ]);
    expect(refusedChoices([meta(), undefined], "kernel.preempt")).toEqual([]);
    expect(reasonsOf(refusedChoices([lacking, lacking], "kernel.preempt"))).toEqual([
      { why, values: ["none", "voluntary"] },
    ]);
  });
});

test("a number of CPUs in the question follows the machine", () => {
  const { store } = page();
  setKnob(store, "both", "machine.cpus", 96);
  expect(questionOf(store.getState())).toBe("Why do 96 CPUs wait for one lock?");
  setKnob(store, "b", "machine.cpus", 16);
  expect(questionOf(store.getState())).toBe("Why do 96 or 16 CPUs wait for one lock?");
  setKnob(store, "both", "machine.cpus", 1);
  expect(questionOf(store.getState())).toBe("Why does 1 CPU wait for one lock?");
});
