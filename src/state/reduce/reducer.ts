// The one function that makes the next state. Pure: same state and action, same answer.

import { assertUnreachable } from "../../lib/unreachable.ts";
import type { Action, CraftAction, PlaceAction, StepAction, ViewAction } from "../shape/actions.ts";
import { withinMemory } from "../compare/ghost.ts";
import { reduceStrips } from "./reduce-strips.ts";
import { selectedOn } from "../select/selection.ts";
import { stripsOf } from "../compare/strips.ts";
import { reduceCraft } from "./reduce-overlays.ts";
import { reduceKnob } from "./reduce-knobs.ts";
import type { Opened } from "../shape/opened.ts";
import { reduceRun } from "./reduce-runs.ts";
import { advanced, played } from "./advance.ts";
import { endNs, isAsWide, requestFor, sameRequest, shownViewport } from "../select/selectors.ts";
import { perSide, SIDES } from "../../scenario/sides.ts";
import { initialState, type State, type ThemeName } from "../shape/state.ts";
import { firstStep, linkedStep, lookAnew, reduceStep, settleStep } from "./reduce-steps.ts";
import { sideOfStep } from "../../scenario/step.ts";
import { isAnother } from "../../scenario/viewer-scenario.ts";
import { withHistory } from "./undo.ts";
import { reduceLimit } from "./reduce-limit.ts";
import { reduceSweep, windowAt } from "./reduce-sweep.ts";
import { isWhich, reduceWhich, whichAt } from "./reduce-which.ts";

export function reduce(state: State, action: Action): State {
  const next = withinMemory(reduced(state, action));
  // A run that comes in moves the playhead of its step; the viewer still reads the reply.
  return action.type.startsWith("run_") ? next : withoutOldReply(state, next);
}

/** What a reply is about: once one of these changes, the viewer no longer waits for the reply. */
const REPLIED_ABOUT = ["selection", "playheadNs", "focus", "knobs", "entry", "lanes"] as const;

function withoutOldReply(before: State, state: State): State {
  const keeps =
    state.reply !== before.reply || REPLIED_ABOUT.every((key) => state[key] === before[key]);
  return state.reply === undefined || keeps ? state : { ...state, reply: undefined };
}

function reduced(state: State, action: Action): State {
  if (isWhich(action)) return reduceWhich(state, action);
  switch (action.type) {
    case "knob_set":
    case "knob_settled":
    case "knob_live_set":
    case "knob_live_dropped":
    case "knob_split":
    case "knob_joined":
    case "knob_reset":
    case "variant_chosen":
    case "sides_swapped":
    case "branch_shown":
    case "branches_changed":
    case "knobs_tried":
    case "undone":
    case "redone":
      return reduceKnob(state, action);
    case "run_requested":
    case "run_meta":
    case "run_grew":
    case "run_reported":
    case "run_finished":
    case "run_refused":
    case "run_faulted":
    case "run_cancelled":
      return reduceRun(state, action);
    case "strip_added":
    case "strip_chosen":
    case "strip_removed":
    case "strip_toggled":
    case "strip_picked":
    case "variant_taken":
    case "strip_advanced":
      return reduceStrips(state, action);
    case "sweep_opened":
    case "sweep_closed":
    case "sweep_filled":
    case "sweep_typed":
    case "search_typed":
    case "sweep_started":
    case "sweep_heard":
    case "search_started":
    case "search_tries":
    case "search_ran":
    case "search_found":
    case "sweep_ended":
    case "sweep_stopped":
      return reduceSweep(state, action);
    case "limit_typed":
    case "limit_asked":
    case "limit_ran":
    case "limit_found":
    case "limit_ended":
    case "limit_stopped":
      return { ...state, limit: reduceLimit(state.limit, action) };
    default:
      return reduceShown(state, action);
  }
}

/** What changes neither knobs nor runs. */
function reduceShown(
  state: State,
  action: PlaceAction | CraftAction | StepAction | ViewAction,
): State {
  switch (action.type) {
    case "opened":
    case "returned":
    case "link_refused":
    case "scenario_written":
    case "more_records_allowed":
    case "figures_came":
    case "link_notes_dismissed":
    case "expectation_dismissed":
      return reducePlace(state, action);
    case "area_set":
    case "area_cleared":
    case "lanes_set":
    case "marker_set":
    case "markers_cleared":
    case "track_pointed":
    case "drag_set":
    case "letters_set":
      return reduceCraft(state, action);
    case "step_opened":
    case "step_played":
    case "step_shown":
    case "bet_made":
    case "tour_started":
    case "tour_moved":
      return reduceStep(state, action);
    case "viewport_set":
    case "playhead_set":
    case "played":
    case "paused":
    case "event_reached":
    case "speed_set":
    case "loop_toggled":
    case "time_passed":
    case "selected":
    case "selection_cleared":
    case "replied":
    case "latency_kind_set":
    case "side_focused":
    case "lock_shown":
    case "one_side_toggled":
    case "beside_toggled":
    case "ghost_toggled":
    case "lab_toggled":
    case "theme_set":
    case "projector_toggled":
      return reduceView(state, action);
    default:
      return assertUnreachable(action);
  }
}

