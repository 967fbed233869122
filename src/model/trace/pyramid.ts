// How much of each state lies in each stretch of one CPU's time, at every zoom. True of closed
// slices only; must not know pixels.
//
//   level 2   [                    16 w                     ]
//   level 1   [    4 w   ][    4 w   ][    4 w   ][   4 w   ]
//   level 0   [w][w][w][w][w][w][w][w] …        each bucket: ns per channel, integers, so that sums
// are conserved exactly
//
// The finest width is not fixed: an idle CPU of a ten-second run would need millions of empty
// buckets. Whenever level 0 has more buckets than the lane has slices to fill them, it is dropped
// and level 1 takes its place.

import { CPU_STATES } from "../../engine/gen/catalogue.ts";
import type { Column } from "../../lib/column.ts";
import { u32Column } from "../../lib/column.ts";

/** One channel per CPU state, one for interrupts off and one for preempt_count not 0. */
export const CHANNELS = CPU_STATES.length + 2;
export const IRQ_OFF_CHANNEL = CPU_STATES.length;
export const NO_PREEMPT_CHANNEL = CPU_STATES.length + 1;

const FINEST_LOG2 = 10;
/** 2^30 ns: the widest bucket whose nanoseconds fit 32 bits with room to spare. */
const WIDEST_LOG2 = 30;
/** Levels are four times as wide as the one below. */
const STEP_LOG2 = 2;
const FAN = 2 ** STEP_LOG2;
/** Below this many buckets a level is not worth dropping. */
const BUCKETS_MIN = 64;
/**
 * Slices per level-0 bucket: fewer cost memory, more make a half-zoomed view walk slices one by
 * one.
 */
const SLICES_PER_BUCKET = 4;

interface Level {
  readonly log2: number;
  readonly sums: Column<Uint32Array>;
}

export class StatePyramid {
  private levels: Level[] = [];
  /** First bucket of level 0 that has changed since the levels above were summed. */
  private dirty = 0;
  private settled = true;
  /** Bucket width of level 0, ns. */
  private finestNs = 2 ** FINEST_LOG2;

  constructor() {
    for (let log2 = FINEST_LOG2; log2 <= WIDEST_LOG2; log2 += STEP_LOG2)
      this.levels.push({ log2, sums: u32Column() });
  }

  /**
   * Charges [fromNs, toNs) to `channel`, and by the bits of `off` to interrupts off (1) and
   * preempt_count not 0 (2). `slices`: how many the lane has. Stretches come in time order. Only
   * the finest level is charged: the others are summed when asked for.
   */
  add(fromNs: number, toNs: number, channel: number, off: number, slices: number): void {
    if (toNs > this.finestNs * Math.max(BUCKETS_MIN, slices / SLICES_PER_BUCKET))
      this.widen(toNs, slices);
    if (this.settled) this.dirty = Math.floor(fromNs / this.finestNs);
    this.settled = false;
    charge(this.level(0), fromNs, toNs, channel, off);
  }

  /** Index of the widest level whose buckets are at most `widthNs` wide; -1 if all are wider. */
  levelFor(widthNs: number): number {
    let found = -1;
    for (const [index, level] of this.levels.entries())
      if (2 ** level.log2 <= widthNs) found = index;
    return found;
  }

  /** Bucket width of a level, ns. */
  widthNs(level: number): number {
    return 2 ** this.level(level).log2;
  }

  /**
   * The sums of a level: CHANNELS numbers a bucket, bucket k at k * CHANNELS; and how many numbers
   * are valid.
   */
  sums(level: number): { readonly data: Uint32Array; readonly length: number } {
    if (level > 0) this.settle();
    return this.level(level).sums;
  }

  get bytes(): number {
    return this.levels.reduce((sum, level) => sum + level.sums.bytes, 0);
  }

  private level(index: number): Level {
    const level = this.levels[index];
    if (level === undefined)
      throw new RangeError(`level ${String(index)} of ${String(this.levels.length)}`);
    return level;
  }

  private widen(toNs: number, slices: number): void {
    const allowed = Math.max(BUCKETS_MIN, slices / SLICES_PER_BUCKET);
    while (this.levels.length > 1 && toNs / 2 ** this.level(0).log2 > allowed) {
      this.settle();
      this.levels.shift();
      this.finestNs = this.widthNs(0);
    }
  }

  /** Sums every changed bucket anew from the four below it. */
  private settle(): void {
    if (this.settled) return;
    this.settled = true;
    let from = this.dirty;
    for (let index = 1; index < this.levels.length; index += 1) {
      from = Math.floor(from / FAN);
      sumUp(this.level(index - 1).sums, this.level(index).sums, from);
    }
  }
}

function sumUp(below: Column<Uint32Array>, above: Column<Uint32Array>, from: number): void {
  const buckets = Math.ceil(below.length / CHANNELS / FAN);
  above.reserve(buckets * CHANNELS);
  above.length = buckets * CHANNELS;
  for (let bucket = from; bucket < buckets; bucket += 1) {
    const base = bucket * CHANNELS;
    const end = Math.min(below.length, (bucket + 1) * FAN * CHANNELS);
    for (let channel = 0; channel < CHANNELS; channel += 1) {
      let sum = 0;
      for (let at = bucket * FAN * CHANNELS + channel; at < end; at += CHANNELS)
        sum += below.data[at] ?? 0;
      above.data[base + channel] = sum;
    }
  }
}

function charge(level: Level, fromNs: number, toNs: number, channel: number, off: number): void {
  const width = 2 ** level.log2;
  const first = Math.floor(fromNs / width);
  const last = Math.floor((toNs - 1) / width);
  const { sums } = level;
  const needed = (last + 1) * CHANNELS;
  if (needed > sums.length) {
    sums.reserve(needed);
    sums.length = needed;
  }
  const data = sums.data;
  for (let bucket = first; bucket <= last; bucket += 1) {
    const ns = Math.min(toNs, (bucket + 1) * width) - Math.max(fromNs, bucket * width);
    const base = bucket * CHANNELS;
    data[base + channel] = (data[base + channel] ?? 0) + ns;
    if ((off & 1) !== 0) data[base + IRQ_OFF_CHANNEL] = (data[base + IRQ_OFF_CHANNEL] ?? 0) + ns;
    if ((off & 2) !== 0)
      data[base + NO_PREEMPT_CHANNEL] = (data[base + NO_PREEMPT_CHANNEL] ?? 0) + ns;
  }
}
