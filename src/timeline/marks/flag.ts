// need_resched: a pennant where the flag is set and a trail to schedule().
//
//   ▷┄┄┄┄┄┄┄┄┄▶────────┤ 4.1 ms     lazy: hollow pennant, dashed trail; the upgrade fills the
//                                   pennant, and from there the trail is solid
//
// Where three or more lie so close on a lane that their pennants would be one block, each is a
// thin tick, and the count is behind the last. From afar neither shapes nor carpets: each few
// pixels of a lane show what share of them was flagged, lazily below, "now" above.

import { KIND } from "../../engine/gen/catalogue.ts";
import { formatNs } from "../../lib/format.ts";
import { describeFlag, speakFlag } from "../../model/words/describe.ts";
import type { Flag } from "../../model/index.ts";
import type { LabelLayer } from "../draw/label-layer.ts";
import { RANK } from "../draw/label-layer.ts";
import type { Plot } from "../plot/plot.ts";
import { barTop, inSight, nsPerPx, plotWidth, roomFor, xOf } from "../plot/plot.ts";
import { type LaneRow, SHELF_LEAST } from "../plot/lane-rows.ts";
import type { Found, Mark, Pointer, Run, Scene } from "./mark.ts";
import { drawBar, isTall, type PennantPlace, wordBar, WORDED_MAX } from "./pennant.ts";
import { COUNTED_MAX, LOOKED_FOR_MAX, REACH_PX } from "./mark.ts";

const DETAIL = { most: 500, beyond: "shares" } as const;
/** Up to this number of flags, each carries its letter and length. */
const FLAGS_NAMED = 60;
/** Flags of one CPU that a hover counts. */
const FLAGS_TOLD = 50;
/** Where flags lie closer than this on the lanes, their pennants would be a carpet, CSS px. */
const FLAG_PX = 14;
/** Width of a pennant in its heights. */
const PENNANT_SHARE = 1.2;
/**
 * From this number on, pennants that lie over each other are a crowd: two are still seen as two.
 */
const CROWD_LEAST = 3;
/** Width of a share, CSS px. */
const SHARE_PX = 3;
/** On a shelf of this height a share is two pixels high at least. */
const SHELF_PX = 6;

function draw(context: CanvasRenderingContext2D, { plot }: Scene, labels: LabelLayer): void {
  const { fromNs, toNs } = plot.viewport;
  const { flags, endNs } = plot.trace;
  if (flags.countIn(fromNs, toNs) > Math.min(DETAIL.most, roomFor(plot, FLAG_PX))) {
    drawShares(context, plot);
    return;
  }
  const list = flags.list(fromNs, toNs, endNs);
  const named = list.length <= FLAGS_NAMED ? labels : undefined;
  for (const [cpu, own] of flagsByCpu(list)) {
    const row = plot.rows.rowOfCpu[cpu];
    if (row === undefined || !inSight(plot, barTop(plot, row))) continue;
    const worded = own.length <= WORDED_MAX;
    if (row.height < SHELF_LEAST) for (const flag of own) drawLine(context, plot, row, flag);
    else
      for (const crowd of crowdsOf(plot, row, own)) {
        if (crowd.length >= CROWD_LEAST) drawCrowd(context, plot, row, crowd, labels);
        else
          for (const flag of crowd) drawFlag(context, plot, row, flag, { labels: named, worded });
      }
  }
}

function flagsByCpu(flags: readonly Flag[]): ReadonlyMap<number, readonly Flag[]> {
  const groups = new Map<number, Flag[]>();
  for (const flag of flags) {
    const group = groups.get(flag.cpu);
    if (group === undefined) groups.set(flag.cpu, [flag]);
    else group.push(flag);
  }
  return groups;
}

/** The flags of one lane, those together whose pennants would lie over each other. */
function crowdsOf(plot: Plot, row: LaneRow, flags: readonly Flag[]): readonly Flag[][] {
  const wide = sizeOf(plot, row) * PENNANT_SHARE + 1;
  const crowds: Flag[][] = [];
  let last = -Infinity;
  for (const flag of [...flags].sort((one, other) => one.fromNs - other.fromNs)) {
    const x = xOf(plot, flag.fromNs);
    if (x - last < wide) crowds.at(-1)?.push(flag);
    else crowds.push([flag]);
    last = x;
  }
  return crowds;
}

