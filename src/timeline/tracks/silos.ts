// What CPUs hold of groups' run time, for the playhead's instant: a vessel beside each lane, its
// level written in it; where the gutter is narrow, a tube. Rows too low for one share one: as many
// as share a CPU number beside it.

import { threeFigures } from "../../lib/format.ts";
import { runsGroup } from "../../model/words/describe-quota.ts";
import type { TraceStore } from "../../model/index.ts";
import { numberedEvery, smallPx } from "../draw/lane-words.ts";
import { hasWords, silosPx } from "../plot/gutter.ts";
import type { Plot } from "../plot/plot.ts";
import { barTop } from "../plot/plot.ts";
import type { LegendEntry } from "../draw/legend-entry.ts";
import type { LaneRow, LaneRows } from "../plot/lane-rows.ts";
import { cpusOf, rowsInView } from "../plot/lane-rows.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { mixed } from "../plot/timeline-theme.ts";

/** A silo is full at one slice, or at the largest amount held, ns. */
const SLICE_NS = 5_000_000;
/** Lower rows share a silo. */
const ROW_LEAST_PX = 7;

/** What one silo shows: sums over its CPUs and over all groups. */
interface Silo {
  heldNs: number;
  /** Not negative. */
  owedNs: number;
  /** Held where the group does not run. */
  strandedNs: number;
}

/** How many CPUs share a silo beside rows of this height. */
export function cpusPerSilo(rowPx: number, theme: TimelineTheme): number {
  return rowPx >= ROW_LEAST_PX ? 1 : numberedEvery(rowPx, smallPx(theme));
}

/**
 * How many CPUs share a silo at most, beside these rows: those of a group's strip, or as many as
 * low rows need.
 */
export function cpusSharing({ rows }: LaneRows, theme: TimelineTheme): number {
  const last = rows.at(-1);
  return last?.fold?.cpus.length ?? cpusPerSilo(last?.height ?? Infinity, theme);
}

export function drawSilos(context: CanvasRenderingContext2D, plot: Plot, ns: number): void {
  const { trace, theme } = plot;
  if (trace.quota.limited.length === 0 || ns > trace.endNs) return;
  const width = silosPx(plot.gutter, theme);
  const rows = rowsInView(plot.rows, plot.scrollTop, plot.height);
  // Neighbours share a silo only where they are in the order of their numbers, each a row.
  const uneven = plot.rows.sorted === true || plot.rows.stripOfCpu !== undefined;
  const isSingle = ({ pinned, height }: LaneRow): boolean =>
    pinned || uneven || cpusPerSilo(height, theme) === 1;
  const ones = silosAt(trace, ns, 1);
  const strips = rows.filter(({ fold }) => fold !== undefined);
  const lanes = rows.filter(({ fold }) => fold === undefined);
  const draw = (top: number, height: number, silo: Silo | undefined, full: number): void =>
    drawSilo(context, theme, { top, height, width }, silo, full);
  const fullOne = fullOf(ones);
  for (const row of lanes.filter(isSingle))
    draw(...placeOf(plot, row, width), ones.get(row.cpu), fullOne);
  const sums = new Map(
    strips.map((row) => [row.cpu, sumOf(cpusOf(row).flatMap((cpu) => ones.get(cpu) ?? []))]),
  );
  for (const row of strips) draw(barTop(plot, row), row.barHeight, sums.get(row.cpu), fullOf(sums));
  const [low] = lanes.filter((row) => !isSingle(row));
  if (low === undefined) return;
  const each = cpusPerSilo(low.height, theme);
  const silos = silosAt(trace, ns, each);
  const full = fullOf(silos);
  const seen = new Set<number>();
  for (const row of lanes) {
    const block = Math.floor(row.cpu / each);
    if (row.pinned || seen.has(block)) continue;
    seen.add(block);
    const top = row.top - (row.cpu % each) * row.height - plot.scrollTop;
    const cpus = Math.min(each, trace.lanes.length - block * each);
    const height = Math.max(cpus * row.height, ROW_LEAST_PX) - 2;
    draw(top + 1, height, silos.get(block), full);
  }
}

