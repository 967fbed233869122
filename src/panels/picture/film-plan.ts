// The length of a film, and the instant of the playhead at each of its frames, at the pace at which
// the page plays the view.

import type { TraceStore } from "../../model/index.ts";
import { reduce } from "../../state/reduce/reducer.ts";
import { onward, paceOf, paceToAnswer, type Pace } from "../../state/select/pace.ts";
import { endNs, shownViewport, speedOf } from "../../state/select/selectors.ts";
import { stepsOf } from "../../scenario/step.ts";
import { currentStep, sceneOf } from "../../state/steps/resolve.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";

/** The longest film, s; no viewer asks for a longer one. */
const LENGTH_MAX_S = 60;
const LENGTHS_S = [4, 8, 15, 30] as const;

/** How long a step's film rests on its answer, s. */
const REST_S = 1.5;

/** What the film of a state shows: the way to its step's answer, else the view. */
interface Way {
  readonly pace: Pace;
  readonly restS: number;
}

function wayOf(state: State): Way | undefined {
  const step = currentStep(state);
  const scene = step === undefined ? undefined : sceneOf(state, step);
  const view = shownViewport(state);
  if (scene === undefined || scene.viewport.fromNs !== view.fromNs) return undefined;
  const way = { fromNs: view.fromNs, toNs: scene.answerNs };
  return { pace: paceToAnswer(tracesOf(state), way, scene.slow), restS: REST_S };
}

function tracesOf(state: State): readonly TraceStore[] {
  return SIDES.flatMap((side) => state.sides[side].shown?.trace ?? []);
}

/** As long as the page takes for the step or the view, s. */
export function playedSeconds(state: State): number {
  const way = wayOf(state);
  if (way !== undefined) return Math.round(way.pace.seconds + way.restS);
  const { fromNs, toNs } = shownViewport(state);
  return Math.max(1, Math.min(LENGTH_MAX_S, Math.round((toNs - fromNs) / speedOf(state))));
}

/**
 * A state for each step whose runs are those on screen, and how many steps need other runs. The
 * steps' own knobs are what another run is needed for.
 */
export function stepStates(state: State): {
  readonly states: readonly State[];
  readonly left: number;
} {
  const all = stepsOf(state.entry).map((_, index) => reduce(state, { type: "step_opened", index }));
  const states = all.filter((each) => wayOf(each) !== undefined);
  return { states, left: all.length - states.length };
}

/** Lengths to choose from, s, the page's own first. */
export function lengthsOf(state: State): readonly number[] {
  const played = playedSeconds(state);
  return [played, ...LENGTHS_S.filter((seconds) => seconds !== played)];
}

/**
 * Whole ns, ascending: to a step's answer and a rest there; else from the left edge of the view to
 * its right, or to the end of what is computed.
 */
export function instantsOf(state: State, frames: number): readonly number[] {
  const way = wayOf(state);
  if (way !== undefined) return instantsOfStep(way, frames);
  const view = shownViewport(state);
  const toNs = Math.max(view.fromNs + 1, Math.min(view.toNs, endNs(state)));
  const shareOf = (frame: number): number => frame / Math.max(1, frames - 1);
  if (state.playback.chosenNsPerSecond !== undefined)
    return Array.from({ length: frames }, (_, frame) =>
      Math.round(view.fromNs + shareOf(frame) * (toNs - view.fromNs)),
    );
  const pace = paceOf(tracesOf(state), { fromNs: view.fromNs, toNs });
  return Array.from({ length: frames }, (_, frame) =>
    Math.round(onward(pace, view.fromNs, shareOf(frame))),
  );
}

function instantsOfStep({ pace, restS }: Way, frames: number): readonly number[] {
  const moving = Math.max(1, Math.round((frames * pace.seconds) / (pace.seconds + restS)));
  return Array.from({ length: frames }, (_, frame) => {
    const share = Math.min(1, frame / Math.max(1, moving - 1));
    return Math.round(onward(pace, pace.view.fromNs, share));
  });
}