function reducePlace(state: State, action: PlaceAction): State {
  switch (action.type) {
    case "opened":
      return openedAs(state, action);
    case "returned":
      return returnedTo(state, action);
    case "link_refused":
      return {
        ...state,
        linkProblem: action.problem,
        playback: { ...state.playback, playing: false },
      };
    case "scenario_written":
      return withHistory(state, {
        ...state,
        ...viewOf(state, action.entry),
        route: "own",
        entry: action.entry,
        metaBefore: undefined,
        strips: stripsOf(
          { ...state, entry: action.entry },
          state.strips.map(({ variant }) => variant),
        ),
        linkProblem: undefined,
        expectation: undefined,
      });
    case "more_records_allowed":
      return withHistory(state, { ...state, moreRecords: true });
    case "figures_came":
      return { ...state, figures: action.figures };
    case "link_notes_dismissed":
      return { ...state, linkNotes: [] };
    case "expectation_dismissed":
      return { ...state, expectation: undefined };
    default:
      return assertUnreachable(action);
  }
}

/** Everything but what belongs to the viewer starts anew. */
function openedAs(state: State, action: Extract<PlaceAction, { readonly type: "opened" }>): State {
  const fresh = initialState(action.opened.entry, state.theme, state.themeBefore);
  const {
    entry,
    knobs,
    strips,
    viewport,
    selection,
    area,
    markers,
    lanes,
    side,
    only,
    beside,
    expectation,
    sweep,
    which,
    unknownFields,
    notes,
    lab,
  } = action.opened;
  const step = stepOf(action.opened);
  const playheadNs = action.opened.playheadNs ?? viewport?.fromNs ?? 0;
  return {
    ...fresh,
    route: action.route,
    entry,
    knobs,
    strips: stripsOf({ entry, strips: [] }, strips.names, strips.open),
    viewport,
    selection,
    area,
    markers,
    lanes,
    ...ofSession(state),
    expectation,
    sweep: windowAt(state.sweep, entry, sweep),
    which: whichAt(state.which, entry, which),
    unknownFields,
    linkNotes: notes,
    playheadNs,
    sides: keepRunning(state),
    onlyOneSide: only || state.onlyOneSide,
    focus: side ?? sideOfStep(entry, step.index),
    commits: state.commits,
    layout: beside ? "beside" : state.layout,
    lab: lab === "no" || state.lab === "never" ? state.lab : lab,
    step,
  };
}

/** Another address of the same scenario: what both addresses have stays on screen. */
function returnedTo(
  state: State,
  { route, opened }: Extract<PlaceAction, { readonly type: "returned" }>,
): State {
  const {
    knobs,
    strips,
    viewport,
    selection,
    area,
    markers,
    lanes,
    playheadNs,
    side,
    only,
    beside,
    sweep,
    which,
    unknownFields,
  } = opened;
  const others = SIDES.some(
    (each) => !sameRequest(requestFor(state, each), requestFor({ ...state, knobs }, each)),
  );
  const step = stepOf(opened);
  const next: State = {
    ...state,
    route,
    knobs,
    metaBefore: undefined,
    strips: stripsOf(state, strips.names, strips.open),
    viewport,
    selection,
    selectedOn: "a",
    picked: undefined,
    area,
    markers,
    lanes,
    playheadNs: playheadNs ?? viewport?.fromNs ?? state.playheadNs,
    onlyOneSide: only,
    focus: side ?? (others ? sideOfStep(state.entry, step.index) : state.focus),
    sweep: windowAt(state.sweep, state.entry, sweep),
    which: whichAt(state.which, state.entry, which),
    unknownFields,
    linkProblem: undefined,
    expectation: undefined,
    layout: beside ? "beside" : "stacked",
    // The first step's view stays as long as its runs do; in other runs the step finds its view
    // anew.
    step: { ...step, waiting: step.waiting && (others || opened.step !== undefined) },
  };
  return withHistory(state, others ? next : settleStep(next));
}

/** The step that a link opens on, with what the link states of what is chosen there. */
function stepOf({ entry, viewport, step, side, playheadNs: ns, selection }: Opened): State["step"] {
  const at = step === undefined ? firstStep({ entry, viewport }) : linkedStep({ viewport }, step);
  return { ...at, linked: at.waiting ? { side, ns, selection } : { side } };
}

