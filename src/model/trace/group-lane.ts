// What several CPUs do together over time: the sum of their lanes at every zoom. True of their
// rows; must not know pixels or colours.
//
// From afar the sum is kept in buckets, each read once off the lanes: a picture of 1024 CPUs must
// not cost 1024 lanes a frame. Closer than a bucket the slices in sight are few, and are summed as
// they are.

import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import type { CpuLane } from "./lane.ts";
import { chargeBusy } from "./lane.ts";
import { CHANNELS, IRQ_OFF_CHANNEL } from "./pyramid.ts";

/** Buckets of all groups of a machine together: 9.4 MB. */
const BUCKETS_ALL = 2 ** 18;
const BUCKETS_MAX = 2 ** 13;
/**
 * Buckets that are summed to one where the picture has less detail: a whole run in a thousand
 * pixels has eight to each.
 */
const COARSE = 4;

export class GroupLane {
  private readonly bucketNs: number;
  /** CHANNELS numbers a bucket. */
  private readonly sums: Float32Array;
  /** Sums over COARSE buckets each. */
  private readonly coarse: Float32Array;
  /** Buckets that are summed. */
  private done = 0;
  private steps = new Int32Array(0);

  /** `groups`: how many there are beside this one, itself included. */
  constructor(
    private readonly lanes: readonly CpuLane[],
    durationNs: number,
    groups: number,
  ) {
    const buckets = Math.max(1, Math.min(BUCKETS_MAX, Math.floor(BUCKETS_ALL / groups)));
    this.bucketNs = Math.max(1, Math.ceil(durationNs / buckets));
    const count = Math.ceil(durationNs / this.bucketNs);
    this.sums = new Float32Array(count * CHANNELS);
    this.coarse = new Float32Array(Math.floor(count / COARSE) * CHANNELS);
  }

  get bytes(): number {
    return this.sums.byteLength + this.coarse.byteLength + this.steps.byteLength;
  }

  /**
   * `CpuLane.sample` summed over the CPUs: a pixel's whole is its length times their number.
   */
  sample(fromNs: number, toNs: number, pixels: number, endNs: number, out: Float32Array): void {
    out.fill(0, 0, pixels * CHANNELS);
    const pixelNs = (toNs - fromNs) / pixels;
    if (pixelNs >= this.bucketNs) this.sampleBuckets(fromNs, pixelNs, pixels, endNs, out);
    else this.sampleSlices(fromNs, toNs, pixels, endNs, out);
    this.addIdle(fromNs, pixelNs, pixels, endNs, out);
  }

  private sampleSlices(
    fromNs: number,
    toNs: number,
    pixels: number,
    endNs: number,
    out: Float32Array,
  ): void {
    const size = (pixels + 1) * CHANNELS;
    if (this.steps.length < size) this.steps = new Int32Array(size);
    const { steps } = this;
    steps.fill(0, 0, size);
    for (const lane of this.lanes) chargeBusy(lane, fromNs, toNs, pixels, endNs, out, steps);
    const pixelNs = (toNs - fromNs) / pixels;
    for (let channel = 1; channel < CHANNELS; channel += 1) {
      let filling = 0;
      for (let at = channel; at < pixels * CHANNELS; at += CHANNELS) {
        filling += steps[at] ?? 0;
        if (filling !== 0) out[at] = (out[at] ?? 0) + filling * pixelNs;
      }
    }
  }

