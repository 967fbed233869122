// Rows that the caption does not speak of.

import type { Plot } from "../plot/plot.ts";
import { cpusOf, type LaneRow } from "../plot/lane-rows.ts";

/** A stretch of faint rows, CSS px on the canvas. */
export interface FaintBlock {
  readonly top: number;
  readonly bottom: number;
}

/** What they lose of their ink. */
const LOST = 0.6;

/**
 * Rows in view without any of the CPUs in `emphasis`, neighbours as one block; none where nothing
 * is emphasised.
 */
export function faintBlocks(
  rows: readonly LaneRow[],
  scrollTop: number,
  emphasis: readonly number[],
): readonly FaintBlock[] {
  const faint =
    emphasis.length === 0
      ? []
      : rows.filter((row) => !cpusOf(row).some((cpu) => emphasis.includes(cpu)));
  const blocks: { top: number; bottom: number }[] = [];
  for (const row of faint) {
    const top = row.top - scrollTop;
    const last = blocks.at(-1);
    if (last?.bottom === top) last.bottom = top + row.height;
    else blocks.push({ top, bottom: top + row.height });
  }
  return blocks;
}

/** Over lanes and marks, under the words. */
export function drawFaint(
  context: CanvasRenderingContext2D,
  { theme, width }: Plot,
  blocks: readonly FaintBlock[],
): void {
  context.fillStyle = theme.background;
  context.globalAlpha = LOST;
  for (const { top, bottom } of blocks) context.fillRect(0, top, width, bottom - top);
  context.globalAlpha = 1;
}
