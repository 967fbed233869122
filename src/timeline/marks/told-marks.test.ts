import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { run } from "../../model/testing.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import { TraceStore } from "../../model/index.ts";
import { kickWords } from "./kick-words.ts";
import { forWhom, pennantWords } from "./pennant.ts";

beforeAll(loadEngine);

function storeOf(rows: string): TraceStore {
  const store = new TraceStore(shapeOf(4, 4, 10_000));
  store.append(10_000, traceChunk(rowsFrom(rows)), wakeChunk([]));
  return store;
}

function told(rows: string): string {
  const store = storeOf(rows);
  const [flag] = store.flags.list(0, 10_000, store.endNs);
  return flag === undefined ? "" : (pennantWords(store, flag)[0] ?? "");
}

test("a pennant says who set the flag, for whom, and what acts on it", () => {
  const lazy = `
    100  cpu1  lazy    t1 cpu0
    100  cpu0  wakeup  t2 cpu1`;
  expect(
    told(`${lazy}
    600  cpu1  upgrade t1 cpu1
    700  cpu1  take    irq_exit t1
    700  cpu1  clear   t1 600`),
  ).toBe("lazy, set by CPU 0 for t2; the tick makes it need_resched after 500 ns");
  expect(
    told(`${lazy}
    300  cpu1  take    return_to_user t1
    300  cpu1  clear   t1 200`),
  ).toBe("lazy, set by CPU 0 for t2; schedule() at return to user after 200 ns");
  expect(told(lazy)).toBe("lazy, set by CPU 0 for t2; still set after 9.9 µs");
});

test("a flag that no wake-up sets names no task", () => {
  expect(told("100 cpu1 flag t1 cpu1\n400 cpu1 clear t1 300")).toBe(
    "need_resched, set by CPU 1; the task gives way after 300 ns",
  );
});

test("a flag of an idle CPU says that the CPU leaves idle, because no task gives way there", () => {
  expect(told("100 cpu1 flag idle cpu2\n400 cpu1 clear idle 300")).toBe(
    "need_resched, set by CPU 2; the CPU leaves idle after 300 ns",
  );
});

test("lazy-or-now: the task that a flag is set for is one that waits on that CPU from then on", () => {
  const [store] = run("lazy-or-now", 1);
  const flags = store.flags.list(0, 100_000_000, store.endNs).filter(({ lazy }) => lazy);
  expect(flags.length).toBeGreaterThan(20);
  for (const flag of flags) {
    const name = forWhom(store, flag);
    if (name === undefined) continue;
    const waits: string[] = [];
    store.waits.visit(flag.fromNs, flag.fromNs, store.endNs, (from, to, cpu, task) => {
      if (cpu === flag.cpu && from <= flag.fromNs && to > flag.fromNs)
        waits.push(store.taskName(task));
    });
    expect(waits).toContain(name);
  }
  expect(flags.some((flag) => forWhom(store, flag) !== undefined)).toBe(true);
});

test("nohz-kick: a kick is told as tick, IPI, woken CPU and what it found, in order of time", () => {
  const [store] = run("nohz-kick", 0);
  const kicks = store.kicks.list(0, 500_000_000).filter(({ wokeNs }) => wokeNs !== undefined);
  expect(kicks.length).toBeGreaterThan(100);
  const complete = kicks.flatMap((kick) => {
    const [tick, ipi, woken, found] = kickWords(store, kick);
    expect(tick).toBe(`1 tick of CPU ${String(kick.cpu)}`);
    if (ipi === undefined) return [];
    expect(woken).toBe(`3 CPU ${String(kick.target)} is woken`);
    if (found === undefined) return [];
    expect(found.ns).toBeGreaterThanOrEqual(kick.wokeNs ?? Infinity);
    return [found.words];
  });
  expect(complete.length).toBeGreaterThan(100);
  expect(complete.every((words) => /^4 looks at \d+ idle CPU/.test(words))).toBe(true);
});
