// Interrupts as pins: where one is alone, a stroke over the upper part of the bar, two pixels
// wide at any zoom, so that it is seen from afar; the lower part is left to the state under it.
// Where interrupts are dense, they are a share of the stack like any state.

import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import { CHANNELS, IRQ_OFF_CHANNEL } from "../../model/index.ts";
import type { BarPlace, Raster } from "./raster-inks.ts";

/**
 * Columns on each side that are looked at, and how many columns with interrupts still make them
 * sparse there: one often lies in two.
 */
const BESIDE = 12;
const SPARSE_MAX = 2;
/** The pin's share of the bar's height, from its top. */
export const PIN_SHARE = 0.4;

/** Used again for every bar: 1 where a pin begins. */
let pins = new Uint8Array(0);

/**
 * Finds the columns that show a pin and gives its time in `samples` to the state under it. A column
 * with `wholeNs` or more of interrupt is a bar and no pin. The list lives until the next call.
 */
export function takePins(samples: Float32Array, columns: number, wholeNs: number): Uint8Array {
  if (pins.length < columns) pins = new Uint8Array(columns);
  let near = 0;
  for (let column = 0; column < Math.min(columns, BESIDE); column += 1)
    near += hasInterrupt(samples, column);
  for (let column = 0; column < columns; column += 1) {
    if (column + BESIDE < columns) near += hasInterrupt(samples, column + BESIDE);
    if (column - BESIDE - 1 >= 0) near -= hasInterrupt(samples, column - BESIDE - 1);
    const ns = samples[column * CHANNELS + CPU_STATE.Hardirq] ?? 0;
    pins[column] = near <= SPARSE_MAX && ns > 0 && ns < wholeNs ? 1 : 0;
  }
  for (let column = 0; column < columns; column += 1)
    if (pins[column] === 1) giveWay(samples, column * CHANNELS);
  return pins;
}

function hasInterrupt(samples: Float32Array, column: number): 0 | 1 {
  return (samples[column * CHANNELS + CPU_STATE.Hardirq] ?? 0) > 0 ? 1 : 0;
}

/**
 * The pin's time goes to what the column holds most of: an interrupt takes time from what runs
 * there.
 */
function giveWay(samples: Float32Array, at: number): void {
  let most: number = CPU_STATE.Idle;
  for (let state = 0; state < IRQ_OFF_CHANNEL; state += 1) {
    if (state !== CPU_STATE.Hardirq && (samples[at + state] ?? 0) > (samples[at + most] ?? 0))
      most = state;
  }
  samples[at + most] = (samples[at + most] ?? 0) + (samples[at + CPU_STATE.Hardirq] ?? 0);
  samples[at + CPU_STATE.Hardirq] = 0;
}

export function drawPins(raster: Raster, place: BarPlace, at: Uint8Array, ink: number): void {
  const height = Math.max(1, Math.round(place.height * PIN_SHARE));
  for (let column = 0; column < place.width; column += 1) {
    if (at[column] !== 1) continue;
    // Two pixels wide, unless it is the last column.
    const right = Math.min(column + 1, place.width - 1);
    for (let y = place.top; y < place.top + height; y += 1) {
      raster.data[y * raster.width + place.left + column] = ink;
      raster.data[y * raster.width + place.left + right] = ink;
    }
  }
}
