/**
 * Two runs on one time axis.
 *
 *   <Timeline sides={[{ id: "a", label, trace, version: trace.version, selection, running }, …]}
 *     domainNs viewport playheadNs focus theme layout playing lock
 *     onViewport onPlayhead onSelect />            fills its parent, grows to its height
 *   <Scrubber sides domainNs viewport playheadNs theme onPlayhead />
 *                                                  the whole run with its event density
 *   handleTimelineKey(event, { viewport, domainNs, playheadNs, pointer, focus })
 *                                                  the viewport that a key asks for, or undefined
 *   SPEEDS                                         ns of machine time per second, slow to real time
 *
 * How it draws: lanes become one image (lanes/), shapes and words lie on a second canvas
 * (marks/registry.ts lists the marks, draw/label-layer.ts places all words), the axis is SVG, and
 * the playhead is an element of its own, so that playing repaints nothing. All drawing goes through
 * one scheduler (lib/frame-scheduler.ts). Knows no workers, stores or addresses: everything comes
 * in as props and leaves through callbacks.
 *
 * Folders, each of which imports only from those before it: plot, draw, input, lanes, marks,
 * tracks, sides, picture; then the files beside this one.
 */
export type * from "./plot/timeline-props.ts";
export type { Grab, Level, Press, Refill } from "./plot/grab.ts";
export { pointerShare } from "./input/gestures.ts";
export { handleTimelineKey } from "./input/keys.ts";
export { Scrubber, type ScrubberPlace } from "./tracks/scrubber.tsx";
export { SPEEDS } from "../lib/speeds.ts";
export { Timeline } from "./timeline.tsx";
