import fc from "fast-check";
import { expect, test } from "vitest";
import { bundle } from "../marks/arcs.ts";
import { fitted } from "../lanes/arrange.ts";
import { laneRow, layRows, rowAt, rowsInView } from "./lane-rows.ts";

test("rows grow with the room, few CPUs more than many, up to a height at which nothing more is to be seen", () => {
  expect(
    [4, 5, 16, 17, 64, 65, 1024].map((cpus) => layRows(cpus, 1e6, []).rows[0]?.height),
  ).toEqual([104, 72, 72, 20, 20, 6, 6]);
  expect(layRows(40, 480, []).rows[0]?.height).toBe(12);
  expect(layRows(8, 290, []).rows[0]?.height).toBe(36);
});

test("a bar keeps room for its texture in every row that is higher than the lowest with one", () => {
  const sawtoothPx = 4;
  for (let height = 6; height <= 104; height += 1)
    expect(laneRow(0, 0, height, false).barHeight, `a row of ${height} px`).toBeGreaterThan(
      sawtoothPx,
    );
});

test("rows shrink to spare a scroll bar, but not below what can be read", () => {
  expect(layRows(40, 300, []).rows[0]?.height).toBe(7);
  expect(layRows(40, 100, []).rows[0]?.height).toBe(6);
  expect(layRows(256, 560, []).rows[0]?.height).toBe(2);
});

test("rows that are to fit are pressed together until all are in sight, none lower than a pixel, and both sides stay level", () => {
  expect(fitted(layRows(32, 75, []), 75)).toMatchObject({
    height: 75,
    rows: { length: 32, 31: { cpu: 31, height: 75 / 32 } },
  });
  expect(fitted(layRows(128, 75, []), 75).height, "a pixel each").toBe(128);
  expect(fitted(layRows(8, 400, []), 400)).toEqual(layRows(8, 400, []));
  const [small, large] = [
    fitted(layRows(4, 75, [], { most: 40 }), 75),
    fitted(layRows(40, 75, []), 75),
  ];
  expect(small.rows).toEqual(large.rows.slice(0, 4));
  const pinned = fitted(layRows(256, 300, [7]), 300);
  expect(pinned.rows[0], "a pinned row keeps its height").toMatchObject({
    cpu: 7,
    height: 22,
    pinned: true,
  });
  expect(pinned.height).toBeLessThanOrEqual(300);
});

test("a small machine beside a large one has the large one's rows, so that both are level", () => {
  const [small, large] = [layRows(4, 300, [], { most: 40 }), layRows(40, 300, [])];
  expect(small.rows).toEqual(large.rows.slice(0, 4));
  expect(small.height).toBe(large.height);
});

test("pinned rows stand on top at full size, only where rows are small", () => {
  const many = layRows(256, 1000, [7, 90]);
  expect(many.rows.slice(0, 3).map((row) => [row.cpu, row.height, row.pinned])).toEqual([
    [7, 22, true],
    [90, 22, true],
    [0, 3, false],
  ]);
  expect(many.rowOfCpu[90]?.pinned).toBe(true);
  expect(layRows(40, 1000, [7]).rows).toHaveLength(40);
});

test("every point of the lanes belongs to exactly one row, and its bar lies inside it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 160 }),
      fc.integer({ min: 50, max: 2000 }),
      (cpus, available) => {
        const rows = layRows(cpus, available, []);
        let top = 0;
        for (const row of rows.rows) {
          expect(row.top).toBe(top);
          expect(row.barTop).toBeGreaterThanOrEqual(row.top);
          expect(row.barTop + row.barHeight).toBeLessThanOrEqual(row.top + row.height);
          expect(row.barHeight).toBeGreaterThanOrEqual(2);
          expect(rowAt(rows, row.top + row.height / 2)).toBe(row);
          top += row.height;
        }
        expect(rows.height).toBe(top);
        expect(rowsInView(rows, 0, rows.height)).toHaveLength(cpus);
      },
    ),
  );
});

const arcs = fc.array(
  fc.record({
    x0: fc.integer({ min: 0, max: 1400 }),
    y0: fc.integer({ min: -500, max: 900 }),
    x1: fc.integer({ min: 0, max: 1400 }),
    y1: fc.integer({ min: -500, max: 900 }),
    count: fc.constant(1),
    row: fc.nat(),
    faint: fc.boolean(),
    own: fc.boolean(),
  }),
  { maxLength: 300 },
);

test("bundles count every arc and are few", () => {
  fc.assert(
    fc.property(arcs, (list) => {
      const bundles = bundle(list, 20);
      expect(bundles.reduce((sum, arc) => sum + arc.count, 0)).toBe(list.length);
      expect(bundles.length).toBeLessThanOrEqual(20);
    }),
  );
});
