import { expect, test } from "vitest";
import { causesOfRow, causesOfSpin, causesOfWake } from "./causes.ts";
import { describeCpu } from "../words/describe.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk, wakesFrom } from "../trace/trace-text.ts";
import { TraceStore } from "../trace/trace-store.ts";
import { holderOut, userLockWords } from "../locks/user-locks.ts";

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

const short = ({
  words,
  cpu,
  ns,
}: {
  readonly words: string;
  readonly cpu: number;
  readonly ns: number;
}): string => `${words.split(":")[0] ?? ""} cpu${String(cpu)} ${String(ns)}`;

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
  expect(causesOfWake(trace, trace.wakes.record(0)).map(short)).toEqual([
    "lock holder cpu2 5",
    "waker cpu1 10",
  ]);
});

test("a spin in user code leads to the holder, and to where that is preempted if it is", () => {
  const spins = new TraceStore(shapeOf(3, 4));
  const rows = `
  10   cpu0  switch    idle t1
  20   cpu1  switch    idle t2
  30   cpu1  user_spin 0 t2
  30   cpu1  user_owner 0 t1
  30   cpu1  state     user_spin t2
  45   cpu0  lazy      t1 cpu0
  50   cpu0  switch    t1 t3
  50   cpu0  user_out  0 t1
  80   cpu0  switch    t3 t1`;
  spins.append(100, traceChunk(rowsFrom(rows)), wakeChunk([]));
  expect(causesOfSpin(spins, 1, 40).map(short)).toEqual(["lock holder cpu1 30"]);
  expect(causesOfSpin(spins, undefined, 60).map(short)).toEqual(["preempted lock holder cpu0 50"]);
  expect(causesOfSpin(spins, 1, 90).map(short), "it runs again").toEqual(["lock holder cpu1 30"]);
  expect(causesOfSpin(spins, 0, 60), "that CPU does not spin").toEqual([]);
  const out = spins.events.firstAt(50) + 1;
  expect(causesOfRow(spins, out).map(short)).toEqual(["request to reschedule cpu0 45"]);
  expect(describeCpu(spins, 1, 60)).toBe(
    "CPU 1, spinning in user code for t2, for lock 0, held by t1, which is preempted since 50 ns, 30 nanoseconds to 100 nanoseconds",
  );
  expect(userLockWords(spins, 60)).toBe("lock 0: 1 CPU spins, held by t1, preempted for 10 ns");
  expect(userLockWords(spins, 15)).toBe("no CPU spins for a user lock at the playhead");
  expect(holderOut(spins, out)).toMatchObject({ holder: 1, cpu: 0, fromNs: 50, toNs: 80 });
});

test("the end of a spin leads to the release of the lock that was spun for, not of another", () => {
  const spins = new TraceStore(shapeOf(3, 4));
  const rows = `
  30   cpu1  user_spin 0 t2
  40   cpu0  user_owner 0
  45   cpu2  user_owner 1
  50   cpu1  user_spin_end t2 20`;
  spins.append(100, traceChunk(rowsFrom(rows)), wakeChunk([]));
  expect(causesOfRow(spins, spins.events.firstAt(50)).map(short)).toEqual(["release cpu0 40"]);
});

test("a CPU whose spin a tick interrupts spins on", () => {
  const spins = new TraceStore(shapeOf(2, 3));
  const rows = `
  20   cpu1  switch    idle t2
  30   cpu1  user_spin 0 t2
  30   cpu1  state     user_spin t2
  40   cpu1  state     hardirq t2
  50   cpu1  state     user_spin t2
  60   cpu1  state     user t2
  70   cpu1  state     hardirq t2`;
  spins.append(100, traceChunk(rowsFrom(rows)), wakeChunk([]));
  expect([45, 75].map((ns) => userLockWords(spins, ns))).toEqual([
    "lock 0: 1 CPU spins, nobody holds it",
    "no CPU spins for a user lock at the playhead",
  ]);
});
