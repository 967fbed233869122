/**
 * Two runs on one time axis.
 *
 *   <Timeline sides={[{ id: "a", label, trace, version: trace.version, running }, …]} domainNs viewport playheadNs selection theme
 *             layout playing lock onViewport onPlayhead onSelect />            fills its parent's width; grows to its own height
 *   <Scrubber sides domainNs viewport playheadNs theme onPlayhead onViewport />  the whole run with its event density
 *
 *   handleTimelineKey(event, { viewport, domainNs, playheadNs, focus })  -> the viewport a key asks for, or undefined if it is not ours
 *   usePlayback({ playheadNs, endNs, reducedMotion, onPlayhead })        -> { playing, nsPerSecond, play, pause, toggle, faster, slower, setSpeed }
 *   stepPlayback(state, action)                                         the pure reducer behind it
 *   followPlayhead(viewport, playheadNs, domainNs)                       the viewport that keeps a moving playhead in sight
 *   SPEEDS                                                              ns of machine time per second of wall time, slow to real time
 *
 * No knowledge of workers, stores or addresses: everything comes in as props and leaves through callbacks.
 */
export type * from "./types.ts";
export { handleTimelineKey } from "./keys.ts";
export type { KeyContext, KeyPress } from "./keys.ts";
export { DEFAULT_SPEED, SPEEDS, stepPlayback, STILL } from "./playback.ts";
export type { Playback, PlaybackAction } from "./playback.ts";
export { TimelineLegend } from "./legend.tsx";
export { Scrubber } from "./scrubber.tsx";
export { THEMES } from "./theme.ts";
export { sideOverheadPx, Timeline } from "./timeline.tsx";
export { usePlayback } from "./use-playback.ts";
export type { PlaybackControls, PlaybackInput } from "./use-playback.ts";
export { centreOn, clampViewport, fitTo, followPlayhead, panBy, zoomAt } from "./viewport.ts";
