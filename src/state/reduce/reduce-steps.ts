// Going to a step. What a step flips is one undo step and is taken back where the viewer walks on;
// what the viewer turned meanwhile stays.

import { assertUnreachable } from "../../lib/unreachable.ts";
import type { StepAction } from "../shape/actions.ts";
import { firstLook } from "../steps/first-look.ts";
import { withKnobs } from "./reduce-knobs.ts";
import type { KnobSets } from "../../scenario/knob-sets.ts";
import { isComputing, shownViewport } from "../select/selectors.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { PlayedPart, State } from "../shape/state.ts";
import { selectionOn } from "../select/selection.ts";
import { betKey, openBet } from "../steps/bet.ts";
import { neighbourStep, readyRuns, sceneOf } from "../steps/resolve.ts";
import { heroOfStep } from "../steps/subject.ts";
import { stepsOf } from "../../scenario/step.ts";
import { type StepState, NO_STEP } from "../shape/step-state.ts";

/** Where a scenario starts: on its first step, unless a link says what to look at. */
export function firstStep({ entry, viewport }: Pick<State, "entry" | "viewport">): StepState {
  return viewport !== undefined || stepsOf(entry).length === 0
    ? NO_STEP
    : { ...NO_STEP, index: 0, waiting: true, plays: true };
}

/** The step a link names: its view is the link's, or comes with the runs. */
export function linkedStep({ viewport }: Pick<State, "viewport">, index: number): StepState {
  const comes = viewport === undefined;
  return { ...NO_STEP, index, waiting: comes, plays: comes, named: true };
}

export function reduceStep(state: State, action: StepAction): State {
  switch (action.type) {
    case "step_opened":
      return openStep(passedOver(state), action.index);
    case "step_played":
      return playStep(state);
    case "bet_made":
      return withBet(state, action.words);
    case "step_shown":
      return { ...state, step: { ...state.step, plays: false } };
    case "tour_started":
      return tourTo(state, 0);
    case "tour_moved":
      return tourTo(state, neighbourStep(state, 1) ?? 0);
    default:
      return assertUnreachable(action);
  }
}

function withBet(state: State, words: string): State {
  const key = betKey(state, state.step.index);
  return key === undefined ? state : { ...state, bets: { ...state.bets, [key]: words } };
}

/** Play and the way to another step are ways past the bet. */
function passedOver(state: State): State {
  return openBet(state) === undefined ? state : withBet(state, "");
}

function tourTo(state: State, index: number): State {
  const opened = openStep(state, index);
  return { ...opened, playback: { ...opened.playback, touring: true } };
}

function openStep(state: State, index: number): State {
  const step = stepsOf(state.entry)[index];
  if (step === undefined) return state;
  const { flipped } = state.step;
  const before =
    flipped !== undefined && state.knobs === flipped.after ? flipped.before : state.knobs;
  const turned =
    step.set.length === 0
      ? setBack(state, before)
      : withKnobs({ ...state, knobs: before }, step.set, state.knobs);
  const opened = {
    ...turned,
    step: {
      index,
      waiting: true,
      plays: true,
      flipped: step.set.length === 0 ? undefined : { before, after: turned.knobs },
      selected: undefined,
    },
    commits: state.commits + 1,
    eventNs: undefined,
    area: undefined,
    lockShown: undefined,
    playback: { ...state.playback, playing: false, part: undefined, touring: false },
  };
  return settleStep(opened);
}

function setBack(state: State, knobs: KnobSets): State {
  return knobs === state.knobs ? state : withKnobs({ ...state, knobs }, [], state.knobs);
}

