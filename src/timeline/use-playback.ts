// The playback reducer driven by animation frames. The playhead itself stays with the owner; playing and speed live here.

import { useCallback, useEffect, useMemo, useReducer, useRef } from "react";
import type { Playback, PlaybackAction } from "./playback.ts";
import { stepPlayback, STILL } from "./playback.ts";

export interface PlaybackInput {
  readonly playheadNs: number;
  /** Where playing stops: what has been simulated so far, or the run's end. */
  readonly endNs: number;
  readonly reducedMotion: boolean;
  readonly onPlayhead: (ns: number) => void;
}

export interface PlaybackControls {
  readonly playing: boolean;
  readonly nsPerSecond: number;
  /** From the end, playing starts over. */
  readonly play: () => void;
  readonly pause: () => void;
  readonly toggle: () => void;
  readonly faster: () => void;
  readonly slower: () => void;
  readonly setSpeed: (nsPerSecond: number) => void;
}

export function usePlayback(input: PlaybackInput): PlaybackControls {
  const [state, dispatch] = useReducer(stepPlayback, STILL);
  const latest = useRef(input);
  useEffect(() => {
    latest.current = input;
  });
  useFrames(state, dispatch, latest);
  const { playing, nsPerSecond } = state;
  const play = useCallback(() => {
    const { playheadNs, endNs, onPlayhead } = latest.current;
    if (playheadNs >= endNs) onPlayhead(0);
    dispatch({ type: "play" });
  }, []);
  return useMemo(() => {
    const pause = (): void => dispatch({ type: "pause" });
    return {
      playing, nsPerSecond, play, pause,
      toggle: playing ? pause : play,
      faster: () => dispatch({ type: "faster" }),
      slower: () => dispatch({ type: "slower" }),
      setSpeed: (speed) => dispatch({ type: "speed", nsPerSecond: speed }),
    };
  }, [playing, nsPerSecond, play]);
}

/** One animation frame after another while playing; each moves the owner's playhead, and stops at the end. */
function useFrames(state: Playback, dispatch: (action: PlaybackAction) => void, latest: { readonly current: PlaybackInput }): void {
  const { playing, nsPerSecond } = state;
  useEffect(() => {
    if (!playing) return undefined;
    let before: number | undefined;
    let heldMs = 0;
    let at = latest.current.playheadNs;
    const step = (nowMs: number): void => {
      const { playheadNs, endNs, reducedMotion, onPlayhead } = latest.current;
      // A scrub while playing moves the owner's playhead under us; rounding by the owner does not.
      if (Math.abs(playheadNs - at) > 1) at = playheadNs;
      const from: Playback = { playing, nsPerSecond, playheadNs: at, heldMs };
      const next = stepPlayback(from, { type: "frame", elapsedMs: nowMs - (before ?? nowMs), endNs, reducedMotion });
      before = nowMs;
      heldMs = next.heldMs;
      if (next.playheadNs !== at) onPlayhead(next.playheadNs);
      at = next.playheadNs;
      if (next.playing) request = requestAnimationFrame(step);
      else dispatch({ type: "pause" });
    };
    let request = requestAnimationFrame(step);
    return () => cancelAnimationFrame(request);
  }, [playing, nsPerSecond, dispatch, latest]);
}
