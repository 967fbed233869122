// The playhead over wall time, as a reducer: no clock, no frames. Time that passes comes in as an action.

/** Ns of machine time per second of wall time: from a microsecond a second to real time. */
export const SPEEDS: readonly number[] = [1e3, 5e3, 2e4, 1e5, 5e5, 2e6, 1e7, 5e7, 2e8, 1e9];

/** 20 us/s: a lock hand-off takes tens of milliseconds, which an eye can follow. */
export const DEFAULT_SPEED = 2e4;

/** A frame that took longer (a tab that slept, a breakpoint) counts as this long: the playhead must not leap. */
const FRAME_MS_MAX = 50;

/** Under reduced motion the playhead stands still this long, then moves on at once by what it missed. */
const STEP_MS = 500;

export interface Playback {
  readonly playing: boolean;
  readonly playheadNs: number;
  readonly nsPerSecond: number;
  /** Wall time that has passed without moving the playhead: reduced motion only. */
  readonly heldMs: number;
}

export type PlaybackAction =
  | { readonly type: "play" }
  | { readonly type: "pause" }
  | { readonly type: "toggle" }
  | { readonly type: "seek"; readonly ns: number }
  | { readonly type: "speed"; readonly nsPerSecond: number }
  | { readonly type: "faster" }
  | { readonly type: "slower" }
  | { readonly type: "frame"; readonly elapsedMs: number; readonly endNs: number; readonly reducedMotion: boolean };

export const STILL: Playback = { playing: false, playheadNs: 0, nsPerSecond: DEFAULT_SPEED, heldMs: 0 };

export function stepPlayback(state: Playback, action: PlaybackAction): Playback {
  switch (action.type) {
    case "play":
      return { ...state, playing: true, heldMs: 0 };
    case "pause":
      return { ...state, playing: false, heldMs: 0 };
    case "toggle":
      return { ...state, playing: !state.playing, heldMs: 0 };
    case "seek":
      return { ...state, playheadNs: Math.max(0, action.ns), heldMs: 0 };
    case "speed":
      return { ...state, nsPerSecond: action.nsPerSecond };
    case "faster":
      return { ...state, nsPerSecond: SPEEDS.find((speed) => speed > state.nsPerSecond) ?? state.nsPerSecond };
    case "slower":
      return { ...state, nsPerSecond: SPEEDS.findLast((speed) => speed < state.nsPerSecond) ?? state.nsPerSecond };
    case "frame":
      return state.playing ? advance(state, action) : state;
  }
}

function advance(state: Playback, frame: Extract<PlaybackAction, { type: "frame" }>): Playback {
  const passedMs = state.heldMs + Math.min(Math.max(frame.elapsedMs, 0), FRAME_MS_MAX);
  if (frame.reducedMotion && passedMs < STEP_MS) return { ...state, heldMs: passedMs };
  const playheadNs = state.playheadNs + (passedMs / 1000) * state.nsPerSecond;
  if (playheadNs >= frame.endNs) return { ...state, playheadNs: Math.max(frame.endNs, 0), playing: false, heldMs: 0 };
  return { ...state, playheadNs, heldMs: 0 };
}
