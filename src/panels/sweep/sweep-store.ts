// What the sweep's window holds: the form as typed, the runs under way and what came of them. It outlives the window, so that closing it
// loses nothing.

import { createStore, useStore, type StoreApi } from "zustand";
import { KNOBS } from "../../engine/gen/knobs.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { runBatch, type Batch, type BatchAnswer } from "../../engine/batch.ts";
import type { KnobSet } from "../../state/knobs/knob-sets.ts";
import { findKnob } from "../../state/knobs/knob-values.ts";
import type { RawSet } from "../../state/links/link-types.ts";
import { writeSweep, type SearchForm, type SweepForm } from "../../state/sweep/form.ts";
import { nextStep, type BisectAnswer, type BisectQuestion, type Probe } from "../../state/sweep/bisect.ts";
import { valueAt } from "../../state/sweep/values.ts";
import { figuresOf, pointsOf, requestsOf, type SweepOutcome, type SweepPlan, type SweepResult } from "../../state/sweep/plan.ts";

/** A search for the smallest value, as asked and as far as it has come. */
export interface Search {
  readonly question: BisectQuestion;
  readonly plan: SweepPlan;
  readonly probes: readonly Probe[];
  readonly answer: BisectAnswer;
}

export interface SweepState {
  /** The scenario all of it belongs to. */
  readonly entry: ScenarioEntry | undefined;
  readonly form: SweepForm | undefined;
  readonly search: SearchForm | undefined;
  /** What `results` are of, and the knobs laid under it. */
  readonly plan: SweepPlan | undefined;
  readonly common: KnobSet;
  readonly results: readonly SweepResult[];
  /** Runs asked for; 0 when none were. */
  readonly total: number;
  readonly done: number;
  readonly running: "sweep" | "search" | undefined;
  readonly found: Search | undefined;
}

const NOTHING: SweepState = {
  entry: undefined,
  form: undefined,
  search: undefined,
  plan: undefined,
  common: [],
  results: [],
  total: 0,
  done: 0,
  running: undefined,
  found: undefined,
};

const store: StoreApi<SweepState> = createStore<SweepState>(() => NOTHING);
let batch: Batch | undefined;

export function useSweep<T>(select: (state: SweepState) => T): T {
  return useStore(store, select);
}

/** Another scenario starts with an empty window; the same one goes on where it was. */
export function openFor(entry: ScenarioEntry, form: SweepForm, search: SearchForm): void {
  if (store.getState().entry === entry) return;
  fillFor(entry, form, search);
}

/** The window as somebody else filled it in, whatever it held. */
export function fillFor(entry: ScenarioEntry, form: SweepForm, search: SearchForm): void {
  batch?.cancel();
  batch = undefined;
  store.setState({ ...NOTHING, entry, form, search }, true);
}

/** Whether the window says exactly what a link's sweep does: one who goes back and forward finds the results, too. */
export function holds(entry: ScenarioEntry, sweep: RawSet): boolean {
  const { entry: own, form, search } = store.getState();
  if (own !== entry || form === undefined || search === undefined) return false;
  return JSON.stringify(writeSweep(form, search)) === JSON.stringify(sweep);
}

export function setForm(form: SweepForm): void {
  store.setState({ form });
}

export function setSearch(search: SearchForm): void {
  store.setState({ search });
}

export function cancelSweep(): void {
  batch?.cancel();
  store.setState({ running: undefined });
}

/** Runs the plan. Results are told once a frame: each time, charts and table are drawn anew. */
export async function startSweep(entry: ScenarioEntry, plan: SweepPlan, common: KnobSet): Promise<void> {
  batch?.cancel();
  const points = pointsOf(entry, plan);
  store.setState({ plan, common, results: [], total: points.length, done: 0, running: "sweep" });
  const heard: SweepResult[] = [];
  let frame: number | undefined;
  const tell = (): void => {
    frame = undefined;
    const more = heard.splice(0);
    if (batch === started && more.length > 0)
      store.setState(({ results, done }) => ({ results: [...results, ...more], done: done + more.length }));
  };
  const started = runBatch(requestsOf(entry, plan, common, points), (index, answer) => {
    const point = points[index];
    if (point === undefined) return;
    heard.push({ point, outcome: outcomeOf(plan, answer) });
    frame ??= requestAnimationFrame(tell);
  });
  await finished(started, tell);
  if (batch === started) store.setState({ running: undefined });
}

/** Looks for the smallest value of the plan's knob for which its one metric stays under the bound; every probe runs all seeds. */
export async function startSearch(entry: ScenarioEntry, plan: SweepPlan, common: KnobSet, question: BisectQuestion): Promise<void> {
  batch?.cancel();
  const knob = findKnob(KNOBS, plan.path);
  let probes: readonly Probe[] = [];
  let answer = nextStep(question, probes);
  const tell = (): void => store.setState({ found: { question, plan, probes, answer } });
  store.setState({ total: 0, done: 0, running: "search" });
  tell();
  while (answer.kind === "probe" && store.getState().running === "search") {
    const { value } = answer;
    const single: SweepPlan = { ...plan, values: [valueAt(knob, value, question.period)] };
    const figures: (number | undefined)[] = [];
    const points = pointsOf(entry, single);
    store.setState(({ total }) => ({ total: total + points.length }));
    await finished(
      runBatch(requestsOf(entry, single, common, points), (_index, heard) => {
        const outcome = outcomeOf(single, heard);
        figures.push(outcome.kind === "figures" ? outcome.figures[0] : undefined);
        store.setState(({ done }) => ({ done: done + 1 }));
      }),
    );
    if (figures.length < points.length) return; // Cancelled: a probe without all its seeds says nothing.
    probes = [...probes, { value, worst: worstOf(figures) }];
    answer = nextStep(question, probes);
    tell();
  }
  store.setState({ running: undefined });
}

function worstOf(figures: readonly (number | undefined)[]): number | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length < figures.length || known.length === 0 ? undefined : Math.max(...known);
}

async function finished(started: Batch, tell: () => void = () => undefined): Promise<void> {
  batch = started;
  await started.done;
  tell();
}

function outcomeOf(plan: SweepPlan, answer: BatchAnswer): SweepOutcome {
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
