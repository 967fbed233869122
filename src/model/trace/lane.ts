// What one CPU does over time: slices in order, each until the next begins, and sums of them at
// every zoom. True of sim_cpu_state rows; must not know pixels or colours.

import { CPU_STATE, CPU_STATES, FIELD, NONE } from "../../engine/gen/catalogue.ts";
import { fieldOf } from "../../lib/bit-field.ts";
import type { Column } from "../../lib/column.ts";
import { f64Column, u16Column, u8Column } from "../../lib/column.ts";
import { lowerBound, upperBound } from "../../lib/search.ts";
import { CHANNELS, IRQ_OFF_CHANNEL, NO_PREEMPT_CHANNEL, StatePyramid } from "./pyramid.ts";
import type { CpuState, Slice } from "./run-types.ts";

/** "No task" in a lane's task column. */
export const NO_TASK = 65_535;
/**
 * Interrupts off, in a lane's own state byte, where a row's column does not fit: bit 7 above the
 * state's number.
 */
const IRQ_OFF_BIT = 128;
/** preempt_count is not 0: bit 6. */
const NO_PREEMPT_BIT = 64;
const STATE_MASK = 63;

export class CpuLane {
  /** Start of each slice, ns, ascending. */
  readonly starts: Column<Float64Array>;
  /** State, + 128 if interrupts are off, + 64 if preempt_count is not 0. */
  readonly states: Column<Uint8Array>;
  /** Task id or NO_TASK. */
  readonly tasks: Column<Uint16Array>;
  private readonly sums = new StatePyramid();
  /** The slice that ends next in `sums`: those before it are in. */
  private summed = 1;
  /** Sums were asked for. */
  private asked = false;
  private expected = 0;

  constructor(readonly cpu: number) {
    // CPUs that do the same must not all run out of room at one row.
    const first = 16 + (cpu % 32);
    [this.starts, this.states, this.tasks] = [f64Column(first), u8Column(first), u16Column(first)];
    // Rows are changes. A run begins with every CPU idle, and one that never does anything has no
    // row at all.
    this.starts.push(0);
    this.states.push(CPU_STATE.Idle);
    this.tasks.push(NO_TASK);
  }

  get count(): number {
    return this.starts.length;
  }

  get bytes(): number {
    return this.starts.bytes + this.states.bytes + this.tasks.bytes + this.sums.bytes;
  }

  /**
   * A sim_cpu_state row: from `ns` on the CPU does this. Rows come in time order. False if it only
   * replaces what began at the same instant.
   */
  append(ns: number, a: number, b: number): boolean {
    const state = fieldOf(FIELD.State, a);
    if (state >= CPU_STATES.length)
      throw new RangeError(`CPU state ${String(state)} at ${String(ns)} ns`);
    const last = this.count - 1;
    if (last >= 0 && ns === this.starts.data[last]) {
      this.states.data[last] = stateByte(a);
      this.tasks.data[last] = b === NONE ? NO_TASK : b;
      return false;
    }
    if (last + 1 === this.starts.data.length && this.expected > last + 1)
      for (const column of [this.starts, this.states, this.tasks]) column.reserve(this.expected);
    this.starts.push(ns);
    this.states.push(stateByte(a));
    this.tasks.push(b === NONE ? NO_TASK : b);
    return true;
  }

  /**
   * Prepares for the number of slices expected in all: when there is no room for the next one, room
   * is made for these. A thousand lanes must not do so at once.
   */
  expect(slices: number): void {
    this.expected = Math.ceil(slices);
  }

  /**
   * Takes over slices `from` up to and without `to` of the same CPU's lane in another run; it has
   * those before.
   */
  take(
    { starts, states, tasks }: Pick<CpuLane, "starts" | "states" | "tasks">,
    from: number,
    to: number,
  ): void {
    if (from === 0 && to > 0) {
      this.states.data[0] = states.at(0);
      this.tasks.data[0] = tasks.at(0);
      return this.take({ starts, states, tasks }, 1, to);
    }
    this.starts.append(starts.data.subarray(from, to));
    this.states.append(states.data.subarray(from, to));
    this.tasks.append(tasks.data.subarray(from, to));
  }

