// One lane as pixels. Pure: samples in, pixels out, so that a test can read the picture as text.
// Must not know the DOM.
//
// Each pixel column gets the time its CPU spent in each state there (model: CpuLane.sample) and
// becomes a stack, bottom to top: user, user spin, kernel, softirq, leaving idle, interrupt, spin,
// stopped. A column inside one slice is one state at full height, a column that holds a thousand
// slices is their mix, and every step between looks alike: zooming never switches pictures.
// Whatever happened in a column, however short, keeps at least one pixel of it; paler, when its
// share is much less than that pixel. Rows of two or three pixels have no room for a stack: there
// the column is one colour, mixed by share (raster-mix.ts).

import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import { CHANNELS, IRQ_OFF_CHANNEL, NO_PREEMPT_CHANNEL } from "../../model/index.ts";
import { drawPins, takePins } from "./raster-pins.ts";
import { mixedInk } from "./raster-mix.ts";
import type { BarPlace, Inks, Raster } from "./raster-inks.ts";

/** Rows up to this many pixels high are mixed, not stacked. */
export const MIXED_HEIGHT = 3;

/** States from the bottom of a stack to its top; idle is what is left. */
export const STACK = [
  CPU_STATE.User,
  CPU_STATE.UserSpin,
  CPU_STATE.Kernel,
  CPU_STATE.Softirq,
  CPU_STATE.IdleExit,
  CPU_STATE.Hardirq,
  CPU_STATE.Spin,
  CPU_STATE.Stopped,
] as const;

/** Why nothing may preempt what runs, if so. */
export const HELD = { Not: 0, NoPreempt: 1, IrqOff: 2 } as const;
export type Held = (typeof HELD)[keyof typeof HELD];

/** Distance between two bars of the cage over a stopped CPU, px. */
const CAGE_PX = 5;

/**
 * Below this share of its pixel a state still gets one pixel of height; above, it gets its share.
 */
export const PURE = 0.985;

/**
 * Draws a bar. `samples` holds CHANNELS numbers a column, and is changed: what becomes a pin is no
 * part of its column's stack. A column's whole is `pixelNs`. `phase` shifts the textures so that
 * they move with the time axis and not with the screen.
 */
export function drawBar(
  raster: Raster,
  place: BarPlace,
  samples: Float32Array,
  pixelNs: number,
  phase: number,
  inks: Inks,
): void {
  const pins = takePins(samples, place.width, pixelNs * PURE);
  const heights = new Int32Array(CHANNELS);
  for (let column = 0; column < place.width; column += 1) {
    const at = column * CHANNELS;
    const pure = pureState(samples, at, pixelNs);
    if (pure === CPU_STATE.Idle) continue;
    if (pure >= 0) {
      drawPure(raster, place, column, pure, heldAt(samples, at, pixelNs), phase, inks);
    } else if (place.height <= MIXED_HEIGHT) {
      const ink = mixedInk(samples, at, pixelNs, inks);
      for (let y = 0; y < place.height; y += 1)
        raster.data[(place.top + y) * raster.width + place.left + column] = ink;
    } else {
      stackHeights(samples, at, pixelNs, place.height, heights);
      drawStack(raster, place, column, heights, { samples, at, pixelNs }, phase, inks);
    }
  }
  drawPins(raster, place, pins, inks.state[CPU_STATE.Hardirq] ?? inks.background);
}

/** Why nothing may preempt, for the greater part of the column. */
export function heldAt(samples: Float32Array, at: number, pixelNs: number): Held {
  if ((samples[at + IRQ_OFF_CHANNEL] ?? 0) > pixelNs / 2) return HELD.IrqOff;
  return (samples[at + NO_PREEMPT_CHANNEL] ?? 0) > pixelNs / 2 ? HELD.NoPreempt : HELD.Not;
}

/** The state that fills the column, or -1 if several share it. */
export function pureState(samples: Float32Array, at: number, pixelNs: number): number {
  let busy = 0;
  for (let state = 0; state < IRQ_OFF_CHANNEL; state += 1) {
    const ns = samples[at + state] ?? 0;
    if (ns >= PURE * pixelNs && state !== CPU_STATE.Idle) return state;
    if (state !== CPU_STATE.Idle) busy += ns;
  }
  return busy === 0 ? CPU_STATE.Idle : -1;
}

/**
 * Pixels of height per state, idle left out. Spinning is what the viewer looks for: it never falls
 * below a sixth.
 */
export function stackHeights(
  samples: Float32Array,
  at: number,
  pixelNs: number,
  height: number,
  heights: Int32Array,
): void {
  let used = 0;
  for (const state of STACK) {
    const ns = samples[at + state] ?? 0;
    const share = Math.round((ns / pixelNs) * height);
    const least = state === CPU_STATE.Spin ? Math.max(1, Math.round(height / 6)) : 1;
    const size = ns > 0 ? Math.max(least, share) : 0;
    heights[state] = size;
    used += size;
  }
  while (used > height) {
    const tallest = tallestState(heights);
    heights[tallest] = (heights[tallest] ?? 0) - 1;
    used -= 1;
  }
}

function tallestState(heights: Int32Array): number {
  let tallest: number = STACK[0];
  // Later states are the rarer ones: among equals the earlier gives way.
  for (const state of STACK) if ((heights[state] ?? 0) > (heights[tallest] ?? 0)) tallest = state;
  return tallest;
}

