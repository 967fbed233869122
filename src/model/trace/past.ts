// The past of a run that continues from a snapshot of another run: rows of the other run's store up
// to an instant, copied in steps. Columns are copied. Indexes are built again from the rows, since
// only rows say what an index held at that instant.

import { upperBound } from "../../lib/search.ts";
import type { TraceStore } from "./trace-store.ts";

/** Rows of one step; slices and wake-ups cost less. */
const ROWS = 2_048;
const SLICES = 8_192;
const WAKES = 4_096;

export class PastCopy {
  readonly #from: TraceStore;
  readonly #into: TraceStore;
  readonly #toNs: number;
  readonly #rows: number;
  #event = 0;
  #lane = 0;
  #slice = 0;
  #wake = 0;

  /**
   * `into` is empty and of the same machine; `from` has all rows up to `toNs`, it included: `rows`
   * of them.
   */
  constructor(from: TraceStore, into: TraceStore, toNs: number, rows: number) {
    this.#from = from;
    this.#into = into;
    this.#toNs = toNs;
    this.#rows = rows;
  }

  /** Copies a part; whether that was the last one. */
  step(): boolean {
    if (this.#events() || this.#slices() || this.#wakes()) return false;
    this.#into.reach(this.#toNs, this.#rows);
    return true;
  }

  #events(): boolean {
    const { events } = this.#from;
    const end = Math.min(
      this.#event + ROWS,
      upperBound(events.time.data, events.count, this.#toNs),
    );
    if (end <= this.#event) return false;
    this.#into.appendRows(events.chunk(this.#event, end), 0, end - this.#event);
    this.#event = end;
    return true;
  }

  #slices(): boolean {
    const lane = this.#from.lanes[this.#lane];
    if (lane === undefined) return false;
    const count = lane.indexAt(this.#toNs) + 1;
    const end = Math.min(this.#slice + SLICES, count);
    this.#into.takeSlices(lane, this.#slice, end);
    this.#slice = end < count ? end : 0;
    this.#lane += end < count ? 0 : 1;
    return true;
  }

  #wakes(): boolean {
    const { wakes } = this.#from;
    const end = Math.min(this.#wake + WAKES, wakes.doneBy(this.#toNs));
    if (end <= this.#wake) return false;
    this.#into.wakes.append(wakes.chunk(this.#wake, end));
    this.#wake = end;
    return true;
  }
}
