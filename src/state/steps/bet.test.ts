import { expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { entryInWords } from "../../scenario/engine-texts.ts";
import { stepsOf } from "../../scenario/step.ts";
import { LESSONS } from "../lessons/all.ts";
import { stepBet } from "../lessons/step-bet.ts";
import { reduce } from "../reduce/reducer.ts";
import { openContent } from "../link/link-state.ts";
import { initialState, type State } from "../shape/state.ts";
import { isAtRest, openBet } from "./bet.ts";
import { betMade, choicesOf, offered, outcomeOf, rightIn } from "./bet-choices.ts";

const ENTRIES = SCENARIOS.map(entryInWords);
const BETS = ENTRIES.flatMap((entry) => stepsOf(entry).flatMap(({ bet }) => bet ?? []));
const STRANDED = ENTRIES.filter(({ slug }) => slug === "quota-stranded");

const LESSON = { question: "Which?", choices: ["This", "That"], right: 1, why: "" };

function opened(view: Readonly<Record<string, string>>): State {
  const [entry] = STRANDED;
  if (entry === undefined) throw new Error("there is no quota-stranded");
  const start = { ...initialState(entry, "dark"), bets: {} };
  const content = { slug: entry.slug, scenario: undefined, both: [], a: [], b: [], unknown: [] };
  return reduce(start, {
    type: "opened",
    route: "preset",
    opened: openContent({ ...content, view }, entry, []),
  });
}

test("a question offers what it names: things, sides, or yes and no; one that asks how many offers nothing", () => {
  const offered = (words: string): readonly string[] =>
    choicesOf(BETS.find((bet) => bet.endsWith(words)) ?? "");
  expect(offered("does it run sooner, more, or both?")).toEqual(["Sooner", "More", "Both"]);
  expect(offered("or less than half?")).toEqual([
    "Its whole quota",
    "Most of it",
    "Less than half",
  ]);
  expect(offered("is the pause shorter or longer?")).toEqual(["Shorter", "Longer"]);
  expect(offered("Which one uses all of it?")).toEqual(["A", "B", "No difference"]);
  expect(offered("do the answers come sooner?")).toEqual(["A", "B", "No difference"]);
  expect(offered("does the kernel move them?")).toEqual(["Yes", "No"]);
  expect(offered("which one has to wait?"), "of five tasks").toEqual([]);
  expect(offered("queue for one lock at once?")).toEqual([]);
});

test("a bet is asked when a scenario is opened, once: not by a link to the step, in a tour, in the lab, or in a frame that asks for none", () => {
  const state = opened({});
  expect(openBet(state)).toBe("Both kernels enforce the same quota. Which one uses all of it?");
  const made = reduce(state, { type: "bet_made", words: "A" });
  expect(openBet(made)).toBeUndefined();
  expect(openBet(reduce(made, { type: "step_opened", index: 0 })), "asked once").toBeUndefined();
  expect(openBet(opened({ step: "1" }))).toBeUndefined();
  expect(openBet(reduce(state, { type: "tour_started" }))).toBeUndefined();
  expect(openBet(reduce(state, { type: "lab_toggled" }))).toBeUndefined();
  expect(openBet({ ...state, bets: undefined })).toBeUndefined();
  expect(openBet(reduce(state, { type: "step_opened", index: 1 })), "it has none").toBeUndefined();
});

test("what was bet is said once its picture rests, beside what happened; a bet passed over is not", () => {
  const made = reduce(opened({}), { type: "bet_made", words: outcomeOf("A", undefined) });
  expect(betMade(made)).toBe("You bet “A”. The runs:");
  expect(isAtRest(made), "it has not played").toBe(false);
  expect(isAtRest({ ...made, step: { ...made.step, waiting: false, plays: false } })).toBe(true);
  expect(betMade({ ...made, bets: { "quota-stranded/1": "" } })).toBeUndefined();
  expect(outcomeOf("2 or 3", "Nearly all")).toBe("You bet “2 or 3”. The run says: “Nearly all”.");
  expect(outcomeOf("Nearly all", "Nearly all")).toBe("You bet “Nearly all”, and so it is.");
});

test("whatever opens a step passes its open bet over", () => {
  const again = reduce(opened({}), { type: "step_opened", index: 0 });
  expect(openBet(again)).toBeUndefined();
  expect(again.step.plays).toBe(true);
});

test("a step's own choices are offered in an order that does not say which is right: figures ascend, the rest by alphabet", () => {
  const order = (...choices: string[]): readonly string[] =>
    offered({ bet: "How long?", choices }, undefined);
  expect(order("over 1 ms", "about 5 µs", "1 000 ns", "about 1.5 µs")).toEqual([
    "1 000 ns",
    "about 1.5 µs",
    "about 5 µs",
    "over 1 ms",
  ]);
  expect(order("10 times", "not at all", "2 times")).toEqual(["2 times", "10 times", "not at all"]);
  expect(order("the tick", "an IPI")).toEqual(["an IPI", "the tick"]);
});

test("a lesson's choices come before a step's own, and these before those of the question's form", () => {
  const step = { bet: "Does it wait?", choices: ["Yes, for the tick", "No"] };
  expect(offered(step, LESSON)).toEqual(["This", "That"]);
  expect(offered(step, undefined)).toEqual(["No", "Yes, for the tick"]);
  expect(offered({ ...step, choices: [] }, undefined)).toEqual(["Yes", "No"]);
});

test("the first of a step's own choices is right, or the one that a lesson names, as long as the shipped runs are shown", () => {
  const state = opened({});
  const [step] = stepsOf(state.entry);
  if (step === undefined) throw new Error("no steps");
  const own = { ...step, choices: ["B", "A"] };
  expect(rightIn(state, own, undefined)).toBe("B");
  expect(rightIn(state, own, LESSON)).toBe("That");
  expect(rightIn(state, { ...step, choices: [] }, undefined), "a form says nothing").toBe(
    undefined,
  );
  const turned = reduce(state, {
    type: "knob_set",
    where: "both",
    path: "seed",
    value: 9,
    settled: true,
  });
  expect(rightIn(turned, own, undefined)).toBeUndefined();
  expect(rightIn(turned, own, LESSON)).toBeUndefined();
});

test("every shipped bet is a question that offers two to four choices", () => {
  for (const entry of ENTRIES)
    for (const [index, step] of stepsOf(entry).entries()) {
      if (step.bet === undefined) continue;
      expect(step.bet).toMatch(/\?$/);
      const { length } = offered(step, stepBet(LESSONS, entry.slug, index + 1));
      expect([2, 3, 4], entry.slug).toContain(length);
    }
});
