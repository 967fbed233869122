// How a metric is said to people: a label, a unit, and whether it is a total that only means something per second of
// machine time. Known metrics have words of their own; for the rest the words are derived from the path, so that a new
// scenario's headline needs no code here.

import type { RunReport } from "../engine/gen/types.ts";
import { metricAt } from "./metric-path.ts";

export type MetricUnit = "count" | "ns" | "ns_per_s" | "per_s";

export interface MetricWords {
  readonly path: string;
  readonly label: string;
  /** What one unit of the number is: "CPUs waiting". */
  readonly of: string;
  readonly unit: MetricUnit;
}

const KNOWN: Readonly<Record<string, Omit<MetricWords, "path">>> = {
  "rq_lock.max_waiters": { label: "Deepest queue on one run-queue lock", of: "CPUs waiting", unit: "count" },
  "rq_lock.wait_ns": { label: "CPU time spent spinning, interrupts off", of: "of all CPUs, per machine second", unit: "ns_per_s" },
  "rq_lock.irq_off_max_ns": { label: "Longest stretch with interrupts off", of: "on one CPU", unit: "ns" },
  "ipi.rto_push.sent": { label: "IPIs of the RT push chain", of: "sent", unit: "count" },
  "ipi.rto_push.self_sent": { label: "RT push IPIs a CPU sent to itself", of: "sent", unit: "count" },
  "ipi.reschedule.sent": { label: "Reschedule IPIs", of: "sent", unit: "count" },
  "sched.context_switches": { label: "Context switches", of: "all CPUs, to and from idle included", unit: "count" },
  "resched.lazy_set": { label: "Lazy flags set", of: "need_resched_lazy", unit: "count" },
  "resched.now_set": { label: "Flags set", of: "need_resched", unit: "count" },
  "resched.lazy_upgraded": { label: "Lazy flags a tick upgraded", of: "need_resched_lazy to need_resched", unit: "count" },
  "rq_lock.pull_remote_acquisitions": { label: "Remote run-queue locks taken to pull", of: "acquisitions", unit: "count" },
};

const LATENCY_WORDS: Readonly<Record<string, string>> = {
  max_ns: "maximum",
  min_ns: "minimum",
  p50_ns: "median",
  p90_ns: "90th percentile",
  p99_ns: "99th percentile",
  p999_ns: "99.9th percentile",
};

const TASK_WORDS: Readonly<Record<string, string>> = {
  run_ns: "CPU time",
  ready_ns: "time ready but not running",
  throttled_ns: "time throttled",
  spin_ns: "time spinning",
};

/** Words for any metric path. */
export function metricWords(path: string): MetricWords {
  const known = KNOWN[path];
  if (known !== undefined) return { path, ...known };
  const parts = path.split(".");
  const last = parts.at(-1) ?? path;
  const latency = parts[0] === "latency" ? LATENCY_WORDS[last] : undefined;
  if (latency !== undefined)
    return { path, label: `${parts.slice(1, -1).join(".")}: ${latency} latency`, of: "from due to running", unit: "ns" };
  const inside = parts.slice(1, -1).join(".");
  const sample = parts[0] === "tool_samples" ? LATENCY_WORDS[last] : undefined;
  if (sample !== undefined) return { path, label: `${inside.replaceAll("_", " ")}: ${sample}`, of: "as the tool measures it", unit: "ns" };
  const task = parts[0] === "tasks" ? TASK_WORDS[last] : undefined;
  if (task !== undefined) return { path, label: `${inside}: ${task}`, of: "per second of machine time", unit: "ns_per_s" };
  const of = parts.slice(0, -1).join(" ").replaceAll("_", " ");
  const isTime = last.endsWith("_ns");
  const isTotal = isTime && !/(max|min|p\d+)_ns$/.test(last);
  const label = last.replace(/_ns$/, "").replaceAll("_", " ");
  return { path, label, of: isTotal ? `${of}, per second of machine time` : of, unit: isTime ? (isTotal ? "ns_per_s" : "ns") : "count" };
}

/** The number as it is shown: totals are divided by the simulated time. */
export function headlineValue(report: RunReport, words: MetricWords): number | undefined {
  const value = metricAt(report, words.path);
  if (value === undefined) return undefined;
  const perSecond = words.unit === "ns_per_s" || words.unit === "per_s";
  if (!perSecond) return value;
  return report.simulated_ns > 0 ? Math.round((value * 1e9) / report.simulated_ns) : undefined;
}
