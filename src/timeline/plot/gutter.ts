// What lies left of the lanes: the CPU numbers, and, where groups have quotas, a vessel beside each
// lane for the run time that its CPU holds.
//
//    cpu0 [▓▓▓▓░ 4.1 ms]│ lane
//   numbers    silos

import type { TraceStore } from "../../model/index.ts";
import type { TimelineTheme } from "./timeline-theme.ts";

/** Widths in sizes of the text: of CPU numbers, of those on a narrow screen, of a silo with words. */
const NUMBERS = 4.4;
const NARROW_NUMBERS = 3.4;
const SILO = 5.2;
/** A narrower timeline has three figures of a CPU's number, CSS px. */
const NARROW_PX = 600;
const NARROW_CPUS_MAX = 100;
/** A timeline has room for words in its silos from this width on, in sizes of the text. */
const WIDE = 60;
/** On more CPUs rows are too low for words. */
const WORDS_CPUS_MAX = 64;
/** Width of a silo that has no room for words, CSS px. */
const THIN_PX = 7;

/** Whether a timeline `width` px wide gives CPU numbers less room. */
export function isNarrow(width: number, traces: readonly TraceStore[]): boolean {
  return width < NARROW_PX && traces.every(({ lanes }) => lanes.length <= NARROW_CPUS_MAX);
}

/** CSS px left of the lanes of `traces`, on all sides alike. */
export function gutterOf(
  { fontPx }: TimelineTheme,
  width: number,
  traces: readonly TraceStore[],
  narrow = false,
): number {
  const most = Math.max(0, ...traces.map(({ lanes }) => lanes.length));
  const numbers = Math.round(fontPx * (narrow ? NARROW_NUMBERS : NUMBERS));
  const quota = traces.some((trace) => trace.quota.limited.length > 0);
  const words = quota && width >= fontPx * WIDE && most <= WORDS_CPUS_MAX;
  return numbers + (words ? Math.round(fontPx * SILO) : 0);
}

/** How much of the gutter is for silos, CSS px: what CPU numbers leave. */
export function silosPx(gutter: number, { fontPx }: TimelineTheme): number {
  return Math.max(THIN_PX, gutter - Math.round(fontPx * NUMBERS));
}

/** Whether silos of this width have their run time written in them. */
export function hasWords(px: number): boolean {
  return px > THIN_PX;
}
