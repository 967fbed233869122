// A strip: the third or fourth run, below A and B, and the actions that change it.

import type { RunRequest } from "../../engine/protocol.ts";
import type { Selection } from "../../model/trace/run-types.ts";
import type { Side } from "../../scenario/sides.ts";
import type { Run, RunStatus } from "./run.ts";

export interface Strip {
  /** The variant's name; of any length where a link said it. */
  readonly variant: string;
  /** All lanes are shown, not their mix alone. */
  readonly open: boolean;
  /** The status of the strip's latest run. */
  readonly status: RunStatus;
  /** The request that `status` speaks of; undefined: nothing was asked yet. */
  readonly asked: RunRequest | undefined;
  /** The latest run that came to an end; a newer one may be on its way. */
  readonly run: Run | undefined;
}

export type StripAction =
  | { readonly type: "strip_added"; readonly variant: string }
  | { readonly type: "strip_chosen"; readonly index: number; readonly variant: string }
  | { readonly type: "strip_removed"; readonly index: number }
  | { readonly type: "strip_toggled"; readonly index: number }
  /**
   * A wake-up of a strip's run is selected: on the side that has it too, by its due time, the one
   * in focus first.
   */
  | { readonly type: "strip_picked"; readonly index: number; readonly selection: Selection }
  /**
   * A variant becomes the side's, with nothing but what both sides share. `strip`: of that strip;
   * what the side showed becomes the strip's, if it is a variant.
   */
  | {
      readonly type: "variant_taken";
      readonly variant: string;
      readonly side: Side;
      readonly strip?: number;
    }
  /**
   * What the engine says of a request; it is for the strips that want just that. `run`: it came to
   * an end.
   */
  | {
      readonly type: "strip_advanced";
      readonly asked: RunRequest;
      readonly status: RunStatus;
      readonly run?: Run;
    };
