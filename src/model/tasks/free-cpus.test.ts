import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { freeCpuOf } from "./free-cpus.ts";
import { run } from "../testing.ts";

beforeAll(loadEngine);

test.each([
  [
    "rt-migrate",
    0,
    /^CPU 1, which rt_migrate_test\.1 may use, ran rt_migrate_test\.0, which has a lower priority, for 20 ms$/,
  ],
  [
    "beside-idle",
    0,
    /^CPU \d, which re(?:port|quest)\.1 may use, was idle for \d\d\.\d+ ms; \d more of its CPUs /,
  ],
  ["rt-migrate", 1, undefined],
  ["rt-pull-herd", 0, undefined],
])(
  "%s, variant %i: what stands beside the worst wake-up, and never more than the engine counts as avoidable",
  (slug, variant, words) => {
    const [store, report] = run(slug, variant);
    const [worst = 0] = store.wakes.worst(1);
    const told = freeCpuOf(store, store.wakes.record(worst));
    if (words === undefined) expect(told).toBeUndefined();
    else expect(told?.words).toMatch(words);
    const sums = new Map<string, number>();
    for (const row of store.wakes.worst(500)) {
      const wake = store.wakes.record(row);
      const ns = freeCpuOf(store, wake)?.ns ?? 0;
      expect(ns).toBeLessThanOrEqual(wake.latencyNs);
      const kind = store.shape.tasks[wake.taskId]?.kind ?? "";
      sums.set(kind, (sums.get(kind) ?? 0) + ns);
    }
    for (const [kind, ns] of sums)
      expect(ns, kind).toBeLessThanOrEqual(report.metrics.latency[kind]?.avoidable_ns ?? 0);
  },
);

test("no CPU is named that the task may not use", () => {
  const [store] = run("beside-idle", 0);
  const wake = store.wakes.record(store.wakes.worst(1)[0] ?? 0);
  expect(freeCpuOf(store, wake)).toBeDefined();
  const pinned = {
    ...store.shape,
    tasks: store.shape.tasks.map((task) => ({ ...task, cpus: String(wake.cpu) })),
  };
  expect(
    freeCpuOf(Object.assign(Object.create(store) as typeof store, { shape: pinned }), wake),
  ).toBeUndefined();
});
