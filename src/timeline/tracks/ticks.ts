// Which instants the time axis names, and in what words. Pure.

import { ticks } from "d3-array";
import type { AxisScale } from "d3-axis";
import { instantFormat } from "../../lib/format.ts";
import type { Viewport } from "../plot/timeline-props.ts";

/** Labels of an axis from `gutter` to `width`, CSS px, with as many as have room at `fontPx`. */
export function axisTicks(
  { fromNs, toNs }: Viewport,
  width: number,
  gutter: number,
  fontPx: number,
): AxisTicks {
  const scale = linear([fromNs, toNs], [gutter, width]);
  // D3 takes a number of ticks as a wish, and labels grow as steps shrink: fewer are asked for
  // until the labels have room.
  let count = Math.max(2, Math.floor((width - gutter) / (fontPx * 6)));
  let wished = ticks(fromNs, toNs, count);
  while (count > 2 && !haveRoom(wished, scale, toNs, fontPx))
    wished = ticks(fromNs, toNs, (count -= 1));
  const values = wished.filter(
    (ns) => scale(ns) > gutter + fontPx * 2.2 && scale(ns) < width - fontPx * 2.6,
  );
  return { scale, values, format: instantFormat(toNs, stepOf(wished, toNs)) };
}

type Pair = readonly [number, number];

/**
 * d3-scale's linear scale, of which an axis needs no more than this: with its formats and colours
 * it is 5 kB of the first script.
 */
function linear(domain: Pair, range: Pair): InstantScale {
  const at = (ns: number): number => {
    const share = (ns - domain[0]) / (domain[1] - domain[0]);
    return range[0] * (1 - share) + range[1] * share;
  };
  const scale: InstantScale = Object.assign(at, {
    domain: () => [...domain],
    range: () => [...range],
    copy: () => scale,
  });
  return scale;
}

function haveRoom(
  ticks: readonly number[],
  scale: AxisTicks["scale"],
  toNs: number,
  fontPx: number,
): boolean {
  const stepNs = stepOf(ticks, toNs);
  const { length } = instantFormat(toNs, stepNs)(toNs);
  // A digit is about 0.62 of the font wide.
  return scale(stepNs) - scale(0) >= fontPx * (0.62 * length + 1.2);
}

function stepOf([first = 0, second]: readonly number[], toNs: number): number {
  return (second ?? toNs) - first;
}

/** From an instant, ns, to its place, CSS px. */
type InstantScale = ((ns: number) => number) & AxisScale<number>;

export interface AxisTicks {
  readonly scale: InstantScale;
  /** Instants, ns. */
  readonly values: readonly number[];
  readonly format: (ns: number) => string;
}
