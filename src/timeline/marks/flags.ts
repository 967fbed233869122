// need_resched on the lanes: a flag is a pennant where it is set and a trail to schedule(), a preemption point a diamond on the bar's edge.
//
//   ▷┄┄┄┄┄┄┄┄┄▶────────┤ 4.1 ms     lazy: hollow pennant, dashed trail; at the upgrade the pennant fills, from there the trail is solid
//        ◇     ◇       ◆            passed while the flag was set, and the point that honoured it
//
// From afar neither shapes nor carpets: each few pixels of a lane show what share of them was flagged, lazily below, "now" above.

import { formatNs } from "../../lib/format.ts";
import type { Flag } from "../../model/index.ts";
import { POINT } from "../../model/index.ts";
import { label } from "./arcs.ts";
import type { Plot } from "../draw/plot.ts";
import { barTop, inSight, nsPerPx, plotWidth, xOf } from "../draw/plot.ts";
import type { LaneRow } from "../lanes/rows.ts";
import type { TimelineTheme } from "../draw/theme.ts";

/** More flags than this in sight are drawn as shares. */
const FLAGS_MAX = 500;
/** As few as this carry their letter and length. */
const FLAGS_NAMED = 60;
/** Width of a share, CSS px. */
const SHARE_PX = 3;
/** Rows lower than this have no room for a flag's shape. */
const ROW_PX_MIN = 7;
/** More points than this in sight are drawn as small ticks, one for each few pixels. */
const POINTS_MAX = 700;
/** Zoomed in as far as this, points carry their name, ns per CSS px. */
const NAMED_NS_PER_PX = 200;
const POINT_NAMES: Readonly<Record<number, string>> = {
  [POINT.ReturnToUser]: "to user",
  [POINT.IrqExit]: "irq exit",
  [POINT.PreemptEnable]: "preempt_enable",
  [POINT.CondResched]: "cond_resched",
  [POINT.MightSleep]: "might_sleep",
};

export function drawFlags(context: CanvasRenderingContext2D, plot: Plot): void {
  const { fromNs, toNs } = plot.viewport;
  const { flags, endNs } = plot.trace;
  if (flags.countIn(fromNs, toNs) > FLAGS_MAX) {
    drawShares(context, plot);
    return;
  }
  const list = flags.list(fromNs, toNs, endNs);
  for (const flag of list) {
    const row = plot.rows.rowOfCpu[flag.cpu];
    if (row === undefined || !inSight(plot, barTop(plot, row))) continue;
    if (row.height >= ROW_PX_MIN) drawFlag(context, plot, row, flag, list.length <= FLAGS_NAMED);
    else drawLine(context, plot, row, flag);
  }
}

interface Extent {
  readonly left: number;
  readonly right: number;
  /** Where the solid part begins: at `right` while it stayed lazy. */
  readonly turn: number;
}

function extentOf(plot: Plot, flag: Flag): Extent {
  const left = xOf(plot, flag.fromNs);
  const right = Math.max(left + 1, xOf(plot, flag.toNs));
  const turn = flag.upgradeNs === undefined ? (flag.lazy ? right : left) : xOf(plot, flag.upgradeNs);
  return { left, right, turn };
}

/** On the shelf, where it hides no bar; the pole goes down to the baseline. */
function drawFlag(context: CanvasRenderingContext2D, plot: Plot, row: LaneRow, flag: Flag, named: boolean): void {
  const { theme } = plot;
  const floor = Math.round(barTop(plot, row)) - 1;
  const size = Math.max(4, row.shelfHeight);
  const { left, right, turn } = extentOf(plot, flag);
  const thick = Math.max(2, theme.strokePx);
  const from = Math.max(left, plot.gutter);
  const to = Math.min(right, plot.width);
  if (turn > from) drawDashes(context, from, Math.min(turn, to), floor - thick + 1, thick, theme.flagLazy);
  context.fillStyle = theme.flag;
  if (to > Math.max(turn, from)) context.fillRect(Math.max(turn, from), floor - thick + 1, to - Math.max(turn, from), thick);
  if (left >= plot.gutter)
    drawPennant(context, left, floor - size, size, row.barHeight, flag.lazy ? theme.flagLazy : theme.flag, flag.lazy);
  if (flag.upgradeNs !== undefined && turn >= plot.gutter) drawPennant(context, turn, floor - size, size, 2, theme.flag, false);
  if (flag.honouredAt !== undefined && right - left > 4) {
    context.fillStyle = turn < right ? theme.flag : theme.flagLazy;
    context.fillRect(right - 1, floor - size, Math.max(1, theme.strokePx * 0.6), size + 1);
  }
  if (named && row.height >= 18) drawName(context, plot, flag, from, to, floor - size / 2);
}