/** Ticks on the shelf, no two in a pixel, and the trails; the bar below stays as it is. */
function drawCrowd(
  context: CanvasRenderingContext2D,
  plot: Plot,
  row: LaneRow,
  crowd: readonly Flag[],
  labels: LabelLayer,
): void {
  const { theme } = plot;
  const floor = Math.round(barTop(plot, row)) - 1;
  const size = sizeOf(plot, row);
  let last = -Infinity;
  for (const flag of crowd) {
    drawTrail(context, plot, floor, extentOf(plot, flag));
    const x = Math.round(xOf(plot, flag.fromNs));
    if (x < plot.gutter || x > plot.width || x - last < 2) continue;
    context.fillStyle = flag.lazy ? theme.flagLazy : theme.flag;
    context.fillRect(x, floor - size, 1, size);
    last = x;
  }
  const lazy = crowd.every((flag) => flag.lazy);
  labels.add(
    `${String(crowd.length)} flags`,
    last + 4,
    floor - size / 2,
    lazy ? theme.flagLazy : theme.flag,
    RANK.Count,
  );
}

/** On a machine of few CPUs shelves are high: a pennant stays as high as its words. */
function sizeOf({ theme }: Plot, row: LaneRow): number {
  return Math.max(4, Math.min(row.shelfHeight, theme.fontPx * 1.2));
}

function drawTrail(
  context: CanvasRenderingContext2D,
  { theme, gutter, width }: Plot,
  floor: number,
  { left, right, turn }: Extent,
): void {
  const thick = Math.max(2, theme.strokePx);
  const [from, to] = [Math.max(left, gutter), Math.min(right, width)];
  if (turn > from)
    drawDashes(context, from, Math.min(turn, to), floor - thick + 1, thick, theme.flagLazy);
  context.fillStyle = theme.flag;
  if (to > Math.max(turn, from))
    context.fillRect(Math.max(turn, from), floor - thick + 1, to - Math.max(turn, from), thick);
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
  const turn =
    flag.upgradeNs === undefined ? (flag.lazy ? right : left) : xOf(plot, flag.upgradeNs);
  return { left, right, turn };
}

/** Where words go, and whether they say all of a flag. */
interface FlagWords {
  readonly labels: LabelLayer | undefined;
  readonly worded: boolean;
}

/** On the shelf, where it hides no bar; the pole goes down to the baseline. */
function drawFlag(
  context: CanvasRenderingContext2D,
  plot: Plot,
  row: LaneRow,
  flag: Flag,
  { labels, worded }: FlagWords,
): void {
  const { theme } = plot;
  const floor = Math.round(barTop(plot, row)) - 1;
  const size = sizeOf(plot, row);
  const extent = extentOf(plot, flag);
  const { left, right, turn } = extent;
  const from = Math.max(left, plot.gutter);
  const to = Math.min(right, plot.width);
  const place = { ...extent, floor, size };
  if (isTall(plot, row) && drawBar(context, plot, place)) {
    drawPole(context, plot, row, flag, place);
    if (labels === undefined) return;
    if (worded) wordBar(plot, flag, place, labels);
    else nameFlag(plot, flag, from, to, floor - size / 2, labels);
    return;
  }
  drawTrail(context, plot, floor, extent);
  if (left >= plot.gutter)
    drawPennant(
      context,
      left,
      floor - size,
      size,
      row.barHeight,
      flag.lazy ? theme.flagLazy : theme.flag,
      flag.lazy,
    );
  if (flag.upgradeNs !== undefined && turn >= plot.gutter)
    drawPennant(context, turn, floor - size, size, 2, theme.flag, false);
  if (flag.honouredAt !== undefined && right - left > 4) {
    context.fillStyle = turn < right ? theme.flag : theme.flagLazy;
    context.fillRect(right - 1, floor - size, Math.max(1, theme.strokePx * 0.6), size + 1);
  }
  if (labels !== undefined && row.height >= 18)
    nameFlag(plot, flag, from, to, floor - size / 2, labels);
}

