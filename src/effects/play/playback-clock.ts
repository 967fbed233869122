// Moves the playhead with the wall clock while playing, and plays the steps that are opened. The
// only place with a clock.

import { keepInSight } from "./keep-in-sight.ts";
import { openBet } from "../../state/steps/bet.ts";
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

/**
 * Plays a step that was opened up to its answer, once its view is there; under reduced motion the
 * answer is shown at once. An open bet comes first. A press on the picture and the wheel end the playing.
 */
export function playSteps(
  store: Store,
  reducedMotion: () => boolean,
  touched: Pick<EventTarget, "addEventListener">,
): void {
  store.subscribe((state) => {
    const { step, linkProblem } = state;
    if (!step.plays || step.waiting || linkProblem !== undefined || openBet(state) !== undefined)
      return;
    store.dispatch({ type: reducedMotion() ? "step_shown" : "step_played" });
  });
  const stop = ({ target }: Event): void => {
    if (store.getState().playback.part === undefined) return;
    if (target instanceof Element && target.closest(PICTURE) !== null)
      store.dispatch({ type: "paused" });
  };
  for (const type of ["pointerdown", "wheel"]) touched.addEventListener(type, stop);
}

const PICTURE = ".stage-picture";

/** How long a tour shows an answer before the next step, ms. */
const ANSWER_MS = 3_000;

/** Moves a tour on when a step has shown its answer for some seconds. */
export function keepTouring(store: Store): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.subscribe(({ playback, step }) => {
    const rests = playback.touring && !playback.playing && !step.waiting && !step.plays;
    if (rests && timer === undefined)
      timer = setTimeout(() => {
        timer = undefined;
        store.dispatch({ type: "tour_moved" });
      }, ANSWER_MS);
    if (rests || timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
  });
}
