// Every trace row but sim_cpu_state (those live in the lanes), in time order, as columns. True of
// rows; must not know what they imply.

import { NONE } from "../../engine/gen/catalogue.ts";
import type { TraceChunk } from "../../engine/protocol.ts";
import type { Column } from "../../lib/column.ts";
import { f64Column, u16Column, u32Column, u8Column } from "../../lib/column.ts";
import { lowerBound, upperBound } from "../../lib/search.ts";

/**
 * With this share of the room taken a later guess of the rows to come counts: it is the better one.
 */
const NEARLY = 0.8;

/** A column of bytes holds no more kinds. */
const KINDS_MAX = 256;
/** Rows of which more than one in so many is wanted are read one by one. */
const MANY = 64;
/** Rows of which many are wanted that are looked at between two looks at the clock. */
const ROWS_AT_ONCE = 1 << 16;

/** A list of rows, and how far it has come. */
interface Listed {
  readonly list: RowList;
  readonly kinds: readonly number[];
  /** The first row that is not yet looked at. */
  next: number;
  /** Every row was: from then on it grows with the table. */
  whole: boolean;
}

export class EventTable {
  // Different beginnings: columns that grow by the same rule must not all be copied at one row of a
  // long run.
  readonly time = f64Column(16);
  readonly kind = u8Column(18);
  readonly cpu = u16Column(20);
  readonly a = u32Column(22);
  readonly b = u32Column(24);
  private readonly columns = [this.time, this.kind, this.cpu, this.a, this.b] as const;
  private expected = 0;
  /** Index = kind: how many rows it has. */
  private readonly countOf = new Uint32Array(KINDS_MAX);
  /** By the kinds they hold: "20 22". */
  private readonly lists = new Map<string, Listed>();
  /** Index = kind: the lists that hold it, each whole. */
  private readonly ofKind: RowList[][] = [];

  get count(): number {
    return this.time.length;
  }

  get bytes(): number {
    const listBytes = [...this.lists.values()].reduce((sum, { list }) => sum + list.bytes, 0);
    return (
      this.time.bytes + this.kind.bytes + this.cpu.bytes + this.a.bytes + this.b.bytes + listBytes
    );
  }

  /**
   * Prepares for the number of rows expected in all: room for them is made as rows come, a column
   * at a time, since fresh memory takes its time too.
   */
  expect(rows: number): void {
    if (this.count >= NEARLY * this.expected) this.expected = Math.ceil(rows);
  }

  /** Adds rows `from` up to and without `to` of a chunk, those of one kind left out. */
  take({ time, kind, cpu, a, b }: TraceChunk, from: number, to: number, without: number): void {
    let at = this.count;
    const first = at;
    for (const column of this.columns) column.reserve(at + to - from);
    this.columns.find(({ data }) => data.length < this.expected)?.reserve(this.expected);
    const [times, kinds, cpus, as, bs] = [
      this.time.data,
      this.kind.data,
      this.cpu.data,
      this.a.data,
      this.b.data,
    ];
    const { countOf } = this;
    for (let row = from; row < to; row += 1) {
      const what = kind[row] ?? 0;
      if (what === without) continue;
      times[at] = time[row] ?? 0;
      kinds[at] = what;
      countOf[what] = (countOf[what] ?? 0) + 1;
      cpus[at] = cpu[row] ?? 0;
      as[at] = a[row] ?? 0;
      bs[at] = b[row] ?? 0;
      at += 1;
    }
    for (const column of this.columns) column.length = at;
    if (this.lists.size > 0) this.list(first);
  }

  /** Rows `from` up to and without `to`, as they came; valid until the next row. */
  chunk(from: number, to: number): TraceChunk {
    const { time, kind, cpu, a, b } = this;
    return {
      time: time.data.subarray(from, to),
      kind: kind.data.subarray(from, to),
      cpu: cpu.data.subarray(from, to),
      a: a.data.subarray(from, to),
      b: b.data.subarray(from, to),
    };
  }

  /**
   * The rows of some kinds, kept from the first request: what is not shown costs
   * nothing.
   */
  rowsOf(kinds: readonly number[]): RowList {
    const listed = this.listedOf(kinds);
    while (!listed.whole) this.goOn(listed);
    return listed.list;
  }

  /**
   * Looks at some rows for `rowsOf`, which then has less to do. Whether it has nothing more to do.
   */
  prepare(kinds: readonly number[]): boolean {
    const listed = this.listedOf(kinds);
    if (!listed.whole) this.goOn(listed);
    return listed.whole;
  }

  private listedOf(kinds: readonly number[]): Listed {
    const key = kinds.join(" ");
    const known = this.lists.get(key);
    if (known !== undefined) return known;
    const made = { list: new RowList(this, this.counted(kinds)), kinds, next: 0, whole: false };
    this.lists.set(key, made);
    return made;
  }

  /**
   * With the next rows, in order: by the browser's own search, a kind at a time, where they are
   * few; most kinds have none at all.
   */
  private goOn(listed: Listed): void {
    const { list, kinds, next } = listed;
    const few = this.counted(kinds) <= this.count / MANY;
    const to = few ? this.count : Math.min(this.count, next + ROWS_AT_ONCE);
    const data = this.kind.data.subarray(next, to);
    list.take(few ? this.foundRows(data, kinds) : readRows(data, kinds), next);
    listed.next = to;
    listed.whole = to === this.count;
    if (listed.whole) for (const kind of kinds) (this.ofKind[kind] ??= []).push(list);
  }

