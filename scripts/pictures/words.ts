// The number that answers a scenario's question, on both sides: what its pictures show large, and
// what is said where they cannot be seen.

import { figureOf, type Figure } from "../../src/state/figures/figure.ts";
import { headlineValue, headlineWords, isPerSecond } from "../../src/state/figures/headline.ts";
import { questionOf, reportOf, sideLabel } from "../../src/state/select/selectors.ts";
import { perSide, SIDES, type PerSide } from "../../src/scenario/sides.ts";
import type { State } from "../../src/state/shape/state.ts";

export interface Answer {
  readonly label: string;
  readonly figures: PerSide<Figure | undefined>;
}

/**
 * The first metric of the headline that both sides have: it answers the question, even where both
 * are alike.
 */
export function answerOf(state: State): Answer | undefined {
  const metrics = headlineWords(state.entry.headline, state.entry.labels).map((words) => {
    const figures = perSide((side) => {
      const report = reportOf(state, side);
      const value = report === undefined ? undefined : headlineValue(report, words);
      return value === undefined ? undefined : figureOf(value, words.unit);
    });
    return { label: `${words.label}${isPerSecond(words) ? ", per second" : ""}`, figures };
  });
  return (
    metrics.find(({ figures }) => SIDES.every((side) => figures[side] !== undefined)) ?? metrics[0]
  );
}

/**
 * "cyclictest: maximum latency: A 276 µs (pull), B 6.65 µs (push by IPI)"; the question where there
 * is no number.
 */
export function altOf(state: State): string {
  const answer = answerOf(state);
  if (answer === undefined) return questionOf(state);
  const sides = SIDES.map(
    (side) =>
      `${side.toUpperCase()} ${figureWords(answer.figures[side])} (${sideLabel(state, side)})`,
  );
  return `${answer.label}: ${sides.join(", ")}`;
}

export function figureWords(figure: Figure | undefined): string {
  if (figure === undefined) return "–";
  return figure.unit === "" ? figure.digits : `${figure.digits} ${figure.unit}`;
}
