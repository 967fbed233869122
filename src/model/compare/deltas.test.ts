import { expect, test } from "vitest";
import { CAUSES } from "../../engine/gen/catalogue.ts";
import type { Metrics, TaskMetrics } from "../../engine/gen/types.ts";
import { shapeOf, traceChunk, wakeChunk } from "../trace/trace-text.ts";
import { TraceStore } from "../trace/trace-store.ts";
import { causeDeltas, deltaOf, metricDeltas, taskDeltas, type Finished } from "./deltas.ts";

const task = (run_ns: number, switches: number): TaskMetrics => ({
  activations: [],
  involuntary_switches: switches,
  voluntary_switches: 1,
  loops: 0,
  ready_ns: 0,
  run_ns,
  spin_ns: 0,
  throttled_ns: 0,
  user_ns: 0,
  wakeups: 2,
});

/** The part of a report that a comparison reads. */
function metrics(parts: object): Metrics {
  return { latency: {}, tasks: {}, ...parts } as unknown as Metrics;
}

function finished(
  parts: object,
  latencies: readonly (readonly [task: number, ns: number])[] = [],
): Finished {
  const shape = shapeOf(1, 3);
  const trace = new TraceStore(shape);
  const wakes = latencies.map(([id, ns], nth) => ({
    task: id,
    nth,
    cpu: 0,
    due: nth * 1000,
    segments: [[1, ns] as const],
  }));
  trace.append(1e6, traceChunk([]), wakeChunk(wakes));
  return { metrics: metrics(parts), tasks: shape.tasks, trace };
}

test("every integer of both reports has a row, those that only one has too; single tasks do not", () => {
  const rows = metricDeltas(
    metrics({ rq_lock: { max_waiters: 39, wait_ns: 500 }, tasks: { t1: task(1, 1) } }),
    metrics({ rq_lock: { max_waiters: 1, wait_ns: 0 }, groups: { "/web": { burst_ns: 7 } } }),
  );
  expect(rows).toEqual([
    { path: "rq_lock.max_waiters", a: 39, b: 1, few: {} },
    { path: "rq_lock.wait_ns", a: 500, b: 0, few: {} },
    { path: "groups./web.burst_ns", a: undefined, b: 7, few: {} },
  ]);
  expect(rows.map(deltaOf)).toEqual([-38, -500, undefined]);
});

test("a percentile of too few samples has no figure in any table, but says how many there are", () => {
  const latency = (count: number): object => ({
    latency: { web: { count, p50_ns: 1, p90_ns: 2, p99_ns: 3, p999_ns: 4, max_ns: 5 } },
  });
  const rows = metricDeltas(metrics(latency(82)), metrics(latency(1000)));
  expect(rows.map(({ path, a, b, few }) => [path.split(".").at(-1), a, b, few.a, few.b])).toEqual([
    ["count", 82, 1000, undefined, undefined],
    ["p50_ns", 1, 1, undefined, undefined],
    ["p90_ns", undefined, 2, 82, undefined],
    ["p99_ns", undefined, 3, 82, undefined],
    ["p999_ns", undefined, undefined, 82, 1000],
    ["max_ns", 5, 5, undefined, undefined],
  ]);
});

test("the least and the greatest of no samples are no figures in any table", () => {
  const never = {
    latency: { cyclictest: { count: 0, min_ns: 0, max_ns: 0, sum_ns: 0 } },
    tasks: { t1: task(0, 0), t2: task(0, 0) },
  };
  const rows = metricDeltas(metrics(never), metrics({}));
  expect(rows.map(({ path, a, few }) => [path.split(".").at(-1), a, few.a])).toEqual([
    ["count", 0, undefined],
    ["min_ns", undefined, 0],
    ["max_ns", undefined, 0],
    ["sum_ns", 0, undefined],
  ]);
  const [kind] = taskDeltas(finished(never), finished({}));
  expect(kind?.figures.max.a).toBeUndefined();
});

test("a kind's row sums its tasks, and each task has its own", () => {
  const a = finished({ tasks: { t0: task(5, 0), t1: task(100, 3), t2: task(50, 0) } });
  const b = finished({ tasks: { t0: task(6, 0), t1: task(110, 2) } });
  const rows = taskDeltas(a, b);
  expect(
    rows.map(({ name, whole, figures }) => [name, whole, figures.run, figures.switches]),
  ).toEqual([
    ["t0", false, { a: 5, b: 6 }, { a: 1, b: 1 }],
    ["cyclictest", true, { a: 150, b: 110 }, { a: 5, b: 3 }],
    ["t1", false, { a: 100, b: 110 }, { a: 4, b: 3 }],
    ["t2", false, { a: 50, b: undefined }, { a: 1, b: undefined }],
  ]);
});

test("a task's percentiles stand on its own wake-ups, and only where there are enough", () => {
  const many = Array.from({ length: 1000 }, (_, at) => [1, at + 1] as const);
  const rows = taskDeltas(
    finished({ tasks: { t1: task(1, 1) } }, many),
    finished({ tasks: { t1: task(1, 1) } }, [[1, 77]]),
  );
  const { p50, p99, max } = rows.find(({ name }) => name === "t1")?.figures ?? {};
  expect([p50, p99, max]).toEqual([
    { a: 500, b: undefined },
    { a: 990, b: undefined },
    { a: 1000, b: 77 },
  ]);
});

test("causes come for all kinds together and for each, with shares that add to 100.00 %", () => {
  const latency = (causes: Readonly<Record<string, number>>): object => ({
    causes_ns: causes,
    count: 1,
  });
  const a = metrics({
    latency: { cyclictest: latency({ irq: 1, switch: 2 }), web: latency({ irq: 3 }) },
  });
  const b = metrics({ latency: { cyclictest: latency({ irq: 4 }) } });
  const rows = causeDeltas(a, b);
  expect(rows.map(({ cause, kind, ns }) => [CAUSES[cause]?.name, kind, ns.a, ns.b])).toEqual([
    ["irq", undefined, 4, 4],
    ["switch", undefined, 2, 0],
    ["irq", "cyclictest", 1, 4],
    ["switch", "cyclictest", 2, 0],
    ["irq", "web", 3, undefined],
  ]);
  for (const kind of [undefined, "cyclictest"]) {
    const own = rows.filter((row) => row.kind === kind);
    expect(own.reduce((sum, { share }) => sum + (share.a ?? 0), 0)).toBe(10_000);
    expect(own.reduce((sum, { share }) => sum + (share.b ?? 0), 0)).toBe(10_000);
  }
});
