// The answer to "Which change did it?" as the bisector module, the command and the Python package
// give it: `schedscope.bisect/1`. Whole numbers only; docs/use/command-line.md has every key.

import type { KnobValue } from "./gen/types.ts";

/** A mean and its interval, in thousandths of the metric's unit. */
export interface Effect {
  readonly mean_thousandths: number;
  readonly low_thousandths: number;
  readonly high_thousandths: number;
  readonly seeds: number;
}

/** A figure of each seed, and its mean; no mean of fewer than two. */
export interface Series {
  readonly of_seeds: readonly (number | null)[];
  readonly effect: Effect | null;
}

/** How a change is put into a release, or left out of it. */
export interface Trial {
  readonly set: Readonly<Record<string, KnobValue>>;
  /** The command that opens both runs. */
  readonly compare: string;
}

/** A change, or two that work together. */
export interface RankedChange {
  readonly changes: readonly string[];
  readonly clear: boolean;
  /** Null where the releases do not differ. */
  readonly share_thousandths: number | null;
  readonly effect: Effect;
  readonly alone: Effect | null;
  readonly without: Effect | null;
  readonly from_with_it: Trial | null;
  readonly to_without_it: Trial | null;
}

/** A step of a row between the two releases. */
export interface ChangeStep {
  readonly came: string;
  readonly release: string;
  readonly stable?: readonly string[];
  readonly source: string;
  readonly says: string;
  readonly seen: string;
  readonly back: string;
}

/** Why a release cannot have the other's value. */
export interface Refused {
  readonly refused: string;
}

export interface TriedChange {
  readonly name: string;
  readonly values: readonly [from: KnobValue, to: KnobValue];
  readonly steps: readonly ChangeStep[] | null;
  /** By itself; null while it was not tried. */
  readonly alone: Series | Refused | null;
  readonly without: Series | Refused | null;
}

export interface BisectObject {
  readonly schema: "schedscope.bisect/1";
  readonly scenario: string;
  readonly complete: boolean;
  readonly from: string;
  readonly to: string;
  readonly metric: string;
  readonly seeds: readonly number[];
  readonly runs: number;
  readonly differs: boolean;
  /** The releases do not differ, and changes that move the figure work against each other. */
  readonly cancels: boolean;
  readonly same_schedule: boolean;
  readonly one_schedule: readonly [from: boolean, to: boolean];
  readonly figures: { readonly from: Series; readonly to: Series; readonly difference: Series };
  readonly ranking: readonly RankedChange[];
  readonly unexplained: Effect | null;
  readonly together: Effect | null;
  readonly pairs_tried: number;
  readonly changes: readonly TriedChange[];
  readonly figure_unchanged: readonly string[];
  readonly unfinished: readonly string[];
  readonly no_effect: readonly string[];
  readonly refused: Readonly<Record<string, string>>;
  readonly stated: readonly string[];
  readonly alike: readonly string[];
  readonly not_stated_by_themselves: readonly { readonly name: string }[];
  readonly not_modelled: number;
}
