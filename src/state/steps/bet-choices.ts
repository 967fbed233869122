// What can be bet on by one press, and what is said of it afterwards.

import { isGuided } from "../select/guided.ts";
import type { State } from "../shape/state.ts";
import { betKey } from "./bet.ts";

/** What is said of the bet on the open step; undefined for none, and for one passed over. */
export function betMade(state: State): string | undefined {
  const key = betKey(state, state.step.index);
  const made = key === undefined ? undefined : state.bets?.[key];
  return made === "" || !isGuided(state) ? undefined : made;
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
