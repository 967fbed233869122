// One search for the smallest value of a knob that keeps a metric low enough: probe after probe,
// each on all seeds, until the answer is known.

import { runBatch, type Batch, type BatchAnswer } from "../../engine/batch.ts";
import { KNOBS } from "../../engine/gen/knobs.ts";
import type { RunRequest } from "../../engine/protocol.ts";
import { findKnob } from "../../scenario/knob-values.ts";
import { nextStep, probesLeft, type BisectQuestion, type Probe } from "../../scenario/bisect.ts";
import { withPhases } from "../../state/sweep/limit-search.ts";
import { figuresOf, pointsOf, requestsOf } from "../../state/sweep/plan.ts";
import type { Search, SearchAsked, SweepOutcome, SweepPlan } from "../../state/shape/sweep.ts";
import { valueAt } from "../../scenario/sweep-values.ts";

export interface SearchListener {
  /** A probe's runs have started; `runs` of them. */
  readonly onBatch: (batch: Batch, runs: number) => void;
  readonly onRun: () => void;
  /** Something new is known, at first what is tried first. */
  readonly onAnswer: (search: Search) => void;
  /** Whether the answer is still wanted. */
  readonly goesOn: () => boolean;
}

/** Runs that a search still takes at most: each value to be tried on all seeds. */
export function runsLeft(question: BisectQuestion, probes: readonly Probe[]): number {
  return probesLeft(question, probes) * question.seeds;
}

/** What runs a batch: `runBatch`, or what a test gives. */
export type Runs = (
  requests: readonly RunRequest[],
  answer: (index: number, heard: BatchAnswer) => void,
) => Batch;

/**
 * Resolves to true when the search ended by itself, to false when it was stopped within a probe.
 * `run`: what runs them.
 */
export async function runSearch(
  asked: SearchAsked,
  listener: SearchListener,
  run: Runs = runBatch,
): Promise<boolean> {
  const { plan, question } = asked;
  let probes: readonly Probe[] = asked.known ?? [];
  let answer = nextStep(question, probes);
  listener.onAnswer({ question, plan, probes, answer });
  while (answer.kind === "probe" && listener.goesOn()) {
    const probe = await tryValue(asked, answer.value, listener, run);
    if (probe === undefined) return false;
    probes = [...probes, probe];
    answer = nextStep(question, probes);
    listener.onAnswer({ question, plan, probes, answer });
  }
  return true;
}

/**
 * Undefined when the runs were stopped: a probe without all its seeds says nothing, except that a
 * run does not keep the bound.
 */
async function tryValue(
  { entry, plan, common, question, phases, untilFails = false }: SearchAsked,
  value: number,
  listener: SearchListener,
  run: Runs,
): Promise<Probe | undefined> {
  const single: SweepPlan = {
    ...plan,
    values: [valueAt(findKnob(KNOBS, plan.path), value, question.period)],
  };
  const points = pointsOf(entry, single);
  const requests = requestsOf(entry, single, common, points);
  const mayFail = untilFails && value !== question.from && value !== question.to;
  const figures: (number | undefined)[] = [];
  const givenUp = (): boolean =>
    mayFail && figures.some((figure) => figure === undefined || figure > question.bound);
  let why: string | undefined;
  const hear = (_index: number, heard: BatchAnswer): void => {
    const outcome = outcomeOf(single, heard);
    figures.push(outcome.kind === "figures" ? outcome.figures[0] : undefined);
    why ??= whyNone(outcome);
    listener.onRun();
    if (givenUp()) batch.cancel();
  };
  const batch = run(phases === undefined ? requests : withPhases(requests, phases), hear);
  listener.onBatch(batch, points.length);
  await batch.done;
  if (figures.length < points.length && !givenUp()) return undefined;
  return { value, worst: worstOf(figures), why };
}

/** The greatest figure; undefined where a run has none. */
function worstOf(figures: readonly (number | undefined)[]): number | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length < figures.length || known.length === 0 ? undefined : Math.max(...known);
}

/** The reason why a run has no figure, as a part of a sentence. */
function whyNone(outcome: SweepOutcome): string | undefined {
  switch (outcome.kind) {
    case "figures":
      return outcome.figures[0] === undefined ? "a run has no such sample" : undefined;
    case "limit":
      return `a run met its limit (${outcome.limit})`;
    case "refused":
      return `a run was refused: ${outcome.message}`;
  }
}

/** What a run's answer says of the plan's metrics. */
export function outcomeOf(plan: SweepPlan, answer: BatchAnswer): SweepOutcome {
  switch (answer.kind) {
    case "report":
      if (answer.limit !== undefined) return { kind: "limit", limit: answer.limit };
      return {
        kind: "figures",
        figures: figuresOf(plan, answer.report),
        digest: answer.report.digest,
      };
    case "refused":
      return { kind: "refused", message: answer.error.message };
    case "fault":
      return { kind: "refused", message: answer.message };
  }
}
