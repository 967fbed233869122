// The order of the questions in the list: what most people come with comes first.
//
// Throttling comes before latency, latency before upgrades, upgrades before real-time tasks. The
// reason is what is public: among the sources of the scenarios, 14 are threads of issue trackers,
// and 11 of these are about throttling and 3 about a worst case. An alert for throttling ships with
// kubernetes-mixin, so whoever runs a cluster sees it. Upgrades and real-time tasks are asked about
// on linux-kernel, by fewer people. A test counts the threads.

import type { ScenarioEntry } from "../../engine/gen/types.ts";

const THROTTLED = "My average is low, why am I throttled?";
const WORST = "My worst case is huge, who did it?";
const OPTION = "I changed one kernel option, why did this get worse?";
const REAL_TIME = "Real-time tasks: who moves them, at what cost?";
export const HEADINGS = [THROTTLED, WORST, OPTION, REAL_TIME] as const;
export type Heading = (typeof HEADINGS)[number];

/** Within a heading: the question that most people ask, then its nearest kin; others follow. */
const FIRST: readonly string[] = [
  "quota-average-lies",
  "quota-web-p95",
  "quota-gomaxprocs",
  "jvm-gc-threads",
  "envoy-workers",
  "quota-stranded",
  "quota-period",
  "quota-burst",
  "rt-pull-herd",
  "cyclictest-anatomy",
  "half-the-throughput",
  "lazy-or-now",
  "eevdf-slices",
  "rt-throttling",
];

type Sorted = Pick<ScenarioEntry, "knobs" | "headline">;

/**
 * The heading of a scenario, from the knobs that it changes and the figure that answers its
 * question: quotas; a late task or noise; other options of the kernel and the machine; the pushing
 * and pulling of real-time tasks.
 */
export function headingOf({ knobs, headline }: Sorted): Heading {
  const [first = ""] = knobs;
  if (knobs.some((path) => path.includes("cpu_max") || path === "kernel.bandwidth"))
    return THROTTLED;
  const isOfRt = knobs.some((path) => path.startsWith("kernel.rt_"));
  if (/^kernel\.(?!rt_|nohz_full$)/.test(first) || (first.startsWith("machine.") && !isOfRt))
    return OPTION;
  return isOfRt && headline[0]?.startsWith("latency.") !== true ? REAL_TIME : WORST;
}

/** The scenarios below a heading, in the order of the list. */
export function inOrder(
  heading: Heading,
  entries: readonly ScenarioEntry[],
): readonly ScenarioEntry[] {
  const place = ({ slug }: ScenarioEntry): number => FIRST.indexOf(slug) + 1 || Infinity;
  return entries
    .filter((entry) => headingOf(entry) === heading)
    .toSorted((one, other) => (place(one) === place(other) ? 0 : place(one) - place(other)));
}
