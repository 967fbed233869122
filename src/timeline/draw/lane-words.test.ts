import { expect, test } from "vitest";
import type { GroupInfo } from "../../engine/gen/types.ts";
import { TraceStore } from "../../model/index.ts";
import { shapeOf } from "../../model/trace/trace-text.ts";
import { layRows } from "../plot/lane-rows.ts";
import { inked } from "../marks/testing.ts";
import type { ThemeName } from "../plot/timeline-props.ts";
import { THEMES } from "../plot/timeline-theme.ts";
import { drawGutter, numberMiddle } from "./lane-words.ts";

test("a lane's number stands in its middle; the first and the last one are whole where lanes are lower than numbers", () => {
  expect(numberMiddle({ top: 40, height: 20 }, 100, 10)).toBe(50);
  expect(numberMiddle({ top: 0, height: 6 }, 240, 10)).toBe(5);
  expect(numberMiddle({ top: 6, height: 6 }, 240, 10)).toBe(9);
  expect(numberMiddle({ top: 234, height: 6 }, 240, 10)).toBe(235);
});

/**
 * Widths as shares of the letters' height: of a letter of one width, and of the room beside the
 * lanes.
 */
const LETTER = 0.602;
const GUTTER = 4.4;

/**
 * The numbers beside the lanes of a machine of 1024 CPUs whose CPUs 17, 1004 and 0 are kept on top.
 */
function namesBeside(
  gutter: number,
  groups: readonly GroupInfo[] = [],
  theme: ThemeName = "dark",
): readonly string[] {
  const trace = new TraceStore({ ...shapeOf(1024, 1, 100), groups });
  const rows = layRows(1024, 120, [], { kept: [17, 1004, 0] });
  const viewport = { fromNs: 0, toNs: 100 };
  const plot = {
    trace,
    viewport,
    rows,
    scrollTop: 0,
    gutter,
    width: 600,
    height: 66,
    ratio: 1,
    theme: THEMES[theme],
  };
  return inked((context) => {
    context.measureText = (text) =>
      ({ width: text.length * Number(/(\d+)px/.exec(context.font)?.[1]) * LETTER }) as TextMetrics;
    drawGutter(context, plot);
  }).words;
}

test("of lanes kept on top all are named as CPUs, or none where the longest name has no room", () => {
  expect(namesBeside(48), "in small letters").toEqual(["cpu17", "cpu1004", "cpu0"]);
  expect(namesBeside(37), "on a phone").toEqual(["17", "1004", "0"]);
});

test("lanes are named as CPUs on the largest machine beside the strip of silos too, in every theme", () => {
  const root: GroupInfo = { path: "", parent: 0, quota_ns: 0, period_ns: 0, burst_ns: 0 };
  const groups = [root, { path: "web", parent: 0, quota_ns: 100, period_ns: 1000, burst_ns: 0 }];
  for (const theme of Object.keys(THEMES) as ThemeName[])
    for (const each of [[], groups])
      expect(namesBeside(Math.round(THEMES[theme].fontPx * GUTTER), each, theme), theme).toEqual([
        "cpu17",
        "cpu1004",
        "cpu0",
      ]);
});