/** Top and height beside a lane: a vessel is as high as its row, for its words. */
function placeOf(plot: Plot, row: LaneRow, width: number): readonly [top: number, height: number] {
  return hasWords(width)
    ? [row.top - plot.scrollTop + 1, row.height - 2]
    : [barTop(plot, row), row.barHeight];
}

/** By CPU, or by block of `each` CPUs; those that hold and owe nothing are left out. */
function silosAt(trace: TraceStore, ns: number, each: number): ReadonlyMap<number, Silo> {
  const silos = new Map<number, Silo>();
  for (const track of trace.quota.limited) {
    for (const silo of track.silos()) {
      const level = silo.at(ns);
      if (level === 0) continue;
      const block = Math.floor(silo.cpu / each);
      const sum = silos.get(block) ?? { heldNs: 0, owedNs: 0, strandedNs: 0 };
      silos.set(block, sum);
      if (level < 0) sum.owedNs -= level;
      else sum.heldNs += level;
      if (level > 0 && !runsGroup(trace, silo.cpu, track.id, ns)) sum.strandedNs += level;
    }
  }
  return silos;
}

function sumOf(silos: readonly Silo[]): Silo {
  const sum = { heldNs: 0, owedNs: 0, strandedNs: 0 };
  for (const { heldNs, owedNs, strandedNs } of silos) {
    sum.heldNs += heldNs;
    sum.owedNs += owedNs;
    sum.strandedNs += strandedNs;
  }
  return sum;
}

function fullOf(silos: ReadonlyMap<number, Silo>): number {
  let full = SLICE_NS;
  for (const { heldNs, owedNs } of silos.values()) full = Math.max(full, heldNs + owedNs);
  return full;
}

interface Box {
  readonly top: number;
  readonly height: number;
  readonly width: number;
}

function drawSilo(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  box: Box,
  silo: Silo | undefined,
  full: number,
): void {
  (hasWords(box.width) ? drawVessel : drawTube)(context, theme, box, silo, full);
}

/** Between a vessel and the lane, and around its words, CSS px. */
const MARGIN_PX = 4;

/** Held from the left, the stranded part hatched in a hue of its own; owed from the right in red. */
function drawVessel(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  { top, height, width }: Box,
  silo: Silo | undefined,
  full: number,
): void {
  const room = width - MARGIN_PX - 2;
  context.strokeStyle = theme.rule;
  context.lineWidth = 1;
  if (height >= 6) context.strokeRect(0.5, top + 0.5, room + 1, height - 1);
  if (silo === undefined) return;
  const sizeOf = (ns: number): number => (ns === 0 ? 0 : Math.max(1.5, (ns / full) * room));
  const bar = (left: number, wide: number, colour: string): void => {
    context.fillStyle = mixed(colour, theme.background, LEVEL_SHARE);
    context.fillRect(left, top + 1, wide, Math.max(1, height - 2));
    context.fillStyle = colour;
    context.fillRect(left, top + height - 2, wide, 1);
  };
  const used = sizeOf(silo.heldNs - silo.strandedNs);
  const stranded = sizeOf(silo.strandedNs);
  const owed = sizeOf(silo.owedNs);
  bar(1, used, theme.quota);
  if (stranded > 0) {
    bar(1 + used, stranded, theme.lost);
    context.strokeStyle = theme.lost;
    hatch(context, { left: 1 + used, top: top + 1, width: stranded, height: height - 2 });
  }
  bar(1 + room - owed, owed, theme.wrong);
  writeLevel(context, theme, { top, height, width }, silo);
}

/** How much of a level's colour shows under its words. */
const LEVEL_SHARE = 0.5;

