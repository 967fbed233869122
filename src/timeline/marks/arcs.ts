// What lies over the lanes: IPI arcs, lock tethers, moved tasks, ticks (flags: flags.ts). At most a few thousand shapes a frame;
// where more would be needed they are bundled and counted, never dropped in silence.

import { KIND } from "../../engine/gen/catalogue.ts";
import { COALESCED_BIT } from "../../model/index.ts";
import type { LockTrack } from "../../model/index.ts";
import type { Plot } from "../draw/plot.ts";
import { inSight, middleOf, nsPerPx, xOf } from "../draw/plot.ts";

/** More arcs than this on the screen are bundled. */
const ARCS_MAX = 160;
/** Bundles grow until there are at most this many. */
const BUNDLES_MAX = 70;
const BUNDLE_PX = 28;
/** More than this many moved tasks lose their arrows and words; four times as many lose their lines. */
const MOVES_DRAWN = 60;
const TETHERS_MAX = 900;
const TICKS_MAX = 1500;
const RAISES_MAX = 400;

export interface Arc {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly count: number;
  readonly coalesced: boolean;
}

/** IPIs as arcs from the sender's row at the send to the target's row at the arrival: the horizontal extent is the flight. */
export function drawIpis(context: CanvasRenderingContext2D, plot: Plot): void {
  const { fromNs, toNs } = plot.viewport;
  const arcs: Arc[] = [];
  plot.trace.ipis.visit(fromNs, toNs, (from, to, cpu, sender, kind) => {
    const y0 = middleOf(plot, sender);
    const y1 = middleOf(plot, cpu);
    if (!inSight(plot, y0) && !inSight(plot, y1)) return;
    arcs.push({ x0: xOf(plot, from), y0, x1: xOf(plot, to), y1, count: 1, coalesced: kind >= COALESCED_BIT });
  });
  const shown = arcs.length > ARCS_MAX ? bundle(arcs, BUNDLES_MAX) : arcs;
  context.strokeStyle = context.fillStyle = plot.theme.ipi;
  for (const arc of shown) drawArc(context, plot, arc, shown.length);
}

/** Arcs that start and end close to each other become one with their count; "close" widens until at most `most` are left. */
export function bundle(arcs: readonly Arc[], most: number): readonly Arc[] {
  for (let px = BUNDLE_PX; ; px *= 1.5) {
    const groups = new Map<number, Arc>();
    for (const arc of arcs) {
      const key = (cell(arc.x0, px) * 4096 + cell(arc.y0, px)) * 4096 + cell(arc.y1, px);
      const known = groups.get(key);
      groups.set(key, known === undefined ? arc : merged(known, arc));
    }
    if (groups.size <= most || px > 8192) return [...groups.values()];
  }
}

/** Two bundles as one, in the middle of all their arcs. */
function merged(one: Arc, other: Arc): Arc {
  const count = one.count + other.count;
  const mean = (a: number, b: number): number => (a * one.count + b * other.count) / count;
  return {
    x0: mean(one.x0, other.x0),
    y0: mean(one.y0, other.y0),
    x1: mean(one.x1, other.x1),
    y1: mean(one.y1, other.y1),
    count,
    coalesced: false,
  };
}

/** Which cell of a grid a coordinate falls in; kept positive, since rows out of sight lie above 0. */
function cell(at: number, px: number): number {
  return Math.min(4095, Math.max(0, Math.floor(at / px) + 64));
}

