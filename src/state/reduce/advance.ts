// Where the playhead is after some wall time. The view is crossed at its own pace; a speed that the
// viewer chose is even.

import type { TraceStore } from "../../model/index.ts";
import type { Viewport } from "../../model/trace/run-types.ts";
import { endNs, shownViewport, speedOf } from "../select/selectors.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import { CROSSING_S, onward, paceOf, speedIn, type Pace } from "../select/pace.ts";

/** Starts playing, at the view's beginning if the playhead is not in the view or at its end. */
export function played(state: State, untilNs: number | undefined): State {
  const { fromNs, toNs } = playable(state);
  const inside = state.playheadNs >= fromNs && state.playheadNs < toNs;
  const playheadNs = inside ? state.playheadNs : Math.min(fromNs, endNs(state));
  return { ...state, playheadNs, playback: { ...state.playback, playing: true, untilNs } };
}

export function advanced(state: State, seconds: number): State {
  const { playing, looping, untilNs } = state.playback;
  if (!playing) return state;
  const view = playable(state);
  const next = nextNs(state, view, seconds);
  const loops = looping && untilNs === undefined && state.playheadNs < view.toNs;
  if (loops) return { ...state, playheadNs: next < view.toNs ? next : view.fromNs };
  const stop = Math.min(untilNs ?? Infinity, endNs(state));
  if (next < stop) return { ...state, playheadNs: next };
  return {
    ...state,
    playheadNs: stop,
    playback: { ...state.playback, playing: false, untilNs: undefined },
  };
}

/** Machine time per second of wall time at the playhead, ns. */
export function speedHere(state: State): number {
  const view = playable(state);
  if (!isPaced(state, view)) return speedOf(state);
  return speedIn(rememberedPace(tracesOf(state), view), state.playheadNs) / CROSSING_S;
}

function nextNs(state: State, view: Viewport, seconds: number): number {
  const { playheadNs } = state;
  if (!isPaced(state, view)) return playheadNs + seconds * speedOf(state);
  const next = onward(rememberedPace(tracesOf(state), view), playheadNs, seconds / CROSSING_S);
  // At the view's end the pace says no more; what goes on there goes on evenly.
  return next < view.toNs ? next : Math.max(next, playheadNs + seconds * speedOf(state));
}

function isPaced(state: State, view: Viewport): boolean {
  const { playheadNs, playback } = state;
  return (
    playback.chosenNsPerSecond === undefined && playheadNs >= view.fromNs && playheadNs < view.toNs
  );
}

/** The part of the view that is computed. */
function playable(state: State): Viewport {
  const { fromNs, toNs } = shownViewport(state);
  const end = Math.min(toNs, endNs(state));
  return end > fromNs ? { fromNs, toNs: end } : { fromNs, toNs };
}

function tracesOf(state: State): readonly TraceStore[] {
  return SIDES.flatMap((side) => state.sides[side].shown?.trace ?? []);
}

/**
 * The pace, by the first run's trace and the second's. Weak references: a trace that the page no
 * longer shows is not kept for its pace.
 */
const remembered = new WeakMap<
  TraceStore,
  { readonly key: string; readonly other: WeakRef<TraceStore> | undefined; readonly pace: Pace }
>();

/** The pace is asked for at every frame and changes with the view and the runs alone. */
function rememberedPace(traces: readonly TraceStore[], view: Viewport): Pace {
  const key = [view.fromNs, view.toNs, ...traces.map((trace) => trace.version)].join(" ");
  const [first, other] = traces;
  const known = first === undefined ? undefined : remembered.get(first);
  if (known?.key === key && known.other?.deref() === other) return known.pace;
  const pace = paceOf(traces, view);
  if (first !== undefined) remembered.set(first, { key, other: other && new WeakRef(other), pace });
  return pace;
}
