// Who holds each lock and who waits for it, in the order they came: CPUs for a lock of the kernel,
// tasks for a mutex or a spin lock of user space. True of wait, acquire and release rows; must not
// know whether the lock is fair: the order of grants is what rows say.
//
//   rows     wait 3   wait 9   rel      acq 3    wait 5   rel   acq 9
//   queue    [3]      [3 9]    [3 9]    [9]      [9 5]    …     [5]
//   depth     1        2        2        1        2              1       the peak is 2, first
// reached at "wait 9"
//
// Every 64 rows the whole queue is kept, so that any instant is at most 64 rows of replay away.

import { KIND, NONE } from "../../engine/gen/catalogue.ts";
import { u16Column } from "../../lib/column.ts";
import type { EventTable } from "./events.ts";
import { BLOCK, LevelTrack } from "./level-track.ts";
import type { LockMoment, LockPeak } from "./run-types.ts";

/** The queue as it is between two rows of the lock. */
export interface LockStep extends LockMoment {
  readonly fromNs: number;
  readonly toNs: number;
}

/** One CPU, or task, holds the lock. */
export interface LockHold {
  readonly holder: number;
  readonly fromNs: number;
  readonly toNs: number;
}

/** What rows say of one sort of lock. */
export interface LockRows {
  /** The CPU or task that a row is about; undefined of a release. */
  who(events: EventTable, row: number): number | undefined;
  /** Whether it joins the queue of the lock `id`. */
  joins(events: EventTable, row: number, id: number): boolean;
  /** Whether it only leaves the queue. */
  leaves(events: EventTable, row: number, id: number): boolean;
  /** Whether rows name the holder only while a CPU waits. */
  readonly onlyWanted: boolean;
}

/** Rows of a lock of the kernel. */
const CPU_ROWS: LockRows = {
  who: ({ kind, cpu }, row) => (kind.at(row) === KIND.LockRel ? undefined : cpu.at(row)),
  joins: ({ kind }, row) => kind.at(row) === KIND.LockWait,
  leaves: () => false,
  onlyWanted: false,
};

export class LockTrack {
  private readonly depths: LevelTrack;
  /** Holder and queue before every 64th row. */
  private readonly checkpoints: LockMoment[] = [];
  /**
   * The moment after the last row: changed in place, since a queue of eighty is not to be copied
   * at every row.
   */
  private holder: number | undefined;
  private readonly queue: number[] = [];
  private top: LockPeak = { depth: 0, atNs: 0 };

  constructor(
    private readonly events: EventTable,
    readonly id: number,
    readonly rows: LockRows = CPU_ROWS,
  ) {
    this.depths = new LevelTrack(events, u16Column);
  }

  get peak(): LockPeak {
    return this.top;
  }

  /** Waiters after the last row. */
  get depth(): number {
    return this.queue.length;
  }

  get bytes(): number {
    const queued = this.checkpoints.reduce(
      (sum, checkpoint) => sum + 40 + checkpoint.queue.length * 8,
      0,
    );
    return this.depths.bytes + queued;
  }

  /** Rows of this lock. */
  get count(): number {
    return this.depths.count;
  }

  /**
   * The lock's first row after `ns`, as its number among the lock's rows; `count` if there is none.
   */
  indexAfter(ns: number): number {
    return this.depths.firstAfter(ns);
  }

  /** The event row of the lock's row number `index`. */
  rowAt(index: number): number {
    return this.depths.row(index);
  }

  /** Waiters just after the lock's row number `index`. */
  depthAfter(index: number): number {
    return this.depths.before(index + 1);
  }

  append(row: number): void {
    if (this.depths.count % BLOCK === 0) this.checkpoints.push(this.now());
    this.goOn(row);
    this.depths.push(row, this.depth);
    if (this.depth > this.top.depth)
      this.top = { depth: this.depth, atNs: this.events.time.at(row) };
  }

  /** Holder and queue just after the rows at `ns`. */
  at(ns: number): LockMoment {
    return this.momentBefore(this.depths.firstAfter(ns));
  }

  /** Waiters at `ns`. */
  depthAt(ns: number): number {
    return this.depths.at(ns);
  }

  /** The longest queue anywhere in [fromNs, toNs). */
  peakIn(fromNs: number, toNs: number): number {
    return this.depths.peakIn(fromNs, toNs);
  }

  /** How many rows of this lock lie in [fromNs, toNs). */
  countIn(fromNs: number, toNs: number): number {
    return this.depths.firstAt(toNs) - this.depths.firstAt(fromNs);
  }

  /**
   * The queue between rows over [fromNs, toNs), clipped to it: at most as many steps as `countIn` +
   * 1.
   */
  steps(fromNs: number, toNs: number): LockStep[] {
    const steps: LockStep[] = [];
    let index = this.depths.firstAfter(fromNs);
    let moment = this.momentBefore(index);
    let start = fromNs;
    for (; index < this.depths.count; index += 1) {
      const row = this.depths.row(index);
      const ns = this.events.time.at(row);
      if (ns >= toNs) break;
      if (ns > start) steps.push({ ...moment, fromNs: start, toNs: ns });
      moment = this.after(row, moment);
      start = ns;
    }
    if (toNs > start) steps.push({ ...moment, fromNs: start, toNs });
    return steps;
  }

