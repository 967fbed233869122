// Which rows of a long table are about one thing, kept block by block from the first time somebody looks there: a view that moves over rows
// seen before reads its own rows alone, and one that shows a little of a long run reads a little of it. True of tables that only grow.

const BLOCK = 1 << 14;

/** Tells the rows from `from` up to and without `to` that are meant, in order. */
export type Pick = (from: number, to: number) => readonly number[];

export class Picked {
  /** Index = block; blocks that may still grow are not kept. */
  private readonly blocks: (readonly number[])[] = [];

  constructor(private readonly pick: Pick) {}

  /** Visits those from row `from` up to and without `to`, in order; `count` rows are there. */
  visit(from: number, to: number, count: number, see: (row: number) => void): void {
    const end = Math.min(to, count);
    for (let block = Math.floor(from / BLOCK); block * BLOCK < end; block += 1)
      for (const row of this.block(block, count)) if (row >= from && row < end) see(row);
  }

  /** The last one before row `before`. */
  last(before: number, count: number): number | undefined {
    for (let block = Math.floor((before - 1) / BLOCK); block >= 0; block -= 1) {
      const found = this.block(block, count).findLast((row) => row < before);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private block(block: number, count: number): readonly number[] {
    const known = this.blocks[block];
    if (known !== undefined) return known;
    const [from, to] = [block * BLOCK, (block + 1) * BLOCK];
    const rows = this.pick(from, Math.min(to, count));
    if (to <= count) this.blocks[block] = rows;
    return rows;
  }
}
