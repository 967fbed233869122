// A group's run time as a tank: the pool, on top of it what CPUs hold, below the floor what they
// owe.
//
//   quota + burst ┬┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄   second chamber: what may be saved up
//   quota         ┼──▼──╲╲╲╲───────▼───────────   verticals with a head: refills
//                 │  ██╲╲╲╲╲╲╲╲╲╲╲╲██╲╲╲╲         solid: in the pool; hatched: on CPUs, used or
//                 │                               stranded
//   0             ┼──██████████████████████████
//   debt          ┴            ▄▄▄▄               below the floor
//
// The level falls with time while CPUs run; between charges the picture holds the last one.

import { formatNs, threeFigures } from "../../lib/format.ts";
import type { GroupTrack } from "../../model/index.ts";
import { KIND } from "../../engine/gen/catalogue.ts";
import { labelFont, writeLabel } from "../draw/label-layer.ts";
import { drop } from "../draw/strokes.ts";
import type { Plot } from "../plot/plot.ts";
import { plotWidth, xOf } from "../plot/plot.ts";
import { mixed } from "../plot/timeline-theme.ts";

/** More refills or moves than this in sight carry no heads. */
const REFILLS_NAMED = 120;
const DOUBLES_MAX = 200;
const MOVES_MAX = 400;
const PAD_PX = 3;
/** More names would hide the levels. */
const NAMED_MAX = 4;
/** Between a line and its name, CSS px. */
const NAME_GAP_PX = 4;

/** The scale of a tank, ns: the same on both sides so that they compare. */
export interface TankScale {
  readonly top: number;
  /** The debt as a positive number. */
  readonly debt: number;
}

/** What a group's tank must hold over a whole run. */
export function tankScale(track: GroupTrack, endNs: number): TankScale {
  const { quota_ns: quota = 0, burst_ns: burst } = track.info;
  const { lows } = track.debt.profile(0, endNs + 1, 1);
  const written = track.limits.map(({ quotaNs = 0 }) => quotaNs + burst);
  return {
    top: Math.max(
      quota + burst,
      ...written,
      track.pool.peakIn(0, endNs + 1),
      track.held.peakIn(0, endNs + 1),
      1,
    ),
    debt: -(lows[0] ?? 0),
  };
}

/**
 * A side on which the group has no limit has no tank: its place stays empty, so that the lanes of
 * both sides are level.
 */
export function drawTank(
  context: CanvasRenderingContext2D,
  plot: Plot,
  track: GroupTrack | undefined,
  scale: TankScale,
): void {
  context.fillStyle = plot.theme.background;
  context.fillRect(0, 0, plot.width, plot.height);
  if (track === undefined) return;
  const yOf = heights(plot, scale);
  drawLevels(context, plot, track, yOf);
  drawRefills(context, plot, track, yOf);
  drawMoves(context, plot, track, yOf);
  drawNamed(context, plot, doublesIn(plot, track), "spent twice", plot.theme.wrong);
  drawNamed(context, plot, lossesIn(plot, track, yOf), "thrown away", plot.theme.lost);
  drawScale(context, plot, track, scale, yOf);
}

type YOf = (ns: number) => number;

function heights(plot: Plot, { top, debt }: TankScale): YOf {
  const pxPerNs = (plot.height - 2 * PAD_PX) / (top + debt);
  return (ns) => PAD_PX + (top - ns) * pxPerNs;
}

/** The run time at a height of the tank, ns; negative below its floor. */
export function tankNsAt({ height }: Pick<Plot, "height">, scale: TankScale, y: number): number {
  return scale.top - ((y - PAD_PX) * (scale.top + scale.debt)) / (height - 2 * PAD_PX);
}