function drawArc(context: CanvasRenderingContext2D, plot: Plot, arc: Arc, shown: number): void {
  const { x0, y0, x1, y1, count } = arc;
  const bulge = Math.min(26, 6 + Math.abs(y1 - y0) * 0.12);
  context.globalAlpha = shown > 80 || count > 1 ? 0.5 : 0.9;
  const thin = Math.max(1.25, plot.theme.strokePx * 0.5);
  context.lineWidth = count === 1 ? thin : thin * Math.min(3.2, 1 + Math.log2(count) / 4);
  context.setLineDash(arc.coalesced ? [2, 3] : []);
  context.beginPath();
  context.moveTo(x0, y0);
  context.quadraticCurveTo(Math.min(x0, x1) - bulge + (x1 - x0) / 2, (y0 + y1) / 2, x1, y1);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
  if (count > 1) label(context, plot, `${count}`, (x0 + x1) / 2 - bulge / 2, (y0 + y1) / 2, plot.theme.ipi);
  else if (shown <= 80) drawEnvelope(context, plot, x1, y1);
  else context.fillRect(x1 - 1, y1 - 1.5, 3, 3);
}

function drawEnvelope(context: CanvasRenderingContext2D, plot: Plot, x: number, y: number): void {
  context.fillStyle = plot.theme.background;
  context.lineWidth = plot.theme.strokePx;
  context.fillRect(x - 4, y - 3, 8, 6);
  context.strokeRect(x - 4, y - 3, 8, 6);
  context.beginPath();
  context.moveTo(x - 4, y - 3);
  context.lineTo(x, y + 1);
  context.lineTo(x + 4, y - 3);
  context.stroke();
  context.fillStyle = plot.theme.ipi;
}

/** A thin line from each CPU that joins the queue to the CPU that holds the lock at that moment. */
export function drawTethers(context: CanvasRenderingContext2D, plot: Plot, lock: LockTrack): void {
  const { fromNs, toNs } = plot.viewport;
  if (lock.countIn(fromNs, toNs) > TETHERS_MAX) return;
  context.strokeStyle = context.fillStyle = plot.theme.spin;
  context.lineWidth = Math.max(0.75, plot.theme.strokePx * 0.4);
  let before: readonly number[] = [];
  for (const step of lock.steps(fromNs, toNs)) {
    const joined = step.queue.filter((cpu) => !before.includes(cpu));
    before = step.queue;
    if (step.holder === undefined || step.fromNs === fromNs) continue;
    for (const cpu of joined) drawTether(context, plot, step.fromNs, cpu, step.holder);
  }
}

function drawTether(context: CanvasRenderingContext2D, plot: Plot, ns: number, waiter: number, holder: number): void {
  const x = xOf(plot, ns);
  const y0 = middleOf(plot, waiter);
  const y1 = middleOf(plot, holder);
  context.globalAlpha = 0.75;
  context.beginPath();
  context.moveTo(x, y0);
  context.lineTo(x, y1);
  context.stroke();
  context.globalAlpha = 1;
  context.fillRect(x - 2, y1 - 2, 4, 4);
}

/** A task that changes its CPU: a tile on the row it leaves, an arrow to the row it joins. Pulls and pushes differ by shape and word. */
export function drawMoves(context: CanvasRenderingContext2D, plot: Plot): void {
  const { events, moves } = plot.trace;
  const { fromNs, toNs } = plot.viewport;
  const rows = moves.listIn(fromNs, toNs);
  for (const row of rows) {
    const pulled = events.kind.at(row) === KIND.PullOk;
    const actor = events.cpu.at(row);
    const other = events.b.at(row);
    const [source, target] = pulled ? [other, actor] : [actor, other];
    const move = { x: xOf(plot, events.time.at(row)), y0: middleOf(plot, source), y1: middleOf(plot, target), pulled };
    if (rows.length <= MOVES_DRAWN) drawMove(context, plot, move, rows.length <= MOVES_DRAWN / 2);
    else drawMoveSmall(context, plot, move, rows.length <= MOVES_DRAWN * 4);
  }
}

interface Move {
  readonly x: number;
  readonly y0: number;
  readonly y1: number;
  readonly pulled: boolean;
}