  /**
   * Sums up at most `most` of the slices that have ended since it was last done. Nothing needs that
   * before a picture from afar does: it is done then, or before, while the page rests. Whether all
   * are summed up.
   */
  sumUp(most = Infinity): boolean {
    const starts = this.starts.data;
    const states = this.states.data;
    const end = Math.min(this.count, this.summed + most);
    for (; this.summed < end; this.summed += 1) {
      const byte = states[this.summed - 1] ?? 0;
      this.sums.add(
        starts[this.summed - 1] ?? 0,
        starts[this.summed] ?? 0,
        byte & STATE_MASK,
        offBits(byte),
        this.summed,
      );
    }
    return this.summed >= this.count;
  }

  /**
   * Sums up if sums have been asked for: drawing from afar while a run grows then finds little left
   * to do.
   */
  keepUp(): void {
    if (this.asked) this.sumUp();
  }

  /** Index of the slice that holds `ns`; -1 before 0. */
  indexAt(ns: number): number {
    return upperBound(this.starts.data, this.count, ns) - 1;
  }

  /** The slice at an index in 0..count. `endNs` is where the run is so far. */
  slice(index: number, endNs: number): Slice {
    const byte = this.states.at(index);
    const task = this.tasks.at(index);
    return {
      cpu: this.cpu,
      state: (byte & STATE_MASK) as CpuState,
      irqOff: (byte & IRQ_OFF_BIT) !== 0,
      noPreempt: (byte & NO_PREEMPT_BIT) !== 0,
      task: task === NO_TASK ? undefined : task,
      fromNs: this.starts.at(index),
      toNs: index + 1 < this.count ? this.starts.at(index + 1) : endNs,
    };
  }

  /** How many slices touch [fromNs, toNs). */
  countIn(fromNs: number, toNs: number): number {
    return Math.max(
      0,
      lowerBound(this.starts.data, this.count, toNs) - Math.max(0, this.indexAt(fromNs)),
    );
  }

  /** Exact ns per channel inside [fromNs, toNs), integers in, integers out. */
  windowNs(fromNs: number, toNs: number, endNs: number): number[] {
    const sums = new Array<number>(CHANNELS).fill(0);
    this.addWindow(sums, fromNs, Math.min(toNs, endNs), endNs);
    return sums;
  }

  /**
   * Ns per channel of `pixels` equal parts of [fromNs, toNs), CHANNELS numbers a pixel, into `out`.
   * The parts add to the window; a slice of any length leaves its ns in the pixel it falls in.
   * Inside one bucket (never wider than a pixel) time counts as evenly spread.
   */
  sample(fromNs: number, toNs: number, pixels: number, endNs: number, out: Float32Array): void {
    out.fill(0, 0, pixels * CHANNELS);
    const pixelNs = (toNs - fromNs) / pixels;
    const level = this.countIn(fromNs, toNs) <= pixels * 2 ? -1 : this.pyramid.levelFor(pixelNs);
    if (level < 0) this.sampleSlices(fromNs, toNs, pixels, endNs, out);
    else this.sampleBuckets(level, fromNs, toNs, pixels, endNs, out);
  }

  private get pyramid(): StatePyramid {
    this.asked = true;
    this.sumUp();
    return this.sums;
  }

  private addWindow(sums: number[], fromNs: number, toNs: number, endNs: number): void {
    if (toNs <= fromNs) return;
    const level =
      this.countIn(fromNs, toNs) <= 32 ? -1 : this.pyramid.levelFor((toNs - fromNs) / 2);
    if (level < 0) return this.addSlices(sums, fromNs, toNs, endNs);
    const width = this.pyramid.widthNs(level);
    const { data, length } = this.pyramid.sums(level);
    // The bucket that the open slice starts in is not complete: stop before it.
    const closedNs = this.starts.at(this.count - 1);
    const first = Math.ceil(fromNs / width);
    const last = Math.max(
      first,
      Math.min(Math.floor(Math.min(toNs, closedNs) / width), length / CHANNELS),
    );
    if (last === first) return this.addSlices(sums, fromNs, toNs, endNs);
    for (let index = first * CHANNELS; index < last * CHANNELS; index += 1) {
      const channel = index % CHANNELS;
      sums[channel] = (sums[channel] ?? 0) + (data[index] ?? 0);
    }
    this.addWindow(sums, fromNs, first * width, endNs);
    this.addWindow(sums, last * width, toNs, endNs);
  }

