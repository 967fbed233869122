// Everything that can happen to the page, as one union. Names say what happened, not what should be
// done about it.

import type {
  KnobValue,
  RunReport,
  RunMeta,
  ScenarioEntry,
  ScenarioError,
} from "../../engine/gen/types.ts";
import type { Blame, RunRequest } from "../../engine/protocol.ts";
import type { TraceStore } from "../../model/index.ts";
import type { StripAction } from "./strip.ts";
import type { Area, Markers, Selection, Viewport } from "../../model/trace/run-types.ts";
import type { Branches } from "./branch.ts";
import type { Walk } from "./walk.ts";
import type { ShippedFigures } from "./known-run.ts";
import type { KnobSets, LiveChange, Where } from "../../scenario/knob-sets.ts";
import type { Opened } from "./opened.ts";
import type { LinkProblem } from "../../links/link-types.ts";
import type { Side } from "../../scenario/sides.ts";
import type { Route, ThemeName, GhostMode, Drag } from "./state.ts";
import type { Track } from "./run.ts";
import type { LimitAction, SweepAction } from "./sweep.ts";
import type { WhichAction } from "./which.ts";

/** `settled: false` while a slider is dragged. */
export type KnobAction =
  | {
      readonly type: "knob_set";
      readonly where: Where;
      readonly path: string;
      readonly value: KnobValue;
      readonly settled: boolean;
    }
  | { readonly type: "knob_settled" }
  /** A live knob, from an instant on. */
  | { readonly type: "knob_live_set"; readonly change: LiveChange }
  | { readonly type: "knob_live_dropped"; readonly change: LiveChange }
  | { readonly type: "knob_split"; readonly path: string }
  | { readonly type: "knob_joined"; readonly path: string; readonly value: KnobValue }
  | { readonly type: "knob_reset"; readonly path: string }
  /** By its name in the scenario. */
  | { readonly type: "variant_chosen"; readonly side: Side; readonly name: string }
  /** A and B exchange what they run. */
  | { readonly type: "sides_swapped" }
  /** A branch was put on a side: the knobs of both sides with it. */
  | { readonly type: "branch_shown"; readonly knobs: KnobSets }
  | { readonly type: "branches_changed"; readonly branches: Branches }
  /** All knobs at once: the scenario as shipped, changed so. */
  | { readonly type: "knobs_tried"; readonly knobs: KnobSets }
  | { readonly type: "undone" }
  | { readonly type: "redone" };

/** What the engine of a side says. Answers to older requests are ignored. */
export type RunAction =
  | { readonly type: "run_requested"; readonly side: Side; readonly run: number }
  | {
      readonly type: "run_meta";
      readonly side: Side;
      readonly run: number;
      readonly request: RunRequest;
      readonly meta: RunMeta;
      readonly trace: TraceStore;
    }
  | {
      readonly type: "run_grew";
      readonly side: Side;
      readonly run: number;
      readonly simulatedNs: number;
      readonly shareDone: number;
      readonly version: number;
    }
  | {
      readonly type: "run_reported";
      readonly side: Side;
      readonly run: number;
      readonly report: RunReport;
    }
  | {
      readonly type: "run_finished";
      readonly side: Side;
      readonly run: number;
      readonly report: RunReport;
      readonly limit: string | undefined;
    }
  | {
      readonly type: "run_refused";
      readonly side: Side;
      readonly run: number;
      readonly error: ScenarioError;
    }
  | {
      readonly type: "run_faulted";
      readonly side: Side;
      readonly run: number;
      readonly message: string;
      readonly replay: string;
      readonly blame: Blame;
    }
  | { readonly type: "run_cancelled"; readonly side: Side };

