import { expect, test } from "vitest";
import { numberMiddle } from "./words.ts";

test("a lane's number stands in its middle; the first and the last one are whole where lanes are lower than numbers", () => {
  expect(numberMiddle({ top: 40, height: 20 }, 100, 10)).toBe(50);
  expect(numberMiddle({ top: 0, height: 6 }, 240, 10)).toBe(5);
  expect(numberMiddle({ top: 6, height: 6 }, 240, 10)).toBe(9);
  expect(numberMiddle({ top: 234, height: 6 }, 240, 10)).toBe(235);
});
