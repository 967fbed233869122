// The tracks over the lanes of a side, and their heights: lanes come first. Where there is little
// room, tanks get lower and fewer, then the lock lane gets lower and goes, as do the counters.

import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { LOW_FROM } from "./tank.tsx";
import { TANKS_MAX } from "./tank-pager.tsx";
import { lockLanePx, TASK_LANE_PX } from "./strips.tsx";

/** The least height of the lanes: a share of the side's height, and CSS px. */
const LANES_SHARE = 0.4;
const LANES_PX = 96;
/**
 * Heights in sizes of the text: a side's heading, a tank's words, a tank, a low one, the counters,
 * a lock of tasks and its words, locks without a waiter.
 */
const HEAD = 1.7;
const WORDS = 1.8;
const TANK = 6;
const LOW_TANK = 3.5;
const COUNTERS = 6;
const TASK_LOCK = 3.6;
const TASK_LOCK_WORDS = 2;
const NARROW_TASK_LOCK_WORDS = 3.6;
const IDLE_LOCK = 3;
/** A ring, by the room there is, and a row of who ran instead. */
const RINGS = [7, 5.5, 4.5] as const;
export const INSTEAD_ROW = 1.45;
/** Below this width words of tanks take two lines. */
const NARROW_PX = 700;
const NARROW_WORDS = 3.4;
/** Below this width there is neither a ring nor who ran instead. */
const HERO_LEAST_PX = 560;

export interface TracksWanted {
  readonly groups: number;
  readonly lock: boolean;
  /** Whether no CPU waits for a lock in either run: then its lane is low. */
  readonly idle: boolean;
  readonly task: boolean;
  readonly counters: boolean;
  readonly taskLock: boolean;
  readonly ring?: boolean;
  /** Rows of who ran instead. */
  readonly instead?: number;
}

export interface TracksRoom {
  /** Most tanks at once, at least 1. */
  readonly tanks: number;
  /** Height of each, CSS px. */
  readonly tankPx: number;
  /** Height of the lock lane; 0 = there is no room for one beside the tanks. */
  readonly lockPx: number;
  /** Height of a lock of tasks with its words, and of its lane; 0 = there is no room for it. */
  readonly taskLockPx: number;
  readonly taskLockLanePx: number;
  /** Whether there is room for counters. */
  readonly counters: boolean;
  /** Heights of the ring and of who ran instead; 0 = not wanted, or there is no room. */
  readonly ringPx: number;
  readonly insteadPx: number;
}

/**
 * `sidePx` is the height of one side and all its lanes; 0 = not known yet: then all tracks have
 * room.
 */
export function tracksRoom(
  sidePx: number,
  width: number,
  theme: TimelineTheme,
  wanted: TracksWanted,
): TracksRoom {
  const em = theme.fontPx;
  const words = em * (width < NARROW_PX ? NARROW_WORDS : WORDS);
  const lowest = wanted.groups === 0 ? 0 : words + em * LOW_TANK;
  const lockPx = wanted.idle ? em * IDLE_LOCK : lockLanePx(theme);
  let room =
    sidePx === 0
      ? Infinity
      : sidePx -
        Math.max(LANES_PX, sidePx * LANES_SHARE) -
        em * HEAD -
        (wanted.task ? TASK_LANE_PX : 0);
  const lock =
    [lockPx, lockPx / 2].find((px) => room - px >= lowest) ??
    (wanted.groups === 0 ? lockPx / 2 : 0);
  if (wanted.lock) room -= lock;
  const taskLockPx =
    em * ((width < NARROW_PX ? NARROW_TASK_LOCK_WORDS : TASK_LOCK_WORDS) + TASK_LOCK);
  const taskLock = wanted.taskLock && room - taskLockPx >= lowest;
  if (taskLock) room -= taskLockPx;
  const { ringPx, insteadPx } = heroes(wanted, width, em, room - lowest);
  room -= ringPx + insteadPx;
  const counters = room - em * COUNTERS >= lowest;
  if (wanted.counters && counters) room -= em * COUNTERS;
  const tanks = Math.min(TANKS_MAX, Math.max(1, Math.floor(room / Math.max(1, lowest))));
  const shown = Math.min(tanks, Math.max(1, wanted.groups));
  const low = shown >= LOW_FROM || room < shown * (words + em * TANK);
  const tankPx = em * (low ? LOW_TANK : TANK);
  return {
    tanks,
    tankPx,
    lockPx: lock,
    taskLockPx: taskLock ? taskLockPx : 0,
    taskLockLanePx: em * TASK_LOCK,
    counters,
    ringPx,
    insteadPx,
  };
}

/** `em`: size of the text; `room`: what is left over the lanes, CSS px. */
export function heroes(
  { ring = false, instead = 0 }: Pick<TracksWanted, "ring" | "instead">,
  width: number,
  em: number,
  room: number,
): Pick<TracksRoom, "ringPx" | "insteadPx"> {
  if (width < HERO_LEAST_PX) return { ringPx: 0, insteadPx: 0 };
  const high = ring ? RINGS.find((size) => room >= em * size) : undefined;
  const ringPx = Math.round(em * (high ?? 0));
  const rowPx = Math.round(em * INSTEAD_ROW);
  const rows = Math.max(0, Math.min(instead, Math.floor((room - ringPx) / rowPx)));
  return { ringPx, insteadPx: rows * rowPx };
}
