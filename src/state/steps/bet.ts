// The bet of a step: whether it is asked now, and what can be bet on by one press.

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

/** What is said of the bet on the open step; undefined for none, and for one passed over. */
export function betMade(state: State): string | undefined {
  const key = betKey(state, state.step.index);
  const made = key === undefined ? undefined : state.bets?.[key];
  return made === "" || !isGuided(state) ? undefined : made;
}

/** Whether the step's picture has come to its answer: not before that is an outcome said. */
export function isAtRest({ step, playback }: State): boolean {
  return !playback.playing && !step.waiting && !step.plays;
}

/** The line that says what was bet and what happened. `right`: the choice that the run confirms. */
export function outcomeOf(choice: string, right: string | undefined): string {
  if (right === undefined) return `You bet “${choice}”. The runs:`;
  return choice === right
    ? `You bet “${choice}”, and so it is.`
    : `You bet “${choice}”. The run says: “${right}”.`;
}

const SIDES_NAMED = /\b(A|B|[Bb]oth kernels)\b/;
const SOONER = /\b(sooner|faster)\b/;
/** `is the pause shorter or longer?`, `does it run sooner, more, or both?` */
const ONE_OF_THREE = /\b(?:get|run)s? ([^,]+), ([^,]+), or ([^,?]+)\?$/;
const ONE_OF_TWO = /(\w+) or (\w+)\?$/;
const YES_OR_NO = /^(?:Are|Can|Does|Do|Is|May|Will)\b/i;

/**
 * What a question leaves to bet on, by its form: the things it names, a side, or yes and no; none
 * for a question that asks how, who or how many.
 */
export function choicesOf(question: string): readonly string[] {
  const asked = /[^.:]*$/.exec(question)?.[0].trim() ?? "";
  const named = (ONE_OF_THREE.exec(asked) ?? ONE_OF_TWO.exec(asked))?.slice(1);
  if (named !== undefined) return named.map(capital);
  const ofSides = SIDES_NAMED.test(question) && /\bwhich one\b/i.test(asked);
  if (ofSides || (/\bwhich\b/i.test(asked) && SOONER.test(asked)))
    return ["A", "B", "No difference"];
  return YES_OR_NO.test(asked) ? ["Yes", "No"] : [];
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
