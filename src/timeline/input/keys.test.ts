import { expect, test } from "vitest";
import { handleTimelineKey } from "./keys.ts";
import type { KeyContext, KeyPress } from "./keys.ts";

const DOMAIN = 100_000_000;

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