/** From afar: a mark where the task arrives, and while they are not too many a hair from where it came. */
function drawMoveSmall(context: CanvasRenderingContext2D, plot: Plot, { x, y0, y1, pulled }: Move, withLine: boolean): void {
  context.fillStyle = pulled ? plot.theme.pull : plot.theme.push;
  if (withLine) {
    context.globalAlpha = 0.35;
    context.fillRect(x - 0.5, Math.min(y0, y1), 1, Math.abs(y1 - y0));
  }
  context.globalAlpha = 0.9;
  context.fillRect(x - 1.5, y1 - 1.5, 3, 3);
  context.globalAlpha = 1;
}

function drawMove(context: CanvasRenderingContext2D, plot: Plot, { x, y0, y1, pulled }: Move, named: boolean): void {
  const down = Math.sign(y1 - y0) * 5;
  context.fillStyle = context.strokeStyle = pulled ? plot.theme.pull : plot.theme.push;
  context.lineWidth = plot.theme.strokePx * 1.5;
  context.beginPath();
  context.moveTo(x, y0);
  context.lineTo(x, y1 - down);
  context.stroke();
  context.beginPath();
  context.moveTo(x, y1);
  context.lineTo(x - 4, y1 - down * 1.6);
  context.lineTo(x + 4, y1 - down * 1.6);
  context.fill();
  if (pulled) context.fillRect(x - 3.5, y0 - 3.5, 7, 7);
  else {
    context.beginPath();
    context.arc(x, y0, 4, 0, 2 * Math.PI);
    context.fill();
  }
  if (named) label(context, plot, pulled ? "pull" : "push", x + 8, (y0 + y1) / 2, pulled ? plot.theme.pull : plot.theme.push);
}

/** A caret on the baseline of rows tall enough to show one. */
export function drawTicks(context: CanvasRenderingContext2D, plot: Plot): void {
  const { events, ticks } = plot.trace;
  const { fromNs, toNs } = plot.viewport;
  if (ticks.countIn(fromNs, toNs) > TICKS_MAX || nsPerPx(plot) > 1e5) return;
  context.fillStyle = plot.theme.text;
  for (const tick of ticks.listIn(fromNs, toNs)) {
    const row = plot.rows.rowOfCpu[events.cpu.at(tick)];
    if (row === undefined || row.height < 18) continue;
    const x = xOf(plot, events.time.at(tick));
    const y = row.top - plot.scrollTop + row.height;
    context.beginPath();
    context.moveTo(x, y - 5);
    context.lineTo(x - 3, y);
    context.lineTo(x + 3, y);
    context.fill();
  }
}

/** A dot on the lower edge of the bar where a softirq becomes pending. */
export function drawRaises(context: CanvasRenderingContext2D, plot: Plot): void {
  const { events, raises } = plot.trace;
  const { fromNs, toNs } = plot.viewport;
  if (raises.countIn(fromNs, toNs) > RAISES_MAX) return;
  context.fillStyle = plot.theme.softirq;
  for (const raise of raises.listIn(fromNs, toNs)) {
    const row = plot.rows.rowOfCpu[events.cpu.at(raise)];
    if (row === undefined || row.height < 18) continue;
    context.beginPath();
    context.arc(xOf(plot, events.time.at(raise)), row.barTop - plot.scrollTop + row.barHeight - 1, 2.5, 0, 2 * Math.PI);
    context.fill();
  }
}

/** Text on a plate of background, so that it is read over any picture. */
export function label(context: CanvasRenderingContext2D, plot: Plot, text: string, x: number, y: number, colour: string): void {
  context.font = `600 ${plot.theme.fontPx - 1}px ui-sans-serif, system-ui, sans-serif`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  const width = context.measureText(text).width;
  context.fillStyle = plot.theme.background;
  context.globalAlpha = 0.85;
  context.fillRect(x - 2, y - plot.theme.fontPx / 2, width + 4, plot.theme.fontPx);
  context.globalAlpha = 1;
  context.fillStyle = colour;
  context.fillText(text, x, y + 0.5);
}
