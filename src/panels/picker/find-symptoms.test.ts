// Symptoms as people write them in trackers and on mailing lists, against the scenarios as they are.

import { expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { STORIES } from "../../engine/gen/stories.ts";
import { loadPasteReader, readText, textForms } from "../../testing/read-text.ts";
import { searchedScenarios } from "./find-scenarios.ts";
import { findSymptoms, isProse } from "./find-symptoms.ts";
import { measured } from "./quantity-words.ts";
import { SYMPTOMS } from "./symptom-words.ts";

const SEARCHED = searchedScenarios(SCENARIOS, KNOBS, STORIES);
const find = (query: string) => findSymptoms(SEARCHED, query);
const found = (query: string): readonly string[] => find(query).entries.map(({ slug }) => slug);

/** A symptom, and a scenario that has to be among the first three. */
const SAID: readonly (readonly [said: string, slug: string])[] = [
  // Operators of containers.
  ["throttled at 30 %", "quota-average-lies"],
  ["my container is throttled", "quota-average-lies"],
  ["CPUThrottlingHigh fires but the pod uses 12% CPU", "quota-average-lies"],
  ["pod is being throttled even though usage is far below the limit", "quota-average-lies"],
  ["p99 went from 20ms to 200ms after we set CPU limits", "quota-web-p95"],
  ["high nr_throttled, cpu usage only half of the quota", "quota-stranded"],
  ["cfs quota: app can only reach 50% of its limit", "quota-stranded"],
  ["Go service with GOMAXPROCS=64 in a 4 cpu container has awful tail latency", "quota-gomaxprocs"],
  ["goroutines stall for 80ms in kubernetes", "quota-gomaxprocs"],
  ["JVM GC pauses are 10x longer inside the container", "jvm-gc-threads"],
  ["ParallelGC uses 32 threads with a limit of 2 cores", "jvm-gc-threads"],
  ["istio sidecar with cpu limit 2500m, how many envoy worker threads?", "envoy-workers"],
  ["would a shorter cfs_period_us of 10ms reduce throttling", "quota-period"],
  ["kubelet --cpu-cfs-quota-period=10ms", "quota-period"],
  ["is cpu.max.burst worth it for bursty pods under a limit", "quota-burst"],
  ["guaranteed pod with static cpu manager policy still throttled", "quota-pinned"],
  ["nested cgroups: the parent's limit throttles the children", "quota-tree"],
  ["container used more CPU than its limit for a short time", "quota-boundary"],
  ["cgroup exceeds its quota, usage 116%", "quota-double-spend"],
  ["nightly backup job makes our API slow on the same node", "cron-burst"],
  ["noisy neighbour in the same pod causes latency spikes", "cron-burst"],
  [
    "sched_cfs_period_timer runs for milliseconds with irqs off, distribute_cfs_runtime",
    "quota-unthrottle-storm",
  ],
  ["throttled task holds a mutex and everyone else hangs", "quota-kernel-lock"],
  [
    "INFO: task jbd2/sda1-8 blocked for more than 120 seconds, holder throttled by cfs quota",
    "quota-kernel-lock",
  ],
  ["after updating to 4.19 our latency doubled with the same cpu limit", "quota-web-p95"],
  // Real-time people.
  ["worst case 400 us", "rt-pull-herd"],
  ["cyclictest max 250us on 40 cores, -p 80 is fine on my laptop", "rt-pull-herd"],
  ["cyclictest shows 3000 us max latency on a raspberry pi", "cyclictest-anatomy"],
  ["latency spikes of 150us when the core leaves C6", "cyclictest-anatomy"],
  ["hwlatdetect clean but cyclictest spikes, SMI?", "cyclictest-anatomy"],
  ["perf top shows native_queued_spin_lock_slowpath from pull_rt_task", "rt-pull-herd"],
  ["rq->lock contention with many RT tasks on 80 cpus", "rt-pull-herd"],
  ["does the RT push IPI chain keep up on 80 cores", "rt-push-chain"],
  ["high priority FIFO task waits although a lower one runs on another CPU", "rt-migrate"],
  [
    "RT task stays queued behind higher priority tasks while other cpus are idle",
    "rt-fifo-preempt",
  ],
  ["sched: RT throttling activated", "rt-throttling"],
  ["SCHED_FIFO thread in a busy loop, ssh dead, machine frozen", "rt-throttling"],
  ["what does sched_rt_runtime_us=-1 risk", "rt-throttling"],
  [
    "priority inversion: medium thread delays the high one holding a pthread mutex",
    "priority-inheritance",
  ],
  ["watchdog: BUG: soft lockup - CPU#3 stuck for 22s! rto_push_irq_work_func", "self-ipi-loop"],
  ["soft lockup with RT_PUSH_IPI on a machine with 384 cpus", "softirq-live-lock"],
  ["IPI storm: rescheduling interrupts in the millions", "ipi-storm"],
  ["isolated core still gets interrupts, nohz_full=3", "quiet-core"],
  ["DPDK poll thread sees jitter on an isolcpus core", "quiet-core"],
  ["network softirq starves my RT thread", "softirq-live-lock"],
  ["how many cores until the rt lock herd gets bad", "rt-pull-herd-sizes"],
  // Kernel developers and benchmarks.
  ["7.0 halved my throughput", "half-the-throughput"],
  ["pgbench tps down 50% on 7.0 with PREEMPT_LAZY", "half-the-throughput"],
  ["postgres s_lock spinning after kernel upgrade", "half-the-throughput"],
  ["wakeup delayed until next tick with preempt=lazy", "lazy-or-now"],
  ["fair wakeup latency 4 ms on 6.13", "lazy-or-now"],
  ["remove cond_resched: what happens to a long copy in the kernel", "long-system-call"],
  ["ioctl hogs the cpu for 50ms and nothing else runs", "long-system-call"],
  ["kernbench: more involuntary context switches with preempt=full", "kernbench-switches"],
  ["hackbench is 10% slower with full preemption", "hackbench"],
  ["perf bench sched pipe differs between preempt=none and full?", "pipe-across-models"],
  ["schbench wakeup latencies p99", "schbench"],
  ["runqlat shows long run queue delays", "schbench"],
  ["EEVDF made my desktop stutter while compiling", "eevdf-slices"],
  ["does latency_nice / custom slice help on 6.12", "eevdf-slices"],
  ["runnable task waits on a busy cpu while idle cores exist", "beside-idle"],
  ["wasted cores, load balancer leaves one cpu idle", "beside-idle"],
  ["idle cpu gets an IPI right after entering nohz idle", "nohz-kick"],
  ["nohz idle balance is expensive on a machine with 768 cpus", "nohz-sizes"],
  ["wakeups in a VM cost an IPI exit because of hlt", "polling-or-halt"],
  ["idle=poll vs mwait wake latency", "polling-or-halt"],
];

test("at least 60 symptoms in people's own words are asked for", () => {
  expect(SAID.length).toBeGreaterThanOrEqual(60);
});

test.each(SAID)("%s: %s is among the first three", (said, slug) => {
  expect(found(said).slice(0, 3), found(said).join(" ")).toContain(slug);
  expect(find(said).how).toBe("known");
});

test("every scenario is what some symptom is about, and every row names scenarios that exist", () => {
  const slugs = new Set(SCENARIOS.map(({ slug }) => slug));
  const named = new Set(SYMPTOMS.flatMap(({ about }) => about));
  expect([...named].filter((slug) => !slugs.has(slug))).toEqual([]);
  expect([...slugs].filter((slug) => !named.has(slug))).toEqual([]);
});

test("every scenario comes first for its own question", () => {
  for (const { slug, title } of SCENARIOS) expect(found(title)[0], title).toBe(slug);
});

test("a sentence that names a tool is no command of it; what the paste box knows is no sentence", () => {
  loadPasteReader();
  const isUsed = (text: string): boolean =>
    readText(text).lines.some(({ notes }) => notes.some(({ fate }) => fate === "used"));
  // A line that begins with a tool's name and is no sentence is read as its command.
  const command = /[=/]|^schbench /;
  for (const [said] of SAID)
    expect(isProse(said) || !isUsed(said) || command.test(said), said).toBe(true);
  for (const { example } of textForms()) expect(isProse(example), example).toBe(false);
});

test("nothing finds all, words that no scenario has find nothing, and some known words what is near", () => {
  expect(find(" ")).toMatchObject({ how: "all" });
  expect(found(" ")).toHaveLength(SCENARIOS.length);
  expect(find("qqq zzz")).toEqual({ entries: [], how: "none" });
  expect(find("compiler flags of my printer")).toMatchObject({ how: "near" });
});

test("quantities are words: a time by its size, a share, many CPUs, a version", () => {
  const of = (text: string): readonly string[] => measured(text).words;
  expect(of("worst case 400 us")).toEqual(["~us"]);
  expect(of("0.4 ms, 400µs and 4ms")).toEqual(["~us", "~tick"]);
  expect(of("80 ms on 64 cores at 30 %")).toEqual(["~period", "~many", "~percent", "~low"]);
  expect(of("7.0 halved it, 6.12.3 did not")).toEqual(["~version"]);
  expect(of("1.5 s")).toEqual(["~long"]);
  expect(measured("throttled at 30 %").text.trim()).toBe("throttled at");
});

test("a hostile text is answered within a moment, whatever its letters", () => {
  const texts = [
    "(.*)+[".repeat(20_000),
    "throttled ".repeat(100_000),
    "9".repeat(500_000),
    Array.from({ length: 50_000 }, (_, nth) => `w${String(nth)}`).join(" "),
    "~us ~many constructor __proto__ \u0000\u202e",
  ];
  const before = performance.now();
  for (const text of texts) expect(find(text).entries.length).toBeLessThanOrEqual(SCENARIOS.length);
  expect(performance.now() - before).toBeLessThan(5_000);
});
