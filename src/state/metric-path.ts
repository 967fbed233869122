// Metrics by dotted path, as scenario files name them: `rq_lock.max_waiters`, `latency.cyclictest.max_ns`.

import type { RunReport } from "../engine/gen/types.ts";

/** The integer at `path` of the report's metrics; undefined where the run has no such thing. */
export function metricAt(report: RunReport, path: string): number | undefined {
  let here: unknown = report.metrics;
  for (const key of path.split(".")) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[key];
  }
  return typeof here === "number" ? here : undefined;
}
