// The rows of a scenario's score, in the scenario's order, and the words and figures in them.

import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { hasProgram } from "../../scenario/viewer-scenario.ts";
import type { Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import { headlineValue, headlineWords, knownValue, type MetricWords } from "./headline.ts";
import { knownRun } from "../select/shipped.ts";

const HERD_METRIC = "latency.cyclictest.max_ns";

/**
 * The rows come from the file, not from the runs: a row has its room before the runs have begun.
 */
export function scoreWords(entry: ScenarioEntry): readonly MetricWords[] {
  const { headline, labels } = entry;
  return headlineWords(
    hasProgram(entry, "cyclictest") && !headline.includes(HERD_METRIC)
      ? [...headline, HERD_METRIC]
      : headline,
    labels,
  );
}

/**
 * Whether a side's number is of the knobs as they are now: one of before is not compared with it.
 */
export function isOfNow(state: State, side: Side): boolean {
  const { shown, runId, reported } = state.sides[side];
  const isDone = shown?.report !== undefined && shown.id === runId;
  return isDone || reported !== undefined || knownRun(state, side) !== undefined;
}

/**
 * A side's number: the engine's as soon as it has it; until then the one the run is known to come
 * to, or the one before it.
 */
export function sideValue(state: State, side: Side, words: MetricWords): number | undefined {
  const { last, shown, reported } = state.sides[side];
  const known = reported === undefined ? knownRun(state, side) : undefined;
  const report = reported ?? shown?.report ?? last;
  const before = report === undefined ? undefined : headlineValue(report, words);
  return known === undefined ? before : knownValue(known, words);
}

/** Whether A and B have the same figure in each of several rows. */
export function sameInAll(state: State, rows: readonly MetricWords[]): boolean {
  if (rows.length < 2 || isOfNow(state, "a") !== isOfNow(state, "b")) return false;
  return rows.every((words) => {
    const a = sideValue(state, "a", words);
    return a !== undefined && a === sideValue(state, "b", words);
  });
}
