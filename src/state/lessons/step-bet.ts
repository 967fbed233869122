// The bet that a lesson asks of a scenario's step as it ships.

import type { Bet, Lesson } from "./lesson.ts";

/** Undefined where no lesson asks one. `step`: from 1. */
export function stepBet(
  lessons: readonly Pick<Lesson, "scenes">[],
  scenario: string,
  step: number,
): Bet | undefined {
  const scenes = lessons.flatMap((lesson) => lesson.scenes);
  return scenes.find(
    (scene) =>
      scene.bet !== undefined &&
      scene.scenario === scenario &&
      scene.step === step &&
      [scene.set, scene.a, scene.b].every((turned) => Object.keys(turned ?? {}).length === 0),
  )?.bet;
}
