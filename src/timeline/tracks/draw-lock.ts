// The lock lane: how deep the queue of one lock is, and close up, which CPUs wait in it and in
// what order.
//
//   far away     ▁▂▆█▅▁      area: greatest depth in each pixel; behind it, paler, the deepest of
// all locks
//   close up     |4 |        one cell per waiter, first in line at the bottom, above the holder
//                |9 |4 |     a grant moves everyone one place down
//                |3 |9 |4
//   holder       [7 |3 |9 ]

import type { LockStep, LockTrack } from "../../model/index.ts";
import { writeLabel } from "../draw/label-layer.ts";
import type { Plot } from "../plot/plot.ts";
import { plotWidth, xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { mixed } from "../plot/timeline-theme.ts";

/** With fewer steps than this in sight the cells are drawn. */
export const CELLS_STEPS_MAX = 400;
/** With fewer rows than this in sight the holders are: a frame has time for so many. */
const HOLDS_ROWS_MAX = 20_000;
/** Height of the holder's own strip, as a share of the lane. */
const HOLDER_SHARE = 0.2;
const TOP_PX = 12;

/** `depthMax`: the full height of the scale, the same on both sides so that they compare. */
export function drawLockLane(
  context: CanvasRenderingContext2D,
  plot: Plot,
  lock: LockTrack | undefined,
  depthMax: number,
): void {
  context.fillStyle = plot.theme.background;
  context.fillRect(0, 0, plot.width, plot.height);
  drawScale(context, plot, depthMax);
  if (lock === undefined) return;
  const { fromNs, toNs } = plot.viewport;
  drawArea(context, plot, plot.trace.locks, depthMax, paleInk(plot.theme));
  drawArea(context, plot, lock, depthMax, plot.theme.spin);
  const rows = lock.countIn(fromNs, toNs);
  // Where a waiter has less than a pixel, its cell would show nothing that the area does not: a
  // queue of a thousand has a thousand of them.
  if (rows <= CELLS_STEPS_MAX && placePx(plot, depthMax) >= 1) {
    for (const step of lock.steps(fromNs, Math.min(toNs, plot.trace.endNs)))
      drawCells(context, plot, step, depthMax);
  }
  if (rows <= HOLDS_ROWS_MAX) drawHolders(context, plot, lock);
  else
    writeInStrip(
      context,
      plot,
      "zoom in for the holders",
      plot.gutter,
      plotWidth(plot),
      plot.theme.muted,
    );
  drawPeak(context, plot, lock, depthMax);
}

/** Colour of the area behind, which shows the deepest queue of any lock. */
export function paleInk(theme: TimelineTheme): string {
  return mixed(theme.spin, theme.background, 0.4);
}

function holderHeight(plot: Pick<Plot, "height">): number {
  return Math.round(plot.height * HOLDER_SHARE);
}

/** Height of one waiter. */
function placePx(plot: Plot, depthMax: number): number {
  return (plot.height - holderHeight(plot) - TOP_PX) / Math.max(1, depthMax);
}

/**
 * The place in the queue that a height of the lane belongs to, from 0; -1 is the holder's strip.
 */
export function placeAt(plot: Plot, depthMax: number, y: number): number {
  const above = plot.height - holderHeight(plot) - y;
  return above <= 0 ? -1 : Math.floor(above / placePx(plot, depthMax));
}

function drawScale(context: CanvasRenderingContext2D, plot: Plot, depthMax: number): void {
  const { theme } = plot;
  const floor = plot.height - holderHeight(plot);
  context.font = `${Math.max(9, theme.fontPx - 1)}px ui-monospace, monospace`;
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.fillStyle = theme.muted;
  context.fillText("held", plot.gutter - 6, plot.height - holderHeight(plot) / 2);
  if (depthMax > 0) context.fillText(`${depthMax}`, plot.gutter - 6, TOP_PX + 2);
  context.fillStyle = theme.rule;
  context.fillRect(plot.gutter - 1, 0, 1, plot.height);
  context.fillRect(plot.gutter, floor, plotWidth(plot), 1);
}

function drawArea(
  context: CanvasRenderingContext2D,
  plot: Plot,
  depths: Pick<LockTrack, "depthProfile">,
  depthMax: number,
  colour: string,
): void {
  const { fromNs, toNs } = plot.viewport;
  const columns = Math.max(1, Math.round(plotWidth(plot) * plot.ratio));
  const profile = depths.depthProfile(fromNs, toNs, columns);
  const floor = plot.height - holderHeight(plot);
  const step = placePx(plot, depthMax);
  const simulated = (columns * (plot.trace.endNs - fromNs)) / (toNs - fromNs);
  context.fillStyle = colour;
  profile.forEach((depth, column) => {
    if (column >= simulated) return; // Nothing is known of the queue there.
    // A queue of one must be seen beside a queue of fifty: never less than two pixels.
    const height = depth === 0 ? 0 : Math.min(floor, Math.max(2, depth * step));
    if (height > 0)
      context.fillRect(
        plot.gutter + column / plot.ratio,
        floor - height,
        1 / plot.ratio + 0.3,
        height,
      );
  });
}

function drawCells(
  context: CanvasRenderingContext2D,
  plot: Plot,
  step: LockStep,
  depthMax: number,
): void {
  const left = Math.max(plot.gutter, xOf(plot, step.fromNs));
  const width = xOf(plot, step.toNs) - left;
  if (width < 1) return;
  const floor = plot.height - holderHeight(plot);
  const size = placePx(plot, depthMax);
  if (width < 3) return;
  const { theme } = plot;
  step.queue.forEach((cpu, place) => {
    const top = floor - (place + 1) * size;
    fillWaiter(context, theme, place, left, top, width, size);
    if (size >= 9 && width >= 16)
      write(
        context,
        plot,
        `${cpu}`,
        left,
        width,
        top + size / 2,
        Math.min(theme.fontPx, size - 1),
        "#FFFFFF",
      );
  });
}

/** Neighbours in the queue have different inks. */
export function fillWaiter(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  place: number,
  left: number,
  top: number,
  width: number,
  size: number,
): void {
  context.fillStyle = place % 2 === 0 ? theme.spin : mixed(theme.spin, theme.background, 0.8);
  context.fillRect(left, top, width - 0.5, Math.max(1, size - 0.5));
}

/**
 * Each hold by itself, however many come to wait meanwhile; one is never too short to be seen, but
 * where the last one was.
 */
function drawHolders(context: CanvasRenderingContext2D, plot: Plot, lock: LockTrack): void {
  const { fromNs, toNs } = plot.viewport;
  const [top, size] = [plot.height - holderHeight(plot) + 2, holderHeight(plot) - 2];
  let drawnTo = -Infinity;
  for (const hold of lock.holds(fromNs, Math.min(toNs, plot.trace.endNs))) {
    const left = Math.max(plot.gutter, xOf(plot, hold.fromNs));
    const width = xOf(plot, hold.toNs) - left;
    if (left + width < drawnTo) continue;
    context.fillStyle = plot.theme.kernel;
    context.fillRect(left, top, Math.max(1, width - 0.5), size);
    drawnTo = left + Math.max(1, width);
    if (width >= 16) writeInStrip(context, plot, `${hold.holder}`, left, width, "#FFFFFF");
  }
}

function writeInStrip(
  context: CanvasRenderingContext2D,
  plot: Plot,
  text: string,
  left: number,
  width: number,
  colour: string,
): void {
  const size = holderHeight(plot) - 2;
  write(
    context,
    plot,
    text,
    left,
    width,
    plot.height - size / 2,
    Math.min(plot.theme.fontPx, size),
    colour,
  );
}

function write(
  context: CanvasRenderingContext2D,
  plot: Plot,
  text: string,
  left: number,
  width: number,
  y: number,
  size: number,
  colour: string,
): void {
  context.font = `600 ${size}px ui-monospace, monospace`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  if (context.measureText(text).width > width - 2) return;
  context.fillStyle = colour;
  const right = Math.min(plot.width, left + width);
  context.fillText(text, (left + right) / 2, y + 0.5);
}

export interface PeakPlace {
  /** Place of the dot, CSS px; a dot out of sight is not drawn. */
  readonly x: number;
  readonly y: number;
  readonly inSight: boolean;
  readonly words: string;
}

/**
 * Where the deepest moment is pinned with its number, at the edge with an arrow when it is out of
 * sight; undefined where no CPU waited.
 */
export function peakPlace(plot: Plot, lock: LockTrack, depthMax: number): PeakPlace | undefined {
  const { depth, atNs } = lock.peak;
  if (depth === 0) return undefined;
  const x = xOf(plot, atNs);
  const [before, after] = [x < plot.gutter, x > plot.width];
  const y = Math.max(4, plot.height - holderHeight(plot) - depth * placePx(plot, depthMax));
  return {
    x,
    y,
    inSight: !before && !after,
    words: `${before ? "‹ " : ""}max ${String(depth)}${after ? " ›" : ""}`,
  };
}

/** The left edge of its words, which are `width` wide. */
export function peakLeft(plot: Plot, { x }: PeakPlace, width: number): number {
  return Math.min(plot.width - width - 6, Math.max(plot.gutter + 4, x + 6));
}

function drawPeak(
  context: CanvasRenderingContext2D,
  plot: Plot,
  lock: LockTrack,
  depthMax: number,
): void {
  const peak = peakPlace(plot, lock, depthMax);
  if (peak === undefined) return;
  const { theme } = plot;
  const { x, y, inSight, words } = peak;
  context.font = `600 ${theme.fontPx - 1}px ui-sans-serif, system-ui, sans-serif`;
  const left = peakLeft(plot, peak, context.measureText(words).width);
  if (inSight) {
    context.fillStyle = theme.text;
    context.beginPath();
    context.arc(x, y, 3, 0, 2 * Math.PI);
    context.fill();
  }
  writeLabel(context, plot, words, left, Math.max(theme.fontPx / 2 + 1, y - 1), theme.text);
}
