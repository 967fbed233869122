import { expect, test } from "vitest";
import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import { syntheticRun } from "./synthetic-run.ts";
import { TraceStore } from "./trace-store.ts";

function storeOf(cpus: number, rounds: number, herd: number): TraceStore {
  const run = syntheticRun(cpus, rounds, herd);
  const store = new TraceStore(run.shape);
  store.append(run.endNs, run.trace, run.wakes);
  return store;
}

test("a run costs at most 40 bytes a row, all indexes and spare capacity included", () => {
  for (const [cpus, rounds] of [
    [40, 250],
    [256, 40],
    [4, 2500],
  ] as const) {
    const store = storeOf(cpus, rounds, 100);
    expect(store.bytes / store.rows).toBeLessThanOrEqual(40);
  }
});

test("the spinning that lanes show is the waiting that the lock shows", () => {
  const store = storeOf(16, 20, 100);
  const spun = store.lanes.reduce(
    (sum, lane) => sum + (lane.windowNs(0, store.endNs, store.endNs)[CPU_STATE.Spin] ?? 0),
    0,
  );
  const steps = store.locks.lock(0)?.steps(0, store.endNs) ?? [];
  const waited = steps.reduce(
    (sum, step) => sum + step.queue.length * (step.toNs - step.fromNs),
    0,
  );
  expect(spun).toBeGreaterThan(0);
  expect(spun).toBe(waited);
});

test("appending in chunks is appending at once", () => {
  const run = syntheticRun(8, 12, 100);
  const whole = new TraceStore(run.shape);
  whole.append(run.endNs, run.trace, run.wakes);
  const parts = new TraceStore(run.shape);
  const none = {
    ...run.wakes,
    task: new Uint32Array(0),
    nth: new Uint32Array(0),
    cpu: new Uint16Array(0),
    due: new Float64Array(0),
    latency: new Float64Array(0),
    segmentsEnd: new Uint32Array(0),
    segmentCause: new Uint8Array(0),
    segmentNs: new Uint32Array(0),
  };
  const { time, kind, cpu, a, b } = run.trace;
  for (let from = 0; from < time.length; from += 37) {
    const to = from + 37;
    const chunk = {
      time: time.slice(from, to),
      kind: kind.slice(from, to),
      cpu: cpu.slice(from, to),
      a: a.slice(from, to),
      b: b.slice(from, to),
    };
    parts.append(run.endNs, chunk, to >= time.length ? run.wakes : none);
  }
  expect(parts.rows).toBe(whole.rows);
  for (const [index, lane] of whole.lanes.entries()) {
    expect(parts.lanes[index]?.windowNs(0, run.endNs, run.endNs)).toEqual(
      lane.windowNs(0, run.endNs, run.endNs),
    );
  }
  expect(parts.locks.lock(0)?.peak).toEqual(whole.locks.lock(0)?.peak);
  expect(parts.wakes.worst(5)).toEqual(whole.wakes.worst(5));
});
