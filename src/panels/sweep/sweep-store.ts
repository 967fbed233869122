// What the sweep's window holds: the form as typed, the runs under way and what came of them. It
// outlives the window, so that closing it loses nothing.

import { createStore, useStore, type StoreApi } from "zustand";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { runBatch, type Batch } from "../../engine/batch.ts";
import type { KnobSet } from "../../scenario/knob-sets.ts";
import type { RawSet } from "../../links/link-types.ts";
import { writeSweep, type SearchForm, type SweepForm } from "../../links/sweep-form.ts";
import type { BisectQuestion } from "../../scenario/bisect.ts";
import { pointsOf, requestsOf, type SweepPlan, type SweepResult } from "../../state/sweep/plan.ts";
import { outcomeOf, runSearch, runsLeft, type Search } from "./search-run.ts";

export interface SweepState {
  /** The scenario all of it belongs to. */
  readonly entry: ScenarioEntry | undefined;
  readonly form: SweepForm | undefined;
  readonly search: SearchForm | undefined;
  /** What `results` are of, and the knobs laid under it. */
  readonly plan: SweepPlan | undefined;
  readonly common: KnobSet;
  readonly results: readonly SweepResult[];
  /** What the runs below are of. */
  readonly counted: "sweep" | "search" | undefined;
  /** Runs asked for; 0 when none were. */
  readonly total: number;
  readonly done: number;
  /** Runs that a search still takes at most. */
  readonly left: number;
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
  counted: undefined,
  total: 0,
  done: 0,
  left: 0,
  running: undefined,
  found: undefined,
};

const store: StoreApi<SweepState> = createStore<SweepState>(() => NOTHING);
let batch: Batch | undefined;
/** The search asked last. */
let searching: object | undefined;

export function useSweep<T>(select: (state: SweepState) => T): T {
  return useStore(store, select);
}

/** Another scenario starts with an empty window; the same one goes on where it was. */
export function openFor(entry: ScenarioEntry, form: SweepForm, search: SearchForm): void {
  if (store.getState().entry === entry) return;
  fillFor(entry, form, search);
}

/**
 * Replaces the contents of the window, for a link or for an answer that opens the window filled in.
 */
export function fillFor(entry: ScenarioEntry, form: SweepForm, search: SearchForm): void {
  batch?.cancel();
  batch = undefined;
  store.setState({ ...NOTHING, entry, form, search }, true);
}

/**
 * Whether the window holds exactly a link's sweep. Then its results are kept for a viewer who goes
 * back and forward in the history.
 */
export function holds(entry: ScenarioEntry, sweep: RawSet): boolean {
  const { entry: own, form, search } = store.getState();
  if (own !== entry || form === undefined || search === undefined) return false;
  return JSON.stringify(writeSweep(form, search)) === JSON.stringify(sweep);
}

export function setForm(form: SweepForm): void {
  store.setState({ form });
}

/** Sets the question. A changed question discards the answer to the earlier one. */
export function setSearch(search: SearchForm): void {
  const { search: before, running } = store.getState();
  const keys = Object.keys(search) as (keyof SearchForm)[];
  const other = running !== "search" && keys.some((key) => search[key] !== before?.[key]);
  store.setState(other ? { search, found: undefined } : { search });
}

export function cancelSweep(): void {
  batch?.cancel();
  store.setState({ running: undefined });
}

/**
 * Runs the plan. Results reach the store once a frame, because each change redraws charts and
 * table.
 */
export async function startSweep(
  entry: ScenarioEntry,
  plan: SweepPlan,
  common: KnobSet,
): Promise<void> {
  batch?.cancel();
  const points = pointsOf(entry, plan);
  store.setState({
    plan,
    common,
    results: [],
    counted: "sweep",
    total: points.length,
    done: 0,
    running: "sweep",
  });
  const heard: SweepResult[] = [];
  let frame: number | undefined;
  const tell = (): void => {
    frame = undefined;
    const more = heard.splice(0);
    if (batch === started && more.length > 0)
      store.setState(({ results, done }) => ({
        results: [...results, ...more],
        done: done + more.length,
      }));
  };
  const started = runBatch(requestsOf(entry, plan, common, points), (index, answer) => {
    const point = points[index];
    if (point === undefined) return;
    heard.push({ point, outcome: outcomeOf(plan, answer) });
    frame ??= requestAnimationFrame(tell);
  });
  batch = started;
  await started.done;
  tell();
  if (batch === started) store.setState({ running: undefined });
}

/**
 * Looks for the smallest value of the plan's knob for which its one metric stays under the bound;
 * every probe runs all seeds.
 */
export async function startSearch(
  entry: ScenarioEntry,
  plan: SweepPlan,
  common: KnobSet,
  question: BisectQuestion,
): Promise<void> {
  batch?.cancel();
  const token = {};
  searching = token;
  store.setState({ counted: "search", total: 0, done: 0, left: 0, running: "search" });
  const isOwn = (): boolean => searching === token && store.getState().running === "search";
  const ended = await runSearch(
    { entry, plan, common, question },
    {
      onBatch: (started, runs) => {
        batch = started;
        store.setState(({ total }) => ({ total: total + runs }));
      },
      onRun: () => store.setState(({ done, left }) => ({ done: done + 1, left: left - 1 })),
      onAnswer: (found) => store.setState({ found, left: runsLeft(question, found.probes) }),
      goesOn: isOwn,
    },
  );
  if (ended && isOwn()) store.setState({ running: undefined });
}
