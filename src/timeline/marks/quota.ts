// Quota on the lanes: hatching where a group is out of it, droplets where run time comes and goes.

import { KIND } from "../../engine/gen/catalogue.ts";
import type { Plot } from "../draw/plot.ts";
import { barTop, inSight, xOf } from "../draw/plot.ts";

/** More takes and returns than this in sight are not drawn on the lanes; the tank above shows their sum. */
const DROPS_MAX = 700;
/** As few as this hang on a thread from the tank. */
const THREADS_MAX = 60;
/** Lines of the hatch lie so far apart, CSS px. */
const HATCH_PX = 6;

export function isReturn(kind: number): boolean {
  return kind === KIND.BwReturn;
}

/** 45 degrees over the lane of every CPU where a group is out of quota, with a pause sign where there is room. */
export function drawThrottled(context: CanvasRenderingContext2D, plot: Plot): void {
  const { fromNs, toNs } = plot.viewport;
  const { quota, endNs } = plot.trace;
  const drawn: number[] = [];
  context.strokeStyle = context.fillStyle = plot.theme.throttled;
  context.lineWidth = Math.max(1, plot.theme.strokePx * 0.5);
  quota.visitThrottled(fromNs, toNs, endNs, (from, to, cpu) => {
    const row = plot.rows.rowOfCpu[cpu];
    if (row === undefined || !inSight(plot, barTop(plot, row) + row.barHeight / 2)) return;
    const left = Math.max(plot.gutter, xOf(plot, from));
    const right = Math.min(plot.width, xOf(plot, to));
    // From afar stretches of less than a pixel follow each other by the thousand: one mark for each pixel says as much.
    if (right <= (drawn[cpu] ?? -1)) return;
    drawn[cpu] = Math.max(right, left + 1);
    hatch(context, left, barTop(plot, row), Math.max(1, right - left), row.barHeight);
  });
}

/** One stretch, or the legend's picture of one. */
export function hatch(context: CanvasRenderingContext2D, left: number, top: number, width: number, height: number): void {
  // A slanted line needs some room to be one.
  if (width < 3 || height < 4) return context.fillRect(left, top + height / 3, width, Math.max(1, height / 3));
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.beginPath();
  // Anchored to the page and not to the stretch, so that neighbours join.
  for (let x = Math.floor((left - height) / HATCH_PX) * HATCH_PX; x < left + width; x += HATCH_PX) {
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
  }
  context.stroke();
  context.restore();
  context.fillRect(left, top, 1, height);
  if (width < 22 || height < 10) return;
  const middle = left + width / 2;
  context.fillRect(middle - 4, top + height * 0.2, 3, height * 0.6);
  context.fillRect(middle + 1, top + height * 0.2, 3, height * 0.6);
}

/** A drop falls to the CPU that takes run time, a hollow one rises from the CPU that returns it. */
export function drawDrops(context: CanvasRenderingContext2D, plot: Plot): void {
  const { fromNs, toNs } = plot.viewport;
  const { quota, events } = plot.trace;
  const tracks = quota.limited;
  const count = tracks.reduce((sum, track) => sum + track.moves.countIn(fromNs, toNs), 0);
  if (count === 0 || count > DROPS_MAX) return;
  context.fillStyle = context.strokeStyle = plot.theme.quota;
  context.lineWidth = Math.max(1, plot.theme.strokePx * 0.5);
  for (const track of tracks) {
    for (const event of track.moves.listIn(fromNs, toNs)) {
      const row = plot.rows.rowOfCpu[events.cpu.at(event)];
      if (row === undefined || !inSight(plot, barTop(plot, row))) continue;
      const x = xOf(plot, events.time.at(event));
      const size = Math.max(1.5, Math.min(4, row.height / 5));
      if (count <= THREADS_MAX) thread(context, x, barTop(plot, row) - size);
      drop(context, x, barTop(plot, row), size, isReturn(events.kind.at(event)));
    }
  }
}

function thread(context: CanvasRenderingContext2D, x: number, to: number): void {
  context.globalAlpha = 0.35;
  context.fillRect(x - 0.5, 0, 1, Math.max(0, to));
  context.globalAlpha = 1;
}

/** A drop with its tip up; hollow with its tip down for what goes back. */
export function drop(context: CanvasRenderingContext2D, x: number, y: number, size: number, back: boolean): void {
  const tip = back ? size * 2 : -size * 2;
  context.beginPath();
  context.moveTo(x, y + tip);
  context.quadraticCurveTo(x + size * 1.4, y, x, y + (back ? -size : size));
  context.quadraticCurveTo(x - size * 1.4, y, x, y + tip);
  if (back) context.stroke();
  else context.fill();
}
