// Which rows of a long table are about which subject, block by block and only as far as a reader
// has looked: a view reads the rows of its own subject alone, whichever that is and however many
// others there are. True of tables that only grow.

const BLOCK = 1 << 14;

/**
 * The subjects of the rows from `from` up to and without `to`, a list for each of the one or two
 * that a row has; one not among them counts as none.
 */
export type SubjectsOf = (from: number, to: number) => readonly (Uint16Array | Uint32Array)[];

interface Block {
  /** Index = subject: where its rows end; they begin where those of the subject before end. */
  readonly ends: Uint32Array;
  /** By subject, then in order. */
  readonly rows: Uint32Array;
}

export class BySubject {
  /** Whole ones; index = block. */
  private readonly blocks: Block[] = [];
  /** The last one, which may still grow, and how many rows there were. */
  private open: { readonly count: number; readonly block: Block } | undefined;

  /** Subjects are numbered from 0 up to and without `subjects`. */
  constructor(
    private readonly subjects: number,
    private readonly of: SubjectsOf,
  ) {}

  /**
   * Visits the rows about a subject from `from` up to and without `to`, in order; `count` rows are
   * there.
   */
  visit(
    subject: number,
    from: number,
    to: number,
    count: number,
    see: (row: number) => void,
  ): void {
    const end = Math.min(to, count);
    for (let block = Math.floor(Math.max(0, from) / BLOCK); block * BLOCK < end; block += 1)
      for (const row of this.rowsIn(block, subject, count)) if (row >= from && row < end) see(row);
  }

  /** The last one before row `before`. */
  last(subject: number, before: number, count: number): number | undefined {
    for (let block = Math.floor((before - 1) / BLOCK); block >= 0; block -= 1) {
      const found = this.rowsIn(block, subject, count).findLast((row) => row < before);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private rowsIn(block: number, subject: number, count: number): Uint32Array {
    const whole = (block + 1) * BLOCK <= count;
    const known = whole
      ? this.blocks[block]
      : this.open?.count === count
        ? this.open.block
        : undefined;
    const { ends, rows } = known ?? this.made(block, count);
    return rows.subarray(ends[subject - 1] ?? 0, ends[subject] ?? 0);
  }

  private made(block: number, count: number): Block {
    const from = block * BLOCK;
    const to = Math.min(from + BLOCK, count);
    const lists = this.of(from, to);
    const ends = new Uint32Array(this.subjects);
    for (const list of lists) countIn(list, ends);
    let sum = 0;
    // Where each one's rows begin; by filling them in they come to where they end.
    for (let subject = 0; subject < ends.length; subject += 1) {
      const own = ends[subject] ?? 0;
      ends[subject] = sum;
      sum += own;
    }
    const rows = new Uint32Array(sum);
    fill(lists, from, ends, rows);
    const made = { ends, rows };
    if (from + BLOCK <= count) this.blocks[block] = made;
    else this.open = { count, block: made };
    return made;
  }
}

function countIn(list: Uint16Array | Uint32Array, counts: Uint32Array): void {
  for (let at = 0; at < list.length; at += 1) {
    const subject = list[at] ?? 0;
    if (subject < counts.length) counts[subject] = (counts[subject] ?? 0) + 1;
  }
}

/** Row by row, so that each subject's come in order. */
function fill(
  lists: readonly (Uint16Array | Uint32Array)[],
  from: number,
  ends: Uint32Array,
  rows: Uint32Array,
): void {
  for (let at = 0; at < (lists[0]?.length ?? 0); at += 1) {
    for (const list of lists) {
      const subject = list[at] ?? 0;
      if (subject >= ends.length) continue;
      const end = ends[subject] ?? 0;
      rows[end] = from + at;
      ends[subject] = end + 1;
    }
  }
}