function drawDashes(context: CanvasRenderingContext2D, from: number, to: number, y: number, thick: number, colour: string): void {
  context.fillStyle = colour;
  for (let x = from; x < to; x += thick * 3) context.fillRect(x, y, Math.min(thick * 1.7, to - x), thick);
}

function drawPennant(
  context: CanvasRenderingContext2D,
  x: number,
  mast: number,
  size: number,
  pole: number,
  colour: string,
  hollow: boolean,
): void {
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = 1.25;
  context.fillRect(x - 0.5, mast, 1, pole + size);
  context.beginPath();
  context.moveTo(x, mast);
  context.lineTo(x + size * 1.2, mast + size / 2);
  context.lineTo(x, mast + size);
  context.closePath();
  if (hollow) context.stroke();
  else context.fill();
}

/** The letter as in ftrace (L lazy, N now) and the length, where they fit behind the pennant. */
function drawName(context: CanvasRenderingContext2D, plot: Plot, flag: Flag, from: number, to: number, y: number): void {
  const letter = flag.lazy ? (flag.upgradeNs === undefined ? "L" : "L→N") : "N";
  const text = `${letter} ${formatNs(flag.toNs - flag.fromNs)}`;
  const after = plot.theme.fontPx * 1.3;
  context.font = `600 ${plot.theme.fontPx - 1}px ui-sans-serif, system-ui, sans-serif`;
  if (to - from < context.measureText(text).width + after * 2) return;
  label(context, plot, text, from + after, y, flag.lazy && flag.upgradeNs === undefined ? plot.theme.flagLazy : plot.theme.flag);
}

/** Rows of a few pixels: one line along the top edge. */
function drawLine(context: CanvasRenderingContext2D, plot: Plot, row: LaneRow, flag: Flag): void {
  const { left, right, turn } = extentOf(plot, flag);
  const y = row.top - plot.scrollTop;
  context.fillStyle = plot.theme.flagLazy;
  if (turn > left) context.fillRect(left, y, turn - left, 1);
  context.fillStyle = plot.theme.flag;
  if (right > turn) context.fillRect(turn, y, right - turn, 1);
}

/** Lazy ns, then "now" ns, of each share of each row in sight. */
function sharesOf(plot: Plot, columns: number): Map<number, Float32Array> {
  const { fromNs, toNs } = plot.viewport;
  const shareNs = (toNs - fromNs) / columns;
  const rows = new Map<number, Float32Array>();
  plot.trace.flags.visit(fromNs, toNs, plot.trace.endNs, (from, now, to, cpu) => {
    let sums = rows.get(cpu);
    if (sums === undefined) rows.set(cpu, (sums = new Float32Array(columns * 2)));
    const last = Math.min(columns - 1, Math.floor((to - fromNs) / shareNs));
    for (let column = Math.max(0, Math.floor((from - fromNs) / shareNs)); column <= last; column += 1) {
      const start = Math.max(from, fromNs + column * shareNs);
      const stop = Math.min(to, fromNs + (column + 1) * shareNs);
      const turn = Math.min(stop, Math.max(start, now));
      sums[column * 2] = (sums[column * 2] ?? 0) + turn - start;
      sums[column * 2 + 1] = (sums[column * 2 + 1] ?? 0) + stop - turn;
    }
  });
  return rows;
}

function drawShares(context: CanvasRenderingContext2D, plot: Plot): void {
  const columns = Math.max(1, Math.floor(plotWidth(plot) / SHARE_PX));
  const width = plotWidth(plot) / columns;
  const shareNs = (plot.viewport.toNs - plot.viewport.fromNs) / columns;
  const { theme } = plot;
  for (const [cpu, sums] of sharesOf(plot, columns)) {
    const row = plot.rows.rowOfCpu[cpu];
    if (row === undefined || !inSight(plot, barTop(plot, row))) continue;
    const room = Math.max(1, row.shelfHeight);
    const floor = row.shelfHeight === 0 ? row.top - plot.scrollTop + 1 : barTop(plot, row) - 1;
    for (let column = 0; column < columns; column += 1) {
      const lazy = (sums[column * 2] ?? 0) / shareNs;
      const now = (sums[column * 2 + 1] ?? 0) / shareNs;
      if (lazy + now === 0) continue;
      const x = plot.gutter + column * width;
      const lazyPx = lazy === 0 ? 0 : Math.max(1, lazy * room);
      // A gap between shares: even a lane that is flagged throughout stays a row of marks and not a carpet.
      context.fillStyle = theme.flagLazy;
      if (lazyPx > 0) context.fillRect(x, floor - lazyPx, width - 1, lazyPx);
      context.fillStyle = theme.flag;
      if (now > 0) context.fillRect(x, floor - lazyPx - Math.max(1, now * room), width - 1, Math.max(1, now * room));
    }
  }
}

