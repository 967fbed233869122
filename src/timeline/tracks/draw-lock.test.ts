import { expect, test } from "vitest";
import { TraceStore } from "../../model/index.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import { inked } from "../marks/testing.ts";
import { CELLS_STEPS_MAX, drawLockLane } from "./draw-lock.ts";
import { trackPlot } from "./testing.ts";

/** One CPU holds the lock while so many others come to wait, 1 ns apart. */
function wordsOf(waiters: number): readonly string[] {
  const cpus = waiters + 1;
  const waits = Array.from(
    { length: waiters },
    (_, at) => `${String(at + 100)} cpu${String(at + 1)} wait 0 ${String(at + 1)}`,
  );
  const trace = new TraceStore(shapeOf(cpus, 2, 100_000));
  trace.append(
    100_000,
    traceChunk(rowsFrom(["50 cpu0 acq 0 0", ...waits].join("\n"))),
    wakeChunk([]),
  );
  const viewport = { fromNs: 0, toNs: 100_000 };
  const plot = trackPlot(trace, viewport, { height: 80 });
  return inked((context) => drawLockLane(context, plot, trace.locks.lock(0), waiters)).words;
}

test("who holds the lock is drawn also where more come to wait than have cells", () => {
  expect(wordsOf(3)).toContain("0");
  expect(wordsOf(CELLS_STEPS_MAX + 100)).toContain("0");
  expect(wordsOf(30_000)).toContain("zoom in for the holders");
});

test("a queue whose waiters have less than a pixel each is drawn as an area, not waiter by waiter", () => {
  const cpus = 401;
  const trace = new TraceStore(shapeOf(cpus, 2, 100_000));
  const waits = Array.from(
    { length: 390 },
    (_, at) => `${String((at + 1) * 200)} cpu${String(at + 1)} wait 0 ${String(at + 1)}`,
  );
  trace.append(
    100_000,
    traceChunk(rowsFrom(["50 cpu0 acq 0 0", ...waits].join("\n"))),
    wakeChunk([]),
  );
  // Each step is so wide that its waiters would be drawn.
  const plot = trackPlot(trace, { fromNs: 0, toNs: 20_000 }, { height: 80 });
  const { shapes } = inked((context) => drawLockLane(context, plot, trace.locks.lock(0), 390));
  // Two areas of a column for each pixel, and what frames them; the waiters of the hundred steps
  // would be 5 000 more.
  expect(shapes.length).toBeLessThan(2.2 * plot.width);
});
