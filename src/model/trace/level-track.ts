// A number that changes at rows of the event table, with its peaks and lows at every zoom: the
// depth of a lock's queue, a group's pool. Must not know what the number counts.

import type { Column, ColumnData } from "../../lib/column.ts";
import { u32Column } from "../../lib/column.ts";
import { lowerBound, upperBound } from "../../lib/search.ts";
import type { EventTable } from "./events.ts";

/** Changes per block; each block keeps its greatest and its least value. */
export const BLOCK = 64;

/** The greatest and the least in each of some equal parts of a window. */
export interface LevelProfile {
  readonly peaks: Float64Array;
  readonly lows: Float64Array;
}

export class LevelTrack {
  /** Rows of the event table, ascending. */
  private readonly rows = u32Column();
  /** The number after each row. */
  private readonly values: Column<ColumnData>;
  private readonly blockPeaks: Column<ColumnData>;
  private readonly blockLows: Column<ColumnData>;

  /** `make` says how wide the numbers are, `first` what holds before the first row. */
  constructor(
    private readonly events: EventTable,
    make: () => Column<ColumnData>,
    private readonly first = 0,
  ) {
    this.values = make();
    this.blockPeaks = make();
    this.blockLows = make();
  }

  get count(): number {
    return this.rows.length;
  }

  get bytes(): number {
    return this.rows.bytes + this.values.bytes + this.blockPeaks.bytes + this.blockLows.bytes;
  }

  /** The number after the last row. */
  get last(): number {
    return this.before(this.count);
  }

  push(row: number, value: number): void {
    const block = Math.floor(this.rows.length / BLOCK);
    this.rows.push(row);
    this.values.push(value);
    if (block === this.blockPeaks.length) {
      this.blockPeaks.push(value);
      this.blockLows.push(value);
    } else if (value > this.blockPeaks.at(block)) this.blockPeaks.data[block] = value;
    else if (value < this.blockLows.at(block)) this.blockLows.data[block] = value;
  }

  /** The event row of a change. */
  row(index: number): number {
    return this.rows.at(index);
  }

  /** First change at or after `ns`. */
  firstAt(ns: number): number {
    return lowerBound(
      this.rows.data,
      this.rows.length,
      lowerBound(this.events.time.data, this.events.count, ns),
    );
  }

  /** First change after `ns`. */
  firstAfter(ns: number): number {
    return lowerBound(
      this.rows.data,
      this.rows.length,
      upperBound(this.events.time.data, this.events.count, ns),
    );
  }

  /** The number before change `index`, which may be `count`. */
  before(index: number): number {
    return index <= 0 ? this.first : this.values.at(index - 1);
  }

  /** The number just after the rows at `ns`. */
  at(ns: number): number {
    return this.before(this.firstAfter(ns));
  }

  /** The greatest number anywhere in [fromNs, toNs). */
  peakIn(fromNs: number, toNs: number): number {
    return this.extreme(
      this.firstAfter(fromNs),
      this.firstAt(toNs),
      this.at(fromNs),
      Math.max,
      this.blockPeaks,
    );
  }

  /**
   * The greatest and the least number in each of `pixels` equal parts of [fromNs, toNs): a peak of
   * one nanosecond still shows.
   */
  profile(fromNs: number, toNs: number, pixels: number): LevelProfile {
    const peaks = new Float64Array(pixels);
    const lows = new Float64Array(pixels);
    const pixelNs = (toNs - fromNs) / pixels;
    let index = this.firstAfter(fromNs);
    for (let pixel = 0; pixel < pixels; pixel += 1) {
      const value = this.before(index);
      const stop = this.firstAt(fromNs + (pixel + 1) * pixelNs);
      peaks[pixel] = this.extreme(index, stop, value, Math.max, this.blockPeaks);
      lows[pixel] = this.extreme(index, stop, value, Math.min, this.blockLows);
      index = Math.max(index, stop);
    }
    return { peaks, lows };
  }

  /**
   * `pick` over a value and the changes from `first` up to and without `stop`; whole blocks by what
   * they keep.
   */
  private extreme(
    first: number,
    stop: number,
    value: number,
    pick: (one: number, other: number) => number,
    blocks: Column<ColumnData>,
  ): number {
    let found = value;
    let index = first;
    while (index < stop) {
      const whole = index % BLOCK === 0 && index + BLOCK <= stop;
      found = pick(found, whole ? blocks.at(index / BLOCK) : (this.values.data[index] ?? 0));
      index += whole ? BLOCK : 1;
    }
    return found;
  }
}
