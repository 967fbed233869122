// What lies under the pointer: what the CPU does there, then every mark that the registry finds,
// the nearest first. Pure: a scene and a point in, a place out.

import { CHANNELS, IRQ_OFF_CHANNEL } from "../../model/index.ts";
import { describeSilos } from "../../model/words/describe-quota.ts";
import { describeSlice } from "../../model/words/describe.ts";
import type { About } from "../../model/rules/rules.ts";
import type { Selection, Slice } from "../../model/index.ts";
import { CPU_STATES } from "../../engine/gen/catalogue.ts";
import { formatNs } from "../../lib/format.ts";
import type { Plot } from "../plot/plot.ts";
import { nsAt, nsPerPx } from "../plot/plot.ts";
import { rowAt } from "../plot/lane-rows.ts";
import type { Fold } from "../plot/lane-rows.ts";
import type { Viewport } from "../plot/timeline-props.ts";
import type { Found, Mark, Scene } from "./mark.ts";
import { REACH_PX } from "./mark.ts";
import { drawnMarks } from "./registry.ts";

/** One lane under the pointer: a slice, or what its pixel holds when that is more than one. */
export interface Hit {
  readonly cpu: number;
  readonly ns: number;
  readonly slice: Slice | undefined;
  /** What the CPU does, where the pixel holds one thing. */
  readonly state: number | undefined;
  /** The mark that comes first in the tooltip, if there is one. */
  readonly about: About | undefined;
  /** The id of that mark. */
  readonly mark?: string | undefined;
  /** The group whose strip it is. */
  readonly fold?: Fold | undefined;
  /** Lines for a tooltip, the heading first. */
  readonly lines: readonly string[];
}

/** Marks that the tooltip has in full, the nearest first; the others have only their heading. */
const FULL_MAX = 3;

/** Undefined in the gutter, between lanes and beyond what is simulated. */
export function hitAt(scene: Scene, x: number, y: number): Hit | undefined {
  const { plot } = scene;
  const row = rowAt(plot.rows, y + plot.scrollTop);
  const ns = nsAt(plot, x);
  if (row === undefined || x < plot.gutter || ns < 0 || ns > plot.trace.endNs) return undefined;
  const { fold } = row;
  const marks = marksAt(scene, { x, y, cpu: fold === undefined ? row.cpu : -1, ns });
  const about = marks[0]?.hit.about;
  if (fold !== undefined)
    return {
      cpu: row.cpu,
      ns,
      slice: undefined,
      state: undefined,
      about,
      fold,
      lines: [...fold.say(plot.trace, ns), ...markLines(marks)],
    };
  const lane = plot.trace.lanes[row.cpu];
  const half = nsPerPx(plot) / 2;
  const crowded = (lane?.countIn(ns - half, ns + half) ?? 0) > 2;
  const slice = plot.trace.cpuAt(row.cpu, ns);
  const doing = crowded
    ? mixLines(plot, row.cpu, ns - half, ns + half)
    : sliceLines(plot, row.cpu, slice, ns);
  const held = describeSilos(plot.trace, row.cpu, ns);
  return {
    cpu: row.cpu,
    ns,
    slice,
    state: crowded ? undefined : slice?.state,
    about,
    mark: marks[0]?.mark.id,
    lines: [...doing, ...markLines(marks), ...held],
  };
}

interface FoundMark {
  readonly mark: Mark;
  readonly hit: Found;
}

/** The nearest first; among equally near marks, the one drawn above. */
function marksAt(scene: Scene, at: Parameters<Mark["hit"]>[1]): readonly FoundMark[] {
  const found = drawnMarks(scene).flatMap((mark) => {
    const hit = mark.hit(scene, at);
    return hit === undefined ? [] : [{ mark, hit }];
  });
  return found.reverse().sort((one, other) => one.hit.away - other.hit.away);
}

function markLines(found: readonly FoundMark[]): string[] {
  return found.flatMap(({ mark, hit }, index) => [
    ...(index < FULL_MAX ? hit.lines : hit.lines.slice(0, 1)),
    ...moreLines(mark, hit),
  ]);
}

function moreLines({ plural }: Mark, { count }: Found): string[] {
  return count < 2
    ? []
    : [`the nearest of ${String(count)} ${plural} within ${String(REACH_PX)} pixels`];
}

/** The wake-up a viewer means by pressing here. */
export function wakeAt(plot: Plot, hit: Hit): Selection | undefined {
  const row = plot.trace.wakes.at(hit.cpu, hit.ns);
  return row === undefined ? undefined : plot.trace.wakes.selectionOf(row);
}

/**
 * The stretch of what is pointed at: of the wake-up that waits there, else of what the CPU does.
 * Undefined on a group's strip.
 */
export function stretchAt(
  { trace: { wakes } }: Plot,
  { cpu, ns, slice, fold }: Hit,
): Viewport | undefined {
  const row = fold === undefined ? wakes.at(cpu, ns) : undefined;
  const fromNs = row === undefined ? Infinity : wakes.dueNs(row);
  const toNs = row === undefined ? -Infinity : fromNs + wakes.latencyNs(row);
  if (fromNs <= ns && ns <= toNs) return { fromNs, toNs };
  return slice && { fromNs: slice.fromNs, toNs: slice.toNs };
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
    plot.trace.lanes[cpu]?.windowNs(Math.floor(fromNs), Math.ceil(toNs), plot.trace.endNs) ??
    new Array<number>(CHANNELS).fill(0);
  const off = sums[IRQ_OFF_CHANNEL] ?? 0;
  const parts = CPU_STATES.map(({ name }, state) => ({ name, ns: sums[state] ?? 0 }))
    .filter((part) => part.ns > 0)
    .sort((one, other) => other.ns - one.ns)
    .map((part) => `${part.name} ${formatNs(part.ns)}`);
  const heading = `cpu${cpu}: ${formatNs(toNs - fromNs)} from ${formatNs(fromNs, 3)} hold`;
  return [heading, parts.join(", "), ...(off > 0 ? [`interrupts off ${formatNs(off)}`] : [])];
}
