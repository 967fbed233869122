// The state of the run of one side, what can happen to the run, and what is then to be done: as
// data. It must not know the store, an engine or the clock.

import type { RunReport } from "../../engine/gen/types.ts";
import type { RunRequest } from "../../engine/protocol.ts";
import type { Side } from "../../scenario/sides.ts";
import type { RunAction } from "../shape/actions.ts";
import type { Run } from "../shape/run.ts";

/** A run that came to its own end, and can be shown without an engine. */
export type EndedRun = Run & { readonly report: RunReport };

interface Common {
  readonly side: Side;
  /** Number of the latest request; answers to another one are not for this run. */
  readonly run: number;
  /** Where the side stops because a limit ended the other side there, ns. */
  readonly endNs: number | undefined;
  /** A slider moves, and the side waits a moment before it starts. */
  readonly resting: boolean;
}

interface Asked extends Common {
  readonly asked: RunRequest;
}

interface Reached extends Asked {
  /** Machine time that the run came to, ns. */
  readonly reachedNs: number;
}

export type SideRun =
  /** Nothing on screen is of this side's scenario. */
  | (Common & { readonly kind: "idle" })
  /** Asked for; not yet known whether an engine has to compute it. `busy`: one computes another. */
  | (Asked & { readonly kind: "prepared"; readonly busy: boolean })
  | (Asked & { readonly kind: "running" })
  /** A kept run is shown. */
  | (Reached & { readonly kind: "adopted" })
  /** The engine came to the run's own end. */
  | (Reached & { readonly kind: "finished" })
  /** A limit of its own ended it. */
  | (Reached & { readonly kind: "limited" })
  /** It ended where a limit ended the other side. */
  | (Reached & { readonly kind: "levelled" })
  /** The engine does not take the scenario. */
  | (Asked & { readonly kind: "refused" })
  | (Asked & { readonly kind: "faulted" })
  | (Asked & { readonly kind: "cancelled" });

export type SideEvent =
  /** Something changed that requests are made of, or that decides when they are sent. */
  | { readonly kind: "changed" }
  /** Another scenario or link was opened. */
  | { readonly kind: "left" }
  /** The timer of a moving slider is through. */
  | { readonly kind: "rested" }
  /** The viewer asks for the same run once more. */
  | { readonly kind: "again" }
  /** The viewer stops the run. */
  | { readonly kind: "stopped" }
  /** The other side starts anew: what had ended this one early does so no more. */
  | { readonly kind: "freed" }
  /** A limit of its own ended the other side there. */
  | { readonly kind: "level"; readonly atNs: number }
  /** Answers to `look_up`: the run is kept; it is being computed ahead; neither. */
  | { readonly kind: "kept"; readonly found: EndedRun }
  | { readonly kind: "under_way"; readonly foreseen: RunReport | undefined }
  | { readonly kind: "unknown"; readonly foreseen: RunReport | undefined }
  /** What the engine says of a run: the machine is known, rows came, the report is known. */
  | (Heard & { readonly kind: "begun" })
  | (Heard & { readonly kind: "grew" })
  | (Heard & { readonly kind: "reported" })
  /** The run's end. `limit`: what ended it early, if anything did. */
  | {
      readonly kind: "ended";
      readonly run: number;
      readonly report: RunReport;
      readonly limit: string | undefined;
    }
  | (Heard & { readonly kind: "refused" })
  | (Heard & { readonly kind: "faulted" });

interface Heard {
  readonly run: number;
  /** The action that says this to the page's state. */
  readonly action: RunAction;
}

/** What is to be done, in order. */
export type SideCommand =
  | { readonly type: "dispatch"; readonly action: RunAction }
  | { readonly type: "tell_other"; readonly event: SideEvent }
  | { readonly type: "set_timer" }
  | { readonly type: "clear_timer" }
  /** Nothing more is heard of the run before. */
  | { readonly type: "drop_answers" }
  /** Looks for the run among kept ones and those under way; the answer is an event. */
  | { readonly type: "look_up"; readonly request: RunRequest }
  /** The engine that computes the run ahead is from now on this side's. */
  | { readonly type: "take_over"; readonly run: number; readonly request: RunRequest }
  | { readonly type: "start_engine"; readonly run: number; readonly request: RunRequest }
  | { readonly type: "cancel_engine" };

export interface SideStep {
  readonly state: SideRun;
  readonly commands: readonly SideCommand[];
}

/** What else decides. */
export interface Around {
  readonly other: SideRun;
  /** What each side would ask for now; undefined while nothing may be computed. */
  readonly wanted: RunRequest | undefined;
  readonly otherWanted: RunRequest | undefined;
  /** A slider is being dragged. */
  readonly dragging: boolean;
}

export function idleSide(side: Side, run: number): SideRun {
  return { kind: "idle", side, run, endNs: undefined, resting: false };
}
