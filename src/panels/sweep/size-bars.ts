// Bars of the sizes' tiles: all on one scale, so that a row of tiles reads as one chart.

import type { MetricWords } from "../../state/figures/headline.ts";
import { figureOfSize, type SizeRun } from "../../state/sweep/sizes.ts";
import { SIDES } from "../../scenario/sides.ts";

/** The greatest figure of all that is known; 0 where nothing is. */
export function greatestFigure(runs: ReadonlyMap<number, SizeRun>, words: MetricWords): number {
  const figures = [...runs.values()].flatMap((run) =>
    SIDES.flatMap((side) => figureOfSize(run, side, words) ?? []),
  );
  return Math.max(0, ...figures);
}

/** A bar's height of `room`; a figure above 0 is always seen. */
export function barHeight(value: number | undefined, greatest: number, room: number): number {
  if (value === undefined || value <= 0 || greatest <= 0) return 0;
  return Math.max(1, Math.round((value / greatest) * room));
}