/** Where a bar begins, down to the lane's baseline. */
function drawPole(
  context: CanvasRenderingContext2D,
  { theme, gutter }: Plot,
  row: LaneRow,
  flag: Flag,
  { left, floor, size }: PennantPlace,
): void {
  if (left < gutter) return;
  context.fillStyle = flag.lazy ? theme.flagLazy : theme.flag;
  context.fillRect(left - 0.5, floor - size, 1.5, size + row.barHeight);
}

function drawDashes(
  context: CanvasRenderingContext2D,
  from: number,
  to: number,
  y: number,
  thick: number,
  colour: string,
): void {
  context.fillStyle = colour;
  for (let x = from; x < to; x += thick * 3)
    context.fillRect(x, y, Math.min(thick * 1.7, to - x), thick);
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
  context.lineTo(x + size * PENNANT_SHARE, mast + size / 2);
  context.lineTo(x, mast + size);
  context.closePath();
  if (hollow) context.stroke();
  else context.fill();
}

/** The letter as in ftrace (L lazy, N now) and the length, where they fit behind the pennant. */
function nameFlag(
  plot: Plot,
  flag: Flag,
  from: number,
  to: number,
  y: number,
  labels: LabelLayer,
): void {
  const letter = flag.lazy ? (flag.upgradeNs === undefined ? "L" : "L→N") : "N";
  const text = `${letter} ${formatNs(flag.toNs - flag.fromNs)}`;
  const after = plot.theme.fontPx * 1.3;
  if (to - from < labels.widthOf(text) + after * 2) return;
  labels.add(
    text,
    from + after,
    y,
    flag.lazy && flag.upgradeNs === undefined ? plot.theme.flagLazy : plot.theme.flag,
    RANK.Flag,
  );
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
    const row = plot.rows.rowOfCpu[cpu];
    if (row === undefined || !inSight(plot, barTop(plot, row))) return;
    let sums = rows.get(cpu);
    if (sums === undefined) rows.set(cpu, (sums = new Float32Array(columns * 2)));
    const last = Math.min(columns - 1, Math.floor((to - fromNs) / shareNs));
    for (
      let column = Math.max(0, Math.floor((from - fromNs) / shareNs));
      column <= last;
      column += 1
    ) {
      const start = Math.max(from, fromNs + column * shareNs);
      const stop = Math.min(to, fromNs + (column + 1) * shareNs);
      const turn = Math.min(stop, Math.max(start, now));
      sums[column * 2] = (sums[column * 2] ?? 0) + turn - start;
      sums[column * 2 + 1] = (sums[column * 2 + 1] ?? 0) + stop - turn;
    }
  });
  return rows;
}

/** From afar: each few pixels of a lane show what share of them was flagged. */
function drawShares(context: CanvasRenderingContext2D, plot: Plot): void {
  const columns = Math.max(1, Math.floor(plotWidth(plot) / SHARE_PX));
  const width = plotWidth(plot) / columns;
  const shareNs = (plot.viewport.toNs - plot.viewport.fromNs) / columns;
  const { theme } = plot;
  for (const [cpu, sums] of sharesOf(plot, columns)) {
    const row = plot.rows.rowOfCpu[cpu];
    if (row === undefined) continue;
    const room = Math.max(1, row.shelfHeight);
    const least = room >= SHELF_PX ? 2 : 1;
    const floor = row.shelfHeight === 0 ? row.top - plot.scrollTop + 1 : barTop(plot, row) - 1;
    for (let column = 0; column < columns; column += 1) {
      const lazy = (sums[column * 2] ?? 0) / shareNs;
      const now = (sums[column * 2 + 1] ?? 0) / shareNs;
      if (lazy + now === 0) continue;
      // Whole pixels, and a gap between shares: a lane that is flagged throughout stays a row of
      // marks and not a carpet.
      const x = Math.round(plot.gutter + column * width);
      const wide = Math.round(plot.gutter + (column + 1) * width) - x - 1;
      const lazyPx = lazy === 0 ? 0 : Math.max(least, Math.round(lazy * room));
      const nowPx = now === 0 ? 0 : Math.max(least, Math.round(now * room));
      context.fillStyle = theme.flagLazy;
      if (lazyPx > 0) context.fillRect(x, floor - lazyPx, wide, lazyPx);
      context.fillStyle = theme.flag;
      if (nowPx > 0) context.fillRect(x, floor - lazyPx - nowPx, wide, nowPx);
    }
  }
}

