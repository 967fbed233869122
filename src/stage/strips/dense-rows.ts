// Rows without shelves or pins, as low as the room asks for: a whole machine in a strip or on a
// tile.

import type { LaneRow, LaneRows } from "../../timeline/plot/lane-rows.ts";

/** Lower rows would be lines of no height; more than fit scroll, or are scaled down. */
const LEAST_PX = 2;
const MOST_PX = 18;

export function denseRows(cpus: number, px: number): LaneRows {
  const height = Math.max(LEAST_PX, Math.min(MOST_PX, Math.floor(px / Math.max(1, cpus))));
  const rows = Array.from({ length: cpus }, (_, cpu): LaneRow => {
    const top = cpu * height;
    return {
      cpu,
      top,
      height,
      shelfHeight: 0,
      barTop: top,
      barHeight: height > LEAST_PX ? height - 1 : height,
      pinned: false,
    };
  });
  return { rows, height: cpus * height, pinnedPx: 0, rowOfCpu: rows };
}
