// How far one has come in a lesson, as it is kept.

import { expect, test } from "vitest";
import type { Lesson } from "../../state/lessons/lesson.ts";
import {
  isDone,
  keptProgress,
  progressOf,
  reduceProgress,
  writeProgress,
  type ProgressAction,
} from "./lesson-progress.ts";

const BET = { question: "?", choices: ["a", "b"], right: 1, why: "" };
const PUZZLE = {
  goal: "",
  metric: "",
  side: "a",
  atMost: 0,
  knobs: [],
  hint: "",
  solution: {},
} as const;
const SCENE = { scenario: "rt-migrate", step: 1, title: "", text: [] };
const SCENES = [{ ...SCENE, bet: BET }, SCENE, { ...SCENE, puzzle: PUZZLE }];
const LESSON: Lesson = { title: "", about: "", minutes: 1, closing: "", scenes: SCENES };

const after = (...actions: readonly ProgressAction[]): ReturnType<typeof progressOf> =>
  actions.reduce(reduceProgress, progressOf(null, SCENES));
const went = (at: number): ProgressAction => ({ type: "went", at, scenes: SCENES.length });

test("what is kept comes back, and what does not fit the lesson is left out", () => {
  const progress = after(
    { type: "bet", choice: 1 },
    went(2),
    { type: "shown" },
    { type: "solved" },
    went(1),
  );
  expect(progressOf(writeProgress(progress), SCENES)).toEqual(progress);
  const way = "cgroups.app.cpu_max=200000 100000, a;b";
  const solved = after(went(2), { type: "solved", way });
  expect(progressOf(writeProgress(solved), SCENES).ways, "how it was solved").toEqual({ 2: way });
  expect(progressOf("2;;2;;2;0:x%3D1,2:%E0%A4", SCENES).ways, "not of this lesson").toEqual({
    2: "",
  });
  expect(progressOf("1;0:1", SCENES), "as it was kept before").toEqual({
    at: 1,
    bets: { 0: 1 },
    solved: {},
    shown: {},
    farthest: 1,
  });
  expect(progressOf("9;0:7,5:1;0,1;8;99", SCENES)).toEqual(progressOf(null, SCENES));
  expect(
    keptProgress("/", () => ({ getItem: () => null }), "x", LESSON),
    "never opened",
  ).toBeUndefined();
});

test("a lesson is done with its last scene seen, its bets made, and its puzzles solved or given up", () => {
  const bet: ProgressAction = { type: "bet", choice: 0 };
  expect(isDone(after(bet, went(1)), SCENES)).toBe(false);
  expect(isDone(after(bet, went(2)), SCENES), "the puzzle is left").toBe(false);
  expect(isDone(after(went(2), { type: "solved" }), SCENES), "the bet is left").toBe(false);
  expect(isDone(after(bet, went(2), { type: "solved" }), SCENES)).toBe(true);
  const passedOver = after({ type: "shown" }, went(2), { type: "solved" });
  expect(isDone(passedOver, SCENES), "a bet may be passed over").toBe(true);
  expect(progressOf(writeProgress(passedOver), SCENES)).toEqual(passedOver);
  expect(
    isDone(after(bet, went(2), { type: "shown" }, went(0)), SCENES),
    "stepping back undoes nothing",
  ).toBe(true);
});
