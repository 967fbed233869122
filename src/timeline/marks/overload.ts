// RT-overloaded CPUs: a bracket over the lane while a second real-time task waits in its run queue
// and the CPU's bit in rto_mask invites others to pull it.
//
//     ┌ RT-overloaded ──────────┐
//     ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇

import { KIND } from "../../engine/gen/catalogue.ts";
import { formatNs } from "../../lib/format.ts";
import type { TraceStore } from "../../model/index.ts";
import type { LabelLayer } from "../draw/label-layer.ts";
import { RANK } from "../draw/label-layer.ts";
import type { LaneRow } from "../plot/lane-rows.ts";
import { barTop, inSight, nsPerPx, type Plot, xOf } from "../plot/plot.ts";
import type { Found, Mark, Pointer, Scene } from "./mark.ts";
import { cpuWords, REACH_PX } from "./mark.ts";
import type { RowParts } from "./row-mark.ts";
import { rowMark } from "./row-mark.ts";

const DETAIL = { most: 400, beyond: "hidden" } as const;
const WORDS = "RT-overloaded";
const INVITES = "a second real-time task is on its run queue: another CPU may pull it";
/** Up to so many brackets in view have words. */
const NAMED_MAX = 6;
/** Rows before the view among which the beginning of what lasts into it is looked for. */
const LOOKED_BACK = 256;
/** The bracket's line and its ends, CSS px. */
const LINE_PX = 2;
const END_PX = 4;

const PARTS: RowParts = {
  kinds: [KIND.RtoSet, KIND.RtoClear],
  keep: ({ events }, row) => events.kind.at(row) === KIND.RtoSet,
  lines: ({ events }, row) => [`${cpuWords(events.cpu.at(row))} becomes ${WORDS}`, INVITES],
};

interface Stretch {
  readonly cpu: number;
  readonly fromNs: number;
  readonly toNs: number;
}

function stretchesIn(
  { events, endNs }: TraceStore,
  fromNs: number,
  toNs: number,
): readonly Stretch[] {
  const rows = events.rowsOf(PARTS.kinds);
  const open = new Map<number, number>();
  const found: Stretch[] = [];
  const see = (row: number): void => {
    const [cpu, ns] = [events.cpu.at(row), events.time.at(row)];
    if (events.kind.at(row) === KIND.RtoSet) open.set(cpu, ns);
    else {
      const since = open.get(cpu);
      open.delete(cpu);
      if (since !== undefined && ns > fromNs) found.push({ cpu, fromNs: since, toNs: ns });
    }
  };
  rows.listIn(0, fromNs).slice(-LOOKED_BACK).forEach(see);
  rows.listIn(fromNs, toNs).forEach(see);
  for (const [cpu, since] of open) found.push({ cpu, fromNs: since, toNs: endNs });
  return found;
}

function draw(context: CanvasRenderingContext2D, { plot, trace }: Scene, labels: LabelLayer): void {
  const { fromNs, toNs } = plot.viewport;
  if (trace.events.rowsOf(PARTS.kinds).countIn(fromNs, toNs) > 2 * DETAIL.most) return;
  const stretches = stretchesIn(trace, fromNs, toNs);
  for (const stretch of stretches)
    drawBracket(context, plot, stretch, stretches.length <= NAMED_MAX ? labels : undefined);
}

function drawBracket(
  context: CanvasRenderingContext2D,
  plot: Plot,
  { cpu, fromNs, toNs }: Stretch,
  labels: LabelLayer | undefined,
): void {
  const row = plot.rows.rowOfCpu[cpu];
  if (row === undefined || !inSight(plot, barTop(plot, row))) return;
  const top = topOf(plot, row);
  const [first, last] = [xOf(plot, fromNs), xOf(plot, toNs)];
  const left = Math.max(plot.gutter, first);
  const right = Math.max(left + 1, Math.min(plot.width, last));
  context.fillStyle = plot.theme.pull;
  fillBracket(context, left, right, top, first === left, last === right);
  labels?.add(WORDS, left + END_PX, top - plot.theme.fontPx / 2, plot.theme.pull, RANK.Throttle);
}

function fillBracket(
  context: CanvasRenderingContext2D,
  left: number,
  right: number,
  top: number,
  begins = true,
  ends = true,
): void {
  context.fillRect(left, top, right - left, LINE_PX);
  if (begins) context.fillRect(left, top, LINE_PX, LINE_PX + END_PX);
  if (ends) context.fillRect(right - LINE_PX, top, LINE_PX, LINE_PX + END_PX);
}

function topOf(plot: Plot, row: LaneRow): number {
  return Math.round(barTop(plot, row)) - LINE_PX;
}

function hit({ trace, plot }: Scene, { cpu, ns, y }: Pointer): Found | undefined {
  const row = plot.rows.rowOfCpu[cpu];
  const away = row === undefined ? Infinity : Math.abs(y - topOf(plot, row) - LINE_PX / 2);
  if (away > REACH_PX) return undefined;
  const reach = nsPerPx(plot) * REACH_PX;
  const near = stretchesIn(trace, ns - reach, ns + reach).filter((each) => each.cpu === cpu);
  const [first] = near;
  if (first === undefined || first.fromNs > ns + reach) return undefined;
  return {
    away,
    count: near.length,
    lines: [`${cpuWords(cpu)} is ${WORDS} for ${formatNs(first.toNs - first.fromNs)}`, INVITES],
    about: { kind: KIND.RtoSet },
  };
}

export const OVERLOAD: Mark = {
  id: "overload",
  plural: "RT-overloaded CPUs",
  short: "RT overload",
  shortOne: "RT overload",
  colours: ["pull"],
  detail: DETAIL,
  ...rowMark(PARTS),
  hit,
  draw,
  legend: [
    {
      words: WORDS,
      swatch: (context, theme, width, height) => {
        context.fillStyle = theme.pull;
        fillBracket(context, 2, width - 2, (height - END_PX) / 2);
      },
    },
  ],
};
