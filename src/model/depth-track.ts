// A number that changes at rows of the event table, with its peaks at every zoom: the depth of one lock's queue, or of the deepest of all.
// Must not know what the number counts.

import type { Column } from "../lib/column.ts";
import { u16Column, u32Column } from "../lib/column.ts";
import { lowerBound, upperBound } from "../lib/search.ts";
import type { EventTable } from "./events.ts";

/** Changes per block; each block keeps its greatest value. */
export const BLOCK = 64;

export class DepthTrack {
  /** Rows of the event table, ascending. */
  private readonly rows = u32Column();
  /** The number after each row. */
  private readonly depths = u16Column();
  private readonly blockPeaks: Column<Uint16Array> = u16Column();

  constructor(private readonly events: EventTable) {}

  get count(): number {
    return this.rows.length;
  }

  get bytes(): number {
    return this.rows.bytes + this.depths.bytes + this.blockPeaks.bytes;
  }

  push(row: number, depth: number): void {
    const block = Math.floor(this.rows.length / BLOCK);
    this.rows.push(row);
    this.depths.push(depth);
    if (block === this.blockPeaks.length) this.blockPeaks.push(depth);
    else if (depth > this.blockPeaks.at(block)) this.blockPeaks.data[block] = depth;
  }

  /** The event row of a change. */
  row(index: number): number {
    return this.rows.at(index);
  }

  /** First change at or after `ns`. */
  firstAt(ns: number): number {
    return lowerBound(this.rows.data, this.rows.length, lowerBound(this.events.time.data, this.events.count, ns));
  }

  /** First change after `ns`. */
  firstAfter(ns: number): number {
    return lowerBound(this.rows.data, this.rows.length, upperBound(this.events.time.data, this.events.count, ns));
  }

  /** The number just after the rows at `ns`; 0 before the first. */
  at(ns: number): number {
    const index = this.firstAfter(ns) - 1;
    return index < 0 ? 0 : this.depths.at(index);
  }

  /** The greatest number anywhere in [fromNs, toNs). */
  peakIn(fromNs: number, toNs: number): number {
    return Math.max(this.at(fromNs), this.peakOf(this.firstAfter(fromNs), this.firstAt(toNs)));
  }

  /** The greatest number in each of `pixels` equal parts of [fromNs, toNs): a peak of one nanosecond still shows. */
  profile(fromNs: number, toNs: number, pixels: number): Uint16Array {
    const profile = new Uint16Array(pixels);
    const pixelNs = (toNs - fromNs) / pixels;
    let index = this.firstAfter(fromNs);
    let depth = index > 0 ? this.depths.at(index - 1) : 0;
    for (let pixel = 0; pixel < pixels; pixel += 1) {
      const stop = this.firstAt(fromNs + (pixel + 1) * pixelNs);
      profile[pixel] = Math.max(depth, this.peakOf(index, stop));
      if (stop > index) depth = this.depths.at(stop - 1);
      index = Math.max(index, stop);
    }
    return profile;
  }

  private peakOf(first: number, stop: number): number {
    let peak = 0;
    let index = first;
    while (index < stop) {
      const whole = index % BLOCK === 0 && index + BLOCK <= stop;
      peak = Math.max(peak, whole ? this.blockPeaks.at(index / BLOCK) : (this.depths.data[index] ?? 0));
      index += whole ? BLOCK : 1;
    }
    return peak;
  }
}
