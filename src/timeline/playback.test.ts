import fc from "fast-check";
import { expect, test } from "vitest";
import type { Playback, PlaybackAction } from "./playback.ts";
import { DEFAULT_SPEED, SPEEDS, stepPlayback, STILL } from "./playback.ts";

function play(actions: readonly PlaybackAction[], from: Playback = STILL): Playback {
  return actions.reduce(stepPlayback, from);
}

function frame(elapsedMs: number, endNs = 1e9, reducedMotion = false): PlaybackAction {
  return { type: "frame", elapsedMs, endNs, reducedMotion };
}

test("a second of frames at 20 us/s moves the playhead by 20 us", () => {
  const frames = Array.from({ length: 50 }, () => frame(20));
  expect(play([{ type: "play" }, ...frames]).playheadNs).toBeCloseTo(20_000, 6);
});

test("nothing moves while paused", () => {
  expect(play([frame(16), frame(16)])).toEqual(STILL);
});

test("a tab that slept for an hour moves by one long frame, not by an hour", () => {
  expect(play([{ type: "play" }, frame(3_600_000)]).playheadNs).toBe(0.05 * DEFAULT_SPEED);
});

test("it stops at the end, exactly on it", () => {
  const state = play([{ type: "seek", ns: 990 }, { type: "play" }, frame(50, 1000)]);
  expect([state.playheadNs, state.playing]).toEqual([1000, false]);
});

test("under reduced motion it stands still for half a second, then steps by what it missed", () => {
  const nine = Array.from({ length: 9 }, () => frame(50, 1e9, true));
  const still = play([{ type: "play" }, ...nine]);
  expect(still.playheadNs).toBe(0);
  expect(play([frame(50, 1e9, true)], still).playheadNs).toBeCloseTo(DEFAULT_SPEED / 2, 6);
});

test("motion and steps cover the same time", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 20 }), (halfSeconds) => {
    const count = halfSeconds * 20;
    const [moving, stepping] = [false, true].map((reduced) => play([{ type: "play" }, ...Array.from({ length: count }, () => frame(25, 1e12, reduced))]));
    expect(stepping?.playheadNs).toBeCloseTo(moving?.playheadNs ?? NaN, 3);
  }));
});

test("faster and slower walk the list of speeds and stay on it", () => {
  const fastest = play(SPEEDS.map(() => ({ type: "faster" })));
  expect(fastest.nsPerSecond).toBe(1e9);
  const slowest = play(SPEEDS.map(() => ({ type: "slower" })), fastest);
  expect(slowest.nsPerSecond).toBe(SPEEDS[0]);
});