/** Diamonds on the bar's upper edge: filled where schedule() followed, hollow where a set flag was passed over, a hair where none was set. */
export function drawPoints(context: CanvasRenderingContext2D, plot: Plot): void {
  const { fromNs, toNs } = plot.viewport;
  const { points } = plot.trace;
  const count = points.countIn(fromNs, toNs);
  const size = Math.max(3.5, plot.theme.fontPx * 0.34);
  const close = nsPerPx(plot) <= NAMED_NS_PER_PX && count <= POINTS_MAX;
  const done = new Map<number, number>();
  const named = new Map<number, number>();
  points.visit(fromNs, toNs, (ns, cpu, point, taken, flagged) => {
    const row = plot.rows.rowOfCpu[cpu];
    if (row === undefined || row.height < 18 || !inSight(plot, barTop(plot, row))) return;
    const x = xOf(plot, ns);
    const y = barTop(plot, row) + (taken ? 0 : size * 0.4);
    if (count > POINTS_MAX) {
      // One mark for each few pixels, the first of them.
      if (!flagged || x < (done.get(cpu) ?? -Infinity)) return;
      done.set(cpu, x + SHARE_PX * 2);
      drawSmallPoint(context, plot, x, barTop(plot, row), taken);
      return;
    }
    if (flagged) drawPoint(context, plot.theme, x, y, size, taken);
    else drawSmallPoint(context, plot, x, barTop(plot, row), false);
    if (close && flagged && x > (named.get(cpu) ?? -Infinity)) named.set(cpu, drawPointName(context, plot, row, x, point, taken));
  });
}

function drawPoint(context: CanvasRenderingContext2D, theme: TimelineTheme, x: number, y: number, size: number, taken: boolean): void {
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.closePath();
  context.fillStyle = taken ? theme.text : theme.background;
  context.fill();
  context.strokeStyle = taken ? theme.background : theme.text;
  context.lineWidth = Math.max(1.25, theme.strokePx * 0.5);
  context.stroke();
}

function drawSmallPoint(context: CanvasRenderingContext2D, plot: Plot, x: number, y: number, taken: boolean): void {
  context.fillStyle = plot.theme.text;
  context.globalAlpha = taken ? 1 : 0.55;
  context.fillRect(x - (taken ? 1 : 0.5), y - 1, taken ? 2 : 1, taken ? 6 : 4);
  context.globalAlpha = 1;
}

/** Writes the point's name behind it, on the shelf; returns where the next name of this row may begin. */
function drawPointName(context: CanvasRenderingContext2D, plot: Plot, row: LaneRow, x: number, point: number, taken: boolean): number {
  const text = POINT_NAMES[point] ?? "";
  const y = barTop(plot, row) - 1 - row.shelfHeight / 2;
  label(context, plot, text, x + plot.theme.fontPx * 0.6, y, taken ? plot.theme.text : plot.theme.muted);
  return x + plot.theme.fontPx + context.measureText(text).width;
}

export type FlagMark = "now" | "lazy" | "upgrade" | "taken" | "passed";

/** The legend's picture of one of them, drawn by the same code. */
export function drawFlagSwatch(
  context: CanvasRenderingContext2D,
  mark: FlagMark,
  theme: TimelineTheme,
  width: number,
  height: number,
): void {
  const middle = width / 2;
  const floor = height - 3;
  const thick = Math.max(2, theme.strokePx);
  const size = height * 0.6;
  if (mark === "taken" || mark === "passed") {
    drawPoint(context, theme, middle, height / 2, Math.max(4, theme.fontPx * 0.4), mark === "taken");
    return;
  }
  const turn = mark === "now" ? 2 : mark === "lazy" ? width - 2 : middle;
  drawDashes(context, 2, turn, floor - thick, thick, theme.flagLazy);
  context.fillStyle = theme.flag;
  if (turn < width - 2) context.fillRect(turn, floor - thick, width - 2 - turn, thick);
  drawPennant(context, 3, floor - size, size, 2, mark === "now" ? theme.flag : theme.flagLazy, mark !== "now");
  if (mark === "upgrade") drawPennant(context, middle, floor - size, size, 2, theme.flag, false);
}
