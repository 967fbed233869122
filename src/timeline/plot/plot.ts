// The window of one side: which ns and which lanes show, and where they lie in CSS px. Pure.

import type { TraceStore, Viewport } from "../../model/index.ts";
import type { LaneRow, LaneRows } from "./lane-rows.ts";
import { rowsInView } from "./lane-rows.ts";
import type { TimelineTheme } from "./timeline-theme.ts";

export interface Plot {
  readonly trace: TraceStore;
  readonly viewport: Viewport;
  readonly rows: LaneRows;
  readonly scrollTop: number;
  /** CSS px of the gutter with the CPU numbers; time begins right of it. */
  readonly gutter: number;
  /** CSS px of the whole canvas. */
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS px. */
  readonly ratio: number;
  readonly theme: TimelineTheme;
}

/** Whether everything lies at the same place in both. */
export function sameView(one: Plot, other: Plot): boolean {
  const { fromNs, toNs } = other.viewport;
  return (
    one.viewport.fromNs === fromNs &&
    one.viewport.toNs === toNs &&
    one.rows === other.rows &&
    one.scrollTop === other.scrollTop &&
    one.gutter === other.gutter &&
    one.width === other.width &&
    one.height === other.height
  );
}

export function plotWidth(plot: Plot): number {
  return Math.max(1, plot.width - plot.gutter);
}

/** CSS px from the canvas's left edge. */
export function xOf(plot: Plot, ns: number): number {
  const { fromNs, toNs } = plot.viewport;
  return plot.gutter + ((ns - fromNs) / (toNs - fromNs)) * plotWidth(plot);
}

export function nsAt(plot: Plot, x: number): number {
  const { fromNs, toNs } = plot.viewport;
  return fromNs + ((x - plot.gutter) / plotWidth(plot)) * (toNs - fromNs);
}

/** The instant at `x`; undefined left of the plot and where nothing is simulated. */
export function askedNs(plot: Plot, x: number): number | undefined {
  const ns = nsAt(plot, x);
  return x < plot.gutter || ns < 0 || ns > plot.trace.endNs ? undefined : ns;
}

/** Ns per CSS px. */
export function nsPerPx(plot: Plot): number {
  return (plot.viewport.toNs - plot.viewport.fromNs) / plotWidth(plot);
}

/** Top of a row's bar on the canvas. */
export function barTop(plot: Plot, row: LaneRow): number {
  return row.barTop - plot.scrollTop;
}

/**
 * Middle of a CPU's bar on the canvas, also when it is scrolled out of sight; of its group's strip
 * while that is folded.
 */
export function middleOf(plot: Plot, cpu: number): number {
  const row = plot.rows.rowOfCpu[cpu] ?? plot.rows.stripOfCpu?.[cpu];
  return row === undefined ? 0 : row.barTop - plot.scrollTop + row.barHeight / 2;
}

/**
 * `xOf` and `middleOf` of one plot, for hundred thousands of instants and CPUs: what they share is
 * computed once.
 */
export class Scale {
  readonly plot: Plot;
  readonly #pxPerNs: number;
  readonly #middles: Float64Array;

  constructor(plot: Plot) {
    this.plot = plot;
    this.#pxPerNs = 1 / nsPerPx(plot);
    this.#middles = Float64Array.from({ length: plot.trace.shape.cpus }, (_, cpu) =>
      middleOf(plot, cpu),
    );
  }

  x(ns: number): number {
    return this.plot.gutter + (ns - this.plot.viewport.fromNs) * this.#pxPerNs;
  }

  middle(cpu: number): number {
    return this.#middles[cpu] ?? 0;
  }
}

/** How many shapes have room on the lanes in sight when each takes `px` of its row. */
export function roomFor(plot: Plot, px: number): number {
  return (plotWidth(plot) / px) * rowsInView(plot.rows, plot.scrollTop, plot.height).length;
}

export function inSight(plot: Plot, y: number): boolean {
  return y >= 0 && y <= plot.height;
}
