import fc from "fast-check";
import { expect, test } from "vitest";
import { basisPointsText, largestRemainder, WHOLE } from "./percent.ts";

test("thirds: the first takes the hundredth that is left over", () => {
  expect(largestRemainder([1, 1, 1])).toEqual([3334, 3333, 3333]);
  expect(basisPointsText(3334)).toBe("33.34");
});

test("nothing has no shares", () => {
  expect(largestRemainder([])).toEqual([]);
  expect(largestRemainder([0, 0])).toEqual([0, 0]);
});

test("shares add to 100.00 % and none is off by a whole hundredth", () => {
  const parts = fc.array(fc.nat(4_000_000_000), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(parts, (values) => {
      const total = values.reduce((sum, value) => sum + value, 0);
      fc.pre(total > 0);
      const shares = largestRemainder(values);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(WHOLE);
      shares.forEach((share, index) => {
        expect(Math.abs(share - ((values[index] ?? 0) * WHOLE) / total)).toBeLessThan(1 + 1e-9);
      });
    }),
  );
});
