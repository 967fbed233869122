// Who holds each lock and who waits for it, in the order they came. True of wait, acquire and release rows; must not know whether the
// lock is fair: the order of grants is what the rows say.
//
//   rows     wait 3   wait 9   rel      acq 3    wait 5   rel   acq 9
//   queue    [3]      [3 9]    [3 9]    [9]      [9 5]    …     [5]
//   depth     1        2        2        1        2              1       the peak is 2, first reached at "wait 9"
//
// Every 64 rows the whole queue is kept, so that any instant is at most 64 rows of replay away.

import { KIND } from "../engine/gen/catalogue.ts";
import { u16Column, u32Column } from "../lib/column.ts";
import { lowerBound, upperBound } from "../lib/search.ts";
import type { EventTable } from "./events.ts";
import type { LockMoment, LockPeak } from "./types.ts";

const BLOCK = 64;

/** The queue as it stands between two rows of the lock. */
export interface LockStep extends LockMoment {
  readonly fromNs: number;
  readonly toNs: number;
}

interface Checkpoint extends LockMoment {
  /** Greatest depth after any row of this block. */
  peak: number;
}

export class LockTrack {
  /** Rows of the event table, ascending. */
  private readonly rows = u32Column();
  /** Waiters after each row. */
  private readonly depths = u16Column();
  private readonly checkpoints: Checkpoint[] = [];
  private holder: number | undefined;
  private queue: readonly number[] = [];
  private top: LockPeak = { depth: 0, atNs: 0 };

  constructor(private readonly events: EventTable, readonly id: number) {}

  get peak(): LockPeak {
    return this.top;
  }

  get rowCount(): number {
    return this.rows.length;
  }

  get bytes(): number {
    const queued = this.checkpoints.reduce((sum, checkpoint) => sum + 48 + checkpoint.queue.length * 8, 0);
    return this.rows.bytes + this.depths.bytes + queued;
  }

  append(row: number): void {
    if (this.rows.length % BLOCK === 0) this.checkpoints.push({ holder: this.holder, queue: this.queue, peak: this.queue.length });
    const next = after(this.events, row, { holder: this.holder, queue: this.queue });
    this.holder = next.holder;
    this.queue = next.queue;
    const depth = this.queue.length;
    this.rows.push(row);
    this.depths.push(depth);
    const block = this.checkpoints[this.checkpoints.length - 1];
    if (block !== undefined && depth > block.peak) block.peak = depth;
    if (depth > this.top.depth) this.top = { depth, atNs: this.events.time.at(row) };
  }

  /** Holder and queue just after the rows at `ns`. */
  at(ns: number): LockMoment {
    return this.momentBefore(this.firstRowAfter(ns));
  }

  /** Waiters at `ns`. */
  depthAt(ns: number): number {
    const index = this.firstRowAfter(ns) - 1;
    return index < 0 ? 0 : this.depths.at(index);
  }

  /** How many rows of this lock lie in [fromNs, toNs). */
  countIn(fromNs: number, toNs: number): number {
    return this.firstRowAt(toNs) - this.firstRowAt(fromNs);
  }

  /** The queue between rows over [fromNs, toNs), clipped to it: at most as many steps as `countIn` + 1. */
  steps(fromNs: number, toNs: number): LockStep[] {
    const steps: LockStep[] = [];
    let index = this.firstRowAfter(fromNs);
    let moment = this.momentBefore(index);
    let start = fromNs;
    for (; index < this.rows.length; index += 1) {
      const row = this.rows.at(index);
      const ns = this.events.time.at(row);
      if (ns >= toNs) break;
      if (ns > start) steps.push({ ...moment, fromNs: start, toNs: ns });
      moment = after(this.events, row, moment);
      start = ns;
    }
    if (toNs > start) steps.push({ ...moment, fromNs: start, toNs });
    return steps;
  }

  /** Greatest depth in each of `pixels` equal parts of [fromNs, toNs): a herd of one nanosecond still shows. */
  depthProfile(fromNs: number, toNs: number, pixels: number): Uint16Array {
    const profile = new Uint16Array(pixels);
    const pixelNs = (toNs - fromNs) / pixels;
    let index = this.firstRowAfter(fromNs);
    let depth = index > 0 ? this.depths.at(index - 1) : 0;
    for (let pixel = 0; pixel < pixels; pixel += 1) {
      const untilNs = fromNs + (pixel + 1) * pixelNs;
      const stop = this.firstRowAt(untilNs);
      profile[pixel] = Math.max(depth, this.peakOfRows(index, stop));
      if (stop > index) depth = this.depths.at(stop - 1);
      index = Math.max(index, stop);
    }
    return profile;
  }

  private peakOfRows(first: number, stop: number): number {
    let peak = 0;
    let index = first;
    while (index < stop) {
      const block = this.checkpoints[index / BLOCK];
      if (block !== undefined && index + BLOCK <= stop) {
        peak = Math.max(peak, block.peak);
        index += BLOCK;
      } else {
        peak = Math.max(peak, this.depths.data[index] ?? 0);
        index += 1;
      }
    }
    return peak;
  }

  private momentBefore(index: number): LockMoment {
    const block = Math.floor(index / BLOCK);
    const { holder, queue } = this.checkpoints[block] ?? { holder: this.holder, queue: this.queue };
    let moment: LockMoment = { holder, queue };
    for (let replay = block * BLOCK; replay < index; replay += 1) moment = after(this.events, this.rows.at(replay), moment);
    return moment;
  }

  private firstRowAt(ns: number): number {
    return lowerBound(this.rows.data, this.rows.length, lowerBound(this.events.time.data, this.events.count, ns));
  }

  private firstRowAfter(ns: number): number {
    return lowerBound(this.rows.data, this.rows.length, upperBound(this.events.time.data, this.events.count, ns));
  }
}

/** The moment after a row, as a new value: moments are shared between checkpoints. A CPU that acquires leaves the queue wherever it stands in it. */
function after(events: EventTable, row: number, moment: LockMoment): LockMoment {
  const cpu = events.cpu.at(row);
  switch (events.kind.at(row)) {
    case KIND.LockWait:
      return { holder: moment.holder, queue: [...moment.queue, cpu] };
    case KIND.LockAcq:
      return { holder: cpu, queue: moment.queue.includes(cpu) ? moment.queue.filter((waiting) => waiting !== cpu) : moment.queue };
    default:
      return { holder: undefined, queue: moment.queue };
  }
}

export class LockIndex {
  private readonly tracks: LockTrack[] = [];

  constructor(private readonly events: EventTable) {}

  append(row: number, lock: number): void {
    let track = this.tracks[lock];
    if (track === undefined) this.tracks[lock] = track = new LockTrack(this.events, lock);
    track.append(row);
  }

  /** The lock's track, or undefined if nobody has touched it yet. */
  lock(id: number): LockTrack | undefined {
    return this.tracks[id];
  }

  /** Id of the lock with the longest queue so far, the lowest id among equals; undefined while nobody has waited. */
  deepest(): number | undefined {
    let deepest: LockTrack | undefined;
    this.tracks.forEach((track) => {
      if (track.peak.depth > (deepest?.peak.depth ?? 0)) deepest = track;
    });
    return deepest?.id;
  }

  get bytes(): number {
    return this.tracks.reduce((sum, track) => sum + track.bytes, 0);
  }
}
