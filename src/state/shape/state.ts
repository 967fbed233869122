// Everything the page knows, as one value. Derived things are selectors; big things (trace columns)
// are held by reference, and their version shows that they changed. It must not know of workers,
// the address bar or React.

import type { RunMeta, ScenarioEntry } from "../../engine/gen/types.ts";
import type { Area, Markers, Selection, Viewport } from "../../model/trace/run-types.ts";
import type { Branches } from "./branch.ts";
import type { Strip } from "./strip.ts";
import type { Walk } from "./walk.ts";
import type { ShippedFigures } from "./known-run.ts";
import { NO_KNOBS, type KnobSets } from "../../scenario/knob-sets.ts";
import type { LinkExpectation, LinkProblem } from "../../links/link-types.ts";
import { NO_STEP, type StepState } from "./step-state.ts";
import { perSide, type PerSide, type Side } from "../../scenario/sides.ts";
import { type SideState, EMPTY_SIDE } from "./run.ts";
import type { Track } from "./run.ts";
import {
  NO_LIMIT,
  NO_SWEEPING,
  NO_WINDOW,
  type LimitState,
  type Sweeping,
  type SweepWindow,
} from "./sweep.ts";
import { NO_ASKING, NO_WHICH_WINDOW, type Asking, type WhichWindow } from "./which.ts";

export type ThemeName = "dark" | "light" | "projector";
export const THEMES: readonly ThemeName[] = ["dark", "light", "projector"];

/**
 * Whether the lab is shown in place of the guided page, and why: `kept` by this browser, or because
 * of what a link carries; `linked` because a link says so; `asked` by a press. `never` is the frame
 * of an embed, a talk or a lesson, which has no lab.
 */
export type LabChoice = "no" | "kept" | "linked" | "asked" | "never";

/** Where the page is: the front page, a shipped scenario, or the viewer's own. */
export type Route = "home" | "preset" | "own";

/** A knob the page turned by itself. */
export interface Moved {
  readonly path: string;
  readonly where: Side | "both";
  /** What it said before; undefined if it followed the version. */
  readonly from: string | undefined;
  readonly to: string;
  readonly why: string;
}

/** What undo or redo goes to: what is computed there. */
export interface UndoStep {
  readonly route: Route;
  readonly entry: ScenarioEntry;
  readonly knobs: KnobSets;
  readonly moreRecords: boolean;
  /** Variants of the strips. */
  readonly strips: readonly string[];
  /** The open step of the story that this text has. */
  readonly step: StepState;
  /** A and B exchange on the way there: the selected wake-up goes with its run. */
  readonly swaps: boolean;
}

export interface Undo {
  readonly past: readonly UndoStep[];
  readonly future: readonly UndoStep[];
  /** A slider is being dragged: its further values belong to the step already taken. */
  readonly open: boolean;
}

export interface Playback {
  readonly playing: boolean;
  /**
   * Machine time per second of wall time that the viewer or a step chose, ns; undefined = by the
   * view (`speedOf`).
   */
  readonly chosenNsPerSecond: number | undefined;
  /** Where a step chose it: how wide the step's view is, ns. It holds for views as wide. */
  readonly speedForNs: number | undefined;
  /**
   * The view is played again and again; else the playhead goes on, and the view turns its page
   * after it.
   */
  readonly looping: boolean;
  /** A step's way to its answer: played once, then it stops. */
  readonly part: PlayedPart | undefined;
  /** All steps play one after another, again and again. */
  readonly touring: boolean;
}

/** Played from its beginning to its end, ns, and what of it plays slowly. */
export interface PlayedPart extends Viewport {
  readonly slow: readonly Viewport[];
  /** What the step is about: the silence between is skipped. Undefined: all of it. */
  readonly subject?: "kick" | undefined;
}