function drawLevels(
  context: CanvasRenderingContext2D,
  plot: Plot,
  track: GroupTrack,
  yOf: YOf,
): void {
  const { theme, viewport } = plot;
  const columns = Math.max(1, Math.round(plotWidth(plot) * plot.ratio));
  const pool = track.pool.profile(viewport.fromNs, viewport.toNs, columns);
  const held = track.held.profile(viewport.fromNs, viewport.toNs, columns);
  const debt = track.debt.profile(viewport.fromNs, viewport.toNs, columns);
  const floor = yOf(0);
  const step = 1 / plot.ratio;
  const until = xOf(plot, plot.trace.endNs);
  const paper = mixed(theme.quota, theme.background, 0.28);
  for (let column = 0; column < columns; column += 1) {
    const x = plot.gutter + column * step;
    if (x > until) break;
    const low = pool.lows[column] ?? 0;
    const high = pool.peaks[column] ?? 0;
    const y = yOf(high);
    const onCpus = held.peaks[column] ?? 0;
    const owed = debt.lows[column] ?? 0;
    if (onCpus > 0) fill(context, paper, x, yOf(low + onCpus), step, yOf(low) - yOf(low + onCpus));
    // Where the level moves within a pixel, its range is paler than what was there throughout.
    if (high > low)
      fill(context, mixed(theme.quota, theme.background, 0.6), x, y, step, yOf(low) - y);
    if (low > 0) fill(context, theme.quota, x, yOf(low), step, floor - yOf(low));
    if (owed < 0) fill(context, theme.wrong, x, floor, step, Math.max(2, yOf(owed) - floor));
  }
  hatchHeld(context, plot, track, yOf, until);
}

/**
 * Hatch lines over what CPUs hold: it differs from the pool without colour. Each line follows the
 * stack it lies on.
 */
function hatchHeld(
  context: CanvasRenderingContext2D,
  plot: Plot,
  track: GroupTrack,
  yOf: YOf,
  until: number,
): void {
  const { viewport, theme } = plot;
  const stripe = 4;
  const columns = Math.max(1, Math.floor(plotWidth(plot) / stripe));
  const held = track.held.profile(viewport.fromNs, viewport.toNs, columns);
  const pool = track.pool.profile(viewport.fromNs, viewport.toNs, columns);
  context.fillStyle = theme.quota;
  for (let column = 0; column < columns; column += 1) {
    const x = plot.gutter + column * stripe;
    const onCpus = held.peaks[column] ?? 0;
    if (onCpus <= 0 || x > until) continue;
    const bottom = yOf(pool.lows[column] ?? 0);
    context.fillRect(
      x,
      yOf((pool.lows[column] ?? 0) + onCpus),
      1,
      bottom - yOf((pool.lows[column] ?? 0) + onCpus),
    );
  }
}

function fill(
  context: CanvasRenderingContext2D,
  colour: string,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  context.fillStyle = colour;
  context.fillRect(x, y, width + 0.3, height);
}

function drawRefills(
  context: CanvasRenderingContext2D,
  plot: Plot,
  track: GroupTrack,
  yOf: YOf,
): void {
  const { fromNs, toNs } = plot.viewport;
  const named = track.refills.countIn(fromNs, toNs) <= REFILLS_NAMED;
  const { events } = plot.trace;
  const floor = yOf(0);
  let last = -Infinity;
  context.fillStyle = plot.theme.text;
  for (const row of track.refills.listIn(fromNs, toNs)) {
    const x = xOf(plot, events.time.at(row));
    if (x - last < 2) continue;
    last = x;
    const y = yOf(track.limitAt(events.time.at(row)).quotaNs ?? 0);
    context.fillRect(x - 0.5, y, 1, floor - y);
    if (!named) continue;
    context.beginPath();
    context.moveTo(x, y + 6);
    context.lineTo(x - 3.5, y);
    context.lineTo(x + 3.5, y);
    context.fill();
  }
}

/** Ticks on the floor: down for what a CPU takes, up (hollow) for what comes back. */
function drawMoves(
  context: CanvasRenderingContext2D,
  plot: Plot,
  track: GroupTrack,
  yOf: YOf,
): void {
  const { fromNs, toNs } = plot.viewport;
  const { events } = plot.trace;
  if (track.moves.countIn(fromNs, toNs) > MOVES_MAX) return;
  context.fillStyle = context.strokeStyle = plot.theme.text;
  context.lineWidth = 1;
  for (const row of track.moves.listIn(fromNs, toNs)) {
    const back = events.kind.at(row) === KIND.BwReturn;
    drop(context, xOf(plot, events.time.at(row)), yOf(0) - 4, 2.5, back);
  }
}

/** A line over the tank, and the run time that it is about. */
interface NamedLine {
  readonly x: number;
  readonly ns: number;
  /** From the top, CSS px. */
  readonly top: number;
  readonly height: number;
}

/** Run time spent twice: a line over the whole tank for each. */
function doublesIn(plot: Plot, track: GroupTrack): readonly NamedLine[] {
  const { fromNs, toNs } = plot.viewport;
  const { events } = plot.trace;
  if (track.doubles.countIn(fromNs, toNs) > DOUBLES_MAX) return [];
  return [...track.doubles.listIn(fromNs, toNs)].map((row) => ({
    x: xOf(plot, events.time.at(row)),
    ns: events.b.at(row),
    top: 0,
    height: plot.height,
  }));
}

