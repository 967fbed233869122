// What the strips over the lanes answer, on the story of four CPUs in which CPU 1 waits for the
// lock of CPU 0.

import { expect, test } from "vitest";
import { TraceStore } from "../../model/index.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import { xOf, type Plot } from "../plot/plot.ts";
import { THEMES } from "../plot/timeline-theme.ts";
import { layRows } from "../plot/lane-rows.ts";
import { markedOf } from "../draw/marked-wake.ts";
import type { Viewport } from "../plot/timeline-props.ts";
import { askLock } from "./lock-answer.ts";
import { askTask, speakTask } from "./task-answer.ts";

const END_NS = 1000;
const HEIGHT_PX = 55;
/**
 * Middle of the holder's strip, and of the first and the second place above it where the scale
 * holds four.
 */
const [HOLDER_Y, FIRST_Y, SECOND_Y] = [50, 40, 32];

const ROWS = `
  0    cpu2  wait    1
  0    cpu3  wait    1
  0    cpu1  wait    1
  100  cpu0  acq     0 0
  150  cpu3  wait    0
  160  cpu1  wait    0
  300  cpu0  rel     0
  310  cpu3  acq     0 160
  400  cpu0  waking  t0 cpu0
  420  cpu0  wakeup  t0 cpu0
  500  cpu0  switch  idle t0
  800  cpu0  switch  t0 idle`;

function plotOf(viewport: Viewport = { fromNs: 0, toNs: END_NS }): Plot {
  const trace = new TraceStore(shapeOf(4, 2, END_NS));
  const wakes = wakeChunk([{ task: 0, nth: 3, cpu: 0, due: 400, segments: [[0, 100]] }]);
  trace.append(END_NS, traceChunk(rowsFrom(ROWS)), wakes);
  const rows = layRows(4, 112, []);
  return {
    trace,
    viewport,
    rows,
    scrollTop: 0,
    gutter: 48,
    width: 1048,
    height: HEIGHT_PX,
    ratio: 1,
    theme: THEMES.dark,
  };
}

function lockTold(plot: Plot, ns: number, y: number): ReturnType<typeof askLock> {
  const lock = plot.trace.locks.lock(0);
  return lock && askLock(plot, lock, 4, xOf(plot, ns), y);
}

test("the lock lane tells the holder from when to when, and each waiter since when", () => {
  const told = lockTold(plotOf(), 200, HOLDER_Y);
  expect(told?.cpu).toBe(0);
  expect(told?.lines).toEqual([
    "rq 0 lock: held by CPU 0, 2 CPUs wait",
    "CPU 0 holds the lock for 200 ns, from 100 ns to 300 ns",
    "CPU 3 waits since 150 ns, 50 ns so far",
    "CPU 1 waits since 160 ns, 40 ns so far",
    "pale: 3 CPUs wait for the rq 1 lock, the longest queue here",
  ]);
});

test("a cell of the queue is its waiter, told first and gone to", () => {
  const first = lockTold(plotOf(), 200, FIRST_Y);
  expect([first?.cpu, first?.lines[1]]).toEqual([
    3,
    "CPU 3 is number 1 in the queue: it has waited 50 ns of 160 ns",
  ]);
  const second = lockTold(plotOf(), 200, SECOND_Y);
  expect([second?.cpu, second?.lines[1]]).toEqual([
    1,
    "CPU 1 is number 2 in the queue: it has waited 40 ns",
  ]);
});

test("a lock that nobody holds is free or handed over", () => {
  expect(lockTold(plotOf(), 50, HOLDER_Y)?.lines.slice(0, 2)).toEqual([
    "rq 0 lock: free",
    "free for 100 ns, from 0 ns to 100 ns",
  ]);
  expect(lockTold(plotOf(), 305, HOLDER_Y)?.lines[0]).toBe(
    "rq 0 lock: being handed over, 2 CPUs wait",
  );
});

test("the number of the deepest queue leads to its moment, also from the edge", () => {
  const plot = plotOf();
  const dot = lockTold(plot, 160, HEIGHT_PX - 11 - (2 * (HEIGHT_PX - 11 - 12)) / 4);
  expect(dot).toMatchObject({
    ns: 160,
    lines: [
      "rq 0 lock: the deepest queue of the run",
      "2 CPUs wait at 160 ns, CPU 0 holds the lock",
    ],
  });
  const later = plotOf({ fromNs: 500, toNs: END_NS });
  expect(lockTold(later, 510, 28)?.ns, "out of sight it stands at the edge").toBe(160);
});

test("from afar a pixel tells its deepest moment", () => {
  const told = lockTold({ ...plotOf(), width: 51 }, 200, HOLDER_Y);
  expect([told?.ns, told?.lines[0]]).toEqual([
    160,
    "rq 0 lock: at most 2 CPUs wait in 333 ns here",
  ]);
});

test("the task track tells state, CPU, true ends and the wake-up", () => {
  const plot = plotOf({ fromNs: 430, toNs: 700 });
  const wake = markedOf(plot.trace, { kind: "wake", task: "t0", nth: 3 });
  if (wake === undefined) throw new Error("no wake-up");
  const told = (ns: number): ReturnType<typeof askTask> => askTask(plot, wake, xOf(plot, ns));
  expect(told(600)).toMatchObject({
    chosen: { task: "t0", nth: 3 },
    lines: [
      "t0: runs on CPU 0",
      "300 ns, from 500 ns to 800 ns",
      "wake-up #3: due 400 ns, late 100 ns",
    ],
  });
  expect(told(450)?.lines.slice(0, 2)).toEqual([
    "t0: ready, waits for CPU 0",
    "80 ns, from 420 ns to 500 ns",
  ]);
  const asleep = askTask(plotOf(), wake, xOf(plotOf(), 900));
  expect(asleep).toMatchObject({
    chosen: undefined,
    lines: ["t0: sleeps, last CPU 0", "200 ns, from 800 ns to 1 µs"],
  });
  expect(speakTask(plot.trace, wake, 900, 10)).toBe(
    "t0: sleeps, last CPU 0, 800 nanoseconds to 1 microsecond",
  );
});