export type ViewAction =
  | {
      readonly type: "viewport_set";
      readonly viewport: Viewport | undefined;
      readonly settled: boolean;
    }
  | { readonly type: "playhead_set"; readonly ns: number }
  | { readonly type: "played" }
  | { readonly type: "paused" }
  /** undefined: by the view again. */
  | { readonly type: "speed_set"; readonly nsPerSecond: number | undefined }
  /** To an event of either side: a sentence says what happens there. */
  | {
      readonly type: "event_reached";
      readonly ns: number;
      readonly on?: Track | undefined;
      readonly walk?: Walk | undefined;
    }
  | { readonly type: "loop_toggled" }
  /** Wall time went by while playing. */
  | { readonly type: "time_passed"; readonly seconds: number }
  | { readonly type: "selected"; readonly selection: Selection; readonly side: Side }
  | { readonly type: "selection_cleared" }
  /** What the viewer asked for is not there: a sentence about it. */
  | { readonly type: "replied"; readonly words: string }
  | { readonly type: "latency_kind_set"; readonly kind: string | undefined }
  /** `chosen`: by the switch that shows one side or the other, so that links say it. */
  | { readonly type: "side_focused"; readonly side: Side; readonly chosen?: true }
  /** The lock lane shows this lock, by its name. */
  | { readonly type: "lock_shown"; readonly name: string }
  | { readonly type: "one_side_toggled" }
  /** A beside B, or A over B again; both are shown. */
  | { readonly type: "beside_toggled" }
  /** Off where it is on already. */
  | { readonly type: "ghost_toggled"; readonly mode: Exclude<GhostMode, "off"> }
  /** From the guided page to the lab, or back. */
  | { readonly type: "lab_toggled" }
  | { readonly type: "theme_set"; readonly theme: ThemeName }
  /** To the projector's theme, or back to the one before it. */
  | { readonly type: "projector_toggled" };

export type StepAction =
  /** To a step of the scenario, by its number from 0. */
  | { readonly type: "step_opened"; readonly index: number }
  /** All steps play, from the first. */
  | { readonly type: "tour_started" }
  /** The next step of the tour; after the last one the first. */
  | { readonly type: "tour_moved" }
  /** The open step plays up to its answer. */
  | { readonly type: "step_played" }
  /** A bet on the open step, in words; "" passes it over. */
  | { readonly type: "bet_made"; readonly words: string }
  /** The open step shows its answer and does not play. */
  | { readonly type: "step_shown" };

/** What is laid over the picture by hand. */
export type CraftAction =
  | { readonly type: "area_set"; readonly area: Area }
  | { readonly type: "area_cleared" }
  | { readonly type: "lanes_set"; readonly lanes: string }
  | { readonly type: "marker_set"; readonly which: keyof Markers; readonly ns: number }
  | { readonly type: "markers_cleared" }
  /** A CPU's lane, by pointer or focus. */
  | { readonly type: "track_pointed"; readonly track: Track }
  | { readonly type: "drag_set"; readonly drag: Drag }
  | { readonly type: "letters_set"; readonly on: boolean };

export type PlaceAction =
  /** A link or a scenario was opened: everything but the theme starts anew. */
  | { readonly type: "opened"; readonly route: Route; readonly opened: Opened }
  /** Back or forward to another state of the same scenario: runs and picture stay. */
  | { readonly type: "returned"; readonly route: Route; readonly opened: Opened }
  | { readonly type: "link_refused"; readonly problem: LinkProblem }
  /** The viewer's own scenario changed. */
  | { readonly type: "scenario_written"; readonly entry: ScenarioEntry }
  /** The viewer gives the runs of this scenario more memory. */
  | { readonly type: "more_records_allowed" }
  | { readonly type: "figures_came"; readonly figures: ShippedFigures }
  | { readonly type: "link_notes_dismissed" }
  | { readonly type: "expectation_dismissed" };

export type Action =
  | KnobAction
  | RunAction
  | StripAction
  | ViewAction
  | StepAction
  | CraftAction
  | PlaceAction
  | SweepAction
  | LimitAction
  | WhichAction;
