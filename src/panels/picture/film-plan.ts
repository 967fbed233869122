// The length of a film, and the instant of the playhead at each of its frames, at the pace at which
// the page plays the view.

import { onward, paceOf } from "../../state/select/pace.ts";
import { endNs, shownViewport, speedOf } from "../../state/select/selectors.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";

/** The longest film, s; no viewer asks for a longer one. */
const LENGTH_MAX_S = 60;
const LENGTHS_S = [4, 8, 15, 30] as const;

/** As long as the page takes for the view, s, whole. */
export function playedSeconds(state: State): number {
  const { fromNs, toNs } = shownViewport(state);
  return Math.max(1, Math.min(LENGTH_MAX_S, Math.round((toNs - fromNs) / speedOf(state))));
}

/** Lengths to choose from, s, the page's own first. */
export function lengthsOf(state: State): readonly number[] {
  const played = playedSeconds(state);
  return [played, ...LENGTHS_S.filter((seconds) => seconds !== played)];
}

/** From the left edge of the view to its right, or to the end of what is computed, in whole ns. */
export function instantsOf(state: State, frames: number): readonly number[] {
  const view = shownViewport(state);
  const toNs = Math.max(view.fromNs + 1, Math.min(view.toNs, endNs(state)));
  const shareOf = (frame: number): number => frame / Math.max(1, frames - 1);
  if (state.playback.chosenNsPerSecond !== undefined)
    return Array.from({ length: frames }, (_, frame) =>
      Math.round(view.fromNs + shareOf(frame) * (toNs - view.fromNs)),
    );
  const traces = SIDES.flatMap((side) => state.sides[side].shown?.trace ?? []);
  const pace = paceOf(traces, { fromNs: view.fromNs, toNs });
  return Array.from({ length: frames }, (_, frame) =>
    Math.round(onward(pace, view.fromNs, shareOf(frame))),
  );
}
