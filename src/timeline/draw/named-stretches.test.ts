import { expect, test } from "vitest";
import { TraceStore } from "../../model/index.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import { stretchesOf } from "./named-stretches.ts";

/** "t1 0-100" for each stretch of CPU 0. */
function told(rows: string, unseenNs: number): readonly string[] {
  const store = new TraceStore(shapeOf(1, 4));
  store.append(1000, traceChunk(rowsFrom(rows)), wakeChunk([]));
  const [lane] = store.lanes;
  if (lane === undefined) throw new Error("no lane");
  return stretchesOf(lane, { fromNs: 0, toNs: 1000 }, 1000, unseenNs).map(
    ({ fromNs, toNs, task }) =>
      `${task === undefined ? "nobody" : `t${String(task)}`} ${String(fromNs)}-${String(toNs)}`,
  );
}

const CUT = `
  0    cpu0  state  user t1
  300  cpu0  state  hardirq t1
  305  cpu0  state  user t1
  600  cpu0  state  hardirq t1
  605  cpu0  state  user t1
  900  cpu0  state  user t2`;

test("a task that ticks cut into pieces is one stretch as long as ticks cannot be seen", () => {
  expect(told(CUT, 10)).toEqual(["t1 0-900", "t2 900-1000"]);
  expect(told(CUT, 2)).toHaveLength(6);
});

test("a stretch is not named after a task that has the CPU only now and then", () => {
  const turns = Array.from(
    { length: 100 },
    (_, at) => `${String(at * 10)} cpu0 state user t${String(at % 2)}`,
  ).join("\n");
  expect(told(turns, 15)).toEqual([]);
  expect(told(turns, 5)).toHaveLength(100);
});
