// What all CPUs of a run do together: shares of the machine by state, as pixels and as words. Pure.

import { CPU_STATE, CPU_STATES } from "../../engine/gen/catalogue.ts";
import { formatNs } from "../../lib/format.ts";
import { CHANNELS, type TraceStore, type Viewport } from "../../model/index.ts";
import { STACK } from "../../timeline/lanes/raster.ts";
import type { Inks, Raster } from "../../timeline/lanes/raster-inks.ts";

/** Time that all CPUs together spent in each state, ns, CHANNELS numbers a column. */
export function mixSamples(
  trace: TraceStore,
  { fromNs, toNs }: Viewport,
  columns: number,
): Float32Array {
  const sums = new Float32Array(columns * CHANNELS);
  const one = new Float32Array(columns * CHANNELS);
  for (const lane of trace.lanes) {
    lane.sample(fromNs, toNs, columns, trace.endNs, one);
    for (let at = 0; at < sums.length; at += 1) sums[at] = (sums[at] ?? 0) + (one[at] ?? 0);
  }
  return sums;
}

/**
 * How many CPUs fill a strip's height: as many as are busy together at most, a power of two. One
 * busy CPU of 32 would be a hairline.
 */
export function cpusAtFull(samples: Float32Array, columnNs: number, cpus: number): number {
  let most = 0;
  for (let at = 0; at < samples.length; at += CHANNELS)
    most = Math.max(
      most,
      STACK.reduce((sum, state) => sum + (samples[at + state] ?? 0), 0),
    );
  const busy = Math.max(1, Math.ceil(most / Math.max(1, columnNs) - ROUNDING));
  return Math.min(cpus, 2 ** Math.ceil(Math.log2(busy)));
}

/** Sums of floats are not exact. */
const ROUNDING = 0.01;

/**
 * Each column a stack from the bottom: user, user spin, kernel, softirq, leaving idle, interrupt,
 * spin, stopped; idle is left out. Spinning that is there at all keeps a pixel. `wholeNs`: what a
 * column of full height holds.
 */
export function drawMix(raster: Raster, samples: Float32Array, wholeNs: number, inks: Inks): void {
  const { data, width, height } = raster;
  data.fill(inks.background);
  for (let x = 0; x < width; x += 1) {
    let busy = 0;
    let stop = height;
    for (const state of STACK) {
      const ns = samples[x * CHANNELS + state] ?? 0;
      busy += ns;
      // Heights are ends of sums, so that rounding never adds up.
      const spins = state === CPU_STATE.Spin || state === CPU_STATE.UserSpin;
      const least = spins && ns > 0 ? stop - 1 : stop;
      const top = Math.max(0, Math.min(least, height - Math.round((busy / wholeNs) * height)));
      const ink = inks.state[state] ?? inks.background;
      for (let y = top; y < stop; y += 1) data[y * width + x] = ink;
      stop = top;
    }
  }
}

/** How many CPUs are in each state at an instant: "At 12.4 ms: 3 user, 1 spin, 36 idle." */
export function mixWords(trace: TraceStore, ns: number): string {
  if (ns > trace.endNs) return "Nothing is computed there.";
  const counts = CPU_STATES.map(() => 0);
  for (const lane of trace.lanes) {
    const state = trace.cpuAt(lane.cpu, ns)?.state ?? CPU_STATE.Idle;
    counts[state] = (counts[state] ?? 0) + 1;
  }
  const parts = CPU_STATES.flatMap(({ name }, state) =>
    (counts[state] ?? 0) > 0 ? [`${String(counts[state])} ${name.replace("_", " ")}`] : [],
  );
  return `At ${formatNs(ns, 5)}: ${[...parts.slice(1), ...parts.slice(0, 1)].join(", ")}.`;
}
