// Takes chunks into a trace store a little at a time, so that the page answers while a big run
// arrives. It knows order and time slices; it must not know workers or what the rows mean.

import type { Reached, TraceChunk, WakeChunk } from "../../engine/protocol.ts";
import type { TraceStore } from "../../model/index.ts";
import { PastCopy } from "../../model/trace/past.ts";

/**
 * Longest stretch of work at once, ms: several fit between two frames, and a key press waits no
 * longer than this.
 */
const SLICE_MS = 7;
/** Rows between two looks at the clock. */
const ROWS_AT_ONCE = 2_048;
/**
 * The first report of growth waits until this share of the axis has something to see, hundredths of
 * a per cent, but no longer than `REPORT_MS`; where another picture is on screen, it always waits
 * that long.
 */
const SEEN_SHARE = 60;
/**
 * Least time between two reports that a store has grown, ms: every report draws the page anew. None
 * comes so shortly before the end.
 */
const REPORT_MS = 200;
/**
 * The longer a run has taken, the less news a moment brings: a report waits for this share of the
 * time taken, up to `REPORT_MS_MAX`.
 */
const REPORT_SHARE = 0.5;
const REPORT_MS_MAX = 1_000;
/** Hundredths of a per cent. */
const WHOLE = 10_000;

/** How a feeder gets its turns. `AT_ONCE` is for tests: it works without a break. */
export interface Turns {
  readonly now: () => number;
  /** Calls `work` after what is waiting, input and drawing among it. */
  readonly later: (work: () => void) => void;
  /** Calls `work` when there is nothing else to do. */
  readonly idle: (work: () => void) => void;
}

export const AT_ONCE: Turns = { now: () => 0, later: (work) => work(), idle: (work) => work() };

interface Chunk {
  readonly reached: Reached;
  readonly trace: TraceChunk;
  readonly wakes: WakeChunk;
  /** The chunk has been taken in whole. */
  readonly taken: () => void;
}

/** The way of one run's chunks into its store. */
export class Feeder {
  readonly #store: TraceStore;
  readonly #turns: Turns;
  readonly #grew: (shareDone: number) => void;
  readonly #replaces: boolean;
  readonly #queue: Chunk[] = [];
  #past: PastCopy | undefined;
  #row = 0;
  #shareDone = 0;
  #running = false;
  #stopped = false;
  readonly #beganAt: number;
  #reportedAt = -Infinity;
  #unreported = false;
  #atEnd: (() => void) | undefined;

  /**
   * `grew` is called now and then while the store grows, with how far the run has come, and once
   * before what `end` was given. `replaces`: another picture is on screen meanwhile. Then the first
   * call waits: a short run is through before it, and its numbers need not wait for a redraw.
   */
  constructor(
    store: TraceStore,
    turns: Turns,
    grew: (shareDone: number) => void,
    replaces = false,
  ) {
    this.#store = store;
    this.#turns = turns;
    this.#grew = grew;
    this.#replaces = replaces;
    this.#beganAt = turns.now();
  }

  /**
   * Before any chunk: what `from` has up to `toNs`, `rows` trace rows, is the beginning of this run
   * too.
   */
  begin(from: TraceStore, toNs: number, rows: number): void {
    this.#past = new PastCopy(from, this.#store, toNs, rows);
    this.#start();
  }

  add(chunk: Chunk): void {
    this.#queue.push(chunk);
    this.#start();
  }

  /** Calls `done` when everything added so far is in the store. */
  end(done: () => void): void {
    this.#atEnd = done;
    this.#start();
  }

  /** Forgets what is not yet taken in. */
  stop(): void {
    this.#stopped = true;
    this.#past = undefined;
    this.#queue.length = 0;
  }

  #start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#turns.later(() => this.#work());
  }

  #work(): void {
    this.#running = false;
    const until = this.#turns.now() + SLICE_MS;
    while (this.#past !== undefined && this.#turns.now() < until)
      if (this.#past.step()) this.#past = undefined;
    while (this.#past === undefined && this.#queue.length > 0 && this.#turns.now() < until)
      this.#step();
    if (this.#stopped) return;
    const empty = this.#past === undefined && this.#queue.length === 0;
    if (this.#unreported && (this.#isDue() || (empty && this.#atEnd !== undefined))) this.#report();
    if (!empty) {
      this.#start();
      return;
    }
    const done = this.#atEnd;
    this.#atEnd = undefined;
    done?.();
    if (done !== undefined) this.#prepare();
  }

  /** Prepares what the page does not need at once, when it has come to rest. */
  #prepare(): void {
    this.#turns.idle(() => {
      const until = this.#turns.now() + SLICE_MS;
      while (!this.#stopped && !this.#store.prepare())
        if (this.#turns.now() >= until) return this.#prepare();
    });
  }

  /** Some rows of the first chunk; with its last ones its wake-ups too. */
  #step(): void {
    const [chunk] = this.#queue;
    if (chunk === undefined) return;
    const to = Math.min(this.#row + ROWS_AT_ONCE, chunk.trace.time.length);
    this.#store.appendRows(chunk.trace, this.#row, to);
    this.#row = to;
    if (to < chunk.trace.time.length) return;
    this.#store.complete(chunk.reached.simulatedNs, chunk.wakes);
    this.#row = 0;
    this.#shareDone = chunk.reached.shareDone;
    this.#store.expect(this.#shareDone);
    this.#unreported = true;
    this.#queue.shift();
    chunk.taken();
  }

  #isDue(): boolean {
    const now = this.#turns.now();
    const passed = now - this.#beganAt;
    const first = this.#reportedAt === -Infinity;
    const left = (passed * (WHOLE - this.#shareDone)) / Math.max(1, this.#shareDone);
    if (first) return (this.#shareDone >= SEEN_SHARE && !this.#replaces) || passed >= REPORT_MS;
    return (
      now - this.#reportedAt >=
        Math.min(REPORT_MS_MAX, Math.max(REPORT_MS, passed * REPORT_SHARE)) && left >= REPORT_MS
    );
  }

  #report(): void {
    this.#unreported = false;
    this.#reportedAt = this.#turns.now();
    this.#grew(this.#shareDone);
  }
}
