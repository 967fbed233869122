// A typed column that grows by doubling. True of any numbers; must not know what they mean.
//
// Why not plain arrays: a million rows of five plain arrays cost 40 bytes a row and a garbage collection; columns cost what their type says.

export type ColumnData = Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/** An append-only column of numbers. `data` may be longer than `length` and is replaced when it grows: read it anew, never keep it. */
export class Column<T extends ColumnData> {
  data: T;
  length = 0;

  constructor(
    private readonly make: (capacity: number) => T,
    capacity = 16,
  ) {
    this.data = make(capacity);
  }

  push(value: number): void {
    if (this.length === this.data.length) this.reserve(this.length + 1);
    this.data[this.length] = value;
    this.length += 1;
  }

  append(values: T): void {
    this.reserve(this.length + values.length);
    this.data.set(values, this.length);
    this.length += values.length;
  }

  /** The value at `index`, which must lie in `0..length`. */
  at(index: number): number {
    if (index < 0 || index >= this.length) throw new RangeError(`row ${String(index)} of ${String(this.length)}`);
    return this.data[index] ?? 0;
  }

  /** Bytes taken, spare capacity included. */
  get bytes(): number {
    return this.data.byteLength;
  }

  /** Room for at least `count` values. Grows by half, not double: the spare part is memory that says nothing. */
  reserve(count: number): void {
    if (count <= this.data.length) return;
    const grown = this.make(Math.max(count, this.data.length + (this.data.length >> 1) + 8));
    grown.set(this.data.subarray(0, this.length));
    this.data = grown;
  }
}

export const f64Column = (first?: number): Column<Float64Array> => new Column((capacity) => new Float64Array(capacity), first);
export const i32Column = (first?: number): Column<Int32Array> => new Column((capacity) => new Int32Array(capacity), first);
export const u32Column = (first?: number): Column<Uint32Array> => new Column((capacity) => new Uint32Array(capacity), first);
export const u16Column = (first?: number): Column<Uint16Array> => new Column((capacity) => new Uint16Array(capacity), first);
export const u8Column = (first?: number): Column<Uint8Array> => new Column((capacity) => new Uint8Array(capacity), first);
