import fc from "fast-check";
import { expect, test } from "vitest";
import { FIELD, KIND } from "../../engine/gen/catalogue.ts";
import {
  POINT_COND_RESCHED,
  POINT_IRQ_EXIT,
  POINT_RETURN_TO_USER,
} from "../../engine/gen/codes.ts";
import { fieldOf } from "../../lib/bit-field.ts";
import { describeCpu, describeFlag, describePoint, speakFlag } from "../words/describe.ts";
import { NO_POINT } from "./flags.ts";
import { SpanTable } from "./spans.ts";
import { taskSpans } from "../tasks/task-track.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "./trace-text.ts";
import { TraceStore } from "./trace-store.ts";
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

test("rows of a kind are kept from the first time somebody asks, and go on growing", () => {
  const store = storeOf(WAKE, 200);
  const ipis = store.events.rowsOf([KIND.IpiArrive]);
  const [row = -1] = ipis.listIn(0, 200);
  expect([ipis.count, store.events.time.at(row), store.events.cpu.at(row), ipis.longestB]).toEqual([
    1, 153, 0, 12,
  ]);
  const a = store.events.a.at(row);
  expect([
    fieldOf(FIELD.IpiSender, a),
    fieldOf(FIELD.IpiVector, a),
    fieldOf(FIELD.IpiCoalesced, a),
  ]).toEqual([1, 1, 0]);
  store.append(
    209,
    traceChunk(rowsFrom("209 cpu0 arrive cpu1 reschedule 40 coalesced")),
    wakeChunk([]),
  );
  expect(store.events.rowsOf([KIND.IpiArrive])).toBe(ipis);
  expect([
    ipis.count,
    ipis.longestB,
    fieldOf(FIELD.IpiCoalesced, store.events.a.at(ipis.at(1))),
  ]).toEqual([2, 40, 1]);
});

test("a flag lasts from set to schedule(), and to the end while it is set", () => {
  const seen: unknown[] = [];
  storeOf(WAKE, 200).flags.visit(0, 200, 200, (...flag) => seen.push(flag));
  expect(seen).toEqual([[141, 141, 182, 0]]);
  const open: unknown[] = [];
  storeOf("5 cpu2 flag t1 cpu0", 50).flags.visit(0, 200, 50, (...flag) => open.push(flag));
  expect(open).toEqual([[5, 5, 50, 2]]);
});

const LAZY = `
  0   cpu1 state kernel t1
  10  cpu1 lazy t1 cpu0
  15  cpu1 lazy t1 cpu0
  20  cpu1 pass irq_exit t1
  25  cpu1 state kernel# t1
  30  cpu1 upgrade t1 cpu1
  35  cpu1 state kernel t1
  40  cpu1 take return_to_user t1
  45  cpu1 clear t2 35
  50  cpu1 pass cond_resched t2
  60  cpu0 flag t1 cpu1
  65  cpu0 clear t1 5`;

test("a flag is one object: who set it, when it was upgraded, what it passed, where it was honoured", () => {
  const { flags } = storeOf(LAZY, 100);
  const [flag] = flags.list(0, 100, 100);
  expect(flag).toEqual({
    cpu: 1,
    task: 1,
    fromNs: 10,
    toNs: 45,
    lazy: true,
    upgradeNs: 30,
    setBy: 0,
    upgradedBy: 1,
    passed: 1,
    honouredAt: POINT_RETURN_TO_USER,
  });
  expect([
    flags.at(1, 9, 100),
    flags.at(1, 10, 100)?.fromNs,
    flags.at(1, 44, 100)?.fromNs,
    flags.at(1, 45, 100),
  ]).toEqual([undefined, 10, 10, undefined]);
  expect(flags.list(0, 100, 100)[1], "nothing looked: the task gave way by itself").toMatchObject({
    honouredAt: NO_POINT,
    passed: 0,
  });
});

test("stepping along a CPU stops at birth, upgrade and end of its flags, both ways", () => {
  const { flags } = storeOf(LAZY, 100);
  expect([0, 10, 30, 45].map((ns) => flags.step(1, ns, true))).toEqual([10, 30, 45, undefined]);
  expect([100, 45, 30, 10].map((ns) => flags.step(1, ns, false))).toEqual([45, 30, 10, undefined]);
  expect(flags.step(0, 0, true), "another CPU's flags are not its own").toBe(60);
});

