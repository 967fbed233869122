// Metrics by dotted path, as scenario files name them: `rq_lock.max_waiters`,
// `latency.cyclictest.max_ns`.

import type { RunReport } from "../engine/gen/types.ts";

/**
 * The integer at `path` of the report's metrics; undefined where the run has no such thing. A `*`
 * means every instance of a kind of task: `tasks.cc.*.involuntary_switches` is their sum.
 */
export function metricAt(report: RunReport, path: string): number | undefined {
  const kind = /^tasks\.(.+)\.\*\.(\w+)$/.exec(path);
  return kind === null
    ? numberAt(report.metrics, path.split("."))
    : sumOf(report.metrics.tasks, `${kind[1]}.`, kind[2] ?? "");
}

function sumOf(
  tasks: Readonly<Record<string, object>>,
  prefix: string,
  leaf: string,
): number | undefined {
  const instances = Object.entries(tasks).filter(
    ([name]) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)),
  );
  const figures = instances
    .map(([, task]) => numberAt(task, [leaf]))
    .filter((figure) => figure !== undefined);
  return figures.length === 0 ? undefined : figures.reduce((sum, figure) => sum + figure, 0);
}

/**
 * Names of tasks hold dots themselves (`shell.0`): every way to read the path is tried, the
 * shortest key first.
 */
function numberAt(here: unknown, parts: readonly string[]): number | undefined {
  if (parts.length === 0) return typeof here === "number" ? here : undefined;
  if (typeof here !== "object" || here === null) return undefined;
  for (let length = 1; length <= parts.length; length += 1) {
    const key = parts.slice(0, length).join(".");
    if (!Object.hasOwn(here, key)) continue;
    const found = numberAt((here as Readonly<Record<string, unknown>>)[key], parts.slice(length));
    if (found !== undefined) return found;
  }
  return undefined;
}
