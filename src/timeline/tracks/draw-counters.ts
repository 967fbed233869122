// What the whole machine has to do, over the lanes: tasks that want a CPU, and CPUs that have none
// while another has too many. Steps of an index, drawn by pixel; the definitions are those of
// model/overload.
//
//   64 ┬ ▁▂▆█▅▁     runnable tasks: what they were throughout a pixel, and paler how far they went
// in it
//    0 ┼─────────
//    7 ┬   ▂ █      CPUs idle while overloaded, likewise
//    0 ┴─────────

import { formatCount, formatNs } from "../../lib/format.ts";
import type { LevelTrack } from "../../model/trace/level-track.ts";
import type { Overload } from "../../model/overload/overload.ts";
import type { Plot } from "../plot/plot.ts";
import { plotWidth, xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { mixed } from "../plot/timeline-theme.ts";
import type { LegendEntry } from "../draw/legend-entry.ts";

/** Between the two bands, and over each, CSS px. */
const PAD_PX = 3;

/** What each band holds at its full height: the same on both sides, so that they compare. */
export interface CounterScale {
  readonly runnable: number;
  readonly idle: number;
}

/** What both runs came to. */
export function counterScale(overloads: readonly Overload[]): CounterScale {
  const most = (of: (each: Overload) => LevelTrack): number =>
    Math.max(0, ...overloads.map((each) => of(each).peakIn(-1, Infinity)));
  return { runnable: most(({ runnable }) => runnable), idle: most(({ idle }) => idle) };
}

/** At the playhead, with what the run came to. */
export function counterWords(overload: Overload, ns: number): readonly string[] {
  const { runnable, idle } = overload;
  return [
    `runnable tasks ${formatCount(runnable.at(ns))}, at most ${formatCount(runnable.peakIn(-1, Infinity))}`,
    `CPUs idle while others are overloaded ${formatCount(idle.at(ns))}, at most ${formatCount(idle.peakIn(-1, Infinity))}`,
  ];
}

/** Under the pointer: the numbers there, or how far they went within the pixel. */
export function counterTip(
  { runnable, overloaded, idle }: Overload,
  fromNs: number,
  toNs: number,
): readonly string[] {
  const range = (track: LevelTrack): string => {
    const { peaks, lows } = track.profile(fromNs, toNs, 1);
    const [low = 0, high = 0] = [lows[0], peaks[0]];
    return low === high ? formatCount(low) : `${formatCount(low)} to ${formatCount(high)}`;
  };
  return [
    formatNs(Math.round(fromNs), 6),
    `runnable tasks: ${range(runnable)}`,
    `overloaded CPUs, with two or more of them: ${range(overloaded)}`,
    `CPUs idle meanwhile that a waiting task may use: ${range(idle)}`,
  ];
}

interface Band {
  readonly track: LevelTrack | undefined;
  readonly most: number;
  readonly colour: string;
}

export function drawCounters(
  context: CanvasRenderingContext2D,
  plot: Plot,
  overload: Overload | undefined,
  scale: CounterScale,
): void {
  const { theme, width, height, gutter } = plot;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, width, height);
  const bands: readonly Band[] = [
    { track: overload?.runnable, most: scale.runnable, colour: runnableInk(theme) },
    { track: overload?.idle, most: scale.idle, colour: idleInk(theme) },
  ];
  const bandPx = Math.floor(height / bands.length);
  bands.forEach((band, index) => {
    const floor = (index + 1) * bandPx - 1;
    drawBand(context, plot, band, floor, bandPx - 1 - PAD_PX);
    context.fillStyle = theme.muted;
    context.font = `${Math.max(9, theme.fontPx - 1)}px ui-monospace, monospace`;
    context.textAlign = "right";
    context.textBaseline = "middle";
    if (overload !== undefined) context.fillText(String(band.most), gutter - 6, floor - bandPx / 2);
  });
  context.fillStyle = theme.rule;
  context.fillRect(gutter - 1, 0, 1, height);
}

function runnableInk(theme: TimelineTheme): string {
  return theme.muted;
}

function idleInk(theme: TimelineTheme): string {
  return theme.text;
}

function drawBand(
  context: CanvasRenderingContext2D,
  plot: Plot,
  { track, most, colour }: Band,
  floor: number,
  px: number,
): void {
  const { theme, viewport, gutter, ratio } = plot;
  context.fillStyle = theme.rule;
  context.fillRect(gutter, floor, plotWidth(plot), 1);
  if (track === undefined) return;
  const columns = Math.max(1, Math.round(plotWidth(plot) * ratio));
  const { peaks, lows } = track.profile(viewport.fromNs, viewport.toNs, columns);
  const until = xOf(plot, plot.trace.endNs);
  const pale = mixed(colour, theme.background, 0.55);
  // One task beside a thousand must be seen: never less than two pixels.
  const heightOf = (value: number): number =>
    value <= 0 ? 0 : Math.max(2, (value / Math.max(1, most)) * px);
  for (let column = 0; column < columns; column += 1) {
    const x = gutter + column / ratio;
    if (x > until) break;
    const [low, high] = [heightOf(lows[column] ?? 0), heightOf(peaks[column] ?? 0)];
    context.fillStyle = pale;
    if (high > low) context.fillRect(x, floor - high, 1 / ratio + 0.3, high - low);
    context.fillStyle = colour;
    if (low > 0) context.fillRect(x, floor - low, 1 / ratio + 0.3, low);
  }
}

function swatch(ink: (theme: TimelineTheme) => string): LegendEntry["swatch"] {
  return (context, theme, width, height) => {
    context.fillStyle = mixed(ink(theme), theme.background, 0.55);
    context.fillRect(0, height * 0.2, width / 2, height * 0.8);
    context.fillStyle = ink(theme);
    context.fillRect(0, height * 0.5, width / 2, height * 0.5);
    context.fillRect(width / 2, height * 0.35, width / 2, height * 0.65);
  };
}

export const COUNTER_LEGEND: readonly LegendEntry[] = [
  { words: "runnable tasks", swatch: swatch(runnableInk) },
  { words: "idle while others overloaded", swatch: swatch(idleInk) },
];