  private sampleBuckets(
    fromNs: number,
    pixelNs: number,
    pixels: number,
    endNs: number,
    out: Float32Array,
  ): void {
    this.sumUp(endNs);
    const first = Math.max(0, Math.floor(fromNs / this.bucketNs));
    const last = Math.min(this.done, Math.ceil((fromNs + pixels * pixelNs) / this.bucketNs));
    let bucket = first;
    while (bucket < last) {
      const whole =
        pixelNs >= COARSE * this.bucketNs && bucket % COARSE === 0 && bucket + COARSE <= last;
      const size = whole ? COARSE : 1;
      const left = (bucket * this.bucketNs - fromNs) / pixelNs;
      const right = left + (size * this.bucketNs) / pixelNs;
      const pixel = Math.floor(left);
      const inFirst = Math.min(1, (pixel + 1 - left) / (right - left));
      const sums = whole ? this.coarse : this.sums;
      if (pixel >= 0 && pixel < pixels) addBucket(out, pixel, sums, bucket / size, inFirst);
      if (inFirst < 1 && pixel + 1 >= 0 && pixel + 1 < pixels)
        addBucket(out, pixel + 1, sums, bucket / size, 1 - inFirst);
      bucket += size;
    }
  }

  /**
   * Takes what has been simulated since: whole buckets only, for what lies before `endNs` does not
   * change any more.
   */
  private sumUp(endNs: number): void {
    const whole = Math.min(this.sums.length / CHANNELS, Math.floor(endNs / this.bucketNs));
    const buckets = whole - this.done;
    if (buckets <= 0) return;
    const [fromNs, toNs] = [this.done * this.bucketNs, whole * this.bucketNs];
    const sums = this.sums.subarray(this.done * CHANNELS, whole * CHANNELS);
    // Most CPUs of a large machine do nothing in most buckets: where slices are fewer than buckets,
    // they are read and not these.
    const slices = this.lanes.reduce((sum, lane) => sum + lane.countIn(fromNs, toNs), 0);
    if (slices < buckets * this.lanes.length) this.sampleSlices(fromNs, toNs, buckets, endNs, sums);
    else this.addLanes(fromNs, toNs, buckets, endNs, sums);
    this.sumCoarse(Math.floor(this.done / COARSE), Math.floor(whole / COARSE));
    this.done = whole;
  }

  private addLanes(
    fromNs: number,
    toNs: number,
    buckets: number,
    endNs: number,
    sums: Float32Array,
  ): void {
    const scratch = new Float32Array(buckets * CHANNELS);
    for (const lane of this.lanes) {
      lane.sample(fromNs, toNs, buckets, endNs, scratch);
      for (let index = 0; index < scratch.length; index += 1)
        sums[index] = (sums[index] ?? 0) + (scratch[index] ?? 0);
    }
  }

  private sumCoarse(from: number, to: number): void {
    for (let at = from * CHANNELS; at < to * CHANNELS; at += 1) {
      const first = Math.floor(at / CHANNELS) * COARSE * CHANNELS + (at % CHANNELS);
      let sum = 0;
      for (let bucket = 0; bucket < COARSE; bucket += 1)
        sum += this.sums[first + bucket * CHANNELS] ?? 0;
      this.coarse[at] = sum;
    }
  }

  /** The part of each pixel that is simulated and not busy. */
  private addIdle(
    fromNs: number,
    pixelNs: number,
    pixels: number,
    endNs: number,
    out: Float32Array,
  ): void {
    for (let pixel = 0; pixel < pixels; pixel += 1) {
      const from = fromNs + pixel * pixelNs;
      let idle =
        Math.max(0, Math.min(endNs, from + pixelNs) - Math.max(0, from)) * this.lanes.length;
      for (let state = CPU_STATE.Idle + 1; state < IRQ_OFF_CHANNEL; state += 1)
        idle -= out[pixel * CHANNELS + state] ?? 0;
      out[pixel * CHANNELS + CPU_STATE.Idle] = Math.max(0, idle);
    }
  }
}

function addBucket(
  out: Float32Array,
  pixel: number,
  sums: Float32Array,
  bucket: number,
  share: number,
): void {
  for (let channel = 1; channel < CHANNELS; channel += 1) {
    const ns = sums[bucket * CHANNELS + channel] ?? 0;
    if (ns !== 0)
      out[pixel * CHANNELS + channel] = (out[pixel * CHANNELS + channel] ?? 0) + ns * share;
  }
}
