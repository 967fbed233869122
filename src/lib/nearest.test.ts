import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const NAMES = ["quota-stranded", "quota-tree", "rt-pull-herd", "lab"];

test("a slip of a finger finds the name, whatever its case", () => {
  expect(nearest("Quota-Stranded", NAMES)).toBe("quota-stranded");
  expect(nearest("quota-strandd", NAMES)).toBe("quota-stranded");
  expect(nearest("rt-pull-hedr", NAMES)).toBe("rt-pull-herd");
  expect(nearest("labs", NAMES)).toBe("lab");
});

test("what is like no name finds none", () => {
  expect(nearest("embed", NAMES)).toBeUndefined();
  expect(nearest("", NAMES)).toBeUndefined();
  expect(nearest("q".repeat(100_000), NAMES)).toBeUndefined();
});
