// The bet of a step: whether it is asked now, and whether its outcome is said.

import { isGuided } from "../select/guided.ts";
import { stepsOf } from "../../scenario/step.ts";
import type { State } from "../shape/state.ts";

/** The name of a step's bet among those of a session; undefined where no step is open. */
export function betKey(
  { entry, route }: Pick<State, "entry" | "route">,
  index: number | undefined,
): string | undefined {
  // The texts of two own scenarios have one name.
  return index === undefined || route === "own" ? undefined : `${entry.slug}/${index + 1}`;
}

/** The bet that covers the picture now: the step plays once it is made or passed over. */
export function openBet(state: State): string | undefined {
  const { bets, entry, step, playback } = state;
  if (bets === undefined || !step.plays || step.named === true || playback.touring)
    return undefined;
  const key = betKey(state, step.index);
  if (key === undefined || bets[key] !== undefined || !isGuided(state)) return undefined;
  return stepsOf(entry)[step.index ?? -1]?.bet;
}

/** Whether the step's picture has come to its answer: not before that is an outcome said. */
export function isAtRest({ step, playback }: State): boolean {
  return !playback.playing && !step.waiting && !step.plays;
}
