import { expect, test } from "vitest";
import type { RunReport } from "../engine/gen/types.ts";
import { metricAt } from "./metric-path.ts";

test("a metric is found by its path, also where a task's name holds dots", () => {
  const report = {
    metrics: { rq_lock: { max_waiters: 3 }, tasks: { "shell.0": { run_ns: 7 } } },
  } as unknown as RunReport;
  expect(metricAt(report, "rq_lock.max_waiters")).toBe(3);
  expect(metricAt(report, "tasks.shell.0.run_ns")).toBe(7);
  expect(metricAt(report, "tasks.shell.1.run_ns")).toBeUndefined();
  expect(metricAt(report, "rq_lock")).toBeUndefined();
});

test("a star sums the instances of one kind and of no other", () => {
  const task = (run_ns: number) => ({ run_ns });
  const tasks = { "cc.0": task(1), "cc.10": task(20), "cc.x.0": task(300), "ccd.0": task(4000) };
  const report = { metrics: { tasks } } as unknown as RunReport;
  expect(metricAt(report, "tasks.cc.*.run_ns")).toBe(21);
  expect(metricAt(report, "tasks.nobody.*.run_ns")).toBeUndefined();
});