/** Losses nearer to each other than this are one line, CSS px. */
const LOSSES_PX = 4;

/** Run time thrown away: a line on the floor as high as the amount is on the tank's scale. */
function lossesIn(plot: Plot, { lost }: GroupTrack, yOf: YOf): readonly NamedLine[] {
  const { fromNs, toNs } = plot.viewport;
  const columns = Math.max(1, Math.floor(plotWidth(plot) / LOSSES_PX));
  const columnNs = (toNs - fromNs) / columns;
  const floor = yOf(0);
  const found: NamedLine[] = [];
  let before = lost.before(lost.firstAt(fromNs));
  for (let column = 1; column <= columns; column += 1) {
    const after = lost.before(lost.firstAt(fromNs + column * columnNs));
    const ns = after - before;
    before = after;
    if (ns === 0) continue;
    const height = Math.min(floor, Math.max(2, floor - yOf(ns)));
    found.push({ x: plot.gutter + (column - 0.5) * LOSSES_PX, ns, top: floor - height, height });
  }
  return found;
}

/**
 * The lines, and their amounts in words: that of the largest, and those of others whose words cross
 * neither a line nor words.
 */
function drawNamed(
  context: CanvasRenderingContext2D,
  plot: Plot,
  lines: readonly NamedLine[],
  called: string,
  colour: string,
): void {
  context.fillStyle = colour;
  for (const { x, top, height } of lines) context.fillRect(x - 1, top, 3, height);
  const taken = lines.map(({ x }): Stretch => [x - 1, x + 2]);
  const largest = [...lines].sort((one, other) => other.ns - one.ns).slice(0, NAMED_MAX);
  for (const [rank, { x, ns }] of largest.entries()) {
    const text = `${called}: ${threeFigures(ns)}`;
    context.font = labelFont(plot.theme.fontPx);
    const width = context.measureText(text).width;
    const places = [x + NAME_GAP_PX, x - NAME_GAP_PX - width];
    const anywhere = rank === 0 ? Math.min(x + NAME_GAP_PX, plot.width - width) : undefined;
    const left = places.find((from) => isFree(plot, taken, [from, from + width])) ?? anywhere;
    if (left === undefined) continue;
    taken.push([left - NAME_GAP_PX, left + width + NAME_GAP_PX]);
    writeLabel(context, plot, text, left, plot.theme.fontPx, colour);
  }
}

/** From and to, CSS px. */
type Stretch = readonly [number, number];

function isFree({ gutter, width }: Plot, taken: readonly Stretch[], [from, to]: Stretch): boolean {
  return (
    from >= gutter && to <= width && taken.every(([left, right]) => to <= left || from >= right)
  );
}

function drawScale(
  context: CanvasRenderingContext2D,
  plot: Plot,
  track: GroupTrack,
  scale: TankScale,
  yOf: YOf,
): void {
  const { theme } = plot;
  const { quota_ns: quota = 0, burst_ns: burst } = track.info;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, plot.gutter, plot.height);
  context.fillStyle = theme.rule;
  context.fillRect(plot.gutter - 1, 0, 1, plot.height);
  context.fillRect(plot.gutter, yOf(0), plotWidth(plot), 1);
  context.font = `${Math.max(9, theme.fontPx - 2)}px ui-monospace, monospace`;
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.fillStyle = theme.muted;
  const half = theme.fontPx / 2;
  context.fillText(formatNs(scale.top, 0), plot.gutter - 4, Math.max(half, yOf(scale.top)));
  if (plot.height > theme.fontPx * 3)
    context.fillText("0", plot.gutter - 4, Math.min(plot.height - half, yOf(0)));
  if (burst === 0 || quota === 0) return;
  context.strokeStyle = theme.muted;
  context.lineWidth = 1;
  context.setLineDash([4, 3]);
  context.beginPath();
  context.moveTo(plot.gutter, Math.round(yOf(quota)) + 0.5);
  context.lineTo(plot.width, Math.round(yOf(quota)) + 0.5);
  context.stroke();
  context.setLineDash([]);
  writeLabel(context, plot, "burst", plot.gutter + 4, yOf(quota + burst / 2), theme.muted);
}
