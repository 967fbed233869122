import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { RunReport } from "../../engine/gen/types.ts";
import { samplesNeeded } from "../../model/index.ts";
import { metricAt } from "../../scenario/metric-path.ts";

/** The recorded reports of a scenario, by variant. */
function reportsOf(slug: string): readonly (readonly [variant: string, report: RunReport])[] {
  const path = new URL(`../../../scenarios/${slug}/expected/reports.json`, import.meta.url);
  return Object.entries(
    JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, RunReport>>,
  );
}

test("every headline that recorded reports keep has a figure on one of its two sides, and the first one on both", () => {
  for (const { slug, text } of SCENARIOS) {
    const { headline = [], variants = [] } = JSON.parse(text) as {
      headline?: string[];
      variants?: { name: string }[];
    };
    const sides = variants.slice(0, 2).map(({ name }) => name);
    const reports = reportsOf(slug).filter(
      ([variant]) => sides.length === 0 || sides.includes(variant),
    );
    expect(reports.length, slug).toBeGreaterThan(0);
    // Recorded reports keep no tasks.
    headline.forEach((metric, at) => {
      if (metric.startsWith("tasks.")) return;
      const figures = reports.filter(([, report]) => metricAt(report, metric) !== undefined).length;
      expect(figures, `${slug}: ${metric}`).toBeGreaterThanOrEqual(at === 0 ? reports.length : 1);
    });
  }
});

test("an opening caption that quotes a run's metrics quotes one of those scored beside it", () => {
  const quoting = SCENARIOS.flatMap(({ slug, text }) => {
    const { headline = [], steps = [] } = JSON.parse(text) as {
      headline?: string[];
      steps?: { caption: string }[];
    };
    // A wake-up's latency and the machine's size are no metrics.
    const quoted = [...(steps[0]?.caption ?? "").matchAll(/\{(?!wakeup|machine\.)([^ }]+)/g)].map(
      ([, metric = ""]) => metric,
    );
    return quoted.length === 0
      ? []
      : [{ slug, scored: quoted.some((metric) => headline.includes(metric)) }];
  });
  expect(quoting.length).toBeGreaterThan(5);
  expect(quoting.filter(({ scored }) => !scored)).toEqual([]);
});

test("no shipped headline is a percentile of fewer samples than the page asks for in its own tables", () => {
  const PERCENTILE = /^(.*\.)p(\d+)_ns$/;
  for (const { slug, text } of SCENARIOS) {
    const { headline = [] } = JSON.parse(text) as { headline?: string[] };
    for (const [variant, report] of reportsOf(slug))
      for (const metric of headline) {
        const [, before, digits] = PERCENTILE.exec(metric) ?? [];
        const count = before === undefined ? undefined : metricAt(report, `${before}count`);
        if (count === undefined || digits === undefined) continue;
        expect(count, `${slug}, ${variant}: ${metric}`).toBeGreaterThanOrEqual(
          samplesNeeded(Number(digits.padEnd(3, "0"))),
        );
      }
  }
});
