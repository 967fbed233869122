// The words that viewers type for things that the scenarios call by the kernel's names.

import { TOOL_WORDS } from "./tool-words.ts";

/**
 * A viewer who types a word of the first list means one of the second. The words are beginnings of
 * words, in small letters.
 */
export const MEANT: readonly (readonly [typed: readonly string[], means: readonly string[]])[] = [
  [
    ["pod", "container", "docker", "kubernetes", "k8s", "cgroup"],
    ["container", "cgroup", "quota"],
  ],
  [
    ["limit", "cap", "capped", "throttl"],
    ["quota", "throttl", "cpu.max"],
  ],
  [
    ["isolat", "isolcpus", "dedicated", "noise", "undisturbed"],
    ["quiet", "disturb", "nohz_full", "isolat"],
  ],
  [
    ["jitter", "hiccup", "spike", "stutter"],
    ["disturb", "late", "interrupts it"],
  ],
  [
    ["slow", "sluggish", "lag", "respon", "p99", "p95", "tail"],
    ["late", "times as long", "answer"],
  ],
  [
    ["low", "underused", "unused"],
    ["half", "average", "unused"],
  ],
  [
    ["stuck", "hang", "hung", "freez", "frozen", "lockup"],
    ["lock up", "locked up", "for ever", "live-lock"],
  ],
  [["starv"], ["for ever", "never runs", "strongest"]],
  [
    ["realtime", "real-time"],
    ["real-time", "fifo", "rt"],
  ],
  [["spinlock", "contention", "contended"], ["lock"]],
  [
    ["build", "compile", "make"],
    ["kernbench", "make"],
  ],
  [
    ["vm", "virtual", "guest", "cloud"],
    ["virtual", "halt"],
  ],
  // Names in tools and in files of the kernel.
  [
    ["nr_periods", "throttled_usec", "throttled_time", "cpu.stat", "container_cpu_cfs"],
    ["nr_throttled", "cpu.stat"],
  ],
  // The alert of kubernetes-mixin: the scenario that asks about it comes before others that
  // throttle.
  [["cputhrottl"], ["alert", "nr_throttled"]],
  [
    ["cfs_quota", "cfs_period", "cpu.cfs", "--cpus", "cpuquota", "cpulimit"],
    ["cpu.max", "cpu_max"],
  ],
  [
    [
      "container_spec_cpu",
      "kube_pod_container_resource",
      "limits.cpu",
      "resources.limits",
      "compose",
    ],
    ["container", "limit of", "cpu.max"],
  ],
  [["container_cpu_usage"], ["average", "of its limit"]],
  // "Throttled below its limit": the average is.
  [["below"], ["average", "of its limit", "half the quota"]],
  // The switch's own scenario, before those that only turn it.
  [["rt_push_ipi"], ["herd"]],
  [
    ["ksoftirqd", "tasklet"],
    ["ksoftirqd", "softirq"],
  ],
  [
    ["chrt", "sched_setscheduler"],
    ["fifo", "real-time"],
  ],
  [
    ["nginx", "haproxy", "istio"],
    ["envoy", "worker"],
  ],
  [["nohz_balance_kick", "kick_ilb"], ["kick"]],
  [
    ["schedstat", "run_delay", "node_schedstat", "runqlat"],
    ["schbench", "waits for a cpu", "wait for a cpu", "waited for a cpu"],
  ],
  [["gomaxprocs", "automaxprocs", "golang"], ["gomaxprocs"]],
  [["java", "openjdk", "hotspot"], ["jvm"]],
  ...TOOL_WORDS,
];

/** Words of a question that say nothing of what it is about. */
export const IDLE_WORDS: ReadonlySet<string> = new Set(
  "a above after although an and are at be because before but by can do does for from has have how i if in into is it its just me my no not of on only or our over should so than that the their then there this to under was we what when where which while who why will with would you your".split(
    " ",
  ),
);

/** Offered where nothing was found. */
export const TOPICS = [
  "quota",
  "latency",
  "preempt",
  "nohz_full",
  "idle",
  "real-time",
  "lock",
  "interrupt",
] as const;
