import { expect, test } from "vitest";
import type { RunReport } from "../engine/gen/types.ts";
import { metricAt } from "./metric-path.ts";

test("a metric is found by its path, also where a task's name holds dots", () => {
  const report = { metrics: { rq_lock: { max_waiters: 3 }, tasks: { "shell.0": { run_ns: 7 } } } } as unknown as RunReport;
  expect(metricAt(report, "rq_lock.max_waiters")).toBe(3);
  expect(metricAt(report, "tasks.shell.0.run_ns")).toBe(7);
  expect(metricAt(report, "tasks.shell.1.run_ns")).toBeUndefined();
  expect(metricAt(report, "rq_lock")).toBeUndefined();
});
