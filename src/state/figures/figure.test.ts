import { expect, test } from "vitest";
import { meanText } from "./figure.ts";

test("a mean has its error in the unit of its size, and none where all runs agree", () => {
  expect(meanText({ mean: 1_234_000, error: 41_000 }, "ns")).toBe("1.23 ± 0.04 ms");
  expect(meanText({ mean: 132.4, error: 12.1 }, "count")).toBe("132 ± 12");
  expect(meanText({ mean: 6_552, error: 20 }, "share")).toBe("65.52 ± 0.20 %");
  expect(meanText({ mean: 3, error: 0 }, "count")).toBe("3");
  expect(meanText({ mean: 5_000, error: undefined }, "ns")).toBe("5 µs");
});
