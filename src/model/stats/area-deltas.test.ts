import fc from "fast-check";
import { expect, test } from "vitest";
import { syntheticRun } from "../trace/synthetic-run.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk, wakesFrom } from "../trace/trace-text.ts";
import { TraceStore } from "../trace/trace-store.ts";
import type { Pair } from "../compare/deltas.ts";
import { areaDeltas, NO_TASK, type AreaRow } from "./area-deltas.ts";

function storeOf(cpus: number, tasks: number, spans: number): TraceStore {
  const run = syntheticRun(cpus, tasks, spans);
  const store = new TraceStore(run.shape);
  store.append(run.endNs, run.trace, run.wakes);
  return store;
}

const A = storeOf(6, 20, 60);
const B = storeOf(4, 12, 40);
const instant = fc.nat(Math.max(A.endNs, B.endNs) + 1000);
const areas = fc
  .tuple(instant, instant, fc.option(fc.uniqueArray(fc.nat(5)), { nil: undefined }))
  .map(([one, other, cpus]) => ({
    fromNs: Math.min(one, other),
    toNs: Math.max(one, other),
    cpus,
  }));

const summed = (rows: readonly AreaRow[]): Pair => ({
  a: rows.reduce((sum, { a }) => sum + (a ?? 0), 0),
  b: rows.reduce((sum, { b }) => sum + (b ?? 0), 0),
});

test("on each side the rows of a table add up to its sum, and states and tasks to the time of the area's CPUs", () => {
  fc.assert(
    fc.property(areas, (area) => {
      const deltas = areaDeltas(A, B, area);
      for (const { rows, sum } of [
        deltas.states,
        deltas.tasks,
        deltas.waits,
        deltas.holds,
        deltas.causes,
      ])
        expect(summed(rows)).toEqual(sum);
      expect(deltas.states.sum).toEqual(deltas.ns);
      expect(deltas.tasks.sum).toEqual(deltas.ns);
      const spin = deltas.states.rows.find(({ name }) => name === "spin");
      expect(deltas.waits.sum).toEqual({ a: spin?.a ?? 0, b: spin?.b ?? 0 });
    }),
  );
});

test("a CPU that has no row yet, or none at all, counts as the idle CPU that it is", () => {
  const store = new TraceStore(shapeOf(4, 3));
  store.append(
    100,
    traceChunk(rowsFrom("30 cpu1 state user t2\n 60 cpu1 state idle")),
    wakeChunk([]),
  );
  const { ns, states, tasks } = areaDeltas(store, undefined, { fromNs: 0, toNs: 100 });
  expect([ns.a, states.sum.a, tasks.sum.a]).toEqual([400, 400, 400]);
  expect(states.rows.find(({ name }) => name === "idle")?.a).toBe(370);
});

test("a side without a run has no figure, a task that one run lacks has 0 there", () => {
  const one = areaDeltas(A, undefined, { fromNs: 0, toNs: A.endNs });
  expect(one.ns.b).toBeUndefined();
  expect(one.tasks.rows.every(({ b }) => b === undefined)).toBe(true);
  const both = areaDeltas(A, B, { fromNs: 0, toNs: A.endNs });
  const only = both.tasks.rows.find(
    ({ name }) => name !== NO_TASK && !B.shape.tasks.some((task) => task.name === name),
  );
  expect(only?.b).toBe(0);
});

test("the stretch of one wake-up, from its due time to its running, holds that wake-up and its causes", () => {
  const store = new TraceStore(shapeOf(2, 3));
  store.append(
    100,
    traceChunk(rowsFrom("0 cpu1 state idle\n 10 cpu1 state spin! t2\n 40 cpu1 state user t2")),
    wakeChunk(wakesFrom("t2 0 cpu1 due 5: irq_delay 5, rq_lock_spin 30")),
  );
  const { wakeups, causes, ns } = areaDeltas(store, undefined, { fromNs: 5, toNs: 40, cpus: [1] });
  expect([wakeups.a, causes.sum.a, ns.a]).toEqual([1, 35, 35]);
  expect(areaDeltas(store, undefined, { fromNs: 40, toNs: 90, cpus: [1] }).wakeups.a).toBe(0);
});
