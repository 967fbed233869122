import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { costWords, culpritsOf, lockNames } from "./culprits.ts";
import { run } from "../testing.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk, wakesFrom } from "../trace/trace-text.ts";
import { TraceStore } from "../trace/trace-store.ts";

beforeAll(loadEngine);

/** "90 ns: CPU 1 left its idle state. @10" for each sentence on a run's first wake-up. */
function told(rows: string, wakes: string): readonly string[] {
  const store = new TraceStore(shapeOf(4, 4));
  store.append(1_000_000, traceChunk(rowsFrom(rows)), wakeChunk(wakesFrom(wakes)));
  return culpritsOf(store, store.wakes.record(0)).map(
    (culprit) => `${costWords(culprit)}: ${culprit.words} @${String(culprit.atNs)}`,
  );
}

test("the sentences begin with what cost most, and tell nine tenths of the latency", () => {
  const rows = `
    0    cpu1  state  user t2
    80   cpu1  state  hardirq t2
    575  cpu1  state  user t2`;
  expect(
    told(rows, "t1 0 cpu1 due 100: irq 475, ipi 1100, switch 1810, return_to_user 140"),
  ).toEqual([
    "1.81 µs: the kernel woke t1 up or switched to it. @1675",
    "1.1 µs: an IPI was in flight. @575",
    "475 ns: interrupt handlers ran on CPU 1: they interrupted t2. @100",
  ]);
});

test("stretches that one sentence is true of are told together, and lead to the longest", () => {
  const rows = `
    0    cpu1  state  user t2
    500  cpu1  state  hardirq
    600  cpu1  state  user t2
    1600 cpu1  state  user t3`;
  expect(
    told(rows, "t1 0 cpu1 due 100: same_class 400, irq 100, same_class 1000, same_class 300"),
  ).toEqual(["1.4 µs: t2 ran on CPU 1 instead. @600", "300 ns: t3 ran on CPU 1 instead. @1600"]);
});

test("stretches of spins name their locks, the longest wait first; of other stretches no lock is named", () => {
  const store = new TraceStore({ ...shapeOf(4, 4), locks: ["rq 0", "rq 1"] });
  const rows = `
    0    cpu2  acq    0 0
    0    cpu3  acq    1 0
    40   cpu1  wait   0 1
    140  cpu1  acq    0 100
    150  cpu1  wait   1 1
    450  cpu1  acq    1 300`;
  const wakes = "t1 0 cpu1 due 40: rq_lock_spin 100, switch 10, rq_lock_spin 300";
  store.append(1_000_000, traceChunk(rowsFrom(rows)), wakeChunk(wakesFrom(wakes)));
  const wake = store.wakes.record(0);
  expect(lockNames(store, wake, wake.segments)).toBe("rq 1, rq 0");
  expect(wake.segments.map((segment) => lockNames(store, wake, [segment]))).toEqual([
    "rq 0",
    "",
    "rq 1",
  ]);
});

test("a spin names the lock, its holder and who stood ahead", () => {
  const rows = `
    0    cpu2  state  kernel t2
    5    cpu2  acq    0 0
    30   cpu3  wait   0 1
    40   cpu1  wait   0 2
    900  cpu2  rel    0 2
    905  cpu3  acq    0 875
    910  cpu3  rel    0 1
    915  cpu1  acq    0 875`;
  expect(told(rows, "t1 0 cpu1 due 40: rq_lock_spin 875, switch 20")).toEqual([
    "875 ns: CPU 1 spun for rq 0: CPU 2 held it for t2, 1 stood ahead (CPU 3). @40",
  ]);
});

test("spins that a long wait has off and on name the locks of its CPU, whatever they guard, the longest wait first", () => {
  const locks = ["rq 0", "cfs_b pod", "cfs_b web", "cfs_b db"];
  const waits = [10, 300, 200, 100].map((ns, lock) => {
    const at = 1000 * (lock + 1);
    return `${String(at - 50)} cpu2 acq ${String(lock)} 0\n${String(at)} cpu1 wait ${String(lock)} 1\n${String(at + ns)} cpu1 acq ${String(lock)} ${String(ns)}`;
  });
  const spun = (due: number): string | undefined => {
    const wake = `t1 0 cpu1 due ${String(due)}: switch 5, irq 0, rq_lock_spin 610, irq 0, switch 4000`;
    const store = new TraceStore({ ...shapeOf(4, 4), locks });
    store.append(1_000_000, traceChunk(rowsFrom(waits.join("\n"))), wakeChunk(wakesFrom(wake)));
    return culpritsOf(store, store.wakes.record(0)).find(({ words }) => words.includes("spun"))
      ?.words;
  };
  expect(spun(900)).toBe("CPU 1 spun for cfs_b pod, cfs_b web and 2 other locks, off and on.");
  expect(spun(100_000), "another CPU did").toBe(
    "a CPU that this wake-up needed spun for a lock, off and on.",
  );
});

test("a task that runs at a priority that it was lent is not told to be of a higher one", () => {
  const [inherits] = run("priority-inheritance", 1);
  const rows = Array.from({ length: inherits.wakes.count }, (_, row) =>
    culpritsOf(inherits, inherits.wakes.record(row)),
  );
  const words = rows.flat().map((culprit) => culprit.words);
  expect(words).toContain("weak.0, whose priority was lent by a waiter, ran on CPU 0 instead.");
  expect(words.filter((each) => each.startsWith("weak.0, of higher"))).toEqual([]);
});

test("an interrupt that waits names what the CPU did meanwhile", () => {
  expect(told("0 cpu1 state kernel! t2", "t1 0 cpu1 due 10: irq_delay 5000, switch 10")).toEqual([
    "5 µs: the timer or IPI was due, but its handler had not begun (CPU 1: kernel code for t2, interrupts off). @10",
  ]);
});

test("nobody is named where the CPU of the wake-up was not in a handler itself: its waker was", () => {
  expect(told("0 cpu1 state user t2", "t1 0 cpu1 due 10: irq 500, switch 10")).toEqual([
    "500 ns: interrupt handlers ran before t1 could go on. @10",
  ]);
});

test("a wait for quota is told, whoever ran meanwhile", () => {
  expect(told("0 cpu1 state user t2", "t1 0 cpu1 due 10: throttled 5000, switch 10")).toEqual([
    "5 µs: the group of t1 was throttled: its quota was used up. @10",
  ]);
});
