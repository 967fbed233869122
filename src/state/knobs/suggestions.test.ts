// What is offered where both sides are identical, with the engine's own answers.

import { beforeAll, expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { loadEngine } from "../../engine/testing.ts";
import { SIDES } from "../../scenario/sides.ts";
import { page, PUSH, setKnob } from "../../testing/page-state.ts";
import { runsAlike, sidesAlike, suggestions } from "./suggestions.ts";
import { answer, type Page } from "../../testing/knob-changes.ts";

beforeAll(loadEngine);

/** The herd, 3 ms of it, under a kernel that has no push IPI yet. */
function passive(): Page {
  const shown = page();
  setKnob(shown.store, "both", "duration", "3ms");
  setKnob(shown.store, "both", "kernel.rt_balance", "passive_2624");
  for (const side of SIDES) answer(shown, side);
  return shown;
}

test("each of three changes that are offered tells the sides apart, under a kernel that lacks what the variants are about", () => {
  const { store } = passive();
  expect(sidesAlike(store.getState())).toBe(true);
  const offered = suggestions(store.getState(), KNOBS);
  expect(offered).toHaveLength(3);
  expect(
    offered.map(({ words }) => words),
    "RT_PUSH_IPI has no effect there",
  ).not.toContain("pull");
  for (const { words, action } of offered) {
    const shown = passive();
    shown.store.dispatch(action);
    answer(shown, "b");
    const { a, b } = shown.store.getState().sides;
    expect(a.shown?.report?.digest, words).not.toBe(b.shown?.report?.digest);
    expect(sidesAlike(shown.store.getState()), words).toBe(false);
  }
});

test("runs that came out the same are identical, whatever knob differs, and the change that left them so is not offered again", () => {
  const shown = passive();
  const { store } = shown;
  const [first, ...others] = suggestions(store.getState(), KNOBS).map(({ words }) => words);
  const tried = [first ?? ""];
  const then = suggestions(store.getState(), KNOBS, tried).map(({ words }) => words);
  expect(then).toHaveLength(3);
  expect(then).not.toContain(first);
  expect(then).toEqual(expect.arrayContaining(others));
  // No task of the run has SCHED_RR.
  setKnob(store, "b", "kernel.sched_rr_timeslice_ms", 50);
  answer(shown, "b");
  const { a, b } = store.getState().sides;
  expect(a.shown?.report?.digest).toBe(b.shown?.report?.digest);
  expect(sidesAlike(store.getState())).toBe(true);
});

test("a value that comes to what is in force is not offered", () => {
  const shown = page();
  setKnob(shown.store, "both", "duration", "3ms");
  setKnob(shown.store, "both", PUSH, "on");
  for (const side of SIDES) answer(shown, side);
  const words = suggestions(shown.store.getState(), KNOBS).map((each) => each.words);
  expect(words).not.toContain("RT_PUSH_IPI on");
  expect(words).toContain("pull");
});

test("a variant that the version refuses is not offered, and runs that are the same under other knobs are called so", () => {
  const shown = page(SCENARIOS.find(({ slug }) => slug === "lazy-or-now"));
  const { store } = shown;
  setKnob(store, "both", "duration", "3ms");
  setKnob(store, "both", "kernel.version", "5.14");
  for (const side of SIDES) setKnob(store, side, "kernel.preempt", "full");
  for (const side of SIDES) answer(shown, side);
  expect(sidesAlike(store.getState())).toBe(true);
  expect(runsAlike(store.getState())).toBe(false);
  const words = suggestions(store.getState(), KNOBS).map((each) => each.words);
  expect(words).toHaveLength(3);
  expect(words.filter((each) => each.includes("lazy"))).toEqual([]);
  // No task of the herd has SCHED_RR.
  const herd = passive();
  setKnob(herd.store, "b", "kernel.sched_rr_timeslice_ms", 50);
  answer(herd, "b");
  expect(runsAlike(herd.store.getState())).toBe(true);
});

test("where runs are the same under knobs that differ, nothing is offered that makes B what A is", () => {
  const shown = page(SCENARIOS.find(({ slug }) => slug === "pipe-across-models"));
  const { store } = shown;
  setKnob(store, "both", "duration", "3ms");
  for (const side of SIDES) answer(shown, side);
  expect(runsAlike(store.getState())).toBe(true);
  const words = suggestions(store.getState(), KNOBS).map((each) => each.words);
  expect(words).toHaveLength(3);
  expect(words, "A is that variant").not.toContain("none");
  expect(words).toContain("voluntary");
  const slices = page(SCENARIOS.find(({ slug }) => slug === "eevdf-slices"));
  setKnob(slices.store, "both", "duration", "1ms");
  for (const side of SIDES) setKnob(slices.store, side, "kernel.fair", "eevdf");
  slices.store.dispatch({
    type: "knob_set",
    where: "b",
    path: "kernel.delay_dequeue",
    value: false,
    settled: true,
  });
  for (const side of SIDES) answer(slices, side);
  expect(runsAlike(slices.store.getState())).toBe(true);
  const all: string[] = [];
  for (let more = [""]; more.length > 0; all.push(...more))
    more = suggestions(slices.store.getState(), KNOBS, all).map((each) => each.words);
  expect(all).toContain("CONFIG_HZ 100");
  expect(all, "A's own").not.toContain("delayed dequeue on");
});
