// Things that last, filed when they end: IPI flights, need_resched flags, ready waits. True of
// intervals; must not know what they are.
//
// In order of their end, because that is when their row comes. A window therefore needs the longest
// one: no interval that ends later than `toNs + longest` can reach back into it.

import { f64Column, u16Column, u32Column, u8Column } from "../../lib/column.ts";
import { lowerBound } from "../../lib/search.ts";

/** One interval; what the numbers mean is the owner's to say. */
export interface Span {
  readonly fromNs: number;
  readonly toNs: number;
  readonly cpu: number;
  readonly what: number;
  readonly kind: number;
}

export class SpanTable {
  // Columns, for those that look at a few rows of many: read only, but by the table itself.
  readonly ends = f64Column();
  readonly lengths = u32Column();
  readonly cpus = u16Column();
  readonly whats = u16Column();
  readonly kinds = u8Column();
  longestNs = 0;

  get count(): number {
    return this.ends.length;
  }

  get bytes(): number {
    return (
      this.ends.bytes + this.lengths.bytes + this.cpus.bytes + this.whats.bytes + this.kinds.bytes
    );
  }

  /**
   * Files an interval; ends must not decrease. Lengths are kept up to 4.29 s, beyond that the start
   * is drawn late by the rest.
   */
  push(fromNs: number, toNs: number, cpu: number, what: number, kind: number): void {
    const length = Math.min(toNs - fromNs, 0xffff_ffff);
    this.ends.push(toNs);
    this.lengths.push(length);
    this.cpus.push(cpu);
    this.whats.push(what);
    this.kinds.push(kind);
    if (length > this.longestNs) this.longestNs = length;
  }

  /** How many intervals may touch [fromNs, toNs]: an upper bound, cheap. */
  countIn(fromNs: number, toNs: number): number {
    const { data } = this.ends;
    return (
      lowerBound(data, this.count, toNs + this.longestNs) - lowerBound(data, this.count, fromNs)
    );
  }

  /** Visits every interval that touches [fromNs, toNs], by end. */
  visit(
    fromNs: number,
    toNs: number,
    see: (fromNs: number, toNs: number, cpu: number, what: number, kind: number) => void,
  ): void {
    const ends = this.ends.data;
    const lastNs = toNs + this.longestNs;
    for (let index = lowerBound(ends, this.count, fromNs); index < this.count; index += 1) {
      const end = ends[index] ?? 0;
      if (end > lastNs) return;
      const start = end - (this.lengths.data[index] ?? 0);
      if (start <= toNs)
        see(
          start,
          end,
          this.cpus.data[index] ?? 0,
          this.whats.data[index] ?? 0,
          this.kinds.data[index] ?? 0,
        );
    }
  }

  /** `visit` as a list, for tests and small windows. */
  list(fromNs: number, toNs: number): Span[] {
    const spans: Span[] = [];
    this.visit(fromNs, toNs, (from, to, cpu, what, kind) =>
      spans.push({ fromNs: from, toNs: to, cpu, what, kind }),
    );
    return spans;
  }
}
