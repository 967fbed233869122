// The picture of a variant on its tile: the CPUs that compute, and under them the pool of the first
// group with a quota. Pure but for the image.

import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import type { GroupTrack, TraceStore } from "../../model/index.ts";
import type { Viewport } from "../../model/trace/run-types.ts";
import { denseRows } from "../../stage/strips/dense-rows.ts";
import { imageRaster, LanePainter } from "../../timeline/lanes/paint.ts";
import type { LaneRows } from "../../timeline/plot/lane-rows.ts";
import { mixed, pixelOf, type TimelineTheme } from "../../timeline/plot/timeline-theme.ts";

/**
 * Device pixels of a picture; more CPUs than rows of two pixels make it higher, and the page scales
 * it down.
 */
export const TILE_WIDTH = 480;
const TILE_HEIGHT = 192;
/** Device pixels of a pool, and of the gap above it. */
const POOL_HEIGHT = 96;
const GAP = 6;
/** A CPU that is busy for a smaller share of the view only takes ticks: its row would be dots. */
const BUSY_SHARE = 0.01;

export function pictureOf(trace: TraceStore, viewport: Viewport, theme: TimelineTheme): ImageData {
  const [track] = trace.quota.limited;
  const pool = track === undefined ? 0 : POOL_HEIGHT + GAP;
  const rows = tileRows(trace, viewport, TILE_HEIGHT - pool);
  const { image, raster } = imageRaster(TILE_WIDTH, Math.max(1, rows.height + pool));
  const plot = {
    trace,
    viewport,
    rows,
    scrollTop: 0,
    gutter: 0,
    width: image.width,
    height: rows.height,
    ratio: 1,
    theme,
  };
  new LanePainter().paintInto(raster, plot);
  if (track !== undefined) drawPool(raster, rows.height + GAP, track, viewport, theme);
  return image;
}

/** Rows of the CPUs that do more than take ticks; of all where none does. */
export function tileRows(
  { lanes, endNs }: TraceStore,
  { fromNs, toNs }: Viewport,
  px: number,
): LaneRows {
  const untilNs = Math.min(toNs, endNs);
  const busy = lanes.flatMap((lane) => {
    const idleNs = lane.windowNs(fromNs, untilNs, endNs)[CPU_STATE.Idle] ?? 0;
    return untilNs - fromNs - idleNs >= BUSY_SHARE * (untilNs - fromNs) ? [lane.cpu] : [];
  });
  return denseRows(lanes.length, px, busy.length === 0 ? undefined : busy);
}

interface Pixels {
  readonly data: Uint32Array;
  readonly width: number;
  readonly height: number;
}

/** The pool's level from `top` down to the foot, its quota the full height. */
export function drawPool(
  { data, width, height }: Pixels,
  top: number,
  track: GroupTrack,
  { fromNs, toNs }: Viewport,
  theme: TimelineTheme,
): void {
  const { quota_ns: quotaNs = 0, burst_ns: burstNs } = track.info;
  const { peaks, lows } = track.pool.profile(fromNs, toNs, width);
  const full = Math.max(1, quotaNs + burstNs, ...peaks);
  const yOf = (ns: number): number => height - Math.round((ns / full) * (height - top));
  const [solid, pale] = [theme.quota, mixed(theme.quota, theme.background, 0.6)].map((ink) =>
    pixelOf(ink),
  );
  for (let x = 0; x < width; x += 1) {
    const low = yOf(lows[x] ?? 0);
    for (let y = yOf(peaks[x] ?? 0); y < height; y += 1)
      data[y * width + x] = (y < low ? pale : solid) ?? 0;
  }
}
