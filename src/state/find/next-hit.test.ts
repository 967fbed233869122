// Where the palette goes to by the name of a thing.

import { expect, test } from "vitest";
import { KIND } from "../../engine/gen/catalogue.ts";
import { TraceStore } from "../../model/index.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import { eventHit, hitOf, type Direction } from "./next-hit.ts";

const ROWS = `
    10  cpu0 user_spin 4 t1
    10  cpu0 user_owner 4 t0
    20  cpu1 user_spin 4 t2
    30  cpu0 user_owner 4
    35  cpu1 user_spin_end t2 15
    40  cpu0 mutex_owner 7 t0
    50  cpu1 mutex_owner 7`;

test("the name of a spin lock leads to where tasks begin to spin for it, that of a mutex without waiters to where it changes hands", () => {
  const objects = [
    { id: 4, name: "spin lock", sort: "spin lock" },
    { id: 7, name: "m", sort: "mutex" },
  ];
  const trace = new TraceStore({ ...shapeOf(2, 3, 1000), objects });
  trace.append(1000, traceChunk(rowsFrom(ROWS)), wakeChunk([]));
  const hit = (name: string, ns: number, direction: Direction): unknown =>
    hitOf(trace, { what: "task lock", name }, ns, direction);
  expect(hit("spin lock", 0, 1)).toEqual({ ns: 10, cpu: 0 });
  expect(hit("spin lock", 10, 1)).toEqual({ ns: 20, cpu: 1 });
  expect(hit("spin lock", 20, 1)).toBeUndefined();
  expect(hit("spin lock", 20, -1)).toEqual({ ns: 10, cpu: 0 });
  expect(hit("mutex m", 0, 1)).toEqual({ ns: 40, cpu: 0 });
  expect(hit("mutex m", 50, -1)).toEqual({ ns: 40, cpu: 0 });
  expect(hit("mutex n", 0, 1)).toBeUndefined();
});

test("an event leads to the next record of its kind and to the one before, on whatever CPU", () => {
  const trace = new TraceStore(shapeOf(2, 3, 1000));
  trace.append(
    1000,
    traceChunk(rowsFrom("10 cpu0 switch t0\n20 cpu1 tick\n30 cpu1 switch t1\n40 cpu0 tick")),
    wakeChunk([]),
  );
  expect(eventHit(trace, KIND.Tick, 0, 1)).toEqual({ ns: 20, cpu: 1 });
  expect(eventHit(trace, KIND.Tick, 20, 1)).toEqual({ ns: 40, cpu: 0 });
  expect(eventHit(trace, KIND.Tick, 40, -1)).toEqual({ ns: 20, cpu: 1 });
  expect(eventHit(trace, KIND.Tick, 40, 1)).toBeUndefined();
});

test("where a lock is waited for, taken or released, the lock is named, for the lane to show", () => {
  const trace = new TraceStore(shapeOf(2, 3, 1000));
  trace.append(
    1000,
    traceChunk(rowsFrom("10 cpu0 acq 1 0\n20 cpu1 wait 1 1\n30 cpu1 tick")),
    wakeChunk([]),
  );
  const [name = ""] = trace.shape.locks.slice(1);
  expect(hitOf(trace, { what: "lock", name }, 0, 1)).toEqual({ ns: 20, cpu: 1, lock: name });
  expect(eventHit(trace, KIND.LockAcq, 0, 1)?.lock).toBe(name);
  expect(eventHit(trace, KIND.Tick, 0, 1)?.lock).toBeUndefined();
});
