// How a metric is said to people: a label, a unit, and whether it is a total that only means
// something per second of machine time. Known metrics have words of their own; for the rest the
// words are derived from the path, so that a new scenario's headline needs no code here.

import type { RunReport } from "../../engine/gen/types.ts";
import { plainText } from "../../engine/plain.ts";
import { fewSamples, samplesPath } from "../../model/index.ts";
import type { KnownRun } from "../shape/known-run.ts";
import { kindWords, labelOf, taskWords, type Labels } from "../../scenario/labels.ts";
import { metricAt } from "../../scenario/metric-path.ts";
import { usedShare } from "./quota-books.ts";

/** `share` is in hundredths of a per cent. */
export type MetricUnit = "count" | "ns" | "ns_per_s" | "per_s" | "share";

export interface MetricWords {
  readonly path: string;
  readonly label: string;
  /** What one unit of the number is: "CPUs waiting". */
  readonly of: string;
  readonly unit: MetricUnit;
  /** Said where a run has no such figure. */
  readonly none?: string;
  /** The metric it is a share of. */
  readonly whole?: string;
}

const KNOWN: Readonly<Record<string, Omit<MetricWords, "path">>> = {
  "rq_lock.max_waiters": {
    label: "Deepest queue on one run-queue lock",
    of: "CPUs that spin for it at once. A CPU that it was just handed to spins until it notices: for that moment all CPUs can spin, and none holds the lock",
    unit: "count",
  },
  "rq_lock.wait_ns": {
    label: "CPU time spent spinning, interrupts off",
    of: "of all CPUs, per machine second",
    unit: "ns_per_s",
  },
  "rq_lock.irq_off_max_ns": {
    label: "Longest stretch with interrupts off",
    of: "on one CPU",
    unit: "ns",
  },
  "ipi.rto_push.sent": {
    label: "IPIs of the RT push chain",
    of: "sent",
    unit: "count",
    none: "none: no push chain at work here",
  },
  "ipi.rto_push.self_sent": {
    label: "RT push IPIs to self, all CPUs",
    of: "that a CPU sent to itself",
    unit: "count",
    none: "none: no push chain at work here",
  },
  "ipi.reschedule.sent": { label: "Reschedule IPIs", of: "sent", unit: "count" },
  "ipi.call_function.sent": { label: "Function-call IPIs", of: "sent", unit: "count" },
  "sched.context_switches": {
    label: "Context switches",
    of: "all CPUs, to and from idle included",
    unit: "count",
  },
  "resched.lazy_set": { label: "Lazy flags set", of: "need_resched_lazy", unit: "count" },
  "resched.now_set": { label: "Flags set", of: "need_resched", unit: "count" },
  "resched.lazy_upgraded": {
    label: "Lazy flags a tick upgraded",
    of: "need_resched_lazy to need_resched",
    unit: "count",
  },
  "ipi.nohz_kick.sent": {
    label: "IPIs that kick an idle CPU",
    of: "sent to make it balance for the others",
    unit: "count",
  },
  "ipi.nohz_kick.next": {
    label: "Kicks that ask for next_balance",
    of: "of all kicks, polling targets included",
    unit: "count",
  },
  "sched.migrations": {
    label: "Tasks moved to another CPU",
    of: "at wake-ups and by balancing",
    unit: "count",
  },
  "sched.ticks": { label: "Ticks", of: "all CPUs", unit: "count" },
  "rq_lock.acquisitions": { label: "Run-queue locks taken", of: "all CPUs", unit: "count" },
  "rq_lock.pull_remote_acquisitions": {
    label: "Remote run-queue locks taken to pull",
    of: "acquisitions",
    unit: "count",
  },
};

const LATENCY_WORDS: Readonly<Record<string, string>> = {
  max_ns: "maximum",
  min_ns: "minimum",
  p50_ns: "median",
  p90_ns: "90th percentile",
  p95_ns: "95th percentile",
  p99_ns: "99th percentile",
  p999_ns: "99.9th percentile",
};

/** Sums over wake-ups. */
const WAITING_WORDS: Readonly<Record<string, readonly [label: string, of: string]>> = {
  avoidable_ns: ["waiting beside an idle CPU", "all its wake-ups"],
};

/** How many there were, by what a series is of. */
const COUNT_WORDS: Readonly<Record<string, readonly [label: string, of: string]>> = {
  latency: ["wake-ups", "finished within the run"],
  tool_samples: ["completed", "finished within the run, as the tool counts"],
};

const TASK_WORDS: Readonly<Record<string, string>> = {
  run_ns: "CPU time",
  ready_ns: "time ready but not running",
  throttled_ns: "time throttled",
  spin_ns: "time spinning",
  user_ns: "time in user code",
  involuntary_switches: "involuntary context switches",
  voluntary_switches: "voluntary context switches",
};