test("a preemption point remembers whether a flag was set and whether schedule() followed", () => {
  const seen: unknown[] = [];
  const { points } = storeOf(LAZY, 100);
  points.visit(0, 100, (...point) => seen.push(point));
  expect(seen).toEqual([
    [20, 1, POINT_IRQ_EXIT, false, true],
    [40, 1, POINT_RETURN_TO_USER, true, true],
    [50, 1, POINT_COND_RESCHED, false, false],
  ]);
  expect(points.nearest(1, 43, 5)).toMatchObject({ ns: 40, taken: true });
  expect(points.nearest(0, 43, 50)).toBeUndefined();
});

test("flags, points and non-preemptible code are said in words", () => {
  const store = storeOf(LAZY, 100);
  expect(describeCpu(store, 1, 27)).toBe(
    "CPU 1, kernel code for t1, not preemptible, 25 nanoseconds to 35 nanoseconds",
  );
  const flag = store.flags.at(1, 32, 100);
  if (flag === undefined) throw new Error("no flag");
  expect(describeFlag(store, flag, 32)).toEqual([
    "need_resched on t1, set by CPU 0",
    "age 22 ns of 35 ns",
    "born lazy, became need_resched after 20 ns by CPU 1",
    "honoured at return to user, after passing 1 point with it set",
  ]);
  expect(speakFlag(flag, 27)).toBe("need_resched_lazy set for 17 nanoseconds by CPU 0");
  const point = store.points.nearest(1, 20, 1);
  expect(point === undefined ? "" : describePoint(point)).toBe(
    "interrupt exit: passed, the flag waits on",
  );
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
  expect(
    store.waits.spans.list(0, 100).map((wait) => [wait.fromNs, wait.toNs, wait.what, wait.kind]),
  ).toEqual([
    [20, 30, 1, WAIT.Preempted],
    [60, 61, 1, WAIT.Waking],
    [61, 70, 1, WAIT.Ready],
  ]);
  expect(taskSpans(store, 1, 0, 100).map((span) => [span.state, span.fromNs, span.toNs])).toEqual([
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
  expect(describeCpu(store, 1, 120)).toBe(
    "CPU 1, spinning, now for rq 0 lock, 1 of 1, interrupts off, 110 nanoseconds to 130 nanoseconds",
  );
  expect(describeCpu(store, 0, 195)).toBe(
    "CPU 0, user code for t2, 190 nanoseconds to 200 nanoseconds",
  );
  expect(describeCpu(store, 0, 5000)).toBe("CPU 0, not simulated yet");
});

test("a stretch of spinning that goes from one lock to the next is of neither lock alone: each is said to be the lock now", () => {
  const store = storeOf(
    `
    100  cpu1  state   spin! t1
    100  cpu1  wait    0
    130  cpu1  acq     0 30
    130  cpu1  wait    1
    170  cpu1  acq     1 40
    170  cpu1  state   kernel! t1`,
    200,
  );
  const words = (lock: number): string =>
    `CPU 1, spinning, now for rq ${String(lock)} lock, 1 of 1, interrupts off, 100 nanoseconds to 170 nanoseconds`;
  expect([120, 150].map((ns) => describeCpu(store, 1, ns))).toEqual([words(0), words(1)]);
});

test("any window over spans equals a walk over all of them", () => {
  const span = fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 500 }));
  fc.assert(
    fc.property(
      fc.array(span, { maxLength: 80 }),
      fc.nat(2000),
      fc.nat(500),
      (gaps, fromNs, width) => {
        const table = new SpanTable();
        let end = 500;
        const all = gaps.map(([gap, length], index) => {
          end += gap;
          table.push(end - length, end, index, 0, 0);
          return { fromNs: end - length, toNs: end, cpu: index };
        });
        const toNs = fromNs + width;
        const touching = all
          .filter((one) => one.toNs >= fromNs && one.fromNs <= toNs)
          .map((one) => one.cpu);
        expect(table.list(fromNs, toNs).map((one) => one.cpu)).toEqual(touching);
        expect(table.countIn(fromNs, toNs)).toBeGreaterThanOrEqual(touching.length);
      },
    ),
  );
});
