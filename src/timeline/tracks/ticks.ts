// Which instants the time axis names, and in what words. Pure.

import { scaleLinear } from "d3-scale";
import { instantFormat } from "../../lib/format.ts";
import type { Viewport } from "../types.ts";

/** Labels of an axis from `gutter` to `width`, CSS px, with as many as have room at `fontPx`. */
export function axisTicks({ fromNs, toNs }: Viewport, width: number, gutter: number, fontPx: number): AxisTicks {
  const scale = scaleLinear([fromNs, toNs], [gutter, width]);
  // A digit is about 0.6 of the font wide. Deep zooms need long labels ("12.345678 ms"), and these need room.
  const label = instantFormat(toNs, (toNs - fromNs) / 8)(toNs);
  const ticks = scale.ticks(Math.max(2, Math.floor((width - gutter) / (fontPx * (0.62 * label.length + 2.2)))));
  const stepNs = (ticks[1] ?? toNs) - (ticks[0] ?? fromNs);
  const values = ticks.filter((ns) => scale(ns) > gutter + fontPx * 2.2 && scale(ns) < width - fontPx * 2.6);
  return { scale, values, format: instantFormat(toNs, stepNs) };
}

export interface AxisTicks {
  readonly scale: ReturnType<typeof scaleLinear<number, number>>;
  /** Instants, ns. */
  readonly values: readonly number[];
  readonly format: (ns: number) => string;
}
