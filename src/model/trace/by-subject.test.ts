// Rows by subject are those that a look at each row finds, also while the table grows; and the
// second look reads none of the others.

import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { KIND } from "../../engine/gen/catalogue.ts";
import { loadEngine } from "../../engine/testing.ts";
import { countReads } from "../../lib/testing.ts";
import { BySubject } from "./by-subject.ts";
import { taskSpans } from "../tasks/task-track.ts";
import { run } from "../testing.ts";

beforeAll(loadEngine);

const ROWS = 40_000;
const SUBJECTS = 50;
const NOBODY = 4_294_967_295;
const first = (row: number): number => (row * 7) % 61;
const second = (row: number): number => (row % 5 === 0 ? NOBODY : (row * 3) % 53);

test("the rows about a subject are those that a look at each row finds, however the table grew meanwhile", () => {
  const count = fc.integer({ min: 0, max: ROWS });
  fc.assert(
    fc.property(
      count,
      count,
      count,
      count,
      fc.integer({ min: 0, max: SUBJECTS - 1 }),
      (one, other, from, to, subject) => {
        const of = (name: (row: number) => number, begin: number, end: number): Uint32Array =>
          Uint32Array.from({ length: end - begin }, (_, at) => name(begin + at));
        const table = new BySubject(SUBJECTS, (begin, end) => [
          of(first, begin, end),
          of(second, begin, end),
        ]);
        for (const rows of [Math.min(one, other), Math.max(one, other)]) {
          const wanted = Array.from({ length: rows }, (_, row) => row).filter(
            (row) => row >= from && row < to && (first(row) === subject || second(row) === subject),
          );
          const found: number[] = [];
          table.visit(subject, from, to, rows, (row) => found.push(row));
          expect([...new Set(found)]).toEqual(wanted);
          const before = Math.min(to, rows);
          const all = Array.from({ length: before }, (_, row) => row);
          expect(table.last(subject, before, rows)).toBe(
            all.findLast((row) => first(row) === subject || second(row) === subject),
          );
        }
      },
    ),
    { numRuns: 20 },
  );
});

test("each block is sorted by subject once, the last one anew only when it has grown, however many subjects are asked for", () => {
  let asked = 0;
  const table = new BySubject(SUBJECTS, (begin, end) => {
    asked += 1;
    return [Uint32Array.from({ length: end - begin }, (_, at) => first(begin + at))];
  });
  const sum = (rows: number): number => {
    let found = 0;
    for (let subject = 0; subject < SUBJECTS; subject += 1)
      table.visit(subject, 0, rows, rows, () => (found += 1));
    return found;
  };
  const wanted = (rows: number): number =>
    Array.from({ length: rows }, (_, row) => first(row)).filter((subject) => subject < SUBJECTS)
      .length;
  expect([sum(ROWS), asked]).toEqual([wanted(ROWS), 3]);
  expect([sum(ROWS + 10), asked]).toEqual([wanted(ROWS + 10), 4]);
  expect([sum(ROWS + 10), asked]).toEqual([wanted(ROWS + 10), 4]);
});

test("a view of a task's life that was seen once reads no switches of other tasks again but those of the last block, whichever task is asked for next", () => {
  const [store] = run("rt-pull-herd", 0, [
    ["machine.cpus", 64],
    ["duration", "60ms"],
  ]);
  const { events } = store;
  const all = events.rowsOf([KIND.SchedSwitch]);
  const before = taskSpans(store, 0, 0, store.endNs);
  const reads = countReads(events.a);
  taskSpans(store, 1, 0, store.endNs);
  const again = taskSpans(store, 0, 0, store.endNs);
  const looked = reads.end();
  expect(again).toEqual(before);
  // The rows of the two, and twice the block that may still grow, each row of which is read twice.
  expect(looked).toBeLessThan(4 * (1 << 14) + 8 * again.length);
  expect(looked).toBeLessThan(all.count);
});
