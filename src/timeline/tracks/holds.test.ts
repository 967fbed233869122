import { expect, test } from "vitest";
import { TraceStore } from "../../model/index.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import { THEMES } from "../plot/timeline-theme.ts";
import { layRows } from "../plot/lane-rows.ts";
import { inked } from "../marks/testing.ts";
import { askHolds, drawHolds, holdsIn } from "./holds.ts";

const ROWS = `
    10  cpu0 acq 0 0
    20  cpu0 rel 0
    20  cpu0 acq 1 0
    45  cpu0 rel 1
    60  cpu1 acq 1 0`;

function plotOf(): Parameters<typeof drawHolds>[1] {
  const trace = new TraceStore(shapeOf(2, 2, 100));
  trace.append(100, traceChunk(rowsFrom(ROWS)), wakeChunk([]));
  const viewport = { fromNs: 0, toNs: 100 };
  return {
    trace,
    viewport,
    rows: layRows(2, 60, []),
    scrollTop: 0,
    gutter: 48,
    width: 1048,
    height: 40,
    ratio: 1,
    theme: THEMES.dark,
  };
}

test("each hold of a lock that nobody waits for has its stretch, one whose end is not in view is cut", () => {
  const { trace } = plotOf();
  expect(holdsIn(trace, 0, 100)).toEqual([
    { lock: 0, cpu: 0, fromNs: 10, toNs: 20 },
    { lock: 1, cpu: 0, fromNs: 20, toNs: 45 },
    { lock: 1, cpu: 1, fromNs: 60, toNs: 100 },
  ]);
  expect(holdsIn(trace, 30, 50)).toEqual([{ lock: 1, cpu: 0, fromNs: 30, toNs: 45 }]);
});

test("the lane names the locks it shows, says how many were taken, and answers who held one", () => {
  const plot = plotOf();
  const { words } = inked((context) => drawHolds(context, plot));
  expect(words).toEqual([
    "locks",
    "locks taken in view: 3; no CPU waits for one",
    "rq 0",
    "rq 1",
    "rq 1",
  ]);
  expect(askHolds(plot, 48 + 300)?.lines[0]).toBe("rq 1 lock: held by CPU 0, no CPU waits");
  expect(askHolds(plot, 48 + 300)?.cpu).toBe(0);
  expect(askHolds(plot, 10)).toBeUndefined();
});
