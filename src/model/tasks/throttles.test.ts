import { beforeAll, expect, test } from "vitest";
import { KIND } from "../../engine/gen/catalogue.ts";
import { loadEngine } from "../../engine/testing.ts";
import { samplesOf } from "./samples.ts";
import { run } from "../testing.ts";
import { samplesThatMet, throttleBins } from "./throttles.ts";
import type { TraceStore } from "../trace/trace-store.ts";

beforeAll(loadEngine);

/** Group by path. */
function groupOf(store: TraceStore, path: string): number {
  return store.shape.groups.findIndex((group) => group.path === path);
}

/** The group's throttles as its rows say, in time order; one that lasts ends with the run. */
function fromRows(
  store: TraceStore,
  group: number,
): { readonly cpu: number; readonly fromNs: number; readonly toNs: number }[] {
  const { events } = store;
  const rows = events.rowsOf([KIND.BwThrottle, KIND.BwUnthrottle]);
  const since = new Map<number, number>();
  const all: { cpu: number; fromNs: number; toNs: number }[] = [];
  for (let index = 0; index < rows.count; index += 1) {
    const row = rows.at(index);
    if (events.a.at(row) !== group) continue;
    const [cpu, ns] = [events.cpu.at(row), events.time.at(row)];
    const fromNs = since.get(cpu);
    if (events.kind.at(row) === KIND.BwThrottle) since.set(cpu, ns);
    else if (fromNs !== undefined) all.push({ cpu, fromNs, toNs: ns });
    if (events.kind.at(row) === KIND.BwUnthrottle) since.delete(cpu);
  }
  return [...all, ...[...since].map(([cpu, fromNs]) => ({ cpu, fromNs, toNs: store.endNs }))];
}

test.each([
  ["quota-web-p95", "web", "3s"],
  ["quota-average-lies", "app", "5s"],
  ["quota-32-threads", "app", "300ms"],
])(
  "%s: the bins hold every throttle of the group once, where its length lies, and know the longest",
  (slug, path, duration) => {
    const [store, report] = run(slug, 0, [["duration", duration]]);
    const rows = fromRows(store, groupOf(store, path));
    const bins = throttleBins(store, groupOf(store, path));
    expect(report.metrics.groups?.[path]?.nr_throttled).toBeGreaterThan(0);
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
    for (const { fromNs, toNs, count, longest } of bins) {
      const inside = rows
        .map((each) => each.toNs - each.fromNs)
        .filter((ns) => ns >= fromNs && ns < toNs);
      expect(inside).toHaveLength(count);
      expect(longest.toNs - longest.fromNs).toBe(Math.max(...inside));
    }
  },
);

test("a sample meets a throttle if one lies within it; without a limit none does", () => {
  const [store] = run("quota-web-p95", 0, [["duration", "2s"]]);
  const web = groupOf(store, "web");
  const stretches = fromRows(store, web);
  for (const { series, samples, met } of samplesThatMet(store, web)) {
    const own = samplesOf(store).filter((sample) => sample.series === series);
    expect(samples).toBe(own.length);
    expect(met).toBe(
      own.filter(({ fromNs, ns }) =>
        stretches.some((each) => each.fromNs < fromNs + ns && each.toNs > fromNs),
      ).length,
    );
    expect(met).toBeGreaterThan(0);
  }
  const [free] = run("quota-web-p95", 0, [
    ["duration", "300ms"],
    ["cgroups.web.cpu_max", "max"],
  ]);
  expect(samplesThatMet(free, groupOf(free, "web")).every(({ met }) => met === 0)).toBe(true);
});
