// Where the playhead is after some wall time. The view is crossed at its own pace; a speed that the
// viewer chose is even.

import type { TraceStore } from "../../model/index.ts";
import type { Viewport } from "../../model/trace/run-types.ts";
import { endNs, shownViewport, speedOf } from "../select/selectors.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { PlayedPart, State } from "../shape/state.ts";
import { kickStretches } from "../select/kick-stretches.ts";
import { onward, paceOf, paceToAnswer, speedIn, type Pace } from "../select/pace.ts";

/** Starts playing, at the view's beginning if the playhead is not in the view or at its end. */
export function played(state: State): State {
  const { fromNs, toNs } = inView(state);
  const inside = state.playheadNs >= fromNs && state.playheadNs < toNs;
  const playheadNs = inside ? state.playheadNs : Math.min(fromNs, endNs(state));
  return { ...state, playheadNs, playback: { ...state.playback, playing: true, part: undefined } };
}

export function advanced(state: State, seconds: number): State {
  const { playing, looping, part } = state.playback;
  if (!playing) return state;
  const view = playable(state);
  const next = nextNs(state, view, seconds);
  const loops = looping && part === undefined && state.playheadNs < view.toNs;
  if (loops) return { ...state, playheadNs: next < view.toNs ? next : view.fromNs };
  const stop = Math.min(part?.toNs ?? Infinity, endNs(state));
  if (next < stop) return { ...state, playheadNs: next };
  return {
    ...state,
    playheadNs: stop,
    playback: { ...state.playback, playing: false, part: undefined },
  };
}

/** Machine time per second of wall time at the playhead, ns. */
export function speedHere(state: State): number {
  const view = playable(state);
  if (!isPaced(state, view)) return speedOf(state);
  const pace = rememberedPace(tracesOf(state), view);
  return speedIn(pace, state.playheadNs) / pace.seconds;
}

/** A stretch that plays; `once`: the way to a step's answer. */
type Played = Viewport & Partial<Pick<PlayedPart, "slow" | "subject">> & { readonly once?: true };

function nextNs(state: State, view: Played, seconds: number): number {
  const { playheadNs } = state;
  if (!isPaced(state, view)) return playheadNs + seconds * speedOf(state);
  const pace = rememberedPace(tracesOf(state), view);
  const next = onward(pace, playheadNs, seconds / pace.seconds);
  // At the view's end the pace says no more; what goes on there goes on evenly.
  return next < view.toNs ? next : Math.max(next, playheadNs + seconds * speedOf(state));
}

function isPaced({ playheadNs, playback }: State, view: Viewport): boolean {
  const { chosenNsPerSecond, speedForNs, part } = playback;
  // A step's own speed is that of its view; the way to its answer has a pace of its own.
  const even = chosenNsPerSecond !== undefined && (part === undefined || speedForNs === undefined);
  return !even && playheadNs >= view.fromNs && playheadNs < view.toNs;
}

/** What plays, as far as it is computed: the way to a step's answer, else the view. */
function playable(state: State): Played {
  const { part } = state.playback;
  return part === undefined ? inView(state) : { ...part, once: true };
}

function inView(state: State): Viewport {
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
function rememberedPace(traces: readonly TraceStore[], view: Played): Pace {
  const { fromNs, toNs, once = false } = view;
  const key = [fromNs, toNs, once, ...traces.map((trace) => trace.version)].join(" ");
  const [first, other] = traces;
  const known = first === undefined ? undefined : remembered.get(first);
  if (known?.key === key && known.other?.deref() === other) return known.pace;
  const subject =
    view.subject === "kick" ? traces.flatMap((trace) => kickStretches(trace, view)) : undefined;
  const pace = once ? paceToAnswer(traces, view, view.slow ?? [], subject) : paceOf(traces, view);
  if (first !== undefined) remembered.set(first, { key, other: other && new WeakRef(other), pace });
  return pace;
}
