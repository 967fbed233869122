import { expect, test } from "vitest";
import { ratioWords } from "./ratio.ts";

test("a ratio is of A, so that nothing twice as large is called two times more, and fits beside the figures", () => {
  expect(ratioWords(54.2, 101.4)).toBe("1.9 × A");
  expect(ratioWords(101.4, 54.2)).toBe("0.53 × A");
  expect(ratioWords(276, 6.65)).toBe("0.024 × A");
  expect([ratioWords(100, 10), ratioWords(1_000, 50)], "one form, two digits").toEqual([
    "0.10 × A",
    "0.050 × A",
  ]);
  expect(ratioWords(27, 2_206)).toBe("82 × A");
  expect(ratioWords(100, 105)).toBe("5.0 % more");
  expect(ratioWords(105, 100)).toBe("4.8 % less");
  expect(ratioWords(100, 110)).toBe("1.1 × A");
  expect([
    ratioWords(0, 5),
    ratioWords(5, 0),
    ratioWords(0, 0),
    ratioWords(1_269, 1_260),
    ratioWords(1, undefined),
  ]).toEqual(["only in B", "only in A", "same", "≈ A", ""]);
});
