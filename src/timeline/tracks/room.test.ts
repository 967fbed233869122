import { expect, test } from "vitest";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { tracksRoom, type TracksWanted } from "./room.ts";

const theme = (fontPx: number): TimelineTheme => ({ fontPx }) as TimelineTheme;
const QUOTA: TracksWanted = {
  groups: 3,
  lock: false,
  idle: false,
  task: false,
  taskLock: false,
  counters: false,
};
/** What is left for the lanes under all of it. */
const lanesPx = (sidePx: number, fontPx: number, wanted: TracksWanted): number => {
  const { tanks, tankPx, lockPx, taskLockPx, counters } = tracksRoom(
    sidePx,
    1000,
    theme(fontPx),
    wanted,
  );
  const words = fontPx * 1.8;
  const shown = Math.min(tanks, wanted.groups);
  const over =
    (wanted.lock ? lockPx : 0) +
    (wanted.taskLock ? taskLockPx : 0) +
    (wanted.counters && counters ? fontPx * 6 : 0);
  return sidePx - fontPx * 1.7 - over - shown * (tankPx + words);
};

test("on a laptop three groups have their tanks; in a talk one has, and the lanes of both sides are there", () => {
  expect(tracksRoom(368, 1000, theme(11), QUOTA)).toMatchObject({ tanks: 3, tankPx: 38.5 });
  expect(tracksRoom(288, 1000, theme(18), QUOTA)).toMatchObject({ tanks: 1, tankPx: 108 });
});

test("whatever is asked for over them, lanes keep 96 px, or two fifths of a low side, but for three lines of text", () => {
  for (const fontPx of [11, 14, 18]) {
    for (let sidePx = fontPx * 15; sidePx < 900; sidePx += 7) {
      for (const groups of [0, 1, 2, 3, 64]) {
        for (const lock of [false, true]) {
          for (const extra of [false, true]) {
            const wanted = {
              groups,
              lock,
              idle: extra,
              task: false,
              taskLock: extra,
              counters: extra,
            };
            expect(
              lanesPx(sidePx, fontPx, wanted),
              JSON.stringify({ sidePx, fontPx, ...wanted }),
            ).toBeGreaterThan(Math.min(96, sidePx * 0.4) - fontPx * 3);
          }
        }
      }
    }
  }
});

test("before the height is known, everything has its room", () => {
  expect(tracksRoom(0, 1000, theme(11), { ...QUOTA, groups: 1 })).toMatchObject({
    tanks: 3,
    tankPx: 66,
    lockPx: 55,
    counters: true,
  });
});