  private foundRows(data: Uint8Array, kinds: readonly number[]): readonly number[] {
    const rows: number[] = [];
    for (const kind of kinds.filter((each) => this.counted([each]) > 0))
      for (let row = data.indexOf(kind); row >= 0; row = data.indexOf(kind, row + 1))
        rows.push(row);
    return rows.sort((one, other) => one - other);
  }

  /** How many rows are of these kinds. */
  counted(kinds: readonly number[]): number {
    return kinds.reduce((sum, kind) => sum + (this.countOf[kind] ?? 0), 0);
  }

  private list(first: number): void {
    for (let row = first; row < this.count; row += 1) {
      const lists = this.ofKind[this.kind.data[row] ?? 0];
      if (lists !== undefined) for (const list of lists) list.push(row);
    }
  }

  /**
   * The CPU and the first number of each row of one kind in [fromNs, toNs). The browser's own
   * search finds them: there may be millions of others.
   */
  visit(wanted: number, fromNs: number, toNs: number, see: (cpu: number, a: number) => void): void {
    const [kinds, cpus, as] = [
      this.kind.data.subarray(0, this.firstAt(toNs)),
      this.cpu.data,
      this.a.data,
    ];
    for (
      let row = kinds.indexOf(wanted, this.firstAt(fromNs));
      row >= 0;
      row = kinds.indexOf(wanted, row + 1)
    ) {
      see(cpus[row] ?? 0, as[row] ?? 0);
    }
  }

  /** First row at or after `ns`. */
  firstAt(ns: number): number {
    return lowerBound(this.time.data, this.count, ns);
  }

  /**
   * The instant of the next row after `ns` (`direction` 1) or of the last one before it (-1);
   * undefined past the ends.
   */
  step(ns: number, direction: 1 | -1): number | undefined {
    const row = direction === 1 ? upperBound(this.time.data, this.count, ns) : this.firstAt(ns) - 1;
    return row >= 0 && row < this.count ? this.time.at(row) : undefined;
  }
}

/** The rows of kinds that are many, by a look at each. */
function readRows(kinds: Uint8Array, wanted: readonly number[]): Uint32Array {
  const isWanted = new Uint8Array(KINDS_MAX);
  for (const kind of wanted) isWanted[kind] = 1;
  const rows = new Uint32Array(kinds.length);
  let at = 0;
  for (let row = 0; row < kinds.length; row += 1) {
    rows[at] = row;
    at += isWanted[kinds[row] ?? 0] ?? 0;
  }
  return rows.subarray(0, at);
}

/**
 * Rows of a few kinds, in time order: so that a picture of pulls need not read a million lock rows.
 */
export class RowList {
  private readonly rows: Column<Uint32Array>;
  private greatestB = 0;

  /**
   * `expected`: so many rows are to come at first; growing row by row costs several times as much.
   */
  constructor(
    private readonly events: EventTable,
    expected = 0,
  ) {
    this.rows = u32Column(expected);
  }

  get bytes(): number {
    return this.rows.bytes;
  }

  get count(): number {
    return this.rows.length;
  }

  /**
   * The greatest `b` of all rows, "none" left out: of kinds whose `b` is how long ago something
   * began, how far back a row reaches, ns.
   */
  get longestB(): number {
    return this.greatestB;
  }

  push(row: number): void {
    this.rows.push(row);
    const b = this.events.b.data[row] ?? 0;
    if (b > this.greatestB && b !== NONE) this.greatestB = b;
  }

  /** Many at once, counted from the row `first`. */
  take(rows: ArrayLike<number>, first: number): void {
    const { data } = this.events.b;
    let at = this.rows.length;
    this.rows.reserve(at + rows.length);
    const into = this.rows.data;
    let longest = this.greatestB;
    for (let index = 0; index < rows.length; index += 1) {
      const row = first + (rows[index] ?? 0);
      into[at] = row;
      at += 1;
      const b = data[row] ?? 0;
      if (b > longest && b !== NONE) longest = b;
    }
    this.rows.length = at;
    this.greatestB = longest;
  }

  /** The row at an index in 0..count. */
  at(index: number): number {
    return this.rows.at(index);
  }

  /** Those at the indexes from `from` up to and without `to`; valid until the next row. */
  slice(from: number, to: number): Uint32Array {
    return this.rows.data.subarray(from, Math.min(to, this.count));
  }

  /** Index of the first of its rows at or after `ns`. */
  firstAt(ns: number): number {
    return lowerBound(this.rows.data, this.rows.length, this.events.firstAt(ns));
  }

  /** How many of the rows lie in [fromNs, toNs). */
  countIn(fromNs: number, toNs: number): number {
    return this.firstAt(toNs) - this.firstAt(fromNs);
  }

  /** The rows in [fromNs, toNs), in order. */
  listIn(fromNs: number, toNs: number): Uint32Array {
    return this.rows.data.subarray(this.firstAt(fromNs), this.firstAt(toNs));
  }
}
