// A typed column that grows by doubling. True of any numbers; must not know what they mean.
//
// Why not plain arrays: a million rows of five plain arrays cost 40 bytes a row and a garbage
// collection; columns cost what their type says.

export type ColumnData =
  Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/**
 * An append-only column of numbers. `data` may be longer than `length` and is replaced when it
 * grows: read it anew, never keep it.
 */
export interface Column<T extends ColumnData> {
  data: T;
  length: number;
  /** Bytes taken, spare capacity included. */
  readonly bytes: number;
  push(value: number): void;
  append(values: T): void;
  /** The value at `index`, which must lie in `0..length`. */
  at(index: number): number;
  /**
   * Room for at least `count` values. Grows by half, not double: the spare part is memory that says
   * nothing.
   */
  reserve(count: number): void;
}

/**
 * A class for each width, not one for all: an engine that sees one function store into arrays of
 * five kinds makes slow code of it, and of every row that is pushed.
 */
function columnOf<T extends ColumnData>(
  make: (capacity: number) => T,
): (first?: number) => Column<T> {
  class OneWidth implements Column<T> {
    data: T;
    length = 0;

    constructor(capacity = 16) {
      this.data = make(capacity);
    }

    get bytes(): number {
      return this.data.byteLength;
    }

    push(value: number): void {
      const at = this.length;
      if (at === this.data.length) this.reserve(at + 1);
      this.data[at] = value;
      this.length = at + 1;
    }

    append(values: T): void {
      this.reserve(this.length + values.length);
      this.data.set(values, this.length);
      this.length += values.length;
    }

    at(index: number): number {
      if (index < 0 || index >= this.length)
        throw new RangeError(`row ${String(index)} of ${String(this.length)}`);
      return this.data[index] ?? 0;
    }

    reserve(count: number): void {
      if (count <= this.data.length) return;
      const grown = make(Math.max(count, this.data.length + (this.data.length >> 1) + 8));
      grown.set(this.data.subarray(0, this.length));
      this.data = grown;
    }
  }
  return (first) => new OneWidth(first);
}

export const f64Column = columnOf<Float64Array>((capacity) => new Float64Array(capacity));
export const i32Column = columnOf<Int32Array>((capacity) => new Int32Array(capacity));
export const u32Column = columnOf<Uint32Array>((capacity) => new Uint32Array(capacity));
export const u16Column = columnOf<Uint16Array>((capacity) => new Uint16Array(capacity));
export const u8Column = columnOf<Uint8Array>((capacity) => new Uint8Array(capacity));
