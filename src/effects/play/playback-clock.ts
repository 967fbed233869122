// Moves the playhead with the wall clock while playing, and shows the first run once by itself. The
// only place with a clock.

import { keepInSight } from "./keep-in-sight.ts";
import { isComputing, shownViewport } from "../../state/select/selectors.ts";
import type { Store } from "../../state/store.ts";

/** A frame that took longer (a sleeping tab) counts as this long. */
const FRAME_S_MAX = 0.05;
/** Under reduced motion the playhead moves in steps of this long. */
const STEP_S = 0.5;

/** Returns the function that stops it. */
export function keepPlaying(store: Store, reducedMotion: () => boolean): () => void {
  let frame: number | undefined;
  let last: number | undefined;
  let held = 0;
  const tick = (now: number): void => {
    held += last === undefined ? 0 : Math.min(FRAME_S_MAX, (now - last) / 1_000);
    last = now;
    if (!reducedMotion() || held >= STEP_S) {
      store.dispatch({ type: "time_passed", seconds: held });
      held = 0;
      if (store.getState().playback.playing) keepInSight(store);
    }
    frame = store.getState().playback.playing ? requestAnimationFrame(tick) : undefined;
  };
  const unsubscribe = store.subscribe((state) => {
    if (!state.playback.playing || frame !== undefined) return;
    last = undefined;
    held = 0;
    frame = requestAnimationFrame(tick);
  });
  return () => {
    unsubscribe();
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}

/** Share of the first viewport before the deepest queue at which the first showing starts. */
const LEAD_IN = 0.5;

/**
 * Shows the first finished comparison once, from the left edge of what is shown to its right. Any
 * touch ends it. Not under reduced motion, and not when a link says what to look at, or when.
 */
export function showOnce(
  store: Store,
  reducedMotion: () => boolean,
  touched: Pick<EventTarget, "addEventListener" | "removeEventListener">,
): void {
  if (reducedMotion()) return;
  const stop = (): void => {
    unsubscribe();
    for (const type of ["pointerdown", "keydown", "wheel"]) touched.removeEventListener(type, stop);
    if (store.getState().playback.untilNs !== undefined) store.dispatch({ type: "paused" });
  };
  const unsubscribe = store.subscribe((state) => {
    const isSet = state.firstViewport === undefined && state.playheadNs !== 0;
    if (
      state.linkProblem !== undefined ||
      state.viewport !== undefined ||
      isSet ||
      state.selection !== state.step.selected
    ) {
      unsubscribe();
      return;
    }
    if (state.firstViewport === undefined || isComputing(state)) return;
    unsubscribe();
    const { fromNs, toNs } = shownViewport(state);
    const startNs = fromNs + (toNs - fromNs) * (0.5 - LEAD_IN / 2);
    store.dispatch({ type: "playhead_set", ns: startNs });
    store.dispatch({ type: "played", untilNs: toNs });
  });
  for (const type of ["pointerdown", "keydown", "wheel"]) touched.addEventListener(type, stop);
}