/** The words for a control group's number: its label, and the quantity it measures. */
const GROUP_WORDS: Readonly<Record<string, readonly [label: string, of: string]>> = {
  usage_ns: ["CPU time used", "all CPUs together"],
  entitled_ns: [
    "allowed by its limit",
    "in the time of the run, without the pool, which is full at the start",
  ],
  granted_ns: ["run time granted", "the full pool at the start and the refills"],
  expired_ns: ["quota expired", "thrown away by a refill, or too old on a CPU"],
  dropped_ns: ["quota dropped", "of an earlier period, so not returned to the pool"],
  double_spent_ns: ["quota spent twice", "handed out although another CPU had taken it"],
  throttled_ns: ["time throttled", "all its run queues together"],
  throttled_local_ns: ["time kept waiting", "by its own limit or a parent's"],
  nr_throttled: ["periods that ended throttled", "nr_throttled of cpu.stat"],
  nr_periods: ["periods", "nr_periods of cpu.stat"],
  nr_bursts: ["periods that used a burst", "nr_bursts of cpu.stat"],
  burst_ns: ["used beyond the quota", "burst of cpu.stat"],
  max_period_usage_ns: ["most used in one period", "from one refill to the next"],
  lock_acquisitions: ["times its lock was taken", "cfs_bandwidth.lock"],
};

/** What interrupts one CPU. */
const CPU_WORDS: Readonly<Record<string, string>> = {
  ticks: "ticks",
  device_irqs: "device interrupts",
  net_rx_softirqs: "NET_RX softirqs",
  rcu_softirqs: "RCU softirqs",
  rcu_callbacks: "RCU callbacks",
};

/** The labels for a caller that asks for units alone. */
const NO_LABELS: Labels = {};

/**
 * What a scenario's headline shows, card by card. A group's usage beside its entitlement is one
 * figure, the share used: apart, they are two totals to divide in one's head. `labels`: the
 * scenario's own words for tasks and samples.
 */
export function headlineWords(
  paths: readonly string[],
  labels: Labels = NO_LABELS,
): readonly MetricWords[] {
  const entitlementOf = (path: string): string | undefined => {
    const entitled = /^groups\.(.+)\.usage_ns$/.test(path)
      ? path.replace(/usage_ns$/, "entitled_ns")
      : undefined;
    return entitled !== undefined && paths.includes(entitled) ? entitled : undefined;
  };
  const wholes = new Set(paths.map(entitlementOf));
  return paths
    .filter((path) => !wholes.has(path))
    .map((path) => {
      const whole = entitlementOf(path);
      const words = metricWords(path, labels);
      if (whole === undefined) return words;
      return {
        path,
        whole,
        label: `${groupOf(path)}: used of its limit`,
        of: "the pool starts full: one quota more can be used",
        unit: "share",
      };
    });
}

function groupOf(path: string): string {
  return plainText(path.split(".").slice(1, -1).join("."));
}

/**
 * Words for any metric path; a name in it, which a scenario or a link chose, as it may be shown.
 */
export function metricWords(path: string, labels: Labels = NO_LABELS): MetricWords {
  const words = wordsOf(path, labels);
  return { ...words, label: plainText(words.label), of: plainText(words.of) };
}

/** A metric's name where many are listed: what is derived from the path alone says what it is of. */
export function metricName(path: string, labels: Labels = NO_LABELS): string {
  const { label } = metricWords(path, labels);
  const parts = path.split(".");
  const last = (parts.at(-1) ?? path).replace(UNIT, "").replaceAll("_", " ");
  const of = parts.slice(0, -1).join(" ").replaceAll("_", " ");
  return plainText(label === last && of !== "" ? `${of}: ${label}` : label);
}

