// Who ran instead of the selected wake-up's task: a row for each, the largest first, on the sides'
// time axis. What lies after the playhead is pale, and the sums end at the playhead.
//
//      hog.3  12.4 ms |====  ====  ==|---
//  interrupts  0.1 ms |    |    |    |
//   17 others  3.2 ms |  ==    ==    |  --

import { threeFigures } from "../../lib/format.ts";
import { type Instead, ranInstead, topRows, upTo } from "../../model/tasks/ran-instead.ts";
import type { LegendEntry } from "../draw/legend-entry.ts";
import { hatch } from "../draw/strokes.ts";
import type { MarkedWake } from "../plot/timeline-props.ts";
import { nsAt, type Plot, xOf } from "../plot/plot.ts";
import { INSTEAD_ROW } from "./room.ts";
import { mixed, type TimelineTheme } from "../plot/timeline-theme.ts";

/** Rows at most: five, and one for all others. */
export const ROWS_MAX = 6;
export function rowPx({ fontPx }: TimelineTheme): number {
  return Math.round(fontPx * INSTEAD_ROW);
}

/** The rows of a wake-up; a sample of a tool is none, and without one there are no rows. */
export function insteadRows(
  trace: Plot["trace"],
  wake: MarkedWake | undefined,
  most: number,
): readonly Instead[] {
  return wake === undefined || wake.label !== undefined
    ? []
    : topRows(ranInstead(trace, wake), most);
}

/** Some of the picture's width is a stretch too short to be seen: stretches in it are one. */
const LEAST_PX = 1;
/** Share of their ink that stretches keep after the playhead. */
const AHEAD = 0.3;

/** The rows of one wake-up in a box as high as `most` of them. */
export function drawInstead(
  context: CanvasRenderingContext2D,
  plot: Plot,
  wake: MarkedWake | undefined,
  most: number,
  ns: number,
): void {
  const { theme, height, gutter } = plot;
  context.fillStyle = theme.rule;
  context.fillRect(gutter - 1, 0, 1, height);
  const rows = insteadRows(plot.trace, wake, most);
  if (wake === undefined || rows.length === 0) return;
  const high = rowPx(theme);
  context.textBaseline = "middle";
  const place = placeOfWords(context, plot, wake, rows);
  rows.forEach((row, at) => {
    drawStretches(context, plot, row, at * high + 2, high - 4, ns);
    writeRow(context, plot, row, (at + 0.5) * high, place, ns);
  });
}

/** Where the words of all rows begin, or end if they lie left of the wait, CSS px. */
interface WordsPlace {
  readonly x: number;
  readonly align: "left" | "right";
}

/**
 * Left of the wait if there is room for all rows, else right of it, else over its beginning. The
 * sums have their room from the start: words that grow do not jump to another place.
 */
function placeOfWords(
  context: CanvasRenderingContext2D,
  plot: Plot,
  { dueNs, latencyNs }: MarkedWake,
  rows: readonly Instead[],
): WordsPlace {
  context.font = wordsFont(plot.theme);
  const wide = 8 + Math.max(...rows.map((row) => context.measureText(rowWords(row, row.ns)).width));
  const [left, right] = [xOf(plot, dueNs), xOf(plot, dueNs + latencyNs)];
  if (left - plot.gutter >= wide) return { x: left - 4, align: "right" };
  if (plot.width - right >= wide) return { x: right + 6, align: "left" };
  return { x: Math.max(left, plot.gutter) + 4, align: "left" };
}

function wordsFont({ fontPx }: TimelineTheme): string {
  return `600 ${String(fontPx)}px ui-sans-serif, system-ui, sans-serif`;
}

function rowWords({ name }: Instead, ns: number): string {
  return `${name}  ${threeFigures(ns)}`;
}

