// What a search for the edge of a bound came to, as a sentence. Knows words only.

import { counted } from "../../lib/count.ts";
import { noAnswer, sureWords } from "../../state/figures/limit-words.ts";
import type { Probe } from "../../scenario/bisect.ts";
import type { Search } from "../../state/shape/sweep.ts";

/** How far a search is. */
export function progressWords({
  done,
  left,
}: {
  readonly done: number;
  readonly left: number;
}): string {
  return `${counted(done, "run")} done, at most ${left} more`;
}

/** `place`: a value of the knob in words; `figure`: one of the metric. */
export function answerWords(
  { question, answer }: Pick<Search, "question" | "answer">,
  place: (value: number) => string,
  figure: (value: number | undefined) => string,
): string {
  const seeds = question.seeds === 1 ? "1 seed" : `${question.seeds} seeds`;
  const sure = sureWords(question.seeds);
  switch (answer.kind) {
    case "probe":
      return `Trying ${place(answer.value)} on ${seeds}.`;
    case "neither": {
      const ends = [answer.from, answer.to].map((end) => endWords(end, place, figure)).join(" ");
      return `Neither end of the range keeps the metric at or under ${figure(question.bound)} on ${seeds}. ${ends} Nothing between them was tried.`;
    }
    case "both": {
      const least = `${place(answer.value)}. It is the smallest value of the range, and the greatest, ${place(question.to)}, holds too; nothing between them was tried.`;
      return `${least} ${sure}`;
    }
    case "smallest": {
      if (answer.past !== undefined) {
        const found = `${place(answer.value)} is the smallest value from which on all that were tried keep the bound.`;
        return `${oddWords(answer.past, answer.next, place)} ${found} ${sure}`;
      }
      return `${place(answer.value)}. ${nextWords(answer.next, place)} ${TAKEN.smallest} ${sure}`;
    }
    case "greatest": {
      const turned = `There is no smallest value to look for: ${place(question.from)} keeps the metric at or under ${figure(question.bound)}, ${place(question.to)} does not.`;
      if (answer.past !== undefined) {
        const found = `${place(answer.value)} is the greatest value up to which all that were tried keep the bound.`;
        return `${turned} ${oddWords(answer.past, answer.next, place)} ${found} ${sure}`;
      }
      return `${turned} The greatest that does is ${place(answer.value)}. ${nextWords(answer.next, place)} ${TAKEN.greatest} ${sure}`;
    }
  }
}

/**
 * What halving takes for granted: a metric that turns between two values that were tried is not
 * seen.
 */
const TAKEN = {
  smallest:
    "It is the edge if the metric only falls as the value grows: only the values below were tried.",
  greatest:
    "It is the edge if the metric only rises with the value: only the values below were tried.",
};

/** `past` keeps the bound, and `next`, nearer to the end that keeps it, does not. */
function oddWords(past: number, next: Probe, place: (value: number) => string): string {
  return `The metric goes up and down: ${place(past)} keeps the bound. ${nextWords(next, place)} Look at the whole sweep.`;
}

function nextWords(next: Probe, place: (value: number) => string): string {
  return next.worst === undefined
    ? noAnswer(place(next.value), next.why ?? NO_FIGURE)
    : `${place(next.value)} goes above.`;
}

function endWords(
  end: Probe,
  place: (value: number) => string,
  figure: (value: number | undefined) => string,
): string {
  if (end.worst === undefined) return noAnswer(place(end.value), end.why ?? NO_FIGURE);
  return `With ${place(end.value)} it reaches ${figure(end.worst)}.`;
}

const NO_FIGURE = "its runs have no such figure";
