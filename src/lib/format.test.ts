import { expect, test } from "vitest";
import {
  clockText,
  digitsOf,
  fixed,
  formatCount,
  formatNs,
  instantFormat,
  instantText,
  speakNs,
  threeFigures,
  withDigits,
} from "./format.ts";

test("a duration takes the unit that keeps it short", () => {
  expect(
    [0, 999, 1000, 41_200, 341_256, 12_000_000, 3_000_000_000].map((ns) => formatNs(ns)),
  ).toEqual(["0 ns", "999 ns", "1 µs", "41.2 µs", "341.3 µs", "12 ms", "3 s"]);
});

test("halves are rounded away from zero, whatever the fraction is in binary", () => {
  expect([6_645, 3_525, 1_005, 1_000_500, -6_645].map((ns) => formatNs(ns, 2))).toEqual([
    "6.65 µs",
    "3.53 µs",
    "1.01 µs",
    "1 ms",
    "-6.65 µs",
  ]);
  expect([35, 45, 1_150, 99_995].map((share) => fixed(share, 100, 1))).toEqual([
    "0.4",
    "0.5",
    "11.5",
    "1000.0",
  ]);
  for (let ns = 1_000; ns < 10_000; ns += 1) {
    const [hundredths, rest] = [Math.floor(ns / 10), ns % 10];
    const digits = String(rest < 5 ? hundredths : hundredths + 1).padStart(3, "0");
    expect(fixed(ns, 1_000, 2)).toBe(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
  }
});

test("a duration that rounds to a thousand of its unit is one of the next", () => {
  expect(
    [999_700_000, 999_499_999, 99_970_000, 999_600, -999_700_000].map((ns) => threeFigures(ns)),
  ).toEqual(["1 s", "999 ms", "100 ms", "1 ms", "-1 s"]);
  expect([formatNs(999_960_000, 1), formatNs(999_940_000, 1), formatNs(999_999_999, 9)]).toEqual([
    "1 s",
    "999.9 ms",
    "999.999999 ms",
  ]);
});

test("an instant of a write has four figures, whatever its unit", () => {
  expect(
    [0, 999, 1_051_900_000, 50_000_000, 50_123_456, 123_456_789, 12_345_678_901].map(instantText),
  ).toEqual(["0 ns", "999 ns", "1.052 s", "50 ms", "50.12 ms", "123.5 ms", "12.35 s"]);
});

test("no duration has fractions of a nanosecond, however many decimals are asked for", () => {
  expect([102.012, 0.4, 999.6, 1_234.567, 2_000_000.25].map((ns) => formatNs(ns, 9))).toEqual([
    "102 ns",
    "0 ns",
    "1 µs",
    "1.235 µs",
    "2 ms",
  ]);
  expect(speakNs(102.012, 3)).toBe("102 nanoseconds");
});

test("spoken durations spell the unit out", () => {
  expect(speakNs(41_200)).toBe("41.2 microseconds");
  expect([1, 1_000, 1_000_000, 1_000_000_000].map((ns) => speakNs(ns))).toEqual([
    "1 nanosecond",
    "1 microsecond",
    "1 millisecond",
    "1 second",
  ]);
  expect([0, 1_100_000_000].map((ns) => speakNs(ns))).toEqual(["0 nanoseconds", "1.1 seconds"]);
});

test("axis labels tell neighbours apart, all in one unit", () => {
  const format = instantFormat(12_000_000, 500);
  expect(format(11_999_500)).toBe("11.9995 ms");
  expect(instantFormat(100_000_000, 10_000_000)(20_000_000)).toBe("20 ms");
});

test("a clock has the unit of the axis it stands under, and always as many digits", () => {
  const at = [72_259_510, 5_000_000, 0];
  expect(at.map((ns) => clockText(ns, 80_000_000))).toEqual([
    "72.25951 ms",
    "5.00000 ms",
    "0.00000 ms",
  ]);
  expect(at.map((ns) => clockText(ns, 4_000_000_000))).toEqual([
    "0.07225951 s",
    "0.00500000 s",
    "0.00000000 s",
  ]);
  expect(clockText(72_259_510, 900_000), "behind the view").toBe("72\u202f259.51 µs");
  expect(
    [instantFormat(80_000_000, 10_000_000)(0), clockText(0, 80_000_000)].map((text) =>
      text.split(" ").at(-1),
    ),
  ).toEqual(["ms", "ms"]);
});

test("counts are grouped by narrow spaces at which no line ends", () => {
  expect(formatCount(1_234_567)).toBe("1\u202f234\u202f567");
});

test("figures of one table have one unit and all their nanoseconds", () => {
  const exact = instantFormat(99_426_572, 1);
  expect([99_426_572, 1_500, 0].map(exact)).toEqual(["99.426572 ms", "0.001500 ms", "0.000000 ms"]);
});

test("an error keeps one digit, or two that begin with 1 or 2, and the figure ends where it ends", () => {
  const written = (value: number, error: number): string =>
    [value, error].map((each) => withDigits(each, digitsOf(error))).join(" ± ");
  expect(written(236.4, 18.2)).toBe("236 ± 18");
  expect(written(7_049, 296)).toBe("7\u202f000 ± 300");
  expect(written(-0.471, 0.0296)).toBe("-0.47 ± 0.03");
  expect(written(1.79, 0.299)).toBe("1.8 ± 0.3");
});
