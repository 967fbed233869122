import fc from "fast-check";
import { expect, test } from "vitest";
import { handleTimelineKey } from "./keys.ts";
import type { KeyContext, KeyPress } from "./keys.ts";
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

function press(
  code: string,
  context: Partial<KeyContext> = {},
  held: Partial<KeyPress> = {},
): ReturnType<typeof handleTimelineKey> {
  const whole: KeyContext = {
    viewport: { fromNs: 40e6, toNs: 60e6 },
    domainNs: DOMAIN,
    playheadNs: 0,
    focus: undefined,
    ...context,
  };
  return handleTimelineKey(
    { code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held },
    whole,
  );
}

test("letters do the same as arrows up and down, and as arrows left and right with Shift; without Shift those are not the timeline's", () => {
  expect(press("KeyW")).toEqual(press("ArrowUp"));
  expect(press("KeyS")).toEqual(press("ArrowDown"));
  expect(press("KeyA")).toEqual(press("ArrowLeft", {}, { shiftKey: true }));
  expect(press("KeyD")).toEqual(press("ArrowRight", {}, { shiftKey: true }));
  expect(press("ArrowRight")).toBeUndefined();
  expect(press("KeyD")).toEqual({ fromNs: 43e6, toNs: 63e6 });
});

test("zoom keys hold on to the playhead while it is in sight", () => {
  const closer = press("KeyW", { playheadNs: 40e6 });
  expect(closer?.fromNs).toBe(40e6);
});

test("over the lanes zoom keys hold on to the pointer, wherever the playhead is, as often as they are pressed", () => {
  const closer = press("KeyW", { playheadNs: 40e6, pointer: 0.75 });
  const at = (view: ReturnType<typeof press>): number =>
    view === undefined ? NaN : view.fromNs + 0.75 * (view.toNs - view.fromNs);
  expect(at(closer)).toBeCloseTo(55e6, 0);
  expect(
    at(
      press("KeyW", {
        playheadNs: 40e6,
        pointer: 0.75,
        viewport: closer ?? { fromNs: 0, toNs: 1 },
      }),
    ),
  ).toBeCloseTo(55e6, 0);
  expect(at(press("KeyS", { playheadNs: 40e6, pointer: 0.75 }))).toBeCloseTo(55e6, 0);
});

test("0 shows the whole run; other keys and shortcuts are not ours", () => {
  expect(press("Digit0")).toEqual({ fromNs: 0, toNs: DOMAIN });
  expect(press("KeyQ")).toBeUndefined();
  expect(press("KeyS", {}, { ctrlKey: true })).toBeUndefined();
});

test("F centres the selected wake-up, F again fits it", () => {
  const focus = { fromNs: 20e6, toNs: 22e6 };
  const centred = press("KeyF", { focus });
  expect(centred).toEqual({ fromNs: 11e6, toNs: 31e6 });
  expect(press("KeyF", { focus, viewport: centred ?? focus })).toEqual({
    fromNs: 19.6e6,
    toNs: 22.4e6,
  });
});
