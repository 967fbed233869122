// The rows of some kinds, and of one, are those that a look at each row finds.

import { expect, test } from "vitest";
import { EventTable } from "./events.ts";

const ROWS = 20_000;
/**
 * In every 1000 rows one is of kind 7 and one of kind 9; kind 8 is left out, the rest is of kind 3.
 */
const kindAt = (row: number): number => ({ 17: 7, 400: 9, 600: 8 })[row % 1_000] ?? 3;

function chunk(count: number): Parameters<EventTable["take"]>[0] {
  const each = (of: (row: number) => number): number[] =>
    Array.from({ length: count }, (_, row) => of(row));
  return {
    time: Float64Array.from(each((row) => row * 10)),
    kind: Uint8Array.from(each(kindAt)),
    cpu: Uint16Array.from(each((row) => row % 64)),
    a: Uint32Array.from(each((row) => row)),
    b: Uint32Array.from(each(() => 0)),
  };
}

test("the rows of kinds are found in order, be they few, many or none, and grow with the table", () => {
  const table = new EventTable();
  table.take(chunk(ROWS), 0, ROWS / 2, 8);
  const wanted = [[7], [9, 7], [3], [3, 9], [200], [8]];
  const lists = wanted.map((kinds) => table.rowsOf(kinds));
  const same = (): void => {
    for (const [at, kinds] of wanted.entries()) {
      const rows = Array.from({ length: table.count }, (_, row) => row).filter((row) =>
        kinds.includes(table.kind.at(row)),
      );
      expect([...(lists[at]?.listIn(0, Infinity) ?? [])], kinds.join()).toEqual(rows);
    }
  };
  same();
  table.take(chunk(ROWS), ROWS / 2, ROWS, 8);
  same();
  expect(lists[4]?.count).toBe(0);
});

test("a list that is made little by little is the one that is made at once, also where rows come meanwhile", () => {
  const rows = 300_000;
  const all = chunk(rows);
  const [slow, quick] = [new EventTable(), new EventTable()];
  let taken = 200_000;
  slow.take(all, 0, taken, 8);
  const kinds = [[3], [3, 9], [7]];
  const steps = kinds.map((each) => {
    let calls = 1;
    while (!slow.prepare(each)) {
      calls += 1;
      if (calls !== 2) continue;
      slow.take(all, taken, taken + 20_000, 8);
      taken += 20_000;
    }
    return calls;
  });
  expect(steps[0]).toBeGreaterThan(2);
  expect(slow.prepare([3])).toBe(true);
  quick.take(all, 0, taken, 8);
  for (const each of kinds)
    expect([...slow.rowsOf(each).listIn(0, Infinity)]).toEqual([
      ...quick.rowsOf(each).listIn(0, Infinity),
    ]);
  slow.prepare([9, 3]);
  expect([...slow.rowsOf([9, 3]).listIn(0, Infinity)], "asked for before it is whole").toEqual([
    ...quick.rowsOf([9, 3]).listIn(0, Infinity),
  ]);
});

test("one kind's rows in a stretch are visited from its first instant up to and without its last", () => {
  const table = new EventTable();
  table.take(chunk(ROWS), 0, ROWS, 8);
  const seen: (readonly [number, number])[] = [];
  table.visit(7, 1_017 * 10, 3_017 * 10, (cpu, a) => seen.push([cpu, a]));
  expect(seen).toEqual([1_017, 2_017].map((row) => [row % 64, row]));
});

test("a list of rows takes the room of its rows and no more, be they few or many", () => {
  const table = new EventTable();
  table.take(chunk(ROWS), 0, ROWS, 8);
  const before = table.bytes;
  const many = table.rowsOf([3]);
  const few = table.rowsOf([7, 9]);
  // What an empty column begins with may be left over.
  expect(table.bytes - before).toBeLessThan(4 * (many.count + few.count) + 200);
});
