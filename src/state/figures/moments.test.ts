// Where numbers lead, on runs of shipped scenarios.

import { beforeAll, expect, test } from "vitest";
import { KIND } from "../../engine/gen/catalogue.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { RunMeta } from "../../engine/gen/types.ts";
import { DriverOnBench, loadEngine } from "../../engine/testing.ts";
import { TraceStore } from "../../model/index.ts";
import type { Run } from "../state.ts";
import { metricAt } from "./metric-path.ts";
import { momentOf, type Moment } from "./moments.ts";

beforeAll(loadEngine);

function shown(slug: string): Run {
  const entry = SCENARIOS.find((each) => each.slug === slug);
  const bench = new DriverOnBench();
  const set = Object.entries(entry?.variants[0]?.set ?? {});
  bench.start(1, { slug, text: entry?.text ?? "", set, maxRecords: 8_000_000 });
  let meta: RunMeta | undefined;
  let trace: TraceStore | undefined;
  for (const message of bench.finish()) {
    if (message.type === "meta") [meta, trace] = [message.meta, new TraceStore(message.meta)];
    else if (message.type === "chunk") trace?.append(message.reached.simulatedNs, message.trace, message.wakes);
    else if (message.type === "finished" && meta !== undefined && trace !== undefined)
      return { meta, trace, report: message.report } as unknown as Run;
  }
  throw new Error("the run did not finish");
}

const momentIn = (run: Run, path: string): Moment => {
  const moment = momentOf(run, path, { fromNs: 0, toNs: run.trace.endNs });
  if (moment === undefined) throw new Error(`${path} leads nowhere`);
  return moment;
};

test("a group's use leads to its fullest period, whose use is the figure of the report; its throttles to the first, whole", () => {
  const run = shown("quota-average-lies");
  const most = "groups.app.max_period_usage_ns";
  const { atNs, untilNs = 0 } = momentIn(run, most);
  const track = run.trace.quota.limited.find(({ info }) => info.path === "app");
  const figure = (run.report && metricAt(run.report, most)) ?? 0;
  const used = (track?.usedAt(untilNs) ?? 0) - (track?.usedAt(atNs) ?? 0);
  expect(used).toBeLessThanOrEqual(figure);
  expect(used, "from where it begins to use").toBeGreaterThan(figure * 0.98);
  expect(untilNs - atNs, "not the sleep before").toBeLessThan(100_000_000);
  expect(momentIn(run, "groups.app.usage_ns")).toMatchObject({ atNs, untilNs });
  const throttle = momentIn(run, "groups.app.nr_throttled");
  const { events } = run.trace;
  expect(throttle.atNs).toBe(events.time.at(events.rowsOf([KIND.BwThrottle]).at(0)));
  expect(throttle.untilNs).toBeGreaterThan(throttle.atNs);
});

test("a task's CPU time leads to its longest run, and on no CPU does another task run then", () => {
  const run = shown("rt-throttling");
  const { atNs, untilNs = 0, cpu = 0, words } = momentIn(run, "tasks.runaway.0.run_ns");
  expect(words).toContain("runaway.0 ran");
  const runaway = run.meta.tasks.findIndex(({ name }) => name === "runaway.0");
  for (const share of [0.1, 0.5, 0.9])
    expect(run.trace.cpuAt(cpu, atNs + Math.round((untilNs - atNs) * share))?.task ?? runaway).toBe(runaway);
});

test("sums over the waits of a kind lead to the longest of them", () => {
  const run = shown("beside-idle");
  const { chosen, summed } = momentIn(run, "latency.request.avoidable_ns");
  const { wakes } = run.trace;
  const row = wakes.findSelection(chosen) ?? -1;
  expect([wakes.latencyNs(row), summed]).toEqual([run.report?.metrics.latency["request"]?.max_ns, true]);
  const ready = momentIn(run, "tasks.request.*.ready_ns");
  expect(ready.words).toBe("the longest stretch in which request was ready, but did not run");
  expect(ready.untilNs).toBeGreaterThan(ready.atNs);
});

test("the deepest queue and the longest spin lead to their lock", () => {
  const run = shown("rt-pull-herd");
  const { locks, shape } = run.trace;
  const deepest = locks.deepest() ?? -1;
  expect(momentIn(run, "rq_lock.max_waiters")).toMatchObject({ lock: shape.locks[deepest], atNs: locks.lock(deepest)?.peak.atNs });
  const { atNs, untilNs = 0, cpu = 0, lock = "" } = momentIn(run, "rq_lock.wait_ns");
  const waited = locks.lock(shape.locks.indexOf(lock));
  expect(waited?.at(Math.round((atNs + untilNs) / 2)).queue).toContain(cpu);
  const off = momentIn(run, "rq_lock.irq_off_max_ns");
  expect((off.untilNs ?? 0) - off.atNs).toBe(run.report?.metrics.rq_lock.irq_off_max_ns);
});
