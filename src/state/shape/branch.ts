// A branch: one history of a run, made by writes to the running kernel.

import type { Change } from "../../engine/protocol.ts";
import type { KnobSet } from "../../scenario/knob-sets.ts";

/** One history: a machine and its programs, and what was written on the way. */
export interface Branch {
  /** Counts from 1, and is given once. */
  readonly id: number;
  /** The scenario's text it belongs to. */
  readonly text: string;
  /** What is laid over it. */
  readonly set: KnobSet;
  /** In order of time; empty in the history without a write. */
  readonly changes: readonly Change[];
  /**
   * The branch it was made from, by number; undefined for one that came from a link, or whose
   * parent is gone.
   */
  readonly parent: number | undefined;
  /** The first instant at which it may differ from its parent, ns; undefined without one. */
  readonly fromNs: number | undefined;
  /** One for each of the scenario's headline words; undefined where the run has no such figure. */
  readonly figures: readonly (number | undefined)[];
  /**
   * How far its figures reach, ns, where a limit ended the run before its time; undefined: they are
   * of the whole run.
   */
  readonly onlyToNs: number | undefined;
  /** Counts up with every run that ends: when this branch was on screen last. */
  readonly usedAt: number;
}

export interface Branches {
  /** In order of their numbers. */
  readonly list: readonly Branch[];
  /** Given last. */
  readonly lastId: number;
  /** The number of the branch that was removed last, because there were too many. */
  readonly goneId?: number;
}
