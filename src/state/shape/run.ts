// A run on a side: its status, what is drawn of it, and what is remembered of the runs before it.

import type { RunReport, RunMeta, ScenarioError } from "../../engine/gen/types.ts";
import type { Blame, Reached, RunRequest } from "../../engine/protocol.ts";
import type { TraceStore } from "../../model/index.ts";
import type { Side } from "../../scenario/sides.ts";

/**
 * The status of a side's latest run. A scenario error and a fault leave the previous run on screen.
 */
export type RunStatus =
  | { readonly kind: "waiting" }
  /**
   * `shareDone`: of the way to the run's end or its nearest limit, hundredths of a per cent.
   * `last`: where the engine reported the run before.
   */
  | { readonly kind: "computing"; readonly shareDone: number; readonly last?: Reached | undefined }
  | { readonly kind: "finished" }
  /** `limit`: a limit's name in the engine, or `OTHER_SIDE` where the other side met one. */
  | { readonly kind: "limit"; readonly limit: string }
  | { readonly kind: "cancelled" }
  | { readonly kind: "scenario_error"; readonly error: ScenarioError }
  | {
      readonly kind: "fault";
      readonly message: string;
      readonly replay: string;
      readonly blame: Blame;
    };

/** A run that is, or was, on screen. */
export interface Run {
  /** Number of the request it answers. */
  readonly id: number;
  readonly request: RunRequest;
  readonly meta: RunMeta;
  readonly trace: TraceStore;
  /** `trace.version` when this value was made. */
  readonly version: number;
  readonly simulatedNs: number;
  readonly report: RunReport | undefined;
}

export interface SideState {
  readonly status: RunStatus;
  /** Number of the latest request. */
  readonly runId: number;
  /** What is drawn. */
  readonly shown: Run | undefined;
  /** The latest run, until it has something to draw. */
  readonly coming: Run | undefined;
  /** What the engine says the latest run came to, until all its rows are here as well. */
  readonly reported?: RunReport | undefined;
  /** The last finished report of this scenario: its numbers stay as ghosts until new ones come. */
  readonly last: RunReport | undefined;
  /**
   * The last run that was shown and done when another was asked for: what a write to it was made
   * from.
   */
  readonly before: Ended | undefined;
  /** The finished run of other knobs that the side showed before. */
  readonly previous?: Previous;
}

export const EMPTY_SIDE: SideState = {
  status: { kind: "waiting" },
  runId: 0,
  shown: undefined,
  coming: undefined,
  last: undefined,
  before: undefined,
};

/** A finished run that has left the screen. */
export interface Previous {
  readonly request: RunRequest;
  readonly meta: RunMeta;
  readonly report: RunReport;
  /** Undefined: only its figures are kept. */
  readonly trace: TraceStore | undefined;
}

/** A run that has come to its end: what a branch is made of. */
export interface Ended {
  readonly request: RunRequest;
  readonly report: RunReport;
}

/** A CPU of a side. */
export interface Track {
  readonly side: Side;
  readonly cpu: number;
}
