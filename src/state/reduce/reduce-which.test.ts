// "Which change did it?" through the state's public door: what closing, links and another scenario
// leave, and what an answer opens.

import { expect, test } from "vitest";
import type { BisectObject, RankedChange } from "../../engine/bisect-object.ts";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { readWhich, writeWhich } from "../../links/which-form.ts";
import { effectiveSet, lookUp, setKnob } from "../../scenario/knob-sets.ts";
import { VERSION } from "../../scenario/knob-values.ts";
import { HERD, PUSH } from "../../testing/page-state.ts";
import { contentOf, openContent } from "../link/link-state.ts";
import { initialState } from "../shape/state.ts";
import { makeStore, type Store } from "../store.ts";
import { knobsOf, unaskedPaths } from "../which/open.ts";
import { firstWhich, sharedSettings, twoReleases, whichQuestion } from "../which/question.ts";

/** The herd on 3.19 and 4.18. */
function compared(): Store {
  const start = initialState(HERD, "dark");
  const a = setKnob(start.knobs, "a", VERSION, "3.19");
  const store = makeStore({ ...start, route: "preset", knobs: setKnob(a, "b", VERSION, "4.18") });
  return store;
}

test("the window asks about the releases of A and B, and about the latency that is watched", () => {
  const state = compared().getState();
  expect(firstWhich(state)).toEqual({
    from: "3.19",
    to: "4.18",
    metric: "latency.cyclictest.max_ns",
    seeds: "8",
    most: "32",
  });
  const one = { ...state, knobs: setKnob(state.knobs, "both", VERSION, "4.18") };
  expect(twoReleases(one)).toBeUndefined();
});

test("what is typed survives the window, and its link asks the same", () => {
  const store = compared();
  const form = { ...firstWhich(store.getState()), seeds: "3", metric: "sched.ticks" };
  store.dispatch({ type: "which_wanted" });
  store.dispatch({ type: "which_opened", entry: HERD, form: firstWhich(store.getState()) });
  store.dispatch({ type: "which_typed", form });
  const content = contentOf(store.getState());
  expect(content.which).toEqual(writeWhich(form));
  store.dispatch({ type: "which_closed" });
  expect(contentOf(store.getState()).which).toBeUndefined();
  store.dispatch({ type: "which_wanted" });
  store.dispatch({ type: "which_opened", entry: HERD, form: undefined });
  expect(store.getState().which.form).toEqual(form);
  const opened = openContent(content, HERD, KNOBS);
  const other = makeStore(initialState(HERD, "dark"));
  other.dispatch({ type: "opened", route: "preset", opened });
  const { shown, linked } = other.getState().which;
  expect(shown).toBe(true);
  expect(readWhich(linked ?? [], firstWhich(other.getState()))).toEqual(form);
});

test("another scenario has no answer of the one before, and nothing that still runs for it", () => {
  const store = compared();
  const question = whichQuestion(store.getState(), firstWhich(store.getState()));
  if (!question.ok) throw new Error(question.words);
  store.dispatch({ type: "which_opened", entry: HERD, form: firstWhich(store.getState()) });
  store.dispatch({ type: "which_asked", asked: question.asked });
  const { nth } = store.getState().asking;
  const other = SCENARIOS.find(({ slug }) => slug !== HERD.slug) ?? HERD;
  store.dispatch({ type: "which_opened", entry: other, form: firstWhich(store.getState()) });
  store.dispatch({ type: "which_stage", nth, stage: "changes", runs: 9 });
  expect(store.getState().asking).toMatchObject({ running: false, total: 0, found: undefined });
});

test("settings that A and B do not share are left out of the question, and named", () => {
  const { common, apart } = sharedSettings(compared().getState());
  expect(lookUp(common, PUSH)).toBeUndefined();
  expect(apart, "the herd's second variant sets it").toEqual([PUSH]);
});

test("a question needs two releases and as many seeds as have a spread", () => {
  const state = compared().getState();
  const form = firstWhich(state);
  expect(whichQuestion(state, { ...form, to: "3.19" })).toMatchObject({ ok: false, field: "to" });
  expect(whichQuestion(state, { ...form, from: "?" })).toMatchObject({ ok: false, field: "from" });
  expect(whichQuestion(state, { ...form, seeds: "2" })).toMatchObject({ ok: false });
  expect(whichQuestion(state, { ...form, most: "7" })).toMatchObject({ ok: false, field: "most" });
});

test("an entry opens the release on one side, and with the change on the other, whatever variants say", () => {
  const store = compared();
  const question = whichQuestion(store.getState(), firstWhich(store.getState()));
  if (!question.ok) throw new Error(question.words);
  const { asked } = question;
  expect(unaskedPaths(asked)).toEqual([PUSH]);
  const found = { object: {} as BisectObject, own: [{ [PUSH]: "off" }, { [PUSH]: "rt_only" }] };
  const ranked: Partial<RankedChange> = {
    from_with_it: { set: { "kernel.rt_balance": "ipi_4_1" }, compare: "" },
    to_without_it: { set: { [PUSH]: "off" }, compare: "" },
  };
  const setOf = (where: "from" | "to", side: "a" | "b", path: string): unknown => {
    const knobs = knobsOf(asked, found, ranked as RankedChange, where);
    return knobs && lookUp(effectiveSet(HERD, knobs, side), path);
  };
  expect(["a", "b"].map((side) => setOf("from", side as "a", VERSION))).toEqual(["3.19", "3.19"]);
  expect(["a", "b"].map((side) => setOf("from", side as "a", PUSH))).toEqual(["off", "off"]);
  expect(setOf("from", "b", "kernel.rt_balance")).toBe("ipi_4_1");
  expect(["a", "b"].map((side) => setOf("to", side as "a", PUSH))).toEqual(["off", "rt_only"]);
});