/** A metric of a link may be called `constructor`: only what a table itself holds counts. */
function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function wordsOf(path: string, labels: Labels): MetricWords {
  const known = own(KNOWN, path);
  if (known !== undefined) return { path, ...known };
  const parts = path.split(".");
  const last = parts.at(-1) ?? path;
  const latency = parts[0] === "latency" ? own(LATENCY_WORDS, last) : undefined;
  if (latency !== undefined)
    return {
      path,
      label: `${kindWords(labels, parts.slice(1, -1).join("."))}: ${latency} latency`,
      of: "from when it was due until it ran",
      unit: "ns",
    };
  const inside = parts.slice(1, -1).join(".");
  const waiting = parts[0] === "latency" ? own(WAITING_WORDS, last) : undefined;
  if (waiting !== undefined)
    return { path, ...unitWords(last, `${kindWords(labels, inside)}: ${waiting[0]}`, waiting[1]) };
  const counts = last === "count" ? own(COUNT_WORDS, parts[0] ?? "") : undefined;
  if (counts !== undefined)
    return {
      path,
      label: `${parts[0] === "latency" ? kindWords(labels, inside) : (labelOf(labels, inside) ?? inside)}: ${counts[0]}`,
      of: counts[1],
      unit: "count",
    };
  const sample = parts[0] === "tool_samples" ? own(LATENCY_WORDS, last) : undefined;
  if (sample !== undefined)
    return {
      path,
      label: `${labelOf(labels, inside) ?? inside}: ${sample}`,
      of: "as the tool measures it",
      unit: "ns",
    };
  const task = parts[0] === "tasks" ? own(TASK_WORDS, last) : undefined;
  if (task !== undefined)
    return {
      path,
      ...unitWords(
        last,
        `${taskWords(labels, inside)}: ${task}`,
        inside.endsWith(".*") ? "all of them together" : "this task",
      ),
    };
  const group = parts[0] === "groups" ? own(GROUP_WORDS, last) : undefined;
  if (group !== undefined) return { path, ...unitWords(last, `${inside}: ${group[0]}`, group[1]) };
  const cpu = parts[0] === "cpus" ? own(CPU_WORDS, last) : undefined;
  if (cpu !== undefined)
    return { path, label: `CPU ${inside}: ${cpu}`, of: "on this CPU", unit: "count" };
  const of = parts.slice(0, -1).join(" ").replaceAll("_", " ");
  return { path, ...unitWords(last, last.replace(UNIT, "").replaceAll("_", " "), of) };
}

/** The unit at the end of a figure's name: hundredths of a per cent, or ns. */
const UNIT = /_(bp|ns)$/;

/** Times that add up over the run are said per second of it. */
function unitWords(leaf: string, label: string, of: string): Omit<MetricWords, "path"> {
  const isTime = leaf.endsWith("_ns");
  const isTotal = isTime && !/((^|_)max(_\w+)?|min|p\d+)_ns$/.test(leaf);
  return {
    label,
    of: isTotal ? `${of}, per second of machine time` : of,
    unit: isTime ? (isTotal ? "ns_per_s" : "ns") : leaf.endsWith("_bp") ? "share" : "count",
  };
}

const PER_PERIOD = /max_period_usage_ns$/;

/** Without a limit there are no periods, and so nothing that was used in one. */
function hasNoPeriods(metric: MetricOf, path: string): boolean {
  return PER_PERIOD.test(path) && metric(path.replace(PER_PERIOD, "nr_periods")) === 0;
}

/** Whether the number is a total divided by the simulated time. */
export function isPerSecond({ unit }: MetricWords): boolean {
  return unit === "ns_per_s" || unit === "per_s";
}

/** A metric of a run by its path. */
type MetricOf = (path: string) => number | undefined;

/**
 * The number as it is shown: totals are divided by the simulated time; of too few samples there is
 * none, as in the tables.
 */
export function headlineValue(report: RunReport, words: MetricWords): number | undefined {
  return shownValue((path) => metricAt(report, path), report.simulated_ns, words);
}

/**
 * The value that one run of a sweep contributes. A run with few samples counts here, because the
 * sweep takes all runs together; a run without a sample has no value.
 */
export function sweptValue(report: RunReport, words: MetricWords): number | undefined {
  const metric = (path: string): number | undefined => metricAt(report, path);
  return fewSamples(metric, words.path) === 0
    ? undefined
    : spelt(metric, report.simulated_ns, words);
}

/** The value, as `headlineValue` shows it, of a run whose metrics are known without its report. */
export function knownValue(
  { metrics, simulatedNs }: KnownRun,
  words: MetricWords,
): number | undefined {
  return shownValue((path) => own(metrics, path), simulatedNs, words);
}

/** Paths of all that `headlineValue` reads for `words`. */
export function pathsRead({ path, whole }: MetricWords): readonly string[] {
  const periods = PER_PERIOD.test(path) ? [path.replace(PER_PERIOD, "nr_periods")] : [];
  return [path, ...(whole === undefined ? [] : [whole]), ...periods, ...samplesPath(path)];
}

function shownValue(metric: MetricOf, simulatedNs: number, words: MetricWords): number | undefined {
  return fewSamples(metric, words.path) === undefined
    ? spelt(metric, simulatedNs, words)
    : undefined;
}

function spelt(metric: MetricOf, simulatedNs: number, words: MetricWords): number | undefined {
  const value = metric(words.path);
  if (value === undefined || hasNoPeriods(metric, words.path)) return undefined;
  if (words.whole !== undefined) return usedShare(value, metric(words.whole) ?? 0);
  if (!isPerSecond(words)) return value;
  return simulatedNs > 0 ? Math.round((value * 1e9) / simulatedNs) : undefined;
}