/**
 * Whether a state is drawn paler: its share of a column is less than half of the pixel it is given.
 */
export function isScarce(state: number, share: number, height: number): boolean {
  return state !== CPU_STATE.Spin && share * height < 0.5;
}

interface Column {
  readonly samples: Float32Array;
  readonly at: number;
  readonly pixelNs: number;
}

function drawStack(
  raster: Raster,
  place: BarPlace,
  column: number,
  heights: Int32Array,
  sample: Column,
  phase: number,
  inks: Inks,
): void {
  const x = place.left + column;
  let y = place.top + place.height;
  for (const state of STACK) {
    const stop = y - (heights[state] ?? 0);
    if (stop === y) continue;
    const scarce = isScarce(
      state,
      (sample.samples[sample.at + state] ?? 0) / sample.pixelNs,
      place.height,
    );
    const ink = (scarce ? inks.faint[state] : inks.state[state]) ?? inks.background;
    for (y -= 1; y >= stop; y -= 1) {
      const dark = state === CPU_STATE.Spin && ((column + phase + y) & 3) === 0;
      raster.data[y * raster.width + x] = dark ? inks.spinDark : ink;
    }
    y = stop;
  }
}

export function drawPure(
  raster: Raster,
  place: BarPlace,
  column: number,
  state: number,
  held: Held,
  phase: number,
  inks: Inks,
): void {
  const { height } = place;
  const x = place.left + column;
  const tx = column + phase;
  for (let y = 0; y < height; y += 1) {
    const ink = inkAt(state, held, tx, y, height, inks);
    if (ink !== undefined) raster.data[(place.top + y) * raster.width + x] = ink;
  }
}

/**
 * The texture of a state, `y` down from the bar's top: undefined where the background shows
 * through.
 */
function inkAt(
  state: number,
  held: Held,
  tx: number,
  y: number,
  height: number,
  inks: Inks,
): number | undefined {
  const ink = inks.state[state] ?? inks.background;
  switch (state) {
    case CPU_STATE.Spin:
      return sawtooth(tx, y, height, ink, inks.spinDark, undefined);
    case CPU_STATE.UserSpin:
      // The bar is as high as other user code: it runs, and goes nowhere.
      return sawtooth(tx, y, height, ink, inks.userSpinDark, inks.state[CPU_STATE.User]);
    case CPU_STATE.Softirq:
      return y * 2 >= height ? ink : undefined;
    case CPU_STATE.IdleExit:
      return height >= 6 && (tx + y) % 3 !== 0 ? undefined : ink;
    case CPU_STATE.Stopped:
      return isBar(tx, y, height) ? ink : undefined;
    case CPU_STATE.Kernel:
      if (held === HELD.IrqOff) return closedBox(state, tx, y, height, ink, inks);
      if (held === HELD.NoPreempt && isLid(y, height)) return inks.lids;
      return height >= 5 && y === Math.floor(height / 2) ? inks.kernelRule : ink;
    default:
      return held === HELD.IrqOff && state === CPU_STATE.User
        ? closedBox(state, tx, y, height, ink, inks)
        : ink;
  }
}

/** A cage: bars from top to bottom between two rails. Nothing behind them moves. */
function isBar(tx: number, y: number, height: number): boolean {
  return isLid(y, height) || ((tx % CAGE_PX) + CAGE_PX) % CAGE_PX < 2;
}

/** Interrupts off: lids above and below, and a cross-hatch between where there is room for one. */
function closedBox(
  state: number,
  tx: number,
  y: number,
  height: number,
  ink: number,
  inks: Inks,
): number {
  if (isLid(y, height)) return inks.lids;
  if (height < 6) return ink;
  return (tx + y) % 6 === 0 || (((tx - y) % 6) + 6) % 6 === 0 ? (inks.hatch[state] ?? ink) : ink;
}

/**
 * The closed box's lid and floor: they alone say "not preemptible", with the hatch "interrupts
 * off".
 */
function isLid(y: number, height: number): boolean {
  const lid = height >= 10 ? 2 : 1;
  return height >= 4 && (y < lid || y >= height - lid);
}

function toothPx(height: number): number {
  return Math.max(4, Math.min(10, Math.round(height * 0.6)));
}

/** After so many columns the texture of a state comes again. */
export function texturePeriod(state: number, held: Held, height: number): number {
  if (state === CPU_STATE.Spin || state === CPU_STATE.UserSpin)
    return height < 4 ? 2 : toothPx(height);
  if (state === CPU_STATE.IdleExit) return height >= 6 ? 3 : 1;
  if (state === CPU_STATE.Stopped) return CAGE_PX;
  return held === HELD.IrqOff && height >= 6 ? 6 : 1;
}

/**
 * Teeth along the top edge, darker gullets: the shape says "going round and round" without any
 * colour. `above`: what fills the gullets.
 */
function sawtooth(
  tx: number,
  y: number,
  height: number,
  ink: number,
  dark: number,
  above: number | undefined,
): number | undefined {
  if (height < 4) return (tx & 1) === 0 ? ink : dark;
  const tooth = toothPx(height);
  const at = ((tx % tooth) + tooth) % tooth;
  const edge = (at / tooth) * height * 0.55;
  if (y < edge) return above;
  return y < edge + 1 || at === 0 ? dark : ink;
}