  private addSlices(sums: number[], fromNs: number, toNs: number, endNs: number): void {
    for (let index = Math.max(0, this.indexAt(fromNs)); index < this.count; index += 1) {
      const slice = this.slice(index, endNs);
      if (slice.fromNs >= toNs) return;
      const ns = Math.min(slice.toNs, toNs) - Math.max(slice.fromNs, fromNs);
      if (ns <= 0) continue;
      sums[slice.state] = (sums[slice.state] ?? 0) + ns;
      if (slice.irqOff) sums[IRQ_OFF_CHANNEL] = (sums[IRQ_OFF_CHANNEL] ?? 0) + ns;
      if (slice.noPreempt) sums[NO_PREEMPT_CHANNEL] = (sums[NO_PREEMPT_CHANNEL] ?? 0) + ns;
    }
  }

  private sampleSlices(
    fromNs: number,
    toNs: number,
    pixels: number,
    endNs: number,
    out: Float32Array,
  ): void {
    const starts = this.starts.data;
    const states = this.states.data;
    const untilNs = Math.min(toNs, endNs);
    const pixelNs = (toNs - fromNs) / pixels;
    const perNs = 1 / pixelNs;
    const count = this.count;
    let index = Math.max(0, this.indexAt(fromNs));
    let end = starts[index] ?? 0;
    // The loop that decides how fast a full view pans: most slices lie inside one pixel, and for
    // them it only adds.
    for (; index < count && end < untilNs; index += 1) {
      const start = end < fromNs ? fromNs : end;
      end = index + 1 < count ? (starts[index + 1] ?? 0) : endNs;
      const stop = end < untilNs ? end : untilNs;
      const byte = states[index] ?? 0;
      const pixel = ((start - fromNs) * perNs) | 0;
      if ((stop - fromNs) * perNs > pixel + 1 || pixel >= pixels) {
        spread(out, fromNs, pixelNs, pixels, start, stop, byte & STATE_MASK, offBits(byte));
      } else if (stop > start)
        charge(out, pixel * CHANNELS, stop - start, byte & STATE_MASK, offBits(byte));
    }
  }

  private sampleBuckets(
    level: number,
    fromNs: number,
    toNs: number,
    pixels: number,
    endNs: number,
    out: Float32Array,
  ): void {
    const width = this.pyramid.widthNs(level);
    const { data, length } = this.pyramid.sums(level);
    const perNs = pixels / (toNs - fromNs);
    const first = Math.floor(fromNs / width);
    const last = Math.min(Math.ceil(toNs / width), length / CHANNELS);
    const closedNs = this.starts.at(this.count - 1);
    for (let bucket = first; bucket < last; bucket += 1) {
      const left = (bucket * width - fromNs) * perNs;
      // The last bucket is filled only up to where the open slice starts: its time lies there, not
      // spread over that slice as well.
      const right = (Math.min((bucket + 1) * width, closedNs) - fromNs) * perNs;
      const pixel = Math.floor(left);
      // A bucket is at most one pixel wide, so it touches at most two.
      const inFirst = Math.min(1, (pixel + 1 - left) / (right - left));
      if (pixel >= 0) addBucket(out, pixel, data, bucket, inFirst);
      if (inFirst < 1 && pixel + 1 < pixels) addBucket(out, pixel + 1, data, bucket, 1 - inFirst);
    }
    this.sampleOpen(fromNs, toNs, pixels, endNs, out);
  }

  /** The last slice is not in the pyramid until it ends. */
  private sampleOpen(
    fromNs: number,
    toNs: number,
    pixels: number,
    endNs: number,
    out: Float32Array,
  ): void {
    const last = this.count - 1;
    const from = Math.max(this.starts.at(last), fromNs);
    const byte = this.states.at(last);
    spread(
      out,
      fromNs,
      (toNs - fromNs) / pixels,
      pixels,
      from,
      Math.min(endNs, toNs),
      byte & STATE_MASK,
      offBits(byte),
    );
  }
}

/**
 * Adds ns per channel of all slices but the idle ones, as `CpuLane.sample` places them: `out` is
 * not cleared. Pixels that a slice fills are counted in `steps` instead, + 1 where it begins to
 * fill them and - 1 where it ends, so that a long slice costs no more than a short one.
 */