/** The flag set here, or the one whose shape is under the pointer; several are counted. */
function hit({ trace, plot }: Scene, { cpu, ns }: Pointer): Found | undefined {
  const reach = nsPerPx(plot) * REACH_PX;
  const here = trace.flags.at(cpu, ns, trace.endNs);
  const near = trace.flags.onCpu(cpu, ns - reach, ns + reach, trace.endNs, FLAGS_TOLD);
  const flag = here ?? near[0];
  if (flag === undefined) return undefined;
  const lines = describeFlag(trace, flag, Math.min(Math.max(ns, flag.fromNs), flag.toNs));
  // A flag lasts: what happens at an instant under the pointer comes before it.
  return {
    away: 1,
    count: Math.max(1, near.length),
    lines,
    about: { kind: flag.lazy ? KIND.NeedReschedLazy : KIND.NeedResched },
  };
}

function speak({ trace }: Run, ns: number, say: (cpu: number, words: string) => void): void {
  for (const flag of trace.flags.list(ns, ns, trace.endNs))
    if (ns < flag.toNs || flag.honouredAt === undefined) say(flag.cpu, speakFlag(flag, ns));
}

type Life = "now" | "lazy" | "upgrade";

function drawSwatch(life: Life): Mark["legend"][number]["swatch"] {
  return (context, theme, width, height) => {
    const middle = width / 2;
    const floor = height - 3;
    const thick = Math.max(2, theme.strokePx);
    const size = height * 0.6;
    const turn = life === "now" ? 2 : life === "lazy" ? width - 2 : middle;
    drawDashes(context, 2, turn, floor - thick, thick, theme.flagLazy);
    context.fillStyle = theme.flag;
    if (turn < width - 2) context.fillRect(turn, floor - thick, width - 2 - turn, thick);
    drawPennant(
      context,
      3,
      floor - size,
      size,
      2,
      life === "now" ? theme.flag : theme.flagLazy,
      life !== "now",
    );
    if (life === "upgrade") drawPennant(context, middle, floor - size, size, 2, theme.flag, false);
  };
}

export const FLAG: Mark = {
  id: "flag",
  plural: "need_resched flags",
  short: "flags",
  shortOne: "flag",
  kinds: [KIND.NeedResched, KIND.NeedReschedLazy, KIND.NeedReschedUpgrade, KIND.NeedReschedClear],
  colours: ["flag", "flagLazy"],
  detail: DETAIL,
  countIn: ({ trace }, fromNs, toNs) => trace.flags.countIn(fromNs, toNs),
  count: ({ trace }, fromNs, toNs) => {
    let count = 0;
    if (trace.flags.countIn(fromNs, toNs) > LOOKED_FOR_MAX) return COUNTED_MAX + 1;
    trace.flags.visit(
      fromNs,
      toNs,
      trace.endNs,
      (from, _now, to) => (count += from < toNs && to > fromNs ? 1 : 0),
    );
    return count;
  },
  draw,
  hit,
  speak,
  step: ({ trace }, cpu, ns, later) => trace.flags.step(cpu, ns, later),
  legend: [
    { words: "need_resched (N)", swatch: drawSwatch("now") },
    { words: "need_resched_lazy (L)", swatch: drawSwatch("lazy") },
    { words: "lazy, upgraded", swatch: drawSwatch("upgrade") },
  ],
};
