import { expect, test } from "vitest";
import { beginsArea, stretchBetween } from "./area-drag.ts";

const WINDOW = {
  viewport: { fromNs: 1000, toNs: 2000 },
  domainNs: 1900,
  plotPx: 100,
  gutterPx: 50,
};

test("a plain drag is an area or a pan as the setting says, Shift makes it the other, another button neither", () => {
  expect([false, true].map((shiftKey) => beginsArea({ button: 0, shiftKey }, "area"))).toEqual([
    true,
    false,
  ]);
  expect([false, true].map((shiftKey) => beginsArea({ button: 0, shiftKey }, "pan"))).toEqual([
    false,
    true,
  ]);
  expect(beginsArea({ button: 2, shiftKey: false }, "area")).toBe(false);
});

test("a stretch is whole ns, whichever end came first, within the view and the run", () => {
  expect(stretchBetween(60, 80, WINDOW)).toEqual({ fromNs: 1100, toNs: 1300 });
  expect(stretchBetween(80, 60, WINDOW)).toEqual({ fromNs: 1100, toNs: 1300 });
  expect(stretchBetween(-500, 5000, WINDOW)).toEqual({ fromNs: 1000, toNs: 1900 });
  const near = { ...WINDOW, viewport: { fromNs: 1000, toNs: 1040 } };
  expect(stretchBetween(60.3, 61.1, near)).toEqual({ fromNs: 1004, toNs: 1005 });
});
