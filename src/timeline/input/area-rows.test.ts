import { expect, test } from "vitest";
import { layRows } from "../plot/lane-rows.ts";
import { cpusBetween, rowPlace } from "./area-rows.ts";

/** 100 lanes of 10 px below CPU 70 and CPU 90 on top, which take 50 px. */
const rows = layRows(100, 1050, [], { kept: [70, 90] });
const SCROLLED = 300;

function dragged(
  fromY: number,
  toY: number,
  scrolls: readonly [number, number] = [SCROLLED, SCROLLED],
): readonly number[] | undefined {
  return cpusBetween(rows, rowPlace(rows, fromY, scrolls[0]), rowPlace(rows, toY, scrolls[1]));
}

test("a drag on lanes kept on top takes those, however far the lanes below are scrolled", () => {
  expect([rows.pinnedPx, rows.rows[2]?.height]).toEqual([50, 6]);
  expect(dragged(5, 8)).toEqual([70]);
  expect(dragged(5, 30)).toEqual([70, 90]);
  expect(dragged(30, 5)).toEqual([70, 90]);
});

test("a drag from a lane on top down, or up to one, takes no lane that is scrolled away", () => {
  expect(dragged(30, 60)).toEqual([50, 51, 90]);
  expect(dragged(60, 30)).toEqual([50, 51, 90]);
  expect(dragged(60, 70), "below them as before").toEqual([51, 52, 53]);
});

test("lanes that come while a drag scrolls are taken in, and a drag from above takes all CPUs", () => {
  expect(dragged(30, 60, [300, 330])).toEqual([50, 51, 52, 53, 54, 55, 56, 90]);
  expect(dragged(60, 30, [300, 270])).toEqual([45, 46, 47, 48, 49, 50, 51, 90]);
  expect(dragged(-3, 60)).toBeUndefined();
});
