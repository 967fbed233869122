// Ready waits as hollow boxes on the shelf above a lane, and the dotted baseline of sleep below it. Pure pixels.

import { WAIT } from "../model/index.ts";
import type { Inks, Raster } from "./raster.ts";

export interface ShelfPlace {
  readonly top: number;
  readonly height: number;
  /** Columns from `left` on belong to the plot. */
  readonly left: number;
  readonly width: number;
}

/** Pixels from one wait's start to its end, in columns of the plot; may lie partly outside. */
export interface WaitBox {
  readonly from: number;
  readonly to: number;
  readonly kind: number;
}

/** Narrower than this a box has no inside: it becomes one stroke. */
const BOX_MIN = 3;

/** A hollow box: dotted while the task is being woken, closed while it is ready, with a heavy left edge if it was preempted. */
export function drawWait(raster: Raster, shelf: ShelfPlace, box: WaitBox, inks: Inks): void {
  const from = Math.max(0, Math.floor(box.from));
  const to = Math.min(shelf.width - 1, Math.max(from, Math.ceil(box.to) - 1));
  if (from >= shelf.width || box.to <= 0) return;
  if (to - from < BOX_MIN) {
    // A mark on the shelf's floor. Full strokes of a thousand short waits would outshine the lanes.
    for (let x = from; x <= to; x += 1) raster.data[(shelf.top + shelf.height - 1) * raster.width + shelf.left + x] = inks.waitFaint;
    return;
  }
  const step = box.kind === WAIT.Waking ? 3 : 1;
  const ink = box.kind === WAIT.Waking ? inks.waitSoft : inks.wait;
  const bottom = shelf.top + shelf.height - 1;
  for (let x = from; x <= to; x += step) {
    raster.data[shelf.top * raster.width + shelf.left + x] = ink;
    raster.data[bottom * raster.width + shelf.left + x] = ink;
  }
  if (box.from >= 0) stroke(raster, shelf, from, ink);
  if (box.kind === WAIT.Preempted && box.from >= 0) stroke(raster, shelf, from + 1, inks.wait);
  if (box.to <= shelf.width) stroke(raster, shelf, to, ink);
}

/** Asleep or idle, nothing to see but a dotted line; what runs is drawn over it. */
export function drawBaseline(raster: Raster, left: number, width: number, y: number, phase: number, inks: Inks): void {
  for (let x = 0; x < width; x += 1) if ((x + phase) % 4 === 0) raster.data[y * raster.width + left + x] = inks.baseline;
}

function stroke(raster: Raster, shelf: ShelfPlace, x: number, ink: number): void {
  for (let y = shelf.top; y < shelf.top + shelf.height; y += 1) raster.data[y * raster.width + shelf.left + x] = ink;
}