export function chargeBusy(
  lane: CpuLane,
  fromNs: number,
  toNs: number,
  pixels: number,
  endNs: number,
  out: Float32Array,
  steps: Int32Array,
): void {
  const pixelNs = (toNs - fromNs) / pixels;
  for (let index = Math.max(0, lane.indexAt(fromNs)); index < lane.count; index += 1) {
    const slice = lane.starts.data[index] ?? 0;
    if (slice >= toNs) return;
    const byte = lane.states.data[index] ?? 0;
    if (byte === 0) continue;
    const start = Math.max(slice, fromNs);
    const stop = Math.min(
      index + 1 < lane.count ? (lane.starts.data[index + 1] ?? 0) : endNs,
      toNs,
      endNs,
    );
    const first = Math.ceil((start - fromNs) / pixelNs);
    const last = Math.floor((stop - fromNs) / pixelNs);
    const [state, off] = [byte & STATE_MASK, offBits(byte)];
    if (last <= first) {
      spread(out, fromNs, pixelNs, pixels, start, stop, state, off);
      continue;
    }
    step(steps, first, state, off, 1);
    step(steps, last, state, off, -1);
    spread(out, fromNs, pixelNs, pixels, start, fromNs + first * pixelNs, state, off);
    spread(out, fromNs, pixelNs, pixels, fromNs + last * pixelNs, stop, state, off);
  }
}

function step(steps: Int32Array, pixel: number, channel: number, off: number, by: 1 | -1): void {
  const at = pixel * CHANNELS;
  steps[at + channel] = (steps[at + channel] ?? 0) + by;
  if ((off & 1) !== 0) steps[at + IRQ_OFF_CHANNEL] = (steps[at + IRQ_OFF_CHANNEL] ?? 0) + by;
  if ((off & 2) !== 0) steps[at + NO_PREEMPT_CHANNEL] = (steps[at + NO_PREEMPT_CHANNEL] ?? 0) + by;
}

function stateByte(a: number): number {
  return (
    fieldOf(FIELD.State, a) +
    fieldOf(FIELD.IrqOff, a) * IRQ_OFF_BIT +
    fieldOf(FIELD.NoPreempt, a) * NO_PREEMPT_BIT
  );
}

/** 1 interrupts off, 2 preempt_count not 0. */
function offBits(byte: number): number {
  return ((byte & IRQ_OFF_BIT) === 0 ? 0 : 1) + ((byte & NO_PREEMPT_BIT) === 0 ? 0 : 2);
}

function addBucket(
  out: Float32Array,
  pixel: number,
  data: Uint32Array,
  bucket: number,
  share: number,
): void {
  const to = pixel * CHANNELS;
  const from = bucket * CHANNELS;
  for (let channel = 0; channel < CHANNELS; channel += 1) {
    const ns = data[from + channel] ?? 0;
    if (ns !== 0) out[to + channel] = (out[to + channel] ?? 0) + ns * share;
  }
}

/**
 * Charges [startNs, stopNs) to the pixels it covers: all of it to one, or the ends by their shares
 * and whole pixels between.
 */
function spread(
  out: Float32Array,
  fromNs: number,
  pixelNs: number,
  pixels: number,
  startNs: number,
  stopNs: number,
  channel: number,
  off: number,
): void {
  if (stopNs <= startNs) return;
  const left = (startNs - fromNs) / pixelNs;
  const right = (stopNs - fromNs) / pixelNs;
  const first = Math.min(pixels - 1, Math.floor(left));
  const last = Math.min(pixels - 1, Math.ceil(right) - 1);
  if (last <= first) return charge(out, first * CHANNELS, stopNs - startNs, channel, off);
  charge(out, first * CHANNELS, (first + 1 - left) * pixelNs, channel, off);
  for (let pixel = first + 1; pixel < last; pixel += 1)
    charge(out, pixel * CHANNELS, pixelNs, channel, off);
  charge(out, last * CHANNELS, (right - last) * pixelNs, channel, off);
}

function charge(out: Float32Array, at: number, ns: number, channel: number, off: number): void {
  out[at + channel] = (out[at + channel] ?? 0) + ns;
  if ((off & 1) !== 0) out[at + IRQ_OFF_CHANNEL] = (out[at + IRQ_OFF_CHANNEL] ?? 0) + ns;
  if ((off & 2) !== 0) out[at + NO_PREEMPT_CHANNEL] = (out[at + NO_PREEMPT_CHANNEL] ?? 0) + ns;
}
