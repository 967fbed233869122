import { expect, test } from "vitest";
import { plainRanges, rangesOf, rangeWords } from "./ranges.ts";

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

test("a list names each number once and in order; what is no list stays as it is", () => {
  expect(["0,0,0", "2,0-1,0", " 4 , 8-9 ", "0-3,8"].map(plainRanges)).toEqual([
    "0",
    "0-2",
    "4,8-9",
    "0-3,8",
  ]);
  for (const text of ["", "all", "3-1", "0,", "-1", "0;1", "0-3:1/2"])
    expect(plainRanges(text)).toBe(text);
});
