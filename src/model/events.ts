// Every trace row but sim_cpu_state (those live in the lanes), in time order, as columns. True of rows; must not know what they imply.

import { f64Column, u16Column, u32Column, u8Column } from "../lib/column.ts";
import { lowerBound, upperBound } from "../lib/search.ts";

export class EventTable {
  // Different beginnings: columns that grow by the same rule must not all be copied at one row of a long run.
  readonly time = f64Column(16);
  readonly kind = u8Column(18);
  readonly cpu = u16Column(20);
  readonly a = u32Column(22);
  readonly b = u32Column(24);

  get count(): number {
    return this.time.length;
  }

  get bytes(): number {
    return this.time.bytes + this.kind.bytes + this.cpu.bytes + this.a.bytes + this.b.bytes;
  }

  /** Adds a row and returns its index. */
  push(ns: number, kind: number, cpu: number, a: number, b: number): number {
    this.time.push(ns);
    this.kind.push(kind);
    this.cpu.push(cpu);
    this.a.push(a);
    this.b.push(b);
    return this.count - 1;
  }

  /** First row at or after `ns`. */
  firstAt(ns: number): number {
    return lowerBound(this.time.data, this.count, ns);
  }

  /** The instant of the next row after `ns` (`direction` 1) or of the last one before it (-1); undefined past the ends. */
  step(ns: number, direction: 1 | -1): number | undefined {
    const row = direction === 1 ? upperBound(this.time.data, this.count, ns) : this.firstAt(ns) - 1;
    return row >= 0 && row < this.count ? this.time.at(row) : undefined;
  }
}

/** Rows of a few kinds, in time order: so that a picture of pulls need not read a million lock rows. */
export class RowList {
  private readonly rows = u32Column();

  constructor(private readonly events: EventTable) {}

  get bytes(): number {
    return this.rows.bytes;
  }

  push(row: number): void {
    this.rows.push(row);
  }

  /** How many of the rows lie in [fromNs, toNs). */
  countIn(fromNs: number, toNs: number): number {
    return this.indexAt(toNs) - this.indexAt(fromNs);
  }

  /** The rows in [fromNs, toNs), in order. */
  listIn(fromNs: number, toNs: number): Uint32Array {
    return this.rows.data.subarray(this.indexAt(fromNs), this.indexAt(toNs));
  }

  private indexAt(ns: number): number {
    return lowerBound(this.rows.data, this.rows.length, this.events.firstAt(ns));
  }
}
