import { expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { entryInWords } from "../../scenario/engine-texts.ts";
import { stepsOf } from "../../scenario/step.ts";
import { reduce } from "../reduce/reducer.ts";
import { openContent } from "../link/link-state.ts";
import { initialState, type State } from "../shape/state.ts";
import { isAtRest, openBet } from "./bet.ts";
import { betMade, choicesOf, outcomeOf } from "./bet-choices.ts";

const ENTRIES = SCENARIOS.map(entryInWords);
const BETS = ENTRIES.flatMap((entry) => stepsOf(entry).flatMap(({ bet }) => bet ?? []));
const STRANDED = ENTRIES.filter(({ slug }) => slug === "quota-stranded");

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

test("every shipped bet is a question with at most three choices, and most leave something to bet on", () => {
  for (const bet of BETS) {
    expect(bet).toMatch(/\?$/);
    expect(choicesOf(bet).length, bet).toBeLessThanOrEqual(3);
  }
  expect(BETS.filter((bet) => choicesOf(bet).length > 0).length).toBeGreaterThan(BETS.length / 3);
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
