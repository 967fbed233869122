// What can be bet on by one press, and what is said of it afterwards.

import { parseTime } from "../../scenario/knob-values.ts";
import type { Step } from "../../scenario/step.ts";
import { isGuided } from "../select/guided.ts";
import type { State } from "../shape/state.ts";
import { betKey } from "./bet.ts";
import { isAsWritten } from "./resolve.ts";

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

/** What a lesson offers for the bet of a step, and the index of the right choice. */
interface LessonBet {
  readonly choices: readonly string[];
  readonly right: number;
}

/** The choices of a step's bet: those of a lesson, its own, or those of the question's form. */
export function offered(
  { bet = "", choices }: Pick<Step, "bet" | "choices">,
  ofLesson: LessonBet | undefined,
): readonly string[] {
  if (ofLesson !== undefined) return ofLesson.choices;
  return choices.length > 0 ? inOrder(choices) : choicesOf(bet);
}

/**
 * The choice that the runs on screen confirm; undefined where the bet does not say which, and under
 * other knobs than the step's, because the shipped runs decide.
 */
export function rightIn(
  state: State,
  step: Step,
  ofLesson: LessonBet | undefined,
): string | undefined {
  if (!isAsWritten(state, step)) return undefined;
  return ofLesson === undefined ? step.choices[0] : ofLesson.choices[ofLesson.right];
}

/** Choices in an order that does not depend on which is right: figures ascend, then the alphabet. */
function inOrder(choices: readonly string[]): readonly string[] {
  return choices.toSorted((one, other) => {
    const [less, more] = [sizeOf(one), sizeOf(other)];
    return less === more ? one.localeCompare(other, "en") : less - more;
  });
}

const FIGURE = /\d+(?: \d{3})*(?:\.\d+)?(?: (?:ns|µs|ms|s)\b)?/;

/** The first figure of a choice, a time in ns; above all figures where it has none. */
function sizeOf(choice: string): number {
  const figure = FIGURE.exec(choice)?.[0].replaceAll(/ (?=\d)/g, "");
  return figure === undefined ? Infinity : (parseTime(figure) ?? Number(figure));
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
