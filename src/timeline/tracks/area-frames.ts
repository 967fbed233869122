// Where the chosen area lies on a plot: its stretch, and the frames around its CPUs' rows.

import type { Plot } from "../plot/plot.ts";
import { cpusOf } from "../plot/lane-rows.ts";
import type { Viewport } from "../plot/timeline-props.ts";

export interface Reach {
  readonly left: number;
  readonly width: number;
}

/** The part of it in view, CSS px from the edge of a plot that is `width` wide with its gutter. */
export function reachOf(
  { viewport, gutter, width }: Pick<Plot, "viewport" | "gutter" | "width">,
  { fromNs, toNs }: Viewport,
): Reach | undefined {
  const x = (ns: number): number =>
    gutter + ((ns - viewport.fromNs) / (viewport.toNs - viewport.fromNs)) * (width - gutter);
  const left = Math.max(gutter, x(fromNs));
  const right = Math.min(width, x(toNs));
  return right < gutter || left > width || right < left
    ? undefined
    : { left, width: Math.max(1, right - left) };
}

/** Rows that touch share one frame; CSS px from the upper edge of the lanes. */
export function framesOf(
  { rows, scrollTop, height }: Plot,
  cpus: ReadonlySet<number>,
): readonly { readonly top: number; readonly height: number }[] {
  const frames: { top: number; height: number }[] = [];
  for (const row of rows.rows) {
    if (!cpusOf(row).some((cpu) => cpus.has(cpu))) continue;
    const top = Math.max(0, row.top - scrollTop);
    const bottom = Math.min(height, row.top + row.height - scrollTop);
    if (bottom <= top) continue;
    const last = frames.at(-1);
    if (last !== undefined && Math.abs(last.top + last.height - top) < 0.5)
      last.height = bottom - last.top;
    else frames.push({ top, height: bottom - top });
  }
  return frames;
}
