import { expect, test } from "vitest";
import { shapeOf } from "../../model/trace/trace-text.ts";
import { layRows } from "../plot/lane-rows.ts";
import { bracketsOf } from "./brackets.ts";

const SHAPE = { ...shapeOf(8, 1), package_size: 5, threads_per_core: 2 };
/** Lanes of 16 px each. */
const rows = layRows(8, 128, []);

test("a bracket holds the lanes of a cache, a smaller one those of a core; the last of each may be smaller", () => {
  const { caches, cores } = bracketsOf(rows, SHAPE);
  expect(caches).toEqual([
    { top: 0, bottom: 80 },
    { top: 80, bottom: 128 },
  ]);
  // CPU 4 is alone in its core, and so is CPU 7.
  expect(cores).toEqual([
    { top: 0, bottom: 32 },
    { top: 32, bottom: 64 },
    { top: 80, bottom: 112 },
  ]);
});

test("a machine of one cache without hardware threads has no brackets, nor have lanes out of order", () => {
  const none = { caches: [], cores: [] };
  expect(bracketsOf(rows, shapeOf(8, 1))).toEqual(none);
  expect(bracketsOf({ ...rows, sorted: true }, SHAPE)).toEqual(none);
});

test("lanes kept on top have none, and low lanes none around cores", () => {
  const kept = layRows(8, 80, [], { kept: [3] });
  const { caches } = bracketsOf(kept, SHAPE);
  expect(caches[0]?.top).toBe(kept.pinnedPx);
  const low = layRows(8, 16, [], { fillPx: 3 });
  expect(
    bracketsOf({ ...low, rows: low.rows.map((row) => ({ ...row, height: 2 })) }, SHAPE).cores,
  ).toEqual([]);
});
