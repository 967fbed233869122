// Where numbers lead, on runs of shipped scenarios.

import { beforeAll, expect, test } from "vitest";
import { KIND } from "../../engine/gen/catalogue.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { RunMeta } from "../../engine/gen/types.ts";
import { DriverOnBench, loadEngine } from "../../engine/testing.ts";
import { TraceStore } from "../../model/index.ts";
import type { Run } from "../shape/run.ts";
import { countedRows, switchesAway } from "./counted.ts";
import { metricAt } from "../../scenario/metric-path.ts";
import { momentOf, type Moment } from "./moments.ts";

beforeAll(loadEngine);

function shown(slug: string, variant = 0): Run {
  const entry = SCENARIOS.find((each) => each.slug === slug);
  const bench = new DriverOnBench();
  const set = Object.entries(entry?.variants[variant]?.set ?? {});
  bench.start(1, { slug, text: entry?.text ?? "", set, maxRecords: 8_000_000 });
  let meta: RunMeta | undefined;
  let trace: TraceStore | undefined;
  for (const message of bench.finish()) {
    if (message.type === "meta") [meta, trace] = [message.meta, new TraceStore(message.meta)];
    else if (message.type === "chunk")
      trace?.append(message.reached.simulatedNs, message.trace, message.wakes);
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
    expect(run.trace.cpuAt(cpu, atNs + Math.round((untilNs - atNs) * share))?.task ?? runaway).toBe(
      runaway,
    );
});

test("sums over the waits of a kind lead to the longest of them", () => {
  const run = shown("beside-idle");
  const { chosen, summed } = momentIn(run, "latency.request.avoidable_ns");
  const { wakes } = run.trace;
  const row = wakes.findSelection(chosen) ?? -1;
  expect([wakes.latencyNs(row), summed]).toEqual([
    run.report?.metrics.latency["request"]?.max_ns,
    true,
  ]);
  const ready = momentIn(run, "tasks.request.*.ready_ns");
  expect(ready.words).toBe("the longest stretch in which request was ready, but did not run");
  expect(ready.untilNs).toBeGreaterThan(ready.atNs);
});

test("the deepest queue and the longest spin lead to their lock", () => {
  const run = shown("rt-pull-herd");
  const { locks, shape } = run.trace;
  const deepest = locks.deepest() ?? -1;
  expect(momentIn(run, "rq_lock.max_waiters")).toMatchObject({
    lock: shape.locks[deepest],
    atNs: locks.lock(deepest)?.peak.atNs,
  });
  const { atNs, untilNs = 0, cpu = 0, lock = "" } = momentIn(run, "rq_lock.wait_ns");
  expect([shape.locks[deepest], lock], "run queues' locks alone are counted").toEqual([
    expect.stringMatching(/^rq \d+$/),
    expect.stringMatching(/^rq \d+$/),
  ]);
  const waited = locks.lock(shape.locks.indexOf(lock));
  expect(waited?.at(Math.round((atNs + untilNs) / 2)).queue).toContain(cpu);
  const off = momentIn(run, "rq_lock.irq_off_max_ns");
  expect((off.untilNs ?? 0) - off.atNs).toBe(run.report?.metrics.rq_lock.irq_off_max_ns);
});

/**
 * Headline figures that no event made, and why. A figure of 0 leads nowhere either: nothing made
 * it.
 */
const WITHOUT: Readonly<Record<string, string>> = {
  entitled_ns: "quota times the periods gone by: time makes it, no record does",
};

/**
 * Whether the figure is more than one event each: a length, or periods, of which one refill may end
 * several.
 */
const isSum = (path: string): boolean => /(_ns|\.nr_periods)$/.test(path);

const headlineOf = (text: string): readonly string[] =>
  (JSON.parse(text) as { headline?: string[] }).headline ?? [];

test(
  "every headline figure of every shipped scenario leads to a moment; a counter leads to one of the events it counts",
  {
    timeout: 480_000,
  },
  () => {
    const nowhere: string[] = [];
    const counters = new Set<string>();
    for (const { slug, text, variants } of SCENARIOS) {
      let left = headlineOf(text).filter(
        (path) => WITHOUT[path.split(".").at(-1) ?? ""] === undefined,
      );
      for (
        let side = 0;
        side < Math.min(2, Math.max(1, variants.length)) && left.length > 0;
        side += 1
      ) {
        const run = shown(slug, side);
        const figure = (path: string): number => (run.report && metricAt(run.report, path)) ?? 0;
        for (const path of left.filter((each) => figure(each) > 0)) {
          const moment = momentOf(run, path, { fromNs: 0, toNs: run.trace.endNs });
          if (moment === undefined) nowhere.push(`${slug}: ${path}`);
          const [first, ...others] = countedRows(run.trace, path);
          if (first === undefined || isSum(path)) continue;
          counters.add(path);
          expect(1 + others.length, `${slug}: ${path}`).toBe(figure(path));
          expect([moment?.atNs, moment?.cpu], path).toEqual([
            run.trace.events.time.at(first),
            run.trace.events.cpu.at(first),
          ]);
        }
        left = left.filter((path) => figure(path) === 0);
      }
    }
    expect(nowhere).toEqual([]);
    expect(counters.size).toBeGreaterThan(15);
  },
);

test("involuntary switches lead to the first switch away from a task that could go on, and there are as many as counted", () => {
  const run = shown("kernbench-switches");
  const path = "tasks.cc.*.involuntary_switches";
  const compilers = new Set(run.meta.tasks.flatMap(({ kind }, id) => (kind === "cc" ? [id] : [])));
  const rows = switchesAway(run.trace, compilers, false);
  const figure = (run.report && metricAt(run.report, path)) ?? 0;
  expect(rows.length).toBeLessThanOrEqual(figure);
  expect(rows.length, "but those that wait at the end").toBeGreaterThanOrEqual(
    figure - compilers.size,
  );
  expect(momentIn(run, path).atNs).toBe(run.trace.events.time.at(rows[0] ?? -1));
});

test("a count of wake-ups or of samples leads to the first that ends in view", () => {
  const run = shown("half-the-throughput");
  const [half, whole] = [run.trace.endNs / 2, run.trace.endNs];
  const moment = momentOf(run, "tool_samples.backend.transaction.count", {
    fromNs: half,
    toNs: whole,
  });
  expect(moment?.untilNs).toBeGreaterThanOrEqual(half);
  expect(moment?.chosen?.kind).toBe("sample");
  const waking = shown("beside-idle");
  const row =
    waking.trace.wakes.findSelection(momentIn(waking, "latency.request.count").chosen) ?? -1;
  expect(waking.meta.tasks[waking.trace.wakes.taskIdOf(row)]?.kind).toBe("request");
});

test("the longest wait for a run queue's lock is none for a group's lock", () => {
  const run = shown("quota-unthrottle-storm");
  const path = "rq_lock.wait_ns";
  expect(run.report && metricAt(run.report, path)).toBeGreaterThan(0);
  expect(momentIn(run, path).lock).toMatch(/^rq \d+$/);
  expect(momentIn(run, "rq_lock.max_waiters").lock).toMatch(/^rq \d+$/);
});
