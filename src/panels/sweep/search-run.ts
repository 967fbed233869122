// One search for the smallest value of a knob that keeps a metric low enough: probe after probe, each on all seeds, until the answer is known.

import { runBatch, type Batch, type BatchAnswer } from "../../engine/batch.ts";
import { KNOBS } from "../../engine/gen/knobs.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import type { KnobSet } from "../../state/knobs/knob-sets.ts";
import { findKnob } from "../../state/knobs/knob-values.ts";
import { nextStep, type BisectAnswer, type BisectQuestion, type Probe } from "../../state/sweep/bisect.ts";
import { figuresOf, pointsOf, requestsOf, type SweepOutcome, type SweepPlan } from "../../state/sweep/plan.ts";
import { valueAt } from "../../state/sweep/values.ts";

/** A search for the smallest value, as asked and as far as it has come. */
export interface Search {
  readonly question: BisectQuestion;
  readonly plan: SweepPlan;
  readonly probes: readonly Probe[];
  readonly answer: BisectAnswer;
}

export interface SearchAsked {
  readonly entry: ScenarioEntry;
  readonly plan: SweepPlan;
  readonly common: KnobSet;
  readonly question: BisectQuestion;
}

export interface SearchListener {
  /** A probe's runs have started; `runs` of them. */
  readonly onBatch: (batch: Batch, runs: number) => void;
  readonly onRun: () => void;
  /** Something new is known, at first what is tried first. */
  readonly onAnswer: (search: Search) => void;
  /** Whether the answer is still wanted. */
  readonly goesOn: () => boolean;
}

/** Resolves to true when the search ended by itself, to false when it was stopped within a probe. */
export async function runSearch({ entry, plan, common, question }: SearchAsked, listener: SearchListener): Promise<boolean> {
  const knob = findKnob(KNOBS, plan.path);
  let probes: readonly Probe[] = [];
  let answer = nextStep(question, probes);
  listener.onAnswer({ question, plan, probes, answer });
  while (answer.kind === "probe" && listener.goesOn()) {
    const { value } = answer;
    const single: SweepPlan = { ...plan, values: [valueAt(knob, value, question.period)] };
    const figures: (number | undefined)[] = [];
    let why: string | undefined;
    const points = pointsOf(entry, single);
    const batch = runBatch(requestsOf(entry, single, common, points), (_index, heard) => {
      const outcome = outcomeOf(single, heard);
      figures.push(outcome.kind === "figures" ? outcome.figures[0] : undefined);
      why ??= whyNone(outcome);
      listener.onRun();
    });
    listener.onBatch(batch, points.length);
    await batch.done;
    if (figures.length < points.length) return false; // A probe without all its seeds says nothing.
    probes = [...probes, { value, worst: worstOf(figures), why }];
    answer = nextStep(question, probes);
    listener.onAnswer({ question, plan, probes, answer });
  }
  return true;
}

/** The greatest figure; undefined where a run has none. */
function worstOf(figures: readonly (number | undefined)[]): number | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length < figures.length || known.length === 0 ? undefined : Math.max(...known);
}

/** Why a run has no figure, in words that can stand in a sentence. */
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
      return { kind: "figures", figures: figuresOf(plan, answer.report), digest: answer.report.digest };
    case "refused":
      return { kind: "refused", message: answer.error.message };
    case "fault":
      return { kind: "refused", message: answer.message };
  }
}
