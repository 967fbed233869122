// The number that answers a scenario's question, on both sides: what its pictures show large, and what is said where they cannot be seen.

import { figureOf, type Figure } from "../../src/state/figures/figure.ts";
import { headlineValue, headlineWords, isPerSecond } from "../../src/state/figures/headline.ts";
import { questionOf, reportOf, sideLabel } from "../../src/state/selectors.ts";
import { perSide, SIDES, type PerSide } from "../../src/state/sides.ts";
import type { State } from "../../src/state/state.ts";

export interface Answer {
  readonly label: string;
  readonly figures: PerSide<Figure | undefined>;
}

/** So much more on one side tells the sides apart. */
const TELLING = 1.1;

/** The first metric of the headline that tells the sides apart; the first, where none does. */
export function answerOf(state: State): Answer | undefined {
  const metrics = headlineWords(state.entry.headline, state.entry.labels).map((words) => {
    const values = perSide((side) => {
      const report = reportOf(state, side);
      return report === undefined ? undefined : headlineValue(report, words);
    });
    const said = perSide((side) => (values[side] === undefined ? undefined : figureOf(values[side], words.unit)));
    const [less = 0, more = 0] = SIDES.map((side) => values[side] ?? 0).sort((one, other) => one - other);
    return { label: `${words.label}${isPerSecond(words) ? ", per second" : ""}`, figures: said, tells: more > less * TELLING };
  });
  const chosen = metrics.find(({ tells }) => tells) ?? metrics[0];
  return chosen === undefined ? undefined : { label: chosen.label, figures: chosen.figures };
}

/** "cyclictest: maximum latency: A 276 µs (pull), B 6.65 µs (push by IPI)"; the question where there is no number. */
export function altOf(state: State): string {
  const answer = answerOf(state);
  if (answer === undefined) return questionOf(state);
  const sides = SIDES.map((side) => `${side.toUpperCase()} ${figureWords(answer.figures[side])} (${sideLabel(state, side)})`);
  return `${answer.label}: ${sides.join(", ")}`;
}

export function figureWords(figure: Figure | undefined): string {
  if (figure === undefined) return "–";
  return figure.unit === "" ? figure.digits : `${figure.digits} ${figure.unit}`;
}
