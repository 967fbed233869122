// What lies under the pointer. Pure: a plot and a point in, a place out.

import {
  CHANNELS,
  describeFlag,
  describeKick,
  describePoint,
  describeSilos,
  describeSlice,
  describeThrottled,
  IRQ_OFF_CHANNEL,
} from "../../model/index.ts";
import type { Selection, Slice } from "../../model/index.ts";
import { CPU_STATES } from "../../engine/gen/catalogue.ts";
import { formatNs } from "../../lib/format.ts";
import type { Plot } from "../draw/plot.ts";
import { nsAt, nsPerPx } from "../draw/plot.ts";
import { rowAt } from "../lanes/rows.ts";

/** One lane under the pointer: a slice, or what its pixel holds when that is more than one. */
export interface Hit {
  readonly cpu: number;
  readonly ns: number;
  readonly slice: Slice | undefined;
  /** Lines for a tooltip, the heading first. */
  readonly lines: readonly string[];
}

/** Undefined in the gutter, between lanes and beyond what is simulated. */
export function hitAt(plot: Plot, x: number, y: number): Hit | undefined {
  const row = rowAt(plot.rows, y + plot.scrollTop);
  const ns = nsAt(plot, x);
  if (row === undefined || x < plot.gutter || ns < 0 || ns > plot.trace.endNs) return undefined;
  const lane = plot.trace.lanes[row.cpu];
  const half = nsPerPx(plot) / 2;
  const crowded = (lane?.countIn(ns - half, ns + half) ?? 0) > 2;
  const slice = plot.trace.cpuAt(row.cpu, ns);
  const doing = crowded ? mixLines(plot, row.cpu, ns - half, ns + half) : sliceLines(plot, row.cpu, slice, ns);
  const marks = [flagLines, pointLines, quotaLines, kickLines].flatMap((linesOf) => linesOf(plot, row.cpu, ns));
  return { cpu: row.cpu, ns, slice, lines: [...doing, ...marks] };
}

/** Marks are wider than a pixel: so far beside one it still counts as hit, CSS px. */
const REACH_PX = 4;
const FLAGS_TOLD = 50;

/** The flag set here, or the one whose mark is under the pointer; several are counted. */
function flagLines(plot: Plot, cpu: number, ns: number): string[] {
  const { trace } = plot;
  const reach = nsPerPx(plot) * REACH_PX;
  const here = trace.flags.at(cpu, ns, trace.endNs);
  const near = trace.flags.onCpu(cpu, ns - reach, ns + reach, trace.endNs, FLAGS_TOLD);
  const flag = here ?? near[0];
  if (flag === undefined) return [];
  const more = near.length < 2 ? [] : [`${near.length === FLAGS_TOLD ? "many" : near.length} need_resched flags within ${REACH_PX} pixels`];
  return [...describeFlag(trace, flag, Math.min(Math.max(ns, flag.fromNs), flag.toNs)), ...more];
}

function pointLines(plot: Plot, cpu: number, ns: number): string[] {
  const point = plot.trace.points.nearest(cpu, ns, nsPerPx(plot) * REACH_PX);
  return point === undefined ? [] : [describePoint(point)];
}

/** Groups out of quota on this CPU, and what it holds of theirs. */
function quotaLines({ trace }: Plot, cpu: number, ns: number): string[] {
  const throttled = trace.quota.throttledAt(cpu, ns, trace.endNs).map((each) => describeThrottled(trace, each, ns));
  return [...throttled, ...describeSilos(trace, cpu, ns)];
}

function kickLines(plot: Plot, cpu: number, ns: number): string[] {
  const kick = plot.trace.kicks.nearest(cpu, ns, nsPerPx(plot) * REACH_PX);
  return kick === undefined ? [] : describeKick(kick);
}

/** The wake-up a viewer means by pressing here. */
export function wakeAt(plot: Plot, hit: Hit): Selection | undefined {
  const row = plot.trace.wakes.at(hit.cpu, hit.ns);
  return row === undefined ? undefined : plot.trace.wakes.selectionOf(row);
}

function sliceLines(plot: Plot, cpu: number, slice: Slice | undefined, ns: number): string[] {
  if (slice === undefined) return [`cpu${cpu}`, "nothing recorded yet"];
  return [
    `cpu${cpu}: ${describeSlice(plot.trace, slice, ns)}`,
    `${formatNs(slice.toNs - slice.fromNs, 3)}, from ${formatNs(slice.fromNs, 6)} to ${formatNs(slice.toNs, 6)}`,
  ];
}

/** Shares of each state in one pixel, most first. */
function mixLines(plot: Plot, cpu: number, fromNs: number, toNs: number): string[] {
  const sums =
    plot.trace.lanes[cpu]?.windowNs(Math.floor(fromNs), Math.ceil(toNs), plot.trace.endNs) ?? new Array<number>(CHANNELS).fill(0);
  const off = sums[IRQ_OFF_CHANNEL] ?? 0;
  const parts = CPU_STATES.map(({ name }, state) => ({ name, ns: sums[state] ?? 0 }))
    .filter((part) => part.ns > 0)
    .sort((one, other) => other.ns - one.ns)
    .map((part) => `${part.name} ${formatNs(part.ns)}`);
  const heading = `cpu${cpu}: ${formatNs(toNs - fromNs)} from ${formatNs(fromNs, 3)} hold`;
  return [heading, parts.join(", "), ...(off > 0 ? [`interrupts off ${formatNs(off)}`] : [])];
}
