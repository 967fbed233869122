// All lanes in sight as one image, put on the canvas at once. One image beats rectangles: its cost
// depends on pixels, not on slices.

import { CHANNELS } from "../../model/index.ts";
import type { Plot } from "../plot/plot.ts";
import { plotWidth } from "../plot/plot.ts";
import { drawBar } from "./raster.ts";
import type { ShelfPlace } from "./raster-waits.ts";
import { drawBaseline, drawWait } from "./raster-waits.ts";
import type { LaneRow } from "../plot/lane-rows.ts";
import { cpusOf, rowsInView } from "../plot/lane-rows.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import type { Inks, Raster } from "./raster-inks.ts";
import { inksOf } from "./raster-inks.ts";

/** The box of a plot's lanes on its canvas, right of the gutter, device pixels. */
export function lanesBox(plot: Plot): {
  readonly left: number;
  readonly width: number;
  readonly height: number;
} {
  return {
    left: Math.round(plot.gutter * plot.ratio),
    width: Math.max(1, Math.round(plotWidth(plot) * plot.ratio)),
    height: Math.max(1, Math.round(plot.height * plot.ratio)),
  };
}

/** An image to put on a canvas, and the raster that draws into its memory. Device pixels. */
export function imageRaster(
  width: number,
  height: number,
): { readonly image: ImageData; readonly raster: Raster } {
  const image = new ImageData(width, height);
  return { image, raster: { data: new Uint32Array(image.data.buffer), width, height } };
}

/** Buffers and packed colours kept from frame to frame. One per canvas. */
export class LanePainter {
  private kept: ReturnType<typeof imageRaster> | undefined;
  private samples = new Float32Array(0);
  private inks: { readonly theme: TimelineTheme; readonly inks: Inks } | undefined;

  paint(context: CanvasRenderingContext2D, plot: Plot): void {
    const { left, width, height } = lanesBox(plot);
    if (this.kept?.raster.width !== width || this.kept.raster.height !== height)
      this.kept = imageRaster(width, height);
    this.paintInto(this.kept.raster, plot);
    context.putImageData(this.kept.image, left, 0);
  }

  /** The picture without a canvas: plot columns only, the gutter left out. */
  paintInto(raster: Raster, plot: Plot): void {
    const inks = this.inksFor(plot.theme);
    raster.data.fill(inks.background);
    const pixelNs = (plot.viewport.toNs - plot.viewport.fromNs) / raster.width;
    // Textures are anchored in time. 840 is divisible by every texture's period, so the phase may
    // wrap there.
    const phase = Math.floor(plot.viewport.fromNs / pixelNs) % 840;
    if (this.samples.length < raster.width * CHANNELS)
      this.samples = new Float32Array(raster.width * CHANNELS);
    const rows = rowsInView(plot.rows, plot.scrollTop, plot.height);
    for (const row of rows) this.paintRow(raster, plot, row, pixelNs, phase, inks);
    paintWaits(raster, plot, rows, pixelNs, inks);
  }

  private paintRow(
    raster: Raster,
    plot: Plot,
    row: LaneRow,
    pixelNs: number,
    phase: number,
    inks: Inks,
  ): void {
    const place = clip(raster, plot, row.barTop, row.barHeight);
    if (place === undefined || !sampleRow(plot, row, raster.width, this.samples)) return;
    if (row.height >= 7)
      drawBaseline(raster, 0, raster.width, place.top + place.height - 1, phase, inks);
    drawBar(
      raster,
      { left: 0, width: raster.width, ...place },
      this.samples,
      pixelNs * cpusOf(row).length,
      phase,
      inks,
    );
  }

  private inksFor(theme: TimelineTheme): Inks {
    if (this.inks?.theme !== theme) this.inks = { theme, inks: inksOf(theme) };
    return this.inks.inks;
  }
}

/** Writes what a row's CPUs do into `samples`; false where the machine lacks the CPU. */
export function sampleRow(
  { trace, viewport }: Plot,
  { cpu, fold }: LaneRow,
  columns: number,
  samples: Float32Array,
): boolean {
  const { fromNs, toNs } = viewport;
  const lane = trace.lanes[cpu];
  if (fold !== undefined) fold.sample(trace, fromNs, toNs, columns, samples);
  else lane?.sample(fromNs, toNs, columns, trace.endNs, samples);
  return lane !== undefined;
}

/**
 * Device rows of a stretch in lane space; undefined when it does not lie wholly on the raster (a
 * row cut by the edge is left out).
 */
export function clip(
  raster: Pick<Raster, "height">,
  plot: Plot,
  top: number,
  height: number,
): { readonly top: number; readonly height: number } | undefined {
  const from = Math.round((top - plot.scrollTop) * plot.ratio);
  const size = Math.max(1, Math.round(height * plot.ratio));
  return from < 0 || from + size > raster.height ? undefined : { top: from, height: size };
}

function paintWaits(
  raster: Raster,
  plot: Plot,
  rows: readonly LaneRow[],
  pixelNs: number,
  inks: Inks,
): void {
  const shelves: (ShelfPlace | undefined)[] = [];
  for (const row of rows) {
    const shelf = row.shelfHeight === 0 ? undefined : clip(raster, plot, row.top, row.shelfHeight);
    if (shelf !== undefined)
      shelves[row.cpu] ??= { top: shelf.top, height: shelf.height, left: 0, width: raster.width };
  }
  if (shelves.length === 0) return;
  const { fromNs, toNs } = plot.viewport;
  plot.trace.waits.visit(fromNs, toNs, plot.trace.endNs, (from, to, cpu, _task, kind) => {
    const shelf = shelves[cpu];
    if (shelf !== undefined)
      drawWait(raster, shelf, (from - fromNs) / pixelNs, (to - fromNs) / pixelNs, kind, inks);
  });
}
