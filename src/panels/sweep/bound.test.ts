// A bound as typed: with its unit, or bare in the unit beside the field.

import { expect, test } from "vitest";
import { boundUnit, readBound, takesUnit, withUnit } from "./bound.ts";

const TIME = { unit: "ns" } as const;
const SHARE = { unit: "share" } as const;
const COUNT = { unit: "count" } as const;

/** What a text comes to, as the form reads it. */
function read(
  text: string,
  metric: { readonly unit: "ns" | "share" | "count" },
  figure?: number,
): number | undefined {
  return readBound(withUnit(text, boundUnit(metric, figure)), metric);
}

test("a bare number is meant in the unit in which the page shows the metric", () => {
  expect(read("81", TIME, 162_000_000)).toBe(81_000_000);
  expect(read("81", TIME, 162_000)).toBe(81_000);
  expect(read("0.5", TIME, 2_000_000_000)).toBe(500_000_000);
  expect(read("50", SHARE, 2_500), "a share in hundredths of a per cent").toBe(5_000);
  expect(read("12", COUNT, 3)).toBe(12);
});

test("a metric without a figure, or with none above 0, is bounded in ms", () => {
  expect([boundUnit(TIME, undefined), boundUnit(TIME, 0)]).toEqual(["ms", "ms"]);
  expect(read("0", TIME)).toBe(0);
});

test("a unit that was typed is the one that counts, and the one beside the field goes", () => {
  expect(read("200 µs", TIME, 162_000_000)).toBe(200_000);
  expect(read("50 %", SHARE)).toBe(5_000);
  expect(["", "81", " 0.5 "].map(takesUnit)).toEqual([true, true, true]);
  expect(["81 ms", "50%", "soon"].map(takesUnit)).toEqual([false, false, false]);
});

test("what is no number stays as it was typed and is refused", () => {
  expect(withUnit("soon", "ms")).toBe("soon");
  expect(read("soon", TIME)).toBeUndefined();
  expect(read("1e3", TIME)).toBeUndefined();
});