/** Shows the awaited step once the runs are done that it is to be seen in. */
export function settleStep(state: State): State {
  if (isLost(state)) return settleStep(lookAnew(state));
  const { index, waiting } = state.step;
  const step = index === undefined ? undefined : stepsOf(state.entry)[index];
  if (step === undefined) return looked(state);
  if (!waiting) return state;
  const scene = sceneOf(state, step);
  if (scene === undefined) {
    const come = readyRuns(state) !== undefined;
    return looked(
      come ? { ...state, step: { ...state.step, waiting: false, plays: false } } : state,
    );
  }
  const { viewport, answerNs, latencyKind, side, nsPerSecond } = scene;
  const { linked } = state.step;
  const onA = (selected: Partial<State>): string | undefined =>
    JSON.stringify(selectionOn({ ...state, ...selected }, "a"));
  const linkedOn = { selection: linked?.selection, selectedOn: "a" } as const;
  // A link names the step's own selection too.
  const own =
    linked?.selection === undefined || onA(scene) === onA(linkedOn) ? scene.selection : undefined;
  const selection = own ?? linked?.selection ?? (index === 0 ? state.selection : undefined);
  return {
    ...state,
    ...(index === 0 ? { viewport: undefined, firstViewport: viewport } : { viewport }),
    playheadNs: kept(state) ?? answerNs,
    selection,
    selectedOn: own === undefined ? state.selectedOn : scene.selectedOn,
    picked: undefined,
    latencyKind: latencyKind ?? state.latencyKind,
    focus: linked?.side ?? side ?? state.focus,
    playback: {
      ...state.playback,
      chosenNsPerSecond: nsPerSecond,
      speedForNs: nsPerSecond === undefined ? undefined : viewport.toNs - viewport.fromNs,
    },
    step: {
      ...state.step,
      waiting: false,
      // What a link or the viewer chose to see is seen, not what comes before it.
      plays: state.step.plays && kept(state) === undefined && linked?.selection === undefined,
      selected: own,
      placed: placedIn(state, answerNs, viewport),
      linked: linked && { side: linked.side },
    },
  };
}

/** Plays the open step from the left edge of its view to its answer. */
function playStep(state: State): State {
  const shown = { ...state, step: { ...state.step, plays: false } };
  const { index } = state.step;
  const step = index === undefined ? undefined : stepsOf(state.entry)[index];
  const scene = step && sceneOf(state, step);
  if (scene === undefined) return shown;
  const { viewport, answerNs, slow } = scene;
  const subject = step !== undefined && heroOfStep(step) === "kick" ? "kick" : undefined;
  const part: PlayedPart = { fromNs: viewport.fromNs, toNs: answerNs, slow, subject };
  return {
    ...shown,
    playheadNs: viewport.fromNs,
    playback: { ...state.playback, playing: true, part },
  };
}

/** Whether both runs ended before what is in view: a shorter duration, or a limit. */
function isLost(state: State): boolean {
  if (isComputing(state) || (state.viewport ?? state.firstViewport) === undefined) return false;
  const endNs = Math.max(...SIDES.map((side) => state.sides[side].shown?.simulatedNs ?? 0));
  return endNs > 0 && shownViewport(state).fromNs >= endNs;
}

/**
 * Drops what was chosen: the open step, or else the first look, finds its moment in the runs there
 * are.
 */
export function lookAnew(state: State): State {
  const { index, linked } = state.step;
  const step = {
    ...state.step,
    waiting: index !== undefined,
    linked: linked && { side: linked.side },
  };
  return { ...state, viewport: undefined, firstViewport: undefined, playheadNs: 0, step };
}

/** A playhead that a link or the viewer has set before the first view stays where it is. */
function kept({ firstViewport, playheadNs, step }: State): number | undefined {
  if (step.linked?.ns !== undefined) return step.linked.ns;
  return firstViewport === undefined && (step.index ?? 0) === 0 && playheadNs !== 0
    ? playheadNs
    : undefined;
}

/**
 * Where no step leads, a scenario opens on what its headline speaks of: in its own runs, not in
 * those of the text before it.
 */
function looked(state: State): State {
  if (state.firstViewport !== undefined || state.viewport !== undefined) return state;
  if (readyRuns(state) === undefined) return state;
  const look = firstLook(state.sides, state.entry.headline);
  const { playheadNs = 0, firstViewport } = look;
  return {
    ...state,
    ...look,
    playheadNs: kept(state) ?? playheadNs,
    step: { ...state.step, placed: placedIn(state, playheadNs, firstViewport) },
  };
}

/** None where the viewer's playhead is kept. */
function placedIn(state: State, ns: number, view: State["viewport"]): StepState["placed"] {
  return kept(state) === undefined && view !== undefined ? { ns, ...view } : undefined;
}
