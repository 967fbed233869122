// IPIs: an arc from the sender's row at the send to the target's row at the arrival, so that its
// width is the flight; dashed where that vector was pending already. In neutral ink: hue belongs to
// what CPUs do.

import { counted } from "../../lib/count.ts";
import { FIELD, KIND, VECTORS } from "../../engine/gen/catalogue.ts";
import { fieldOf } from "../../lib/bit-field.ts";
import type { TraceStore } from "../../model/index.ts";
import type { LabelLayer } from "../draw/label-layer.ts";
import { RANK } from "../draw/label-layer.ts";
import type { Plot } from "../plot/plot.ts";
import { inSight, plotWidth, xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import type { Arc, Drawn, PlaceArc } from "./arcs.ts";
import { alongArc, ArcMemo, arcOf, awayFromArc, bulge, hitBundle, strokeArc } from "./arcs.ts";
import type { Mark, Scene } from "./mark.ts";
import { cpuWords, REACH_PX } from "./mark.ts";
import type { RowParts, Say } from "./row-mark.ts";
import { rowMark, rowsIn } from "./row-mark.ts";

/** Bundles grow until there is at most one for so many CSS px of the picture's width. */
const BUNDLE_WIDE_PX = 24;
/** Up to this number of arcs, each ends in an envelope. */
const ENVELOPES_MAX = 80;
const BULGE_MAX_PX = 26;
/** Half the width of an envelope. */
const ENVELOPE_PX = 4;
/** Rows looked at for the handler that an arrival led to. */
const HANDLER_ROWS_MAX = 4000;
const DETAIL = { most: 160, beyond: "bundled" } as const;

interface Ipi {
  readonly sender: number;
  readonly target: number;
  readonly vector: number;
  readonly coalesced: boolean;
  readonly sentNs: number;
  readonly arrivedNs: number;
}

function ipiAt({ events }: TraceStore, row: number): Ipi {
  const a = events.a.at(row);
  const arrivedNs = events.time.at(row);
  return {
    sender: fieldOf(FIELD.IpiSender, a),
    target: events.cpu.at(row),
    vector: fieldOf(FIELD.IpiVector, a),
    coalesced: fieldOf(FIELD.IpiCoalesced, a) === 1,
    sentNs: arrivedNs - events.b.at(row),
    arrivedNs,
  };
}

const PARTS: RowParts = {
  kinds: [KIND.IpiArrive],
  reach: (_trace, rows) => ({ before: rows.longestB, after: 0 }),
  bBefore: true,
  places: (trace, row, see) => {
    const { sender, target, sentNs, arrivedNs } = ipiAt(trace, row);
    see(sender, sentNs);
    see(target, arrivedNs);
  },
  lines: ipiLines,
  away: (scene, row, at) => {
    const arc = arcOf(place, scene, row);
    return arc === undefined ? Infinity : awayFromArc(arc, bend, at, REACH_PX + ENVELOPE_PX);
  },
  halfPx: ENVELOPE_PX,
  bulgePx: BULGE_MAX_PX,
};

function ipiLines(trace: TraceStore, row: number, say: Say): string[] {
  const ipi = ipiAt(trace, row);
  const name = VECTORS[ipi.vector]?.name ?? `vector ${String(ipi.vector)}`;
  return [
    `IPI ${name}: ${cpuWords(ipi.sender)} to ${cpuWords(ipi.target)}${ipi.coalesced ? ", coalesced" : ""}`,
    `sent at ${say(ipi.sentNs, 6)}, arrives at ${say(ipi.arrivedNs, 6)}: ${say(ipi.arrivedNs - ipi.sentNs, 3)} in flight`,
    ipi.coalesced
      ? "coalesced: that vector was pending there already, one handler serves both"
      : deliveryWords(trace, row, ipi, say),
  ];
}

/**
 * When the handler that this arrival led to starts: its row says how long ago the interrupt
 * arrived.
 */
function deliveryWords(
  { events }: TraceStore,
  row: number,
  { target, vector, arrivedNs }: Ipi,
  say: Say,
): string {
  for (let next = row; next < Math.min(events.count, row + HANDLER_ROWS_MAX); next += 1) {
    if (
      events.kind.at(next) !== KIND.IrqEntry ||
      events.cpu.at(next) !== target ||
      events.a.at(next) !== vector
    )
      continue;
    const ns = events.time.at(next);
    if (ns - events.b.at(next) === arrivedNs)
      return `delivered: the handler starts ${ns === arrivedNs ? "at once" : `${say(ns - arrivedNs, 3)} after the arrival`}`;
    break;
  }
  return "delivered to the interrupt line";
}

const place: PlaceArc = (scale, row, into) => {
  const { events } = scale.plot.trace;
  const a = events.a.data[row] ?? 0;
  const ns = events.time.data[row] ?? 0;
  const [sender, target] = [fieldOf(FIELD.IpiSender, a), events.cpu.data[row] ?? 0];
  into.x0 = scale.x(ns - (events.b.data[row] ?? 0));
  into.y0 = scale.middle(sender);
  into.x1 = scale.x(ns);
  into.y1 = scale.middle(target);
  into.faint = fieldOf(FIELD.IpiCoalesced, a) === 1;
  into.own = sender === target;
  return true;
};

/** To the left, where a kick's arc bends to the right: both are seen where a kick is an IPI. */
function bend({ x0, y0, x1, y1 }: Arc): number {
  return Math.min(x0, x1) - bulgeOf(y0, y1) + (x1 - x0) / 2;
}

function bulgeOf(y0: number, y1: number): number {
  return bulge(y0, y1, 6, 0.12, BULGE_MAX_PX);
}

const MEMO = new ArcMemo();

function drawnOf(scene: Scene): Drawn {
  return MEMO.of(
    scene,
    () => rowsIn(PARTS, scene),
    place,
    DETAIL.most,
    Math.ceil(plotWidth(scene.plot) / BUNDLE_WIDE_PX),
  );
}

function draw(context: CanvasRenderingContext2D, scene: Scene, labels: LabelLayer): void {
  const { plot } = scene;
  const { arcs, own } = drawnOf(scene);
  context.strokeStyle = context.fillStyle = plot.theme.ipi;
  for (const arc of arcs) {
    context.globalAlpha = arcs.length > ENVELOPES_MAX || arc.count > 1 ? 0.5 : 0.9;
    context.lineWidth = widthOf(plot, arc.count);
    context.setLineDash(arc.faint ? [2, 3] : []);
    strokeArc(context, arc, bend);
    context.setLineDash([]);
    context.globalAlpha = 1;
    if (arc.count > 1) continue;
    if (arcs.length <= ENVELOPES_MAX)
      drawEnvelope(context, plot.theme, arc.x1, arc.y1, ENVELOPE_PX);
    else context.fillRect(arc.x1 - 1, arc.y1 - 1.5, 3, 3);
  }
  nameBundles(scene, { arcs, own }, labels);
}

function widthOf(plot: Plot, count: number): number {
  const thin = Math.max(1.25, plot.theme.strokePx * 0.5);
  return count === 1 ? thin : thin * Math.min(3.2, 1 + Math.log2(count) / 4);
}

/** Numbers below this share of the largest number in sight are not written. */
const NAMED_SHARE = 0.05;

/**
 * Between lanes each bundle of note says how many it holds; what a CPU sends itself is counted once
 * for its lane, or the lane would be all words.
 */
function nameBundles({ trace, plot }: Scene, { arcs, own }: Drawn, labels: LabelLayer): void {
  const between = arcs.filter((arc) => arc.count > 1 && arc.own !== true);
  const names = [
    ...[...own.values()].map(({ count, first }) => ({
      count,
      of: toItself(trace, plot, first),
      x: first.x0 + ENVELOPE_PX,
      y: first.y0,
    })),
    ...between.map(({ x0, y0, x1, y1, count }) => ({
      count,
      of: "",
      x: (x0 + x1) / 2 - bulgeOf(y0, y1) / 2,
      y: (y0 + y1) / 2,
    })),
  ];
  const least = NAMED_SHARE * Math.max(0, ...names.map(({ count }) => count));
  for (const { count, of, x, y } of names)
    if (count >= least) labels.add(counted(count, "IPI") + of, x, y, plot.theme.ipi, RANK.Count);
}

/** A folded lane has several CPUs. */
function toItself(trace: TraceStore, { rows }: Plot, { row }: Arc): string {
  return rows.rowOfCpu[trace.events.cpu.at(row)] === undefined ? " to themselves" : " to itself";
}

function drawEnvelope(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  x: number,
  y: number,
  half: number,
): void {
  const down = half * 0.75;
  context.fillStyle = theme.background;
  context.lineWidth = theme.strokePx;
  context.fillRect(x - half, y - down, half * 2, down * 2);
  context.strokeRect(x - half, y - down, half * 2, down * 2);
  context.beginPath();
  context.moveTo(x - half, y - down);
  context.lineTo(x, y + 1);
  context.lineTo(x + half, y - down);
  context.stroke();
  context.fillStyle = theme.ipi;
}

/** Envelopes in flight at once; a storm of more would be a cloud. */
const FLYING_MAX = 60;

function fly(context: CanvasRenderingContext2D, scene: Scene, ns: number, leastNs: number): void {
  const { trace, plot } = scene;
  const rows = trace.events.rowsOf(PARTS.kinds);
  const flying = rows.listIn(ns, ns + Math.max(leastNs, rows.longestB));
  context.strokeStyle = context.fillStyle = plot.theme.ipi;
  for (const row of flying.subarray(0, FLYING_MAX)) {
    const { sentNs, arrivedNs } = ipiAt(trace, row);
    const fromNs = Math.min(sentNs, arrivedNs - leastNs);
    if (ns < fromNs) continue;
    const whole = arcOf(place, scene, row);
    if (whole === undefined || (!inSight(plot, whole.y0) && !inSight(plot, whole.y1))) continue;
    const arc = { ...whole, x0: xOf(plot, fromNs) };
    const { x, y } = alongArc(arc, bend(arc), (ns - fromNs) / (arrivedNs - fromNs));
    drawEnvelope(context, plot.theme, x, y, ENVELOPE_PX + 1);
  }
}

const ROWS = rowMark(PARTS);

export const IPI: Mark = {
  id: "ipi",
  plural: "IPIs",
  short: "IPIs",
  shortOne: "IPI",
  colours: ["ipi"],
  detail: DETAIL,
  ...ROWS,
  hit: (scene, at) =>
    ROWS.hit(scene, at) ?? hitBundle(drawnOf(scene).arcs, bend, at, "IPIs", KIND.IpiArrive),
  draw,
  fly,
  legend: [
    {
      words: "IPI",
      swatch: (context, theme, width, height) => {
        context.strokeStyle = context.fillStyle = theme.ipi;
        context.lineWidth = Math.max(1.5, theme.strokePx * 0.75);
        const arc: Arc = {
          x0: width * 0.25,
          y0: 2,
          x1: width - 7,
          y1: height - 5,
          count: 1,
          row: 0,
          faint: false,
        };
        strokeArc(context, arc, bend);
        drawEnvelope(context, theme, arc.x1, arc.y1, Math.min(ENVELOPE_PX, height / 4));
      },
    },
  ],
};
