// Sweeps and searches: what is typed, what runs, and what came of it.

import type { KnobValue, ScenarioEntry } from "../../engine/gen/types.ts";
import type { RawSet } from "../../links/link-types.ts";
import type { SearchForm, SweepForm } from "../../links/sweep-form.ts";
import type { BisectAnswer, BisectQuestion, Probe } from "../../scenario/bisect.ts";
import type { KnobSet } from "../../scenario/knob-sets.ts";

export interface SweepPlan {
  /** The knob that moves. */
  readonly path: string;
  readonly values: readonly KnobValue[];
  /** A second knob: every variant has a line for each of its values. */
  readonly second?: { readonly path: string; readonly values: readonly KnobValue[] } | undefined;
  /** Metric paths. */
  readonly metrics: readonly string[];
  /** Names of the scenario's variants; with none, the file without a variant is swept. */
  readonly variants: readonly string[];
  readonly seedFrom: number;
  readonly seeds: number;
}

/** One run of a plan, by its places in the plan's lists; `variant` counts lines. */
export interface SweepPoint {
  readonly variant: number;
  readonly value: number;
  readonly seed: number;
}

/**
 * What one run came to: a figure for each of `headlineWords(plan.metrics)`, undefined where the run
 * has no such figure.
 */
export type SweepOutcome =
  | {
      readonly kind: "figures";
      readonly figures: readonly (number | undefined)[];
      readonly digest: string;
    }
  /** Cut by a limit: what it came to says nothing. */
  | { readonly kind: "limit"; readonly limit: string }
  | { readonly kind: "refused"; readonly message: string };

export interface SweepResult {
  readonly point: SweepPoint;
  readonly outcome: SweepOutcome;
}

/** A group's phase and its period: the runs of one value begin the period at different instants. */
export interface PhaseSpread {
  readonly path: string;
  readonly periodNs: number;
}

/** The two forms of the sweep's window. */
export interface SweepForms {
  readonly form: SweepForm;
  readonly search: SearchForm;
}

/** The sweep's window and what is typed there. It outlives the window: closing it loses nothing. */
export interface SweepWindow {
  /** The window is open, or a link asks for it. */
  readonly shown: boolean;
  /** What a link says, in its own words, until the window has read it into the forms. */
  readonly linked: RawSet | undefined;
  /** The scenario that the forms, and what ran, belong to. */
  readonly entry: ScenarioEntry | undefined;
  /** The forms hold what was typed; undefined until the window was open. */
  readonly forms: SweepForms | undefined;
}

export const NO_WINDOW: SweepWindow = {
  shown: false,
  linked: undefined,
  entry: undefined,
  forms: undefined,
};

/** The runs of the sweep's window, and what came of them. */
export interface Sweeping {
  /** Counts what was started; what is heard of an earlier one is of no use. */
  readonly nth: number;
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

export const NO_SWEEPING: Sweeping = {
  nth: 0,
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
  /** Values within the range that are known not to keep the bound. */
  readonly known?: readonly Probe[];
  /** Undefined: the seed draws the phases. */
  readonly phases?: PhaseSpread | undefined;
  /**
   * A value between the ends of the range is given up at its first run that does not keep the
   * bound: its greatest figure stays unknown.
   */
  readonly untilFails?: boolean;
}

/** The two searches of a throttled group, to be made one after the other. */
export interface LimitAsked {
  /** Names group and run: the answer for another run is not shown. */
  readonly key: string;
  readonly limit: SearchAsked;
  /** Undefined where the kernel has no cpu.max.burst. */
  readonly burst: SearchAsked | undefined;
}

/**
 * How far the searches of a throttled group have come. They outlive the panel: a viewer who looks
 * elsewhere finds the answer on the way back.
 */
export interface LimitState {
  /** Counts what was asked; what is heard of an earlier question is of no use. */
  readonly nth: number;
  readonly asked: LimitAsked | undefined;
  readonly limit: BisectAnswer | undefined;
  readonly burst: BisectAnswer | undefined;
  readonly running: boolean;
  /** Whether it was stopped before both answers were known. */
  readonly stopped: boolean;
  /** Runs done of both searches, and how many more they take at most. */
  readonly done: number;
  readonly left: number;
  /** Bounds as typed, by the key of their run, the newest last. */
  readonly typed: readonly (readonly [key: string, bound: string])[];
}

export const NO_LIMIT: LimitState = {
  nth: 0,
  asked: undefined,
  limit: undefined,
  burst: undefined,
  running: false,
  stopped: false,
  done: 0,
  left: 0,
  typed: [],
};

export type SweepAction =
  /** The window opened; `forms`: what it shows where nothing was typed for the scenario yet. */
  | { readonly type: "sweep_opened"; readonly entry: ScenarioEntry; readonly forms: SweepForms }
  | { readonly type: "sweep_closed" }
  /** Both forms at once, whatever they held: by a link, a story, another panel. */
  | { readonly type: "sweep_filled"; readonly entry: ScenarioEntry; readonly forms: SweepForms }
  | { readonly type: "sweep_typed"; readonly form: SweepForm }
  | { readonly type: "search_typed"; readonly search: SearchForm }
  | {
      readonly type: "sweep_started";
      readonly plan: SweepPlan;
      readonly common: KnobSet;
      readonly total: number;
    }
  | { readonly type: "sweep_heard"; readonly nth: number; readonly results: readonly SweepResult[] }
  | { readonly type: "search_started" }
  /** A value's runs have started. */
  | { readonly type: "search_tries"; readonly nth: number; readonly runs: number }
  | { readonly type: "search_ran"; readonly nth: number; readonly runs: number }
  | {
      readonly type: "search_found";
      readonly nth: number;
      readonly found: Search;
      readonly left: number;
    }
  /** A sweep or a search came to its end by itself. */
  | { readonly type: "sweep_ended"; readonly nth: number }
  /** The viewer stops whichever runs; what is done stays. */
  | { readonly type: "sweep_stopped" };

export type LimitAction =
  | { readonly type: "limit_typed"; readonly key: string; readonly bound: string }
  | { readonly type: "limit_asked"; readonly asked: LimitAsked }
  | { readonly type: "limit_ran"; readonly nth: number; readonly runs: number }
  | {
      readonly type: "limit_found";
      readonly nth: number;
      readonly which: "limit" | "burst";
      readonly answer: BisectAnswer;
      readonly left: number;
    }
  | { readonly type: "limit_ended"; readonly nth: number }
  | { readonly type: "limit_stopped" };
