// What people ask, in their words, against the scenarios as they are.

import { expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { STORIES } from "../../engine/gen/stories.ts";
import { findScenarios } from "./find-scenarios.ts";
import { TOPICS } from "./picker-words.ts";

const found = (query: string): readonly string[] =>
  findScenarios(SCENARIOS, KNOBS, query, STORIES).map(({ slug }) => slug);

test.each([
  ["isolate cpu jitter", ["quiet-core"]],
  ["pod is slow although CPU is low", ["quota-average-lies", "quota-web-p95"]],
  ["why is my pod throttled below its limit", ["quota-average-lies"]],
  ["fifo", ["rt-fifo-preempt"]],
  ["nohz_full", ["quiet-core"]],
])("%s: finds among the first six what is about it", (query, slugs) => {
  expect(found(query).slice(0, 6)).toEqual(expect.arrayContaining(slugs));
});

test("a word that scenario files only happen to hold does not find all of them", () => {
  const groups = found("cgroup");
  expect(groups.length).toBeGreaterThan(8);
  expect(groups.length).toBeLessThan(SCENARIOS.length / 2);
  expect(groups.slice(0, 8).every((slug) => slug.startsWith("quota-"))).toBe(true);
});

test("a name of a tool finds every scenario whose file has it, and tool words their subject", () => {
  for (const name of ["nr_throttled", "rq_lock.max_waiters"]) {
    const having = SCENARIOS.filter(({ text }) => text.includes(name)).map(({ slug }) => slug);
    expect(having.length).toBeGreaterThan(3);
    expect(found(name)).toEqual(expect.arrayContaining(having));
  }
  expect(found("RT_PUSH_IPI")).toContain("rt-pull-herd");
  expect(found("ksoftirqd")).toContain("softirq-live-lock");
  expect(found("chrt")).toContain("rt-fifo-preempt");
  expect(found("nginx")).toContain("envoy-workers");
  expect(found("cfs_quota_us")).toContain("quota-stranded");
  expect(found("throttled_usec")).toContain("quota-web-p95");
  expect(found("nohz_balance_kick")).toContain("nohz-kick");
});

test("metrics and alerts of a cluster's monitoring find what they count, the scenario that asks about them first", () => {
  for (const metric of [
    "container_cpu_cfs_throttled_periods_total",
    "container_cpu_cfs_periods_total",
    "container_spec_cpu_quota",
  ]) {
    expect(found(metric).length, metric).toBeGreaterThan(3);
    expect(found(metric).length, metric).toBeLessThan(SCENARIOS.length / 2);
    expect(found(metric), metric).toContain("quota-average-lies");
  }
  expect(found("CPUThrottlingHigh")[0]).toBe("quota-average-lies");
  expect(found("container_cpu_usage_seconds_total")[0]).toBe("quota-average-lies");
  expect(found("java")).toEqual(["jvm-gc-threads"]);
  for (const name of ["run_delay", "schedstat", "node_schedstat_waiting_seconds_total"]) {
    expect(found(name), name).toContain("schbench");
    expect(found(name).length, name).toBeLessThan(SCENARIOS.length / 2);
  }
});

/** What engineers type, and a scenario or lesson that is about it. */
const TYPED: readonly (readonly [query: string, slug: string])[] = [
  ["PREEMPT_LAZY", "lazy-or-now"],
  ["CONFIG_PREEMPT_LAZY=y", "lazy-or-now"],
  ["CONFIG_PREEMPT_DYNAMIC", "pipe-across-models"],
  ["CONFIG_PREEMPT_RT", "priority-inheritance"],
  ["CONFIG_NO_HZ_FULL", "quiet-core"],
  ["CONFIG_CFS_BANDWIDTH", "quota-32-threads"],
  ["CONFIG_RCU_NOCB_CPU=y", "quiet-core"],
  ["TIF_NEED_RESCHED", "lazy-or-now"],
  ["/proc/sys/kernel/sched_rt_period_us", "rt-throttling"],
  ["kernel.sched_rt_runtime_us", "rt-audio"],
  ["sched_min_granularity_ns", "eevdf-slices"],
  ["/sys/kernel/debug/sched/base_slice_ns", "eevdf-slices"],
  ["sched_migration_cost_ns", "beside-idle"],
  ["latency_nice", "eevdf-slices"],
  ["vruntime", "eevdf-slices"],
  ["RUN_TO_PARITY", "eevdf-slices"],
  ["NO_PLACE_LAG", "eevdf-slices"],
  ["cpu.shares", "cron-burst"],
  ["CPUWeight", "cron-burst"],
  ["requests.cpu", "cron-burst"],
  ["burst_usec", "quota-burst"],
  ["%st", "cyclictest-anatomy"],
  ["%steal", "cyclictest-anatomy"],
  ["%soft", "softirq-live-lock"],
  ["%sys", "long-system-call"],
  ["%idle", "polling-or-halt"],
  ["cswch/s", "kernbench-switches"],
  ["nvcswch", "kernbench-switches"],
  ["nr_migrations", "rt-migrate"],
  ["RES", "ipi-storm"],
  ["CAL", "ipi-storm"],
  ["/proc/schedstat", "schbench"],
  ["runqslower", "schbench"],
  ["loadavg", "schbench"],
  ["mpstat", "quota-average-lies"],
  ["turbostat", "polling-or-halt"],
  ["taskset", "quota-pinned"],
  ["nice", "cron-burst"],
  ["chrt", "rt-fifo-preempt"],
  ["fair_server", "rt-throttling"],
  ["rtkit", "rt-throttling"],
  ["priority inversion", "priority-inheritance"],
  ["select_task_rq_fair", "beside-idle"],
  ["find_busiest_group", "beside-idle"],
  ["qspinlock", "rt-pull-herd"],
  ["rq->lock", "rt-pull-herd"],
  ["softlockup", "self-ipi-loop"],
  ["migration/0", "rt-migrate"],
  ["SCHED_RR", "rt-fifo-preempt"],
  ["threadirqs", "ipi-storm"],
  ["/proc/net/softnet_stat", "softirq-live-lock"],
  ["process_cpu_seconds_total", "quota-average-lies"],
  ["migration", "rt-migrate"],
  ["TTWU_QUEUE_ON_CPU", "lazy-or-now"],
  ["kvm", "polling-or-halt"],
];

test.each(TYPED)("%s finds what is about it: %s", (query, slug) => {
  expect(found(query)).toContain(slug);
  expect(found(query).length).toBeLessThan(SCENARIOS.length * 0.75);
});

test("a name that has one scenario to itself finds that first", () => {
  for (const [query, slug] of TYPED.filter(([, slug]) =>
    /^(?:lazy-or-now|eevdf-slices|rt-throttling|quota-burst|priority-inheritance)$/.test(slug),
  ))
    if (query !== "CONFIG_PREEMPT_RT") expect(found(query)[0], query).toBe(slug);
});

test("a name of few letters is meant as a whole only: words that begin with it are other words", () => {
  expect(found("resource")).not.toEqual(found("RES"));
  expect(found("standing")).not.toContain("cyclictest-anatomy");
});

test("the question that the README asks finds the scenario that it names there, first", () => {
  for (const thing of ["container", "pod"])
    expect(found(`why is my ${thing} throttled below its limit`)[0], thing).toBe(
      "quota-average-lies",
    );
});

test("a bit of sched_features finds the same on and off, the scenario of the bit first", () => {
  for (const name of ["RT_PUSH_IPI", "TTWU_QUEUE"])
    expect(found(`NO_${name}`), name).toEqual(found(name));
  expect(found("NO_RT_PUSH_IPI")[0]).toBe("rt-pull-herd");
  for (const { slug, text } of SCENARIOS)
    if (text.includes("rt_push_ipi")) expect(found("RT_PUSH_IPI"), slug).toContain(slug);
});

const FEATURES = ["RT_PUSH_IPI", "TTWU_QUEUE", "NI_RANDOM", "RUN_TO_PARITY", "DELAY_DEQUEUE"];

const PASTED = [
  ...["poll", "halt"].map((state) => `idle=${state}`),
  ...["none", "voluntary", "full", "lazy"].map((model) => `preempt=${model}`),
  ...FEATURES.flatMap((name) => [name, `NO_${name}`]),
  ...[
    "_NONE",
    "_VOLUNTARY",
    "",
    "__LL",
    "_LAZY",
    "_NONE_BUILD",
    "_VOLUNTARY_BUILD",
    "_RT",
    "_RT_FULL",
  ].map((name) => `CONFIG_PREEMPT${name}=y`),
  ...[
    "nohz_full=2-7",
    "isolcpus=2-7",
    "rcu_nocbs=2-7",
    "irqaffinity=0-1",
    "CPUAffinity=0-3",
    "AllowedCPUs=0-3",
    "CPUQuota=150%",
  ],
  ...["cpu.max", "hackbench", "cyclictest"],
];

test("every word that people paste alone finds a scenario that is about it", () => {
  expect(found("idle=poll")[0]).toBe("polling-or-halt");
  for (const word of PASTED) expect(found(word).length, word).toBeGreaterThan(0);
});

test("a version is no figure with a unit", () => {
  expect(SCENARIOS.some(({ slug }) => slug === "self-ipi-loop")).toBe(true);
  expect(STORIES["self-ipi-loop"]).toContain("7.1 ms");
  for (const slug of found("7.0"))
    expect(
      `${STORIES[slug] ?? ""}${JSON.stringify(SCENARIOS.find((each) => each.slug === slug))}`,
    ).toMatch(/7\.0(?! ms)/);
});

test("every scenario comes first for its own question", () => {
  for (const { slug, title } of SCENARIOS) expect(found(title)[0], title).toBe(slug);
});

test("no word finds everything, nonsense nothing, and each topic offered then finds something, but not everything", () => {
  expect(found("  ")).toHaveLength(SCENARIOS.length);
  expect(found("qqq zzz")).toEqual([]);
  for (const topic of TOPICS) {
    expect(found(topic).length, topic).toBeGreaterThan(0);
    expect(found(topic).length, topic).toBeLessThan(SCENARIOS.length);
  }
});

test("characters that patterns are made of are looked for as they are", () => {
  expect(found("cpu.max")).toContain("quota-burst");
  expect(found("(.*)+[")).toEqual([]);
});