export interface State {
  readonly route: Route;
  readonly entry: ScenarioEntry;
  /**
   * The entry whose text the engine took last: what the page goes on showing while another text is
   * refused.
   */
  readonly taken: ScenarioEntry | undefined;
  readonly knobs: KnobSets;
  /** Knobs shown once per side although both have the same value. */
  readonly split: readonly string[];
  readonly undo: Undo;
  /** Histories that were written to, of this session. */
  readonly branches: Branches;
  /** The knob turned last. */
  readonly turned: string | undefined;
  /** Knobs that had to follow the turned one, because their former value is not available any more. */
  readonly moved: readonly Moved[];
  /** The runs that were there before the last change of a knob. */
  readonly metaBefore: PerSide<RunMeta | undefined> | undefined;
  /** What shipped scenarios are known to give; undefined until it is loaded. */
  readonly figures: ShippedFigures | undefined;
  /** Counts settled changes; the address bar makes a history entry for each. */
  readonly commits: number;
  readonly sides: PerSide<SideState>;
  /** The viewer lets runs of this scenario have `MORE_RECORDS`. */
  readonly moreRecords: boolean;
  /** The third and fourth run, below A and B. */
  readonly strips: readonly Strip[];
  readonly ghost: GhostMode;
  /** undefined = the page chooses. */
  readonly viewport: Viewport | undefined;
  /**
   * What the page chose once both first runs were done: the first step, or the deepest queue. It
   * stays when knobs are turned.
   */
  readonly firstViewport: Viewport | undefined;
  /** Which of the scenario's steps is open. */
  readonly step: StepState;
  /** Task kind the latency panel shows; undefined = the first there is. */
  readonly latencyKind: string | undefined;
  /** The lock the viewer asked to see, by its name; until a step is opened. */
  readonly lockShown: string | undefined;
  readonly playheadNs: number;
  readonly playback: Playback;
  /**
   * The event that was stepped to last; a sentence says what happens there as long as the playhead
   * is there.
   */
  readonly eventNs: number | undefined;
  /** The CPU whose event that is; undefined: of any CPU of both sides. */
  readonly eventOn: Track | undefined;
  /** The way along causes that led to that event; undefined: it was reached otherwise. */
  readonly walk: Walk | undefined;
  readonly selection: Selection | undefined;
  /**
   * The side on which the selection's number counts; the other side shows the partner by due time.
   */
  readonly selectedOn: Side;
  /** Selected on a strip of this variant, where neither side has a partner of it. */
  readonly picked: { readonly variant: string; readonly selection: Selection } | undefined;
  /** Said of what the viewer asked for and is not there, until the viewer goes elsewhere. */
  readonly reply: string | undefined;
  /** The stretch of time and the CPUs whose sums are shown, on both sides. */
  readonly area: Area | undefined;
  /** How the lanes are arranged: a text of links (`LANES_FORM`), read by the timeline. */
  readonly lanes: string;
  /** Two instants to measure between. */
  readonly markers: Markers;
  /** The CPU that was pointed at or focused last; undefined: the selected wake-up's. */
  readonly track: Track | undefined;
  /** Areas chosen since the page was opened: the first comes with a hint. */
  readonly areasMade: number;
  /** What a plain drag on the lanes does. */
  readonly drag: Drag;
  /** Keys of one letter or sign act. */
  readonly letters: boolean;
  /** The side the latency keys work on, and the one shown where there is room for one. */
  readonly focus: Side;
  readonly onlyOneSide: boolean;
  /** A over B, or A left of B: many rows, a short stretch. */
  readonly layout: "stacked" | "beside";
  readonly lab: LabChoice;
  /**
   * By step (`betKey`), the words that were bet in this session, "" for a bet that was passed over;
   * undefined: the page asks for no bets.
   */
  readonly bets: Readonly<Record<string, string>> | undefined;
  readonly theme: ThemeName;
  /** The theme to go back to from the projector's. */
  readonly themeBefore: ThemeName;
  readonly sweep: SweepWindow;
  readonly sweeping: Sweeping;
  readonly limit: LimitState;
  readonly which: WhichWindow;
  readonly asking: Asking;
  /** Link fields that this page does not understand; kept and written again. */
  readonly unknownFields: readonly (readonly [key: string, value: string])[];
  /** What the opened link says its sender saw. */
  readonly expectation: LinkExpectation | undefined;
  /** A link that could not be read: nothing else is opened in its place. */
  readonly linkProblem: LinkProblem | undefined;
  /** Remarks on the opened link: ignored fields, an upgraded version. */
  readonly linkNotes: readonly string[];
}

/** `themeBefore`: what the projector's theme gives way to. */
export function initialState(entry: ScenarioEntry, theme: ThemeName, themeBefore = theme): State {
  return {
    route: "home",
    entry,
    taken: undefined,
    knobs: NO_KNOBS,
    split: [],
    undo: { past: [], future: [], open: false },
    branches: { list: [], lastId: 0 },
    turned: undefined,
    moved: [],
    metaBefore: undefined,
    figures: undefined,
    commits: 0,
    sides: perSide(() => EMPTY_SIDE),
    moreRecords: false,
    strips: [],
    ghost: "off",
    viewport: undefined,
    firstViewport: undefined,
    step: NO_STEP,
    latencyKind: undefined,
    lockShown: undefined,
    playheadNs: 0,
    playback: {
      playing: false,
      chosenNsPerSecond: undefined,
      speedForNs: undefined,
      looping: true,
      part: undefined,
      touring: false,
    },
    eventNs: undefined,
    eventOn: undefined,
    walk: undefined,
    selection: undefined,
    selectedOn: "a",
    picked: undefined,
    reply: undefined,
    area: undefined,
    lanes: "",
    markers: {},
    track: undefined,
    areasMade: 0,
    drag: "area",
    letters: true,
    focus: "a",
    onlyOneSide: false,
    layout: "stacked",
    lab: "no",
    bets: undefined,
    theme,
    themeBefore,
    sweep: NO_WINDOW,
    sweeping: NO_SWEEPING,
    limit: NO_LIMIT,
    which: NO_WHICH_WINDOW,
    asking: NO_ASKING,
    unknownFields: [],
    expectation: undefined,
    linkProblem: undefined,
    linkNotes: [],
  };
}

/** `before`: each side's previous run lies under its lanes; `other`: A's run lies under B's. */
export type GhostMode = "off" | "before" | "other";

/** `area` selects, and Shift+drag pans; `pan` is the other way round. Touch always pans. */
export type Drag = "area" | "pan";
