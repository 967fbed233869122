import fc from "fast-check";
import { expect, test } from "vitest";
import { CPU_STATE, CPU_STATES } from "../../engine/gen/catalogue.ts";
import { syntheticRun } from "../trace/synthetic-run.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk, wakesFrom } from "../trace/trace-text.ts";
import { TraceStore } from "../trace/trace-store.ts";
import { areaStats } from "./area-stats.ts";

const CPUS = 6;
const run = syntheticRun(CPUS, 20, 60);
const store = new TraceStore(run.shape);
store.append(run.endNs, run.trace, run.wakes);

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
const instant = fc.nat(run.endNs + 1000);
const ends = fc
  .tuple(instant, instant)
  .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);
const cpus = fc.option(fc.uniqueArray(fc.nat(CPUS - 1)), { nil: undefined });

test("an area's states are the lanes' own sums, its tasks add up to its states, and all of it to its time", () => {
  fc.assert(
    fc.property(ends, cpus, ([fromNs, toNs], chosen) => {
      const stats = areaStats(store, { fromNs, toNs, cpus: chosen });
      const lanes = store.lanes.filter(({ cpu }) => chosen?.includes(cpu) ?? true);
      const windows = lanes.map((lane) => lane.windowNs(fromNs, toNs, store.endNs));
      expect(stats.channelNs).toEqual(
        stats.channelNs.map((_, channel) => sum(windows.map((window) => window[channel] ?? 0))),
      );
      CPU_STATES.forEach((_, state) => {
        expect(sum(stats.tasks.map((task) => task.stateNs[state] ?? 0))).toBe(
          stats.channelNs[state],
        );
      });
      expect(sum(stats.tasks.map(({ ns }) => ns))).toBe(stats.ns);
    }),
  );
});

test("waits for locks are the time its CPUs spin, and causes add up to the latencies of the wake-ups that end there", () => {
  fc.assert(
    fc.property(ends, cpus, ([fromNs, toNs], chosen) => {
      const stats = areaStats(store, { fromNs, toNs, cpus: chosen });
      expect(sum(stats.locks.map(({ waitNs }) => waitNs))).toBe(stats.channelNs[CPU_STATE.Spin]);
      expect(sum(stats.causeNs)).toBe(stats.latencyNs);
    }),
  );
});

test("neighbouring areas add up to the area they make", () => {
  fc.assert(
    fc.property(ends, instant, cpus, ([fromNs, toNs], cut, chosen) => {
      const middle = Math.min(Math.max(cut, fromNs), toNs);
      const left = areaStats(store, { fromNs, toNs: middle, cpus: chosen });
      const right = areaStats(store, { fromNs: middle, toNs, cpus: chosen });
      const whole = areaStats(store, { fromNs, toNs, cpus: chosen });
      expect(left.wakeups + right.wakeups).toBe(whole.wakeups);
      expect(left.causeNs.map((ns, cause) => ns + (right.causeNs[cause] ?? 0))).toEqual(
        whole.causeNs,
      );
      expect(sum([...left.locks, ...right.locks].map(({ holdNs }) => holdNs))).toBe(
        sum(whole.locks.map(({ holdNs }) => holdNs)),
      );
    }),
  );
});

test("only what the area's CPUs did counts, clipped to its ends", () => {
  const small = new TraceStore(shapeOf(2, 3));
  const rows = rowsFrom(`
    0    cpu0  state  user t1
    0    cpu1  state  idle
    0    cpu0  acq    0
    10   cpu1  state  spin! t2
    10   cpu1  wait   0
    40   cpu0  rel    0
    40   cpu1  acq    0 30
    40   cpu1  state  kernel t2`);
  small.append(
    100,
    traceChunk(rows),
    wakeChunk(wakesFrom("t2 0 cpu1 due 5: irq_delay 5, rq_lock_spin 30")),
  );
  const stats = areaStats(small, { fromNs: 20, toNs: 60, cpus: [1] });
  expect(stats.tasks).toMatchObject([{ task: 2, ns: 40 }]);
  expect(stats.locks).toEqual([{ lock: 0, waitNs: 20, holdNs: 20 }]);
  expect([stats.ns, stats.wakeups, stats.latencyNs]).toEqual([40, 1, 35]);
  expect(areaStats(small, { fromNs: 20, toNs: 60, cpus: [0] })).toMatchObject({
    wakeups: 0,
    locks: [{ lock: 0, waitNs: 0, holdNs: 20 }],
  });
});