/** What belongs to the viewer and to all scenarios, not to the one that was open. */
function ofSession({
  areasMade,
  drag,
  letters,
  ghost,
  branches,
  figures,
  sweeping,
  limit,
  asking,
  bets,
}: State): Partial<State> {
  return { areasMade, drag, letters, ghost, branches, figures, sweeping, limit, asking, bets };
}

/**
 * A text of one's own opens on its first step once. While it is edited the view stays, and is
 * another one than this text opens with: a link has to say it. Another scenario in its place is
 * looked at anew: its runs have nothing at the old instant.
 */
function viewOf(state: State, entry: State["entry"]): Partial<State> {
  if (isAnother(state.entry, entry))
    return lookAnew({ ...state, step: firstStep({ entry, viewport: undefined }) });
  const first = firstStep({ entry, viewport: state.viewport });
  const { firstViewport } = state;
  return {
    viewport: state.viewport ?? firstViewport,
    firstViewport,
    step: { ...first, waiting: first.waiting && firstViewport === undefined },
  };
}

/** Request numbers go on counting, so that answers to the scenario left behind stay stale. */
function keepRunning(state: State): State["sides"] {
  const nothing = {
    status: { kind: "waiting" },
    shown: undefined,
    coming: undefined,
    last: undefined,
    before: undefined,
  } as const;
  return perSide((side) => ({ ...nothing, runId: state.sides[side].runId }));
}

/**
 * The playback without a step's speed once the viewer has zoomed out of the step's view: at that
 * speed the wider view could take hours.
 */
function speedIn(state: State, viewport: State["viewport"]): State["playback"] {
  const { speedForNs } = state.playback;
  if (speedForNs === undefined || isAsWide(shownViewport({ ...state, viewport }), speedForNs))
    return state.playback;
  return { ...state.playback, chosenNsPerSecond: undefined, speedForNs: undefined };
}

function reduceView(state: State, action: ViewAction): State {
  switch (action.type) {
    case "viewport_set":
      return { ...state, viewport: action.viewport, playback: speedIn(state, action.viewport) };
    case "playhead_set":
      return { ...state, playheadNs: clamp(action.ns, endNs(state)) };
    case "event_reached":
      return {
        ...reduceView(reduceView(state, { type: "paused" }), {
          type: "playhead_set",
          ns: action.ns,
        }),
        eventNs: action.ns,
        eventOn: action.on,
        walk: action.walk,
      };
    case "played":
      return played(state);
    case "paused":
      return {
        ...state,
        playback: { ...state.playback, playing: false, part: undefined, touring: false },
      };
    case "loop_toggled":
      return { ...state, playback: { ...state.playback, looping: !state.playback.looping } };
    case "speed_set":
      return atSpeed(state, action.nsPerSecond);
    case "time_passed":
      return advanced(state, action.seconds);
    case "selected":
      return selectedOn(state, action.side, action.selection);
    case "selection_cleared":
      return (state.selection ?? state.picked) === undefined
        ? state
        : { ...state, selection: undefined, picked: undefined };
    case "replied":
      return { ...state, reply: action.words };
    case "latency_kind_set":
      return { ...state, latencyKind: action.kind };
    case "lock_shown":
      return { ...state, lockShown: action.name };
    case "side_focused":
      return {
        ...state,
        focus: action.side,
        step: action.chosen
          ? { ...state.step, linked: { ...state.step.linked, side: action.side } }
          : state.step,
      };
    case "one_side_toggled":
      return { ...state, onlyOneSide: !state.onlyOneSide };
    case "beside_toggled":
      return besideToggled(state);
    case "ghost_toggled":
      return { ...state, ghost: state.ghost === action.mode ? "off" : action.mode };
    case "lab_toggled":
      if (state.lab === "never") return state;
      return { ...state, lab: state.lab === "no" ? "asked" : "no", commits: state.commits + 1 };
    case "theme_set":
      return withTheme(state, action.theme);
    case "projector_toggled":
      return withTheme(state, state.theme === "projector" ? state.themeBefore : "projector");
    default:
      return assertUnreachable(action);
  }
}

function atSpeed(state: State, chosenNsPerSecond: number | undefined): State {
  return { ...state, playback: { ...state.playback, chosenNsPerSecond, speedForNs: undefined } };
}

function besideToggled(state: State): State {
  const stacked = state.layout === "beside" && !state.onlyOneSide;
  return { ...state, onlyOneSide: false, layout: stacked ? "stacked" : "beside" };
}

function withTheme(state: State, theme: ThemeName): State {
  return { ...state, theme, themeBefore: theme === "projector" ? state.themeBefore : theme };
}

function clamp(ns: number, end: number): number {
  return Math.min(Math.max(0, Math.round(ns)), end);
}
