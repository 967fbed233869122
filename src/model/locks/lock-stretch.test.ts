import { expect, test } from "vitest";
import { deepestAt, stretchAt, waitAt } from "./lock-stretch.ts";
import type { LockTrack } from "../trace/kernel-locks.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../trace/trace-text.ts";
import { TraceStore } from "../trace/trace-store.ts";

const END_NS = 100;

function herd(): readonly [TraceStore, LockTrack] {
  const store = new TraceStore(shapeOf(10, 1, END_NS));
  const rows = `
    10  cpu7  acq   0
    20  cpu3  wait  0
    22  cpu9  wait  0
    30  cpu7  rel   0
    31  cpu3  acq   0 11
    35  cpu5  wait  0
    40  cpu3  rel   0
    41  cpu9  acq   0 19`;
  store.append(END_NS, traceChunk(rowsFrom(rows)), wakeChunk([]));
  const lock = store.locks.lock(0);
  if (lock === undefined) throw new Error("lock 0 was never touched");
  return [store, lock];
}

test("a stretch goes from the acquire to the release, whoever joins the queue meanwhile", () => {
  const [store, lock] = herd();
  expect(stretchAt(store, lock, 25)).toEqual({ holder: 7, fromNs: 10, toNs: 30 });
  expect(stretchAt(store, lock, 30), "handed over").toEqual({
    holder: undefined,
    fromNs: 30,
    toNs: 31,
  });
  expect(stretchAt(store, lock, 5), "before the first row").toEqual({
    holder: undefined,
    fromNs: 0,
    toNs: 10,
  });
  expect(stretchAt(store, lock, 60), "to the end of the run").toEqual({
    holder: 9,
    fromNs: 41,
    toNs: END_NS,
  });
});

test("a wait goes from the CPU's arrival in the queue to its acquire, if it has one", () => {
  const [store, lock] = herd();
  expect(waitAt(store, lock, 9, 25)).toEqual({ cpu: 9, fromNs: 22, toNs: 41 });
  expect(waitAt(store, lock, 3, 25)).toEqual({ cpu: 3, fromNs: 20, toNs: 31 });
  expect(waitAt(store, lock, 5, 60)).toEqual({ cpu: 5, fromNs: 35, toNs: undefined });
});

test("the deepest instant of a window is its first of the longest queue, or its start", () => {
  const [store, lock] = herd();
  expect(deepestAt(store, lock, 0, END_NS)).toEqual({ ns: 22, depth: 2 });
  expect(deepestAt(store, lock, 23, 28)).toEqual({ ns: 23, depth: 2 });
  expect(deepestAt(store, lock, 32, END_NS)).toEqual({ ns: 35, depth: 2 });
  expect(deepestAt(store, lock, 0, 15)).toEqual({ ns: 0, depth: 0 });
});
