// What the big numbers are called, and what they are shares of.

import { expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { RunReport } from "../../engine/gen/types.ts";
import { headlineValue, headlineWords, metricWords, pathsRead, sweptValue } from "./headline.ts";

test("usage beside an entitlement is one figure, the share used; alone it is a time", () => {
  const [share, throttled, more] = headlineWords([
    "groups.a/b.usage_ns",
    "groups.a/b.entitled_ns",
    "groups.a/b.nr_throttled",
  ]);
  expect(share).toMatchObject({
    path: "groups.a/b.usage_ns",
    label: "a/b: used of its limit",
    of: "the pool starts full: one quota more can be used",
    unit: "share",
  });
  expect(throttled?.label).toBe("a/b: periods that ended throttled");
  expect(more).toBeUndefined();
  const report = {
    simulated_ns: 1e9,
    metrics: { groups: { "a/b": { usage_ns: 531, entitled_ns: 1000 } } },
  } as unknown as RunReport;
  expect(share && headlineValue(report, share)).toBe(5310);
  expect(headlineWords(["groups.a.usage_ns"])).toMatchObject([
    { label: "a: CPU time used", unit: "ns_per_s" },
  ]);
});

test("a group without a quota has no share", () => {
  const [share] = headlineWords(["groups.a.usage_ns", "groups.a.entitled_ns"]);
  const report = {
    simulated_ns: 1e9,
    metrics: { groups: { a: { usage_ns: 531, entitled_ns: 0 } } },
  } as unknown as RunReport;
  expect(share && headlineValue(report, share)).toBeUndefined();
});

test("every headline of a shipped scenario has words of its own", () => {
  const bare = SCENARIOS.flatMap(({ slug, headline }) =>
    headlineWords(headline)
      .filter(
        ({ path, label }) =>
          label === path.split(".").at(-1)?.replace(/_ns$/, "").replaceAll("_", " "),
      )
      .map(({ path }) => `${slug}: ${path}`),
  );
  expect(bare).toEqual([]);
});

test("a percentile of too few samples is no figure, as in the tables", () => {
  const report = (count: number): RunReport =>
    ({
      simulated_ns: 1e9,
      metrics: { latency: { request: { count, p99_ns: 700, max_ns: 900 } } },
    }) as unknown as RunReport;
  const [p99, max] = headlineWords(["latency.request.p99_ns", "latency.request.max_ns"]);
  const of = (count: number) =>
    [p99, max].map((words) => words && headlineValue(report(count), words));
  expect(of(999)).toEqual([undefined, 900]);
  expect(of(1000)).toEqual([700, 900]);
  expect(pathsRead(p99 ?? metricWords("", {})), "known figures can be judged, too").toContain(
    "latency.request.count",
  );
});

test("the greatest of no samples is no figure, neither of one run nor of one run of many: a task that never ran is not a quick one", () => {
  const report = (count: number): RunReport =>
    ({
      simulated_ns: 1e9,
      metrics: { latency: { rt: { count, max_ns: 0 } }, rq_lock: { irq_off_max_ns: 0 } },
    }) as unknown as RunReport;
  const [max, stretch] = headlineWords(["latency.rt.max_ns", "rq_lock.irq_off_max_ns"]);
  if (max === undefined || stretch === undefined) throw new Error("no words");
  expect([headlineValue(report(0), max), sweptValue(report(0), max)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(
    [headlineValue(report(1), max), sweptValue(report(1), max)],
    "one sample has a greatest",
  ).toEqual([0, 0]);
  expect(headlineValue(report(0), stretch), "a figure without samples is one of its own").toBe(0);
});

test("under no limit nothing is used in a period, for there is none", () => {
  const report = (periods: number): RunReport =>
    ({
      simulated_ns: 1e9,
      metrics: { groups: { a: { max_period_usage_ns: 0, nr_periods: periods } } },
    }) as unknown as RunReport;
  const [words] = headlineWords(["groups.a.max_period_usage_ns"]);
  if (words === undefined) throw new Error("no words");
  expect(headlineValue(report(0), words)).toBeUndefined();
  expect(headlineValue(report(3), words)).toBe(0);
});

test("a metric that a link calls by the name of a method is a metric of that name", () => {
  for (const path of [
    "constructor",
    "toString",
    "metric.groups.x.constructor",
    "groups.x.constructor",
    "latency.x.toString",
    "tasks.x.valueOf",
  ])
    expect(metricWords(path).label).toContain(path.split(".").at(-1));
});

test("a figure of one CPU names the CPU", () => {
  expect(headlineWords(["cpus.3.device_irqs"])).toMatchObject([
    { label: "CPU 3: device interrupts", unit: "count" },
  ]);
});
