// Ready waits as hollow boxes on the shelf above a lane, and the dotted baseline of sleep below it.
// Pure pixels.

import type { WaitKind } from "../../model/index.ts";
import { WAIT } from "../../model/index.ts";
import type { Inks, Raster } from "./raster-inks.ts";

export interface ShelfPlace {
  readonly top: number;
  readonly height: number;
  /** Columns from `left` on belong to the plot. */
  readonly left: number;
  readonly width: number;
}

/** Narrower than this a box has no inside: it becomes one stroke. */
const BOX_MIN = 3;

/**
 * A hollow box: dotted while the task is being woken, closed while it is ready, with a heavy left
 * edge if it was preempted. `start` and `stop` are in columns of the plot and may lie outside it.
 * Numbers, not an object: this runs for every wait in sight.
 */
export function drawWait(
  raster: Raster,
  shelf: ShelfPlace,
  start: number,
  stop: number,
  kind: WaitKind,
  inks: Inks,
): void {
  const from = Math.max(0, Math.floor(start));
  const to = Math.min(shelf.width - 1, Math.max(from, Math.ceil(stop) - 1));
  if (from >= shelf.width || stop <= 0) return;
  if (to - from < BOX_MIN) {
    // A mark on the shelf's floor. Full strokes of a thousand short waits would outshine the lanes.
    for (let x = from; x <= to; x += 1)
      raster.data[(shelf.top + shelf.height - 1) * raster.width + shelf.left + x] = inks.waitFaint;
    return;
  }
  const step = kind === WAIT.Waking ? 3 : 1;
  const ink = kind === WAIT.Waking ? inks.waitSoft : inks.wait;
  const bottom = shelf.top + shelf.height - 1;
  for (let x = from; x <= to; x += step) {
    raster.data[shelf.top * raster.width + shelf.left + x] = ink;
    raster.data[bottom * raster.width + shelf.left + x] = ink;
  }
  if (start >= 0) stroke(raster, shelf, from, ink);
  if (kind === WAIT.Preempted && start >= 0) stroke(raster, shelf, from + 1, inks.wait);
  if (stop <= shelf.width) stroke(raster, shelf, to, ink);
}

/** Asleep or idle, nothing to see but a dotted line; what runs is drawn over it. */
export function drawBaseline(
  raster: Raster,
  left: number,
  width: number,
  y: number,
  phase: number,
  inks: Inks,
): void {
  for (let x = 0; x < width; x += 1)
    if ((x + phase) % 4 === 0) raster.data[y * raster.width + left + x] = inks.baseline;
}

function stroke(raster: Raster, shelf: ShelfPlace, x: number, ink: number): void {
  for (let y = shelf.top; y < shelf.top + shelf.height; y += 1)
    raster.data[y * raster.width + shelf.left + x] = ink;
}
