// "Which change did it?": what is typed, what runs, and what came of it.

import type { BisectObject } from "../../engine/bisect-object.ts";
import type { NextRuns } from "../../engine/bisector.ts";
import type { KnobValue, ScenarioEntry } from "../../engine/gen/types.ts";
import type { RawSet } from "../../links/link-types.ts";
import type { WhichForm } from "../../links/which-form.ts";
import type { KnobSet, LiveChange } from "../../scenario/knob-sets.ts";

/** The window and what is typed there. It outlives the window: closing it loses nothing. */
export interface WhichWindow {
  /** The window is open, or a link asks for it. */
  readonly shown: boolean;
  /** What a link says, in its own words, until the window has read it into the form. */
  readonly linked: RawSet | undefined;
  /** The scenario that the form, and what ran, belong to. */
  readonly entry: ScenarioEntry | undefined;
  /** What was typed; undefined until the window was open. */
  readonly form: WhichForm | undefined;
}

export const NO_WHICH_WINDOW: WhichWindow = {
  shown: false,
  linked: undefined,
  entry: undefined,
  form: undefined,
};

/** A question that can be asked. */
export interface WhichAsked {
  readonly entry: ScenarioEntry;
  /** Settings of every run, and writes to its kernel. */
  readonly common: KnobSet;
  readonly live: readonly LiveChange[];
  readonly from: string;
  readonly to: string;
  readonly metric: string;
  readonly seeds: number;
  readonly most: number;
}

/**
 * What came of it. `own`: by path, what the runs of both releases have for a knob that a variant of
 * the scenario sets and these runs do not: what opens them states it.
 */
export interface WhichFound {
  readonly object: BisectObject;
  readonly own: readonly Readonly<Record<string, KnobValue>>[];
}

export interface Asking {
  /** Counts what was asked; what is heard of an earlier question is of no use. */
  readonly nth: number;
  readonly asked: WhichAsked | undefined;
  readonly running: boolean;
  readonly stage: NextRuns["stage"] | undefined;
  /** Runs of the stage, and how many of them are done. */
  readonly total: number;
  readonly done: number;
  readonly found: WhichFound | undefined;
  /** Why there is no answer, or no whole one. */
  readonly failed: string | undefined;
}

export const NO_ASKING: Asking = {
  nth: 0,
  asked: undefined,
  running: false,
  stage: undefined,
  total: 0,
  done: 0,
  found: undefined,
  failed: undefined,
};

export type WhichAction =
  /** The window is asked for. */
  | { readonly type: "which_wanted" }
  /** The window opened; `form`: what it shows, undefined for what was typed. */
  | {
      readonly type: "which_opened";
      readonly entry: ScenarioEntry;
      readonly form: WhichForm | undefined;
    }
  | { readonly type: "which_closed" }
  | { readonly type: "which_typed"; readonly form: WhichForm }
  | { readonly type: "which_asked"; readonly asked: WhichAsked }
  | {
      readonly type: "which_stage";
      readonly nth: number;
      readonly stage: NextRuns["stage"];
      readonly runs: number;
    }
  | { readonly type: "which_ran"; readonly nth: number; readonly runs: number }
  /** What is known, at the end or at each stage's. */
  | { readonly type: "which_found"; readonly nth: number; readonly found: WhichFound }
  | { readonly type: "which_failed"; readonly nth: number; readonly words: string }
  /** It came to its end by itself. */
  | { readonly type: "which_ended"; readonly nth: number }
  /** The viewer stops it; what is known stays. */
  | { readonly type: "which_stopped" };