  /**
   * Who holds a lock of the kernel over [fromNs, toNs), one stretch for each hold, clipped to it.
   * No queue is made: it costs a look at each row.
   */
  holds(fromNs: number, toNs: number): LockHold[] {
    const { events, rows, id } = this;
    const holds: LockHold[] = [];
    let index = this.depths.firstAfter(fromNs);
    let { holder } = this.momentBefore(index);
    let start = fromNs;
    const end = (ns: number): void => {
      if (holder !== undefined && ns > start) holds.push({ holder, fromNs: start, toNs: ns });
    };
    for (; index < this.depths.count; index += 1) {
      const row = this.depths.row(index);
      const ns = events.time.at(row);
      if (ns >= toNs) break;
      if (rows.joins(events, row, id) || rows.leaves(events, row, id)) continue;
      end(ns);
      holder = rows.who(events, row);
      start = ns;
    }
    end(toNs);
    return holds;
  }

  /** Greatest depth in each of `pixels` equal parts of [fromNs, toNs). */
  depthProfile(fromNs: number, toNs: number, pixels: number): Float64Array {
    return this.depths.profile(fromNs, toNs, pixels).peaks;
  }

  private now(): LockMoment {
    return { holder: this.holder, queue: [...this.queue] };
  }

  /** What a row makes of the present moment, as `after` has it. */
  private goOn(row: number): void {
    const { events, rows, id } = this;
    const who = rows.who(events, row);
    if (rows.joins(events, row, id)) return void this.queue.push(who ?? NONE);
    const place = who === undefined ? -1 : this.queue.indexOf(who);
    if (place >= 0) this.queue.splice(place, 1);
    if (!rows.leaves(events, row, id)) this.holder = who;
    if (rows.onlyWanted && this.depth === 0) this.holder = undefined;
  }

  private momentBefore(index: number): LockMoment {
    const block = Math.floor(index / BLOCK);
    const kept = this.checkpoints[block];
    if (kept === undefined) return this.now();
    let moment = kept;
    for (let replay = block * BLOCK; replay < index; replay += 1)
      moment = this.after(this.depths.row(replay), moment);
    return moment;
  }

  /**
   * The moment after a row, as a new value: moments are shared between checkpoints. A CPU
   * that acquires, or is woken, leaves the queue from any place in it.
   */
  private after(row: number, { holder, queue }: LockMoment): LockMoment {
    const { events, rows, id } = this;
    const who = rows.who(events, row);
    if (rows.joins(events, row, id)) return { holder, queue: [...queue, who ?? NONE] };
    const left =
      who !== undefined && queue.includes(who) ? queue.filter((waiting) => waiting !== who) : queue;
    if (rows.onlyWanted && left.length === 0) return { holder: undefined, queue: left };
    return { holder: rows.leaves(events, row, id) ? holder : who, queue: left };
  }
}

export class LockIndex {
  private readonly tracks: LockTrack[] = [];
  /** The longest queue on any lock, at every change of it. */
  private readonly deepestTrack: LevelTrack;
  /** How many locks have a queue of each length. */
  private readonly locksOfDepth: number[] = [];
  private deepestNow = 0;

  constructor(private readonly events: EventTable) {
    this.deepestTrack = new LevelTrack(events, u16Column);
  }

  append(row: number, lock: number): void {
    let track = this.tracks[lock];
    if (track === undefined) this.tracks[lock] = track = new LockTrack(this.events, lock);
    const before = track.depth;
    track.append(row);
    if (track.depth !== before) this.recount(row, before, track.depth);
  }

  /** The lock's track, or undefined if no CPU has touched it yet. */
  lock(id: number): LockTrack | undefined {
    return this.tracks[id];
  }

  /**
   * Id of the lock with the longest queue so far, the lowest id among equals; undefined until
   * a CPU has waited.
   */
  deepest(): number | undefined {
    return this.deepestBy((track) => track.peak.depth);
  }

  /** The deepest lock within [fromNs, toNs), to show where the viewer looks at that window. */
  deepestIn(fromNs: number, toNs: number): number | undefined {
    return this.deepestBy((track) => track.peakIn(fromNs, toNs));
  }

  /** Greatest depth of any lock in each of `pixels` equal parts of [fromNs, toNs). */
  depthProfile(fromNs: number, toNs: number, pixels: number): Float64Array {
    return this.deepestTrack.profile(fromNs, toNs, pixels).peaks;
  }

  get bytes(): number {
    return this.tracks.reduce((sum, track) => sum + track.bytes, this.deepestTrack.bytes);
  }

  private deepestBy(depthOf: (track: LockTrack) => number): number | undefined {
    let deepest: { readonly id: number; readonly depth: number } | undefined;
    // forEach leaves out ids that no CPU has touched.
    this.tracks.forEach((track) => {
      // Most of a thousand locks were never as deep as the deepest so far.
      if (track.peak.depth <= (deepest?.depth ?? 0)) return;
      const depth = depthOf(track);
      if (depth > (deepest?.depth ?? 0)) deepest = { id: track.id, depth };
    });
    return deepest?.id;
  }

  /**
   * Keeps the deepest in step without looking at every lock: a queue changes by one, so the deepest
   * falls by at most one.
   */
  private recount(row: number, before: number, depth: number): void {
    this.locksOfDepth[before] = (this.locksOfDepth[before] ?? 0) - 1;
    this.locksOfDepth[depth] = (this.locksOfDepth[depth] ?? 0) + 1;
    let deepest = Math.max(this.deepestNow, depth);
    while (deepest > 0 && (this.locksOfDepth[deepest] ?? 0) <= 0) deepest -= 1;
    if (deepest === this.deepestNow) return;
    this.deepestNow = deepest;
    this.deepestTrack.push(row, deepest);
  }
}
