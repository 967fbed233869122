import { expect, test } from "vitest";
import { formatCount, formatNs, instantFormat, speakNs } from "./format.ts";

test("a duration takes the unit that keeps it short", () => {
  expect([0, 999, 1000, 41_200, 341_256, 12_000_000, 3_000_000_000].map((ns) => formatNs(ns))).toEqual([
    "0 ns",
    "999 ns",
    "1 µs",
    "41.2 µs",
    "341.3 µs",
    "12 ms",
    "3 s",
  ]);
});

test("spoken durations spell the unit out", () => {
  expect(speakNs(41_200)).toBe("41.2 microseconds");
});

test("axis labels tell neighbours apart, all in one unit", () => {
  const format = instantFormat(12_000_000, 500);
  expect(format(11_999_500)).toBe("11.9995 ms");
  expect(instantFormat(100_000_000, 10_000_000)(20_000_000)).toBe("20 ms");
});

test("counts are grouped by thin spaces", () => {
  expect(formatCount(1_234_567)).toBe("1\u2009234\u2009567");
});

test("figures of one table have one unit and all their nanoseconds", () => {
  const exact = instantFormat(99_426_572, 1);
  expect([99_426_572, 1_500, 0].map(exact)).toEqual(["99.426572 ms", "0.001500 ms", "0.000000 ms"]);
});