function writeLevel(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  { top, height, width }: Box,
  { heldNs, owedNs }: Silo,
): void {
  const px = Math.min(smallPx(theme), Math.floor(height));
  if (px < LEAST_WORDS * theme.fontPx) return;
  // Some of the CPUs that share a vessel may hold what others owe.
  const net = heldNs >= owedNs ? threeFigures(heldNs) : `-${threeFigures(owedNs)}`;
  context.font = `600 ${String(px)}px ui-monospace, monospace`;
  context.textAlign = "right";
  context.textBaseline = "middle";
  const right = width - MARGIN_PX - 3;
  const wide = context.measureText(net).width;
  context.globalAlpha = PLATE;
  context.fillStyle = theme.background;
  context.fillRect(right - wide - 2, top + (height - px) / 2, wide + 4, px);
  context.globalAlpha = 1;
  context.fillStyle = theme.text;
  context.fillText(net, right, top + height / 2 + 0.5);
}

/** How much of a level the plate under its words hides. */
const PLATE = 0.55;
/** Smaller words in a vessel could not be read, in sizes of the text. */
const LEAST_WORDS = 0.7;

/** Held from below, hatched as far as it is stranded; owed from above in red. */
function drawTube(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  { top, height, width: strip }: Box,
  silo: Silo | undefined,
  full: number,
): void {
  const width = strip - 2;
  if (height >= 8) {
    context.strokeStyle = theme.rule;
    context.lineWidth = 1;
    context.strokeRect(0.5, top + 0.5, width, height - 1);
  }
  if (silo === undefined) return;
  const room = Math.max(1, height - 2);
  const sizeOf = (ns: number): number => (ns === 0 ? 0 : Math.max(1.5, (ns / full) * room));
  const floor = top + 1 + room;
  const stranded = sizeOf(silo.strandedNs);
  const rest = sizeOf(silo.heldNs - silo.strandedNs);
  context.fillStyle = theme.wrong;
  context.fillRect(1, top + 1, width - 0.5, sizeOf(silo.owedNs));
  context.fillStyle = theme.quota;
  context.fillRect(1, floor - stranded - rest, width - 0.5, rest);
  context.fillStyle = context.strokeStyle = theme.lost;
  // Too low for a hatch: half as wide says the same.
  if (stranded >= 4)
    hatch(context, { left: 1, top: floor - stranded, width: width - 0.5, height: stranded });
  else context.fillRect(1, floor - stranded, width / 2, stranded);
}

/** Crossed lines in the stroke's colour. */
function hatch(
  context: CanvasRenderingContext2D,
  { left, top, width, height }: Box & { readonly left: number },
): void {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.lineWidth = 1;
  context.beginPath();
  for (let x = left - height; x < left + width + height; x += 4) {
    context.moveTo(x, top);
    context.lineTo(x + height, top + height);
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
  }
  context.stroke();
  context.restore();
}

/**
 * What the tanks and silos of groups under a quota mean; nothing where `cpusPerSilo` is 0. Where
 * rows are low, several CPUs share a silo.
 */
export function tankLegend(cpusPerSilo: number): readonly LegendEntry[] {
  if (cpusPerSilo === 0) return [];
  const whose = cpusPerSilo === 1 ? "a CPU" : `${String(cpusPerSilo)} CPUs together`;
  return [
    { words: "in the pool, on CPUs", swatch: drawTankSwatch },
    {
      words: `silo beside the lane: held by ${whose}; crossed: stranded, the group does not run there; red: owed`,
      swatch: drawSiloSwatch,
    },
  ];
}

function drawTankSwatch(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  width: number,
  height: number,
): void {
  context.fillStyle = theme.quota;
  context.fillRect(0, height / 3, width / 2, (height * 2) / 3);
  for (let x = width / 2 + 1; x < width; x += 4)
    context.fillRect(x, height / 3, 1, (height * 2) / 3);
}

/** The legend's picture of a silo: half held, of it half stranded. */
function drawSiloSwatch(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  width: number,
  height: number,
): void {
  context.save();
  context.translate((width - SWATCH_PX) / 2, 0);
  const box = { top: 0, height, width: SWATCH_PX };
  drawTube(context, theme, box, { heldNs: 8, owedNs: 0, strandedNs: 5 }, 10);
  context.restore();
}

const SWATCH_PX = 7;
