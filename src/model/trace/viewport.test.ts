import fc from "fast-check";
import { expect, test } from "vitest";
import {
  centreOn,
  clampViewport,
  fitTo,
  followPlayhead,
  panBy,
  SPAN_NS_MIN,
  spanNs,
  zoomAt,
} from "./viewport.ts";

const DOMAIN = 100_000_000;
const viewports = fc
  .tuple(fc.integer({ min: 0, max: DOMAIN }), fc.integer({ min: 0, max: DOMAIN }))
  .map(([one, other]) =>
    clampViewport({ fromNs: Math.min(one, other), toNs: Math.max(one, other) }, DOMAIN),
  );

function inside({ fromNs, toNs }: { readonly fromNs: number; readonly toNs: number }): boolean {
  return fromNs >= 0 && toNs <= DOMAIN + 1e-6 && toNs - fromNs >= SPAN_NS_MIN - 1e-6;
}

test("no move leaves the axis or gets closer than 40 ns", () => {
  fc.assert(
    fc.property(
      viewports,
      fc.double({ min: -3, max: 3, noNaN: true }),
      fc.integer({ min: 0, max: DOMAIN }),
      (viewport, amount, ns) => {
        expect(inside(zoomAt(viewport, ns, 2 ** (amount * 8), DOMAIN))).toBe(true);
        expect(inside(panBy(viewport, amount, DOMAIN))).toBe(true);
        expect(inside(centreOn(viewport, ns, DOMAIN))).toBe(true);
        expect(inside(fitTo(viewport, DOMAIN))).toBe(true);
        expect(inside(followPlayhead(viewport, ns, DOMAIN))).toBe(true);
      },
    ),
  );
});

test("zooming keeps the anchor where it is on the screen", () => {
  const before = { fromNs: 40e6, toNs: 60e6 };
  const after = zoomAt(before, 45e6, 4, DOMAIN);
  expect(spanNs(after)).toBe(5e6);
  expect((45e6 - after.fromNs) / spanNs(after)).toBeCloseTo(0.25, 9);
});

test("a playhead in sight moves nothing; one that leaves turns the page", () => {
  const page = { fromNs: 10e6, toNs: 20e6 };
  expect(followPlayhead(page, 15e6, DOMAIN)).toBe(page);
  expect(followPlayhead(page, 21e6, DOMAIN)).toEqual({ fromNs: 20.5e6, toNs: 30.5e6 });
});
