import { expect, test } from "vitest";
import { Overload } from "../../model/overload/overload.ts";
import { TraceStore } from "../../model/index.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import { counterScale, counterTip, counterWords } from "./draw-counters.ts";

/** Two tasks on CPU 0 of four from 100 to 400 ns, then one on each of two. */
function overload(cpus = 4): Overload {
  const shape = shapeOf(cpus, 2);
  const everywhere = `0-${String(cpus - 1)}`;
  const fair = { policy: "SCHED_OTHER", cpus: everywhere } as const;
  const tasks = shape.tasks.map((task) => ({ ...task, ...fair }));
  const store = new TraceStore({
    ...shape,
    groups: [{ path: "", parent: 0, period_ns: 0, burst_ns: 0 }],
    tasks,
  });
  const rows = `
    0   cpu0 new     t0 cpu0
    0   cpu0 switch  idle t0
    100 cpu0 new     t1 cpu0
    400 cpu0 migrate t1 cpu1
    400 cpu1 switch  idle t1
    600 cpu1 switch  t1 idle`;
  store.append(1000, traceChunk(rowsFrom(rows)), wakeChunk([]));
  const index = new Overload(store);
  while (!index.advance(1000));
  return index;
}

test("the words say what holds at the playhead and the most of the run", () => {
  expect(counterWords(overload(), 200)).toEqual([
    "runnable tasks 2, at most 2",
    "CPUs idle while others are overloaded 3, at most 3",
  ]);
  expect(counterWords(overload(), 700)).toEqual([
    "runnable tasks 1, at most 2",
    "CPUs idle while others are overloaded 0, at most 3",
  ]);
});

test("the tooltip says one number where nothing changes within the pixel, else how far it went", () => {
  expect(counterTip(overload(), 150, 250).slice(1)).toEqual([
    "runnable tasks: 2",
    "overloaded CPUs, with two or more of them: 1",
    "CPUs idle meanwhile that a waiting task may use: 3",
  ]);
  expect(counterTip(overload(), 50, 150).slice(1)).toEqual([
    "runnable tasks: 1 to 2",
    "overloaded CPUs, with two or more of them: 0 to 1",
    "CPUs idle meanwhile that a waiting task may use: 0 to 3",
  ]);
});

test("both sides have the scale of the greater, and nothing is read where no run is done", () => {
  expect(counterScale([overload(), overload(8)])).toEqual({ runnable: 2, idle: 7 });
  expect(counterScale([])).toEqual({ runnable: 0, idle: 0 });
});
