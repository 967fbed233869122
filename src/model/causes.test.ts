import { expect, test } from "vitest";
import { causesOfRow, causesOfWake } from "./causes.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk, wakesFrom } from "./trace-text.ts";
import { TraceStore } from "./trace-store.ts";

const RUN = `
  5    cpu2  acq      0 0
  10   cpu1  waking   t1 cpu3
  12   cpu1  wakeup   t1 cpu3
  20   cpu3  arrive   cpu1 reschedule 6
  21   cpu3  irq      reschedule 1
  30   cpu3  wait     0 1
  50   cpu2  rel      0 1
  52   cpu3  acq      0 22
  60   cpu3  switch   idle t1
  70   cpu0  waking   t2 cpu0
  71   cpu0  wakeup   t2 cpu0
  75   cpu0  push     t2 cpu1
  80   cpu1  switch   idle t2
`;

function store(): TraceStore {
  const made = new TraceStore(shapeOf(4, 4));
  const wakes = wakesFrom("t1 0 cpu3 due 10: ipi 20, rq_lock_spin 22, switch 8");
  made.append(100, traceChunk(rowsFrom(RUN)), wakeChunk(wakes));
  return made;
}

/** Causes of the row at an instant: relation, CPU and instant. */
function at(ns: number): readonly string[] {
  const trace = store();
  return causesOfRow(trace, trace.events.firstAt(ns)).map(short);
}

const short = ({ words, cpu, ns }: { readonly words: string; readonly cpu: number; readonly ns: number }): string =>
  `${words.split(":")[0] ?? ""} cpu${String(cpu)} ${String(ns)}`;

test("a switch follows from the wake-up, a moved task first from who pushed it", () => {
  expect(at(60)).toEqual(["waker cpu1 10"]);
  expect(at(80)).toEqual(["pusher cpu0 75", "waker cpu0 70"]);
  expect(at(12)).toEqual(["waker cpu1 10"]);
});

test("a lock that was waited for follows from its holder: where it was released, and for the wait where it was taken", () => {
  expect(at(52)).toEqual(["lock holder cpu2 50"]);
  expect(at(30)).toEqual(["lock holder cpu2 5"]);
  expect(at(5), "a lock that was free").toEqual([]);
});

test("a handler follows from the arrival of its IPI", () => {
  expect(at(21)).toEqual(["interrupt cpu3 20"]);
});

test("a wake-up follows from the holder of its lock and from its waker, each once", () => {
  const trace = store();
  expect(causesOfWake(trace, trace.wakes.record(0)).map(short)).toEqual(["lock holder cpu2 5", "waker cpu1 10"]);
});
