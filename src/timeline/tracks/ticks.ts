// Which instants the time axis names, and in what words. Pure.

import { scaleLinear } from "d3-scale";
import { instantFormat } from "../../lib/format.ts";
import type { Viewport } from "../types.ts";

/** Labels of an axis from `gutter` to `width`, CSS px, with as many as have room at `fontPx`. */
export function axisTicks({ fromNs, toNs }: Viewport, width: number, gutter: number, fontPx: number): AxisTicks {
  const scale = scaleLinear([fromNs, toNs], [gutter, width]);
  // D3 takes a number of ticks as a wish, and labels grow as steps shrink: fewer are asked for until the labels have room.
  let count = Math.max(2, Math.floor((width - gutter) / (fontPx * 6)));
  let ticks = scale.ticks(count);
  while (count > 2 && !haveRoom(ticks, scale, toNs, fontPx)) ticks = scale.ticks((count -= 1));
  const values = ticks.filter((ns) => scale(ns) > gutter + fontPx * 2.2 && scale(ns) < width - fontPx * 2.6);
  return { scale, values, format: instantFormat(toNs, stepOf(ticks, toNs)) };
}

function haveRoom(ticks: readonly number[], scale: AxisTicks["scale"], toNs: number, fontPx: number): boolean {
  const stepNs = stepOf(ticks, toNs);
  const { length } = instantFormat(toNs, stepNs)(toNs);
  // A digit is about 0.62 of the font wide.
  return scale(stepNs) - scale(0) >= fontPx * (0.62 * length + 1.2);
}

function stepOf([first = 0, second]: readonly number[], toNs: number): number {
  return (second ?? toNs) - first;
}

export interface AxisTicks {
  readonly scale: ReturnType<typeof scaleLinear<number, number>>;
  /** Instants, ns. */
  readonly values: readonly number[];
  readonly format: (ns: number) => string;
}
