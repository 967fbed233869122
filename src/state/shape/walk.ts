// A walk along causes: from an event to one of its causes, and on to the causes of that one.

import type { Cause } from "../../model/causes/causes.ts";
import type { Side } from "../../scenario/sides.ts";
import type { Track } from "./run.ts";

/** One step of the way, with the way to it. */
export interface Walk {
  readonly side: Side;
  /** Number of the run whose rows these are. */
  readonly runId: number;
  /**
   * The causes of the event where the viewer was before; the viewer is at one of them. Never empty.
   */
  readonly causes: readonly Cause[];
  readonly chosen: number;
  /** The trace names no cause of this one. */
  readonly ends: boolean;
  /** The step before, or where the way began. */
  readonly before: Walk | Start;
}

/** Where a way began: an instant, or an event that one had stepped to. */
export interface Start {
  readonly ns: number;
  readonly event: boolean;
  /** The CPU whose event that is; undefined: of any CPU. */
  readonly on: Track | undefined;
}
