import fc from "fast-check";
import { expect, test } from "vitest";
import { describeCpu } from "./describe.ts";
import { SpanTable } from "./spans.ts";
import { taskSpans } from "./task-track.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "./trace-text.ts";
import { COALESCED_BIT, TraceStore } from "./trace-store.ts";
import { WAIT } from "./waits.ts";

function storeOf(text: string, endNs: number): TraceStore {
  const store = new TraceStore(shapeOf(4, 4));
  store.append(endNs, traceChunk(rowsFrom(text)), wakeChunk([]));
  return store;
}

const WAKE = `
  0    cpu0  state   idle
  0    cpu1  state   user t1
  100  cpu1  waking  t2 cpu0
  110  cpu1  state   spin! t1
  110  cpu1  wait    0
  130  cpu1  acq     0 20
  130  cpu1  state   kernel! t1
  140  cpu1  wakeup  t2 cpu0
  140  cpu1  rel     0
  141  cpu0  flag    idle cpu1
  153  cpu0  arrive  cpu1 reschedule 12
  160  cpu0  state   idle_exit
  180  cpu0  state   kernel t2
  181  cpu0  switch  idle t2
  182  cpu0  clear   idle 41
  190  cpu0  state   user t2`;

test("rows, end and version follow the chunks", () => {
  const store = storeOf(WAKE, 200);
  expect([store.rows, store.endNs, store.version]).toEqual([16, 200, 1]);
  store.append(300, traceChunk(rowsFrom("250 cpu0 state idle")), wakeChunk([]));
  expect([store.rows, store.endNs, store.version]).toEqual([17, 300, 2]);
  expect(store.cpuAt(0, 249)?.toNs).toBe(250);
  expect(store.cpuAt(0, 301)).toBeUndefined();
});

test("a wake-up waits twice: until it is queued, and until it runs", () => {
  expect(storeOf(WAKE, 200).waits.spans.list(0, 200)).toEqual([
    { fromNs: 100, toNs: 140, cpu: 0, what: 2, kind: WAIT.Waking },
    { fromNs: 140, toNs: 181, cpu: 0, what: 2, kind: WAIT.Ready },
  ]);
});

test("an IPI flies from its send to its arrival", () => {
  expect(storeOf(WAKE, 200).ipis.list(0, 200)).toEqual([{ fromNs: 141, toNs: 153, cpu: 0, what: 1, kind: 1 }]);
  const coalesced = new TraceStore(shapeOf(2, 1));
  coalesced.append(
    9,
    {
      time: Float64Array.of(9),
      kind: Uint8Array.of(9),
      cpu: Uint16Array.of(0),
      a: Uint32Array.of(1 + 65_536 + 16_777_216),
      b: Uint32Array.of(4),
    },
    wakeChunk([]),
  );
  expect(coalesced.ipis.list(0, 9)[0]).toEqual({ fromNs: 5, toNs: 9, cpu: 0, what: 1, kind: 1 + COALESCED_BIT });
});

test("a flag lasts from set to schedule(), and to the end while it is set", () => {
  const seen: unknown[] = [];
  storeOf(WAKE, 200).visitFlags(0, 200, (...flag) => seen.push(flag));
  expect(seen).toEqual([[141, 182, 0, true]]);
  const open: unknown[] = [];
  storeOf("5 cpu2 flag t1 cpu0", 50).visitFlags(0, 200, (...flag) => open.push(flag));
  expect(open).toEqual([[5, 50, 2, false]]);
});

test("a task switched out and in again without a wake-up was preempted; with one it slept", () => {
  const store = storeOf(
    `
    10 cpu0 switch idle t1
    20 cpu0 switch t1 t2
    30 cpu0 switch t2 t1
    40 cpu0 switch t1 idle
    60 cpu1 waking t1 cpu0
    61 cpu1 wakeup t1 cpu0
    70 cpu0 switch idle t1`,
    100,
  );
  expect(store.waits.spans.list(0, 100).map((wait) => [wait.fromNs, wait.toNs, wait.what, wait.kind])).toEqual([
    [20, 30, 1, WAIT.Preempted],
    [60, 61, 1, WAIT.Waking],
    [61, 70, 1, WAIT.Ready],
  ]);
  expect(taskSpans(store, 1, 0, 100, 50).map((span) => [span.state, span.fromNs, span.toNs])).toEqual([
    ["sleeping", 0, 10],
    ["running", 10, 20],
    ["preempted", 20, 30],
    ["running", 30, 40],
    ["sleeping", 40, 60],
    ["waking", 60, 61],
    ["ready", 61, 70],
    ["running", 70, 100],
  ]);
});

test("a pulled task waits on the old run queue until it moves, then on the new one", () => {
  const store = storeOf(
    `
    10 cpu0 waking t1 cpu0
    11 cpu0 wakeup t1 cpu0
    50 cpu2 migrate t1 cpu2
    60 cpu2 switch idle t1`,
    100,
  );
  expect(store.waits.spans.list(0, 100).map((wait) => [wait.fromNs, wait.toNs, wait.cpu])).toEqual([
    [10, 11, 0],
    [11, 50, 0],
    [50, 60, 2],
  ]);
});

test("a wait without an end is seen up to the run's end", () => {
  const seen: unknown[] = [];
  const store = storeOf("10 cpu0 waking t1 cpu3\n12 cpu0 wakeup t1 cpu3", 90);
  store.waits.visit(50, 60, store.endNs, (...wait) => seen.push(wait));
  expect(seen).toEqual([[12, 90, 3, 1, WAIT.Ready]]);
});

test("a spinning CPU is described with its place in the queue", () => {
  const store = storeOf(WAKE, 200);
  expect(describeCpu(store, 1, 120)).toBe("CPU 1, spinning for rq 0 lock, 1 of 1, interrupts off, 110 nanoseconds to 130 nanoseconds");
  expect(describeCpu(store, 0, 195)).toBe("CPU 0, user code for t2, 190 nanoseconds to 200 nanoseconds");
  expect(describeCpu(store, 0, 5000)).toBe("CPU 0, not simulated yet");
});

test("any window over spans equals a walk over all of them", () => {
  const span = fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 500 }));
  fc.assert(
    fc.property(fc.array(span, { maxLength: 80 }), fc.nat(2000), fc.nat(500), (gaps, fromNs, width) => {
      const table = new SpanTable();
      let end = 500;
      const all = gaps.map(([gap, length], index) => {
        end += gap;
        table.push(end - length, end, index, 0, 0);
        return { fromNs: end - length, toNs: end, cpu: index };
      });
      const toNs = fromNs + width;
      const touching = all.filter((one) => one.toNs >= fromNs && one.fromNs <= toNs).map((one) => one.cpu);
      expect(table.list(fromNs, toNs).map((one) => one.cpu)).toEqual(touching);
      expect(table.countIn(fromNs, toNs)).toBeGreaterThanOrEqual(touching.length);
    }),
  );
});
