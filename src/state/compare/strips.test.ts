import { expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { contentOf, openContent } from "../link/link-state.ts";
import { readFragment, writeFragment } from "../../links/link.ts";
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
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { chosenVariant, variantsOf } from "../../scenario/variants.ts";
import { reduce } from "../reduce/reducer.ts";
import { requestFor } from "../select/selectors.ts";
import { initialState } from "../shape/state.ts";
import type { Store } from "../store.ts";
import { startStripRunner } from "../../effects/strips/strip-runner.ts";
import { isPending, isShort, nextVariant, stripRequest, stripsBusy, variantOn } from "./strips.ts";

const [, PUSH_NAME = "", THIRD = "", FOURTH = "", FIFTH = ""] = HERD.variants.map(
  ({ name }) => name,
);

function add(store: Store, ...names: readonly string[]): void {
  for (const variant of names) store.dispatch({ type: "strip_added", variant });
}

const shown = (store: Store): readonly string[] =>
  store.getState().strips.map(({ variant }) => variant);

function withStrips(...names: readonly string[]) {
  const made = page();
  const engine = new FakeEngine();
  add(made.store, ...names);
  startStripRunner(made.store, () => engine);
  const finish = (depth: number, simulated_ns = 1_000_000, limit?: string): void => {
    const { listener } = engine.last;
    listener.onMeta(meta());
    listener.onChunk(
      { simulatedNs: simulated_ns, shareDone: 5_000 },
      NO_ROWS,
      NO_WAKES,
      () => undefined,
    );
    listener.onFinished({ ...report(depth), simulated_ns, complete: limit === undefined }, limit);
  };
  return { ...made, engine, finishStrip: finish };
}

test("there are two strips at most, and only of variants the scenario has", () => {
  const { store } = page();
  add(store, "no such variant", THIRD, FOURTH, FIFTH);
  expect(shown(store)).toEqual([THIRD, FOURTH]);
  store.dispatch({ type: "strip_removed", index: 0 });
  expect(shown(store)).toEqual([FOURTH]);
});

test("a strip runs its variant under what A and B share; what one side has of its own is no part of it", () => {
  const { store } = page();
  setKnob(store, "both", "machine.cpus", 8);
  setKnob(store, "both", PUSH, "on");
  setKnob(store, "a", "kernel.hz", 100);
  const set = Object.fromEntries(stripRequest(store.getState(), { variant: "pull" })?.set ?? []);
  expect(set).toMatchObject({ "machine.cpus": 8, ...HERD.variants[0]?.set });
  expect(set["kernel.hz"]).toBeUndefined();
});

test("strips are computed one after the other, once A and B are done", () => {
  const { store, engine, finish, finishStrip } = withStrips(THIRD, FOURTH);
  finish("a", 30);
  expect(engine.asked).toEqual([]);
  finish("b", 1);
  expect(engine.asked).toHaveLength(1);
  finishStrip(7);
  expect(
    store.getState().strips.map(({ run }) => run?.report?.metrics.rq_lock.max_waiters),
  ).toEqual([7, undefined]);
  expect(stripsBusy(store.getState())).toBe(true);
  finishStrip(9);
  expect(
    store.getState().strips.map(({ run }) => run?.report?.metrics.rq_lock.max_waiters),
  ).toEqual([7, 9]);
  expect(stripsBusy(store.getState())).toBe(false);
});

test("a shared knob makes a strip's run old at once, and one of a single side does not", () => {
  const { store, finish, finishStrip } = withStrips(THIRD);
  const pending = (): boolean =>
    store.getState().strips.some((strip) => isPending(store.getState(), strip));
  finish("a", 30);
  finish("b", 1);
  finishStrip(7);
  setKnob(store, "a", "kernel.hz", 100);
  expect(pending()).toBe(false);
  setKnob(store, "both", "machine.cpus", 8);
  expect(pending()).toBe(true);
  setKnob(store, "both", "machine.cpus", 40);
  expect(pending(), "back before it was computed: what stands is right").toBe(false);
});

test("a run that was given up for another and is wanted again is computed again", () => {
  const { store, engine, finish, finishStrip } = withStrips(THIRD);
  finish("a", 30);
  finish("b", 1);
  expect(engine.asked).toHaveLength(1);
  setKnob(store, "both", "machine.cpus", 8);
  store.dispatch({ type: "undone" });
  finish("a", 30);
  finish("b", 1);
  finishStrip(7);
  expect(store.getState().strips[0]?.run?.report?.metrics.rq_lock.max_waiters).toBe(7);
});

test("a strip covers no more than A and B do, and says so where it covers less", () => {
  const { store, engines, engine, finish, finishStrip } = withStrips(THIRD);
  finish("a", 30);
  engines.b.last.listener.onMeta(meta());
  engines.b.last.listener.onFinished(
    { ...report(3), simulated_ns: 400_000, complete: false },
    "records",
  );
  engines.a.last.listener.onMeta(meta());
  engines.a.last.listener.onFinished(
    { ...report(3), simulated_ns: 400_000, complete: false },
    "other side",
  );
  expect(engine.last.request.untilNs).toBe(400_000);
  finishStrip(7, 300_000, "records");
  const [strip] = store.getState().strips;
  expect(strip !== undefined && isShort(store.getState(), strip)).toBe(true);
});

test("a strip becomes side B in one step that one undo takes back; what B showed becomes the strip", () => {
  const { store } = page();
  setKnob(store, "both", "machine.cpus", 8);
  add(store, THIRD);
  store.dispatch({ type: "variant_taken", variant: THIRD, side: "b", strip: 0 });
  const onB = (): string | undefined => variantOn(store.getState(), "b");
  expect([onB(), ...shown(store)]).toEqual([THIRD, PUSH_NAME]);
  expect(
    store.getState().knobs.b.map(([path]) => path),
    "B runs what the strip ran",
  ).not.toContain("kernel.hz");
  store.dispatch({ type: "undone" });
  expect([onB(), ...shown(store)]).toEqual([PUSH_NAME, THIRD]);
  store.dispatch({ type: "redone" });
  expect([onB(), ...shown(store)]).toEqual([THIRD, PUSH_NAME]);
});

test("what both sides share makes A another variant: it has the name that its side shows, and no strip of the same run is added", () => {
  const { store } = page();
  setKnob(store, "both", "machine.cpus", 16);
  const { entry, knobs } = store.getState();
  expect(chosenVariant(entry, knobs, "a")?.name).toBe(FIFTH);
  expect([variantOn(store.getState(), "a"), variantOn(store.getState(), "b")]).toEqual([
    FIFTH,
    PUSH_NAME,
  ]);
  expect(nextVariant(store.getState())).toBe(THIRD);
});

test("in every scenario a side that shows a variant is called that by tiles and strips", () => {
  for (const entry of SCENARIOS)
    for (const { name } of variantsOf(entry)) {
      const state = reduce(initialState(entry, "dark"), {
        type: "variant_chosen",
        side: "b",
        name,
      });
      const shownAs = chosenVariant(entry, state.knobs, "b")?.name;
      if (shownAs !== undefined) expect(variantOn(state, "b"), entry.slug).toBe(shownAs);
    }
});

test("where B has something of its own it is no variant: the strip takes its place and leaves none", () => {
  const { store } = page();
  setKnob(store, "b", "kernel.hz", 100);
  add(store, THIRD);
  store.dispatch({ type: "variant_taken", variant: THIRD, side: "b", strip: 0 });
  expect(variantOn(store.getState(), "b")).toBe(THIRD);
  expect(shown(store)).toEqual([]);
  expect(Object.fromEntries(requestFor(store.getState(), "b").set)["kernel.hz"]).toBeUndefined();
});

test("beside strips the previous runs keep their figures only: four runs are kept at most", () => {
  const { store, finish } = page();
  finish("a", 30);
  setKnob(store, "a", PUSH, "on");
  finish("a", 2);
  expect(store.getState().sides.a.previous?.trace).toBeDefined();
  add(store, THIRD);
  expect(store.getState().sides.a.previous).toMatchObject({
    trace: undefined,
    report: { metrics: { rq_lock: { max_waiters: 30 } } },
  });
  setKnob(store, "a", PUSH, "off");
  finish("a", 30);
  expect(store.getState().sides.a.previous?.trace).toBeUndefined();
});

test("a strip that undo or the browser's way back brings again lets the pictures of previous runs go too", () => {
  const { store, finish } = page();
  add(store, THIRD);
  const withStrip = opened(contentOf({ ...store.getState(), route: "preset" }));
  store.dispatch({ type: "variant_taken", variant: PUSH_NAME, side: "a", strip: 0 });
  store.dispatch({ type: "strip_removed", index: 0 });
  const keep = (): void => {
    setKnob(store, "a", "kernel.hz", 100);
    finish("a", 30);
    setKnob(store, "a", "kernel.hz", 250);
    finish("a", 2);
    expect(store.getState().sides.a.previous?.trace).toBeDefined();
  };
  const pictures = (): readonly unknown[] => [
    store.getState().strips.length,
    store.getState().sides.a.previous?.trace,
  ];
  keep();
  for (let steps = 0; steps < 3; steps += 1) store.dispatch({ type: "undone" });
  expect(pictures()).toEqual([1, undefined]);
  store.dispatch({ type: "strip_removed", index: 0 });
  keep();
  store.dispatch({ type: "returned", route: "preset", opened: withStrip });
  expect(pictures()).toEqual([1, undefined]);
  store.dispatch({ type: "undone" });
  expect(store.getState().strips, "one step takes the way back back").toEqual([]);
});

test("undo keeps 200 steps, whatever made them", () => {
  const { store } = page();
  const back = opened(contentOf({ ...store.getState(), route: "preset" }));
  for (let steps = 0; steps < 150; steps += 1) {
    store.dispatch({ type: "variant_taken", variant: THIRD, side: "b" });
    store.dispatch({ type: "returned", route: "preset", opened: back });
  }
  expect(store.getState().undo.past).toHaveLength(200);
  for (let steps = 0; steps < 250; steps += 1) store.dispatch({ type: "undone" });
  for (let steps = 0; steps < 250; steps += 1) store.dispatch({ type: "redone" });
  expect(store.getState().undo.past).toHaveLength(200);
});

function opened(items: Parameters<typeof writeFragment>[0]) {
  const read = readFragment({ slug: HERD.slug, fragment: writeFragment(items) ?? "" });
  if (!read.ok) throw new Error(read.problem.code);
  return openContent(read.content, HERD, KNOBS);
}

const EMPTY = {
  slug: HERD.slug,
  scenario: undefined,
  both: [],
  a: [],
  b: [],
  view: {},
  unknown: [],
};

test("a link names the strips and which of them are open", () => {
  const { store } = page();
  add(store, THIRD, FOURTH);
  store.dispatch({ type: "strip_toggled", index: 1 });
  const { strips } = opened({ ...EMPTY, ...contentOf({ ...store.getState(), route: "preset" }) });
  expect(strips).toEqual({ names: [THIRD, FOURTH], open: "d" });
  const other = page().store;
  other.dispatch({
    type: "opened",
    route: "preset",
    opened: opened(contentOf({ ...store.getState(), route: "preset" })),
  });
  expect(other.getState().strips.map(({ variant, open }) => [variant, open])).toEqual([
    [THIRD, false],
    [FOURTH, true],
  ]);
});

test("what a link says of variants there are not is told and kept, whatever it is made of", () => {
  const hostile = "\u202e<img src=x>";
  const read = opened({
    ...EMPTY,
    unknown: [
      ["strip.d", hostile],
      ["strip.c", THIRD],
      ["strip.e", THIRD],
      ["open", "zz"],
    ],
  });
  expect(read.strips).toEqual({ names: [THIRD], open: "" });
  expect(read.unknownFields.map(([key]) => key).sort()).toEqual(["open", "strip.d", "strip.e"]);
  expect(read.notes.join("")).not.toContain("\u202e");
  const long = opened({ ...EMPTY, unknown: [["strip.c", "x".repeat(201)]] });
  expect([long.strips.names, long.unknownFields.length]).toEqual([[], 1]);
});

test("an unknown C beside a known D is said, holds its place, computes nothing, and is in the link again", () => {
  const hostile = `\u202e${"x".repeat(300)}`;
  const read = opened({
    ...EMPTY,
    unknown: [
      ["strip.c", hostile],
      ["strip.d", THIRD],
      ["open", "d"],
    ],
  });
  expect(read.notes).toHaveLength(1);
  expect(read.notes[0]).toMatch(
    /^This scenario has no variant “\\u\{202e\}x{79}…”\. Strip C stays empty\.$/,
  );
  expect(read.unknownFields).toEqual([]);
  const { store, engine, finish, finishStrip } = withStrips();
  store.dispatch({ type: "opened", route: "preset", opened: read });
  const strips = () => store.getState().strips;
  expect(strips().map(({ variant, open }) => [variant, open])).toEqual([
    [hostile, false],
    [THIRD, true],
  ]);
  finish("a", 30);
  finish("b", 1);
  expect(engine.asked).toHaveLength(1);
  finishStrip(7);
  expect(strips().map(({ run }) => run?.report?.metrics.rq_lock.max_waiters)).toEqual([
    undefined,
    7,
  ]);
  expect(stripsBusy(store.getState())).toBe(false);
  expect(contentOf({ ...store.getState(), route: "preset" }).strips).toEqual([hostile, THIRD]);
  store.dispatch({ type: "variant_taken", variant: hostile, side: "b", strip: 0 });
  expect(shown(store), "it cannot become a side").toEqual([hostile, THIRD]);
  store.dispatch({ type: "strip_chosen", index: 0, variant: FOURTH });
  expect(shown(store)).toEqual([FOURTH, THIRD]);
});
