// Rows without shelves or pins, as low as the room asks for: a whole machine in a strip or on a
// tile.

import type { LaneRow, LaneRows } from "../../timeline/plot/lane-rows.ts";

/** Lower rows would be lines of no height; more than fit scroll, or are scaled down. */
const LEAST_PX = 2;
const MOST_PX = 18;

/** `only`: the CPUs that have rows, ascending; none: all. */
export function denseRows(cpus: number, px: number, only?: readonly number[]): LaneRows {
  const shown = only ?? Array.from({ length: cpus }, (_, cpu) => cpu);
  const height = Math.max(LEAST_PX, Math.min(MOST_PX, Math.floor(px / Math.max(1, shown.length))));
  const rows = shown.map((cpu, at): LaneRow => {
    const top = at * height;
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
  const rowOfCpu = new Array<LaneRow | undefined>(cpus).fill(undefined);
  for (const row of rows) rowOfCpu[row.cpu] = row;
  return { rows, height: rows.length * height, pinnedPx: 0, rowOfCpu };
}
