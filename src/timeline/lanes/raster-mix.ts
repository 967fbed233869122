// The colour of a column that holds several states and is too low to stack them: each state's
// colour by its share. Pure.

import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import { IRQ_OFF_CHANNEL, type CpuState } from "../../model/index.ts";
import type { Inks } from "./raster-inks.ts";

/**
 * Least weight of a state that is there at all, by state: a trace of spinning or of a stop must
 * still tint the pixel.
 */
const LEAST: Readonly<Record<Exclude<CpuState, typeof CPU_STATE.Idle>, number>> & {
  readonly [state: number]: number | undefined;
} = {
  [CPU_STATE.IdleExit]: 0.06,
  [CPU_STATE.User]: 0.06,
  [CPU_STATE.Kernel]: 0.06,
  [CPU_STATE.Softirq]: 0.08,
  [CPU_STATE.Hardirq]: 0.08,
  [CPU_STATE.Spin]: 0.35,
  [CPU_STATE.Stopped]: 0.35,
  [CPU_STATE.UserSpin]: 0.2,
};

/**
 * The states' colours by share over the background, as one pixel. A column's whole is `pixelNs`;
 * what is missing is background.
 */
export function mixedInk(samples: Float32Array, at: number, pixelNs: number, inks: Inks): number {
  let red = 0;
  let green = 0;
  let blue = 0;
  let weight = 0;
  for (let state = CPU_STATE.IdleExit as number; state < IRQ_OFF_CHANNEL; state += 1) {
    const ns = samples[at + state] ?? 0;
    if (ns === 0) continue;
    const share = Math.max(ns / pixelNs, LEAST[state] ?? 0);
    const ink = inks.state[state] ?? 0;
    red += share * (ink & 255);
    green += share * ((ink >>> 8) & 255);
    blue += share * ((ink >>> 16) & 255);
    weight += share;
  }
  if (weight < 1) {
    red += (1 - weight) * (inks.background & 255);
    green += (1 - weight) * ((inks.background >>> 8) & 255);
    blue += (1 - weight) * ((inks.background >>> 16) & 255);
    weight = 1;
  }
  return ((255 << 24) | ((blue / weight) << 16) | ((green / weight) << 8) | (red / weight)) >>> 0;
}
