import { expect, test } from "vitest";
import { rangesOf, rangeWords } from "./ranges.ts";

test("neighbours become one range, and single numbers stay alone", () => {
  expect(rangesOf([0, 1, 2, 5, 7, 8])).toEqual([
    [0, 2],
    [5, 5],
    [7, 8],
  ]);
  expect(rangeWords([0, 1, 2, 5])).toBe("0–2, 5");
  expect(rangeWords([0, 1, 2, 5], "-", ".")).toBe("0-2.5");
  expect(rangeWords([])).toBe("");
});
