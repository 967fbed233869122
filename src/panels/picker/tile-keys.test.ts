import { expect, test } from "vitest";
import { tileBeside, type Arrow } from "./tile-keys.ts";

/** Two rows of three tiles, and one below. */
const BOXES = [0, 0, 0, 100, 100, 100, 200].map((top, at) => ({ top, left: (at % 3) * 50 }));

test.each<[number, Arrow, number | undefined]>([
  [0, "ArrowRight", 1],
  [2, "ArrowRight", 3],
  [3, "ArrowLeft", 2],
  [0, "ArrowLeft", undefined],
  [6, "ArrowRight", undefined],
  [1, "ArrowDown", 4],
  [5, "ArrowDown", 6],
  [4, "ArrowUp", 1],
  [1, "ArrowUp", undefined],
  [9, "ArrowUp", undefined],
])("from tile %i, %s leads to %s", (from, key, to) => {
  expect(tileBeside(BOXES, from, key)).toBe(to);
});
