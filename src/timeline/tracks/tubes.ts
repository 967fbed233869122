// What CPUs hold of groups' run time, for the playhead's instant: a small tube at the edge of each
// row. Rows too low for a tube share one: as many as share a CPU number beside it.

import { runsGroup } from "../../model/words/describe-quota.ts";
import type { TraceStore } from "../../model/index.ts";
import { numberedEvery, smallPx, TUBES_PX } from "../draw/lane-words.ts";
import type { Plot } from "../plot/plot.ts";
import { barTop } from "../plot/plot.ts";
import type { LegendEntry } from "../draw/legend-entry.ts";
import type { LaneRow, LaneRows } from "../plot/lane-rows.ts";
import { cpusOf, rowsInView } from "../plot/lane-rows.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";

/** A tube is full at one slice, or at the largest amount held, ns. */
const SLICE_NS = 5_000_000;
/** Lower rows share a tube. */
const ROW_LEAST_PX = 7;

/** What one tube shows: sums over its CPUs and over all groups. */
interface Tube {
  heldNs: number;
  /** Not negative. */
  owedNs: number;
  /** Held where the group does not run. */
  strandedNs: number;
}

/** How many CPUs share a tube beside rows of this height. */
export function cpusPerTube(rowPx: number, theme: TimelineTheme): number {
  return rowPx >= ROW_LEAST_PX ? 1 : numberedEvery(rowPx, smallPx(theme));
}

/**
 * How many CPUs share a tube at most, beside these rows: those of a group's strip, or as many as
 * low rows need.
 */
export function cpusSharing({ rows }: LaneRows, theme: TimelineTheme): number {
  const last = rows.at(-1);
  return last?.fold?.cpus.length ?? cpusPerTube(last?.height ?? Infinity, theme);
}

export function drawTubes(context: CanvasRenderingContext2D, plot: Plot, ns: number): void {
  const { trace, theme } = plot;
  if (trace.quota.limited.length === 0 || ns > trace.endNs) return;
  const rows = rowsInView(plot.rows, plot.scrollTop, plot.height);
  // Neighbours share a tube only where they are in the order of their numbers.
  const isSingle = ({ pinned, height }: LaneRow): boolean =>
    pinned || plot.rows.sorted === true || cpusPerTube(height, theme) === 1;
  const ones = tubesAt(trace, ns, 1);
  const strips = rows.filter(({ fold }) => fold !== undefined);
  const lanes = rows.filter(({ fold }) => fold === undefined);
  const fullOne = fullOf(ones);
  for (const row of lanes.filter(isSingle))
    drawTube(context, theme, barTop(plot, row), row.barHeight, ones.get(row.cpu), fullOne);
  const sums = new Map(
    strips.map((row) => [row.cpu, sumOf(cpusOf(row).flatMap((cpu) => ones.get(cpu) ?? []))]),
  );
  for (const row of strips)
    drawTube(context, theme, barTop(plot, row), row.barHeight, sums.get(row.cpu), fullOf(sums));
  const [low] = lanes.filter((row) => !isSingle(row));
  if (low === undefined) return;
  const each = cpusPerTube(low.height, theme);
  const tubes = tubesAt(trace, ns, each);
  const full = fullOf(tubes);
  const seen = new Set<number>();
  for (const row of lanes) {
    const block = Math.floor(row.cpu / each);
    if (row.pinned || seen.has(block)) continue;
    seen.add(block);
    const top = row.top - (row.cpu % each) * row.height - plot.scrollTop;
    const cpus = Math.min(each, trace.lanes.length - block * each);
    drawTube(
      context,
      theme,
      top + 1,
      Math.max(cpus * row.height, ROW_LEAST_PX) - 2,
      tubes.get(block),
      full,
    );
  }
}

/** By CPU, or by block of `each` CPUs; those that hold and owe nothing are left out. */
function tubesAt(trace: TraceStore, ns: number, each: number): ReadonlyMap<number, Tube> {
  const tubes = new Map<number, Tube>();
  for (const track of trace.quota.limited) {
    for (const silo of track.silos()) {
      const level = silo.at(ns);
      if (level === 0) continue;
      const block = Math.floor(silo.cpu / each);
      const tube = tubes.get(block) ?? { heldNs: 0, owedNs: 0, strandedNs: 0 };
      tubes.set(block, tube);
      if (level < 0) tube.owedNs -= level;
      else tube.heldNs += level;
      if (level > 0 && !runsGroup(trace, silo.cpu, track.id, ns)) tube.strandedNs += level;
    }
  }
  return tubes;
}

function sumOf(tubes: readonly Tube[]): Tube {
  const sum = { heldNs: 0, owedNs: 0, strandedNs: 0 };
  for (const { heldNs, owedNs, strandedNs } of tubes) {
    sum.heldNs += heldNs;
    sum.owedNs += owedNs;
    sum.strandedNs += strandedNs;
  }
  return sum;
}

function fullOf(tubes: ReadonlyMap<number, Tube>): number {
  let full = SLICE_NS;
  for (const { heldNs, owedNs } of tubes.values()) full = Math.max(full, heldNs + owedNs);
  return full;
}

/** Held from below, hatched as far as it is stranded; owed from above in red. */
function drawTube(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  top: number,
  height: number,
  tube: Tube | undefined,
  full: number,
): void {
  const width = TUBES_PX - 2;
  if (height >= 8) {
    context.strokeStyle = theme.rule;
    context.lineWidth = 1;
    context.strokeRect(0.5, top + 0.5, width, height - 1);
  }
  if (tube === undefined) return;
  const room = Math.max(1, height - 2);
  const sizeOf = (ns: number): number => (ns === 0 ? 0 : Math.max(1.5, (ns / full) * room));
  const floor = top + 1 + room;
  const stranded = sizeOf(tube.strandedNs);
  const rest = sizeOf(tube.heldNs - tube.strandedNs);
  context.fillStyle = theme.wrong;
  context.fillRect(1, top + 1, width - 0.5, sizeOf(tube.owedNs));
  context.fillStyle = context.strokeStyle = theme.quota;
  context.fillRect(1, floor - stranded - rest, width - 0.5, rest);
  // Too low for a hatch: half as wide says the same.
  if (stranded >= 4) crossHatch(context, floor - stranded, stranded, width);
  else context.fillRect(1, floor - stranded, width / 2, stranded);
}

function crossHatch(
  context: CanvasRenderingContext2D,
  from: number,
  size: number,
  width: number,
): void {
  context.save();
  context.beginPath();
  context.rect(1, from, width - 0.5, size);
  context.clip();
  context.lineWidth = 1;
  context.beginPath();
  for (let y = from - width; y < from + size + width; y += 3) {
    context.moveTo(0, y);
    context.lineTo(width + 1, y + width);
    context.moveTo(0, y + width);
    context.lineTo(width + 1, y);
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
      words: `silo at the edge: held by ${whose}; crossed: stranded, the group does not run there; red: owed`,
      swatch: drawTubeSwatch,
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

/** The legend's picture of a tube: half held, of it half stranded. */
function drawTubeSwatch(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  width: number,
  height: number,
): void {
  context.save();
  context.translate((width - TUBES_PX) / 2, 0);
  drawTube(context, theme, 0, height, { heldNs: 8, owedNs: 0, strandedNs: 5 }, 10);
  context.restore();
}
