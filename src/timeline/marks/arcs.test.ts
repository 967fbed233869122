import fc from "fast-check";
import { expect, test } from "vitest";
import { bundle, type Arc } from "./arcs.ts";

const px = fc.integer({ min: -2_000, max: 4_000 });
const arcs = fc.array(
  fc.record({ x0: px, y0: px, x1: px, y1: px, count: fc.constant(1), row: fc.nat(), faint: fc.boolean(), own: fc.boolean() }),
  {
    minLength: 1,
    maxLength: 300,
  },
);

const countOf = (list: readonly Arc[]): number => list.reduce((sum, { count }) => sum + count, 0);
const placeOf = ({ x0, y0, x1, y1 }: Arc): string => [x0, y0, x1, y1].join(" ");

test("bundles are at most as many as asked, hold every arc and lie where one of them does", () => {
  fc.assert(
    fc.property(arcs, fc.integer({ min: 12, max: 40 }), (list, most) => {
      const bundles = bundle(list, most);
      expect(countOf(bundles)).toBe(list.length);
      const places = new Set(list.map(placeOf));
      expect(bundles.filter((each) => !places.has(placeOf(each)))).toEqual([]);
      expect(bundles.length).toBeLessThanOrEqual(most);
    }),
  );
});

test("arcs that are close become one without changing those given", () => {
  const one: Arc = { x0: 10, y0: 10, x1: 20, y1: 90, count: 1, row: 7, faint: true };
  const other: Arc = { ...one, x0: 14, row: 8 };
  expect(bundle([one, other], 4)).toEqual([{ ...one, count: 2, faint: false }]);
  expect(one.count).toBe(1);
});
