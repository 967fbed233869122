// Kicks of idle balancing on the lanes: a dotted arc from the CPU whose tick asked to the idle CPU asked, and a burst where that woke it.

import { KIND } from "../../engine/gen/catalogue.ts";
import { KICK } from "../../model/index.ts";
import type { Kick } from "../../model/index.ts";
import { bundle, label } from "./arcs.ts";
import type { Arc } from "./arcs.ts";
import type { Plot } from "../draw/plot.ts";
import { inSight, middleOf, nsPerPx, xOf } from "../draw/plot.ts";

/** More kicks than this in sight are bundled. */
const KICKS_MAX = 120;
const BUNDLES_MAX = 24;
/** More than this many ticks stopped or restarted are not drawn. */
const STOPS_MAX = 1200;
/** As few kicks as this carry the words "woke it". */
const NAMED_MAX = 12;

export function drawKicks(context: CanvasRenderingContext2D, plot: Plot): void {
  const { fromNs, toNs } = plot.viewport;
  const { kicks } = plot.trace;
  if (kicks.countIn(fromNs, toNs) === 0) return;
  const list = kicks.list(fromNs, toNs);
  const arcs = list.flatMap((kick) => arcOf(plot, kick) ?? []);
  context.strokeStyle = context.fillStyle = plot.theme.kick;
  if (arcs.length > KICKS_MAX) {
    const bundles = bundle(
      arcs.map(({ arc }) => arc),
      BUNDLES_MAX,
    );
    for (const arc of bundles) drawArc(context, plot, arc, false);
    return;
  }
  // By row: where the next words have room.
  const free = new Map<number, number>();
  for (const { arc, kick } of arcs) {
    drawArc(context, plot, arc, kick.outcome === KICK.AlreadyOwned);
    if (kick.wokeNs === undefined) continue;
    burst(context, arc.x1, arc.y1, Math.max(4, plot.theme.fontPx * 0.5));
    const from = arc.x1 + plot.theme.fontPx * 0.7;
    if (list.length > NAMED_MAX || from < (free.get(arc.y1) ?? -Infinity)) continue;
    label(context, plot, "woke it", from, arc.y1, plot.theme.kick);
    free.set(arc.y1, from + plot.theme.fontPx * 5);
    context.strokeStyle = context.fillStyle = plot.theme.kick;
  }
}

interface KickArc {
  readonly kick: Kick;
  readonly arc: Arc;
}

function arcOf(plot: Plot, kick: Kick): KickArc | undefined {
  if (kick.target === undefined) return undefined;
  const y0 = middleOf(plot, kick.cpu);
  const y1 = middleOf(plot, kick.target);
  if (!inSight(plot, y0) && !inSight(plot, y1)) return undefined;
  return { kick, arc: { x0: xOf(plot, kick.ns), y0, x1: xOf(plot, kick.wokeNs ?? kick.ns), y1, count: 1, coalesced: false } };
}

/** Bulges to the right, where an IPI's arc bulges to the left: both are seen where a kick is an IPI. */
function drawArc(context: CanvasRenderingContext2D, plot: Plot, { x0, y0, x1, y1, count }: Arc, faint: boolean): void {
  const bulge = Math.min(30, 8 + Math.abs(y1 - y0) * 0.14);
  context.globalAlpha = faint || count > 1 ? 0.6 : 1;
  context.lineWidth = Math.max(1.5, plot.theme.strokePx * 0.6) * Math.min(3, 1 + Math.log2(count) / 4);
  context.setLineDash(faint ? [1, 5] : [2, 2.5]);
  context.beginPath();
  context.moveTo(x0, y0);
  context.quadraticCurveTo(Math.max(x0, x1) + bulge, (y0 + y1) / 2, x1, y1);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
  context.fillRect(x0 - 2, y0 - 2, 4, 4);
  if (count === 1) return;
  burst(context, x1, y1, Math.max(4, plot.theme.fontPx * 0.5));
  label(context, plot, `${count} kicks`, (x0 + x1) / 2 + bulge / 2 + 4, (y0 + y1) / 2, plot.theme.kick);
  context.strokeStyle = context.fillStyle = plot.theme.kick;
}

/** Eight rays. */
export function burst(context: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  context.lineWidth = 1.5;
  context.beginPath();
  for (let ray = 0; ray < 8; ray += 1) {
    const angle = (ray * Math.PI) / 4;
    const long = ray % 2 === 0 ? size : size * 0.75;
    context.moveTo(x + Math.cos(angle) * size * 0.3, y + Math.sin(angle) * size * 0.3);
    context.lineTo(x + Math.cos(angle) * long, y + Math.sin(angle) * long);
  }
  context.stroke();
}

/** A hollow caret on the baseline where a tick stops; one that points down where it starts again. */
export function drawTickStops(context: CanvasRenderingContext2D, plot: Plot): void {
  const { events, tickStops } = plot.trace;
  const { fromNs, toNs } = plot.viewport;
  if (tickStops.countIn(fromNs, toNs) > STOPS_MAX || nsPerPx(plot) > 1e5) return;
  context.strokeStyle = plot.theme.text;
  context.lineWidth = 1;
  for (const at of tickStops.listIn(fromNs, toNs)) {
    const row = plot.rows.rowOfCpu[events.cpu.at(at)];
    if (row === undefined || row.height < 18) continue;
    const x = xOf(plot, events.time.at(at));
    const y = row.top - plot.scrollTop + row.height - 0.5;
    const stop = events.kind.at(at) === KIND.TickStop;
    const [base, tip] = stop ? [y, y - 5] : [y - 5, y];
    context.beginPath();
    context.moveTo(x, tip);
    context.lineTo(x - 3, base);
    context.lineTo(x + 3, base);
    context.closePath();
    context.stroke();
  }
}