function drawStretches(
  context: CanvasRenderingContext2D,
  plot: Plot,
  { name, task, stretches }: Instead,
  top: number,
  high: number,
  ns: number,
): void {
  const { theme, gutter, width } = plot;
  const ink = inkOf(theme, name, task);
  const pale = mixed(ink, theme.background, AHEAD);
  let drawn = gutter;
  for (const [fromNs, toNs] of stretches) {
    const right = Math.min(width, xOf(plot, toNs));
    if (right <= drawn) continue;
    const left = Math.max(drawn, xOf(plot, fromNs));
    if (left > width) return;
    const wide = Math.max(LEAST_PX, right - left);
    const now = Math.min(left + wide, Math.max(left, xOf(plot, ns)));
    drawPart(context, name, left, now, top, high, ink);
    drawPart(context, name, now, left + wide, top, high, pale);
    drawn = left + wide;
  }
}

function drawPart(
  context: CanvasRenderingContext2D,
  name: string,
  left: number,
  right: number,
  top: number,
  high: number,
  ink: string,
): void {
  if (right <= left) return;
  context.fillStyle = context.strokeStyle = ink;
  context.lineWidth = 1;
  if (name.startsWith("idle:")) hatch(context, left, top, right - left, high);
  else if (name === "idle" || name === "not woken yet")
    for (let x = left; x < right; x += 5)
      context.fillRect(x, top + high / 2 - 1, Math.min(2, right - x), 2);
  else context.fillRect(left, top, right - left, high);
}

function inkOf(theme: TimelineTheme, name: string, task: number | undefined): string {
  if (task !== undefined) return theme.user;
  switch (name) {
    case "kernel":
      return theme.kernel;
    case "interrupts":
      return theme.hardirq;
    case "softirqs":
      return theme.softirq;
    case "spinning for a lock":
      return theme.spin;
    case "leaving idle":
      return theme.idleExit;
    case "stopped: SMI or host":
      return theme.stopped;
    case "idle: no quota left":
      return theme.throttled;
    default:
      return theme.muted;
  }
}

function writeRow(
  context: CanvasRenderingContext2D,
  { theme }: Plot,
  row: Instead,
  y: number,
  { x, align }: WordsPlace,
  ns: number,
): void {
  context.font = wordsFont(theme);
  context.textAlign = align;
  const words = rowWords(row, upTo(row, ns));
  // On the right of the wait, the playhead's line would cross the words.
  if (align === "left") {
    const wide = context.measureText(words).width;
    context.globalAlpha = 0.85;
    context.fillStyle = theme.background;
    context.fillRect(x - 3, y - theme.fontPx * 0.62, wide + 6, theme.fontPx * 1.24);
    context.globalAlpha = 1;
  }
  context.fillStyle = theme.text;
  context.fillText(words, x, y + 0.5);
}

/** What ran at a point of the track, and what each row comes to there. */
export function insteadTip(
  plot: Plot,
  wake: MarkedWake | undefined,
  most: number,
  x: number,
  y: number,
): readonly string[] | undefined {
  const rows = insteadRows(plot.trace, wake, most);
  const row = rows[Math.floor(y / rowPx(plot.theme))];
  if (wake === undefined || row === undefined) return undefined;
  const ns = nsAt(plot, x);
  return [
    `instead of ${wake.task}: ${row.name}`,
    `${threeFigures(upTo(row, ns))} of ${threeFigures(row.ns)} up to here`,
    row.stretches.length === 1 ? "one stretch" : `${String(row.stretches.length)} stretches`,
  ];
}

/** Who had the CPU up to an instant, in words; `say` writes a time. */
export function insteadWords(
  trace: Plot["trace"],
  wake: MarkedWake | undefined,
  most: number,
  ns: number,
  say: (ns: number) => string,
): string {
  const rows = insteadRows(trace, wake, most);
  if (wake === undefined || rows.length === 0) return "who ran instead: no wake-up is selected";
  const parts = rows.map((row) => `${row.name} ${say(upTo(row, ns))} of ${say(row.ns)}`);
  return `while ${wake.task} waited, its CPU was with ${parts.join(", ")}`;
}

export const INSTEAD_LEGEND: readonly LegendEntry[] = [
  {
    words: "who ran instead, up to the playhead",
    swatch: (context, theme, width, height) => {
      context.fillStyle = theme.user;
      context.fillRect(1, 3, width * 0.6, height - 6);
      context.fillStyle = mixed(theme.user, theme.background, AHEAD);
      context.fillRect(1 + width * 0.6, 3, width * 0.4 - 2, height - 6);
    },
  },
];
