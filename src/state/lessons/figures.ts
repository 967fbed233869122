// The figures of a lesson's sentences and puzzles. Each has the form of the score's row beside it:
// a total of time is said per second, usage as a share of the quota. Two forms of one quantity
// would be two quantities to a reader.

import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { figureText } from "../figures/figure.ts";
import { headlineValue, knownValue, metricWords, type MetricWords } from "../figures/headline.ts";
import { scoreWords } from "../figures/score-words.ts";
import { knownRun } from "../select/shipped.ts";
import type { Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import { liveFigure, liveReport } from "../steps/resolve.ts";

/** The row of the score that a metric has; undefined where the score does not show it. */
export function rowOf(entry: ScenarioEntry, path: string): MetricWords | undefined {
  return scoreWords(entry).find((words) => words.path === path);
}

/** How a lesson over this scenario says a metric. */
export function lessonWords(entry: ScenarioEntry, path: string): MetricWords {
  return rowOf(entry, path) ?? metricWords(path, entry.labels);
}

/**
 * A metric of the side's run, as a lesson says it; from the known runs, or else from the run's
 * report.
 */
export function lessonValue(state: State, path: string, side: Side): number | undefined {
  const words = lessonWords(state.entry, path);
  const known = knownRun(state, side);
  const report = liveReport(state, side);
  return (known && knownValue(known, words)) ?? (report && headlineValue(report, words));
}

/** A figure in a sentence: a metric by its path, or the value of a knob. */
export function lessonFigure(state: State, name: string, side: Side): string | undefined {
  const value = lessonValue(state, name, side);
  return value === undefined
    ? liveFigure(state, name, side)
    : figureText(value, lessonWords(state.entry, name).unit);
}
