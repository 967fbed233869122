// How painters share frames: two that are short go together, none that was long begins behind
// another.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FrameScheduler } from "./frame-scheduler.ts";

let now = 0;
let frame: (() => void) | undefined;

beforeEach(() => {
  now = 0;
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => {
    frame = run;
    return 1;
  });
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.stubGlobal("window", { matchMedia: () => ({ matches: false }) });
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Which painters each frame draws, those of `lengths` (ms) being wanted `times` times. */
function framesOf(lengths: Readonly<Record<string, number>>, times: number): readonly string[] {
  const scheduler = new FrameScheduler();
  const frames: string[] = [];
  for (let time = 0; time < times; time += 1) {
    for (const [name, ms] of Object.entries(lengths))
      scheduler.want(name, () => {
        now += ms;
        frames.push((frames.pop() ?? "") + name);
      });
    while (frame !== undefined) {
      const run = frame;
      frame = undefined;
      frames.push("");
      run();
    }
  }
  return frames;
}

test("short painters are drawn in one frame", () => {
  expect(framesOf({ a: 4, b: 4, c: 1 }, 2)).toEqual(["abc", "abc"]);
});

test("what took long the last time does not begin behind another: a frame is as long as its longest painter", () => {
  expect(framesOf({ a: 3, b: 30, c: 3 }, 2)).toEqual(["ab", "c", "a", "b", "c"]);
});
