// The figures that each shipped scenario opens with, by variant, read from its recorded reports: a
// module for the page, and text for its files.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import type { RunReport } from "../../src/engine/gen/types.ts";
import { headlineWords, pathsRead } from "../../src/state/figures/headline.ts";
import { metricAt } from "../../src/scenario/metric-path.ts";
import type { KnownRun, ShippedFigures } from "../../src/state/shape/known-run.ts";
import { namedFigures } from "../lib/scenarios.mjs";

const MODULE = "virtual:shipped-figures";
const RESOLVED = `\0${MODULE}`;

/** `export const FIGURES` of `virtual:shipped-figures`. */
export function shippedFiguresModule(root: string): Plugin {
  return {
    name: "schedscope-shipped-figures",
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    load: (id) =>
      id === RESOLVED
        ? `export const FIGURES = ${JSON.stringify(shippedFigures(root))};`
        : undefined,
  };
}

/**
 * The figures of every folder of `scenarios/` that has recorded reports; `more`: paths of metrics
 * besides those that a scenario names.
 */
export function shippedFigures(root: string, more: readonly string[] = []): ShippedFigures {
  const folders = readdirSync(join(root, "scenarios"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  return Object.fromEntries(
    folders.map(({ name }) => [name, figuresOf(join(root, "scenarios", name), more)] as const),
  );
}

/** What is read of a scenario's file here. */
type Scenario = Parameters<typeof namedFigures>[0] & {
  readonly machine?: { readonly cpus: number };
  readonly variants?: readonly {
    readonly name: string;
    readonly set: Readonly<Record<string, unknown>>;
  }[];
};

function figuresOf(folder: string, more: readonly string[]): ShippedFigures[string] {
  const scenario = (readJson(join(folder, "scenario.json")) ?? {}) as Scenario;
  const reports = (readJson(join(folder, "expected", "reports.json")) ?? {}) as Readonly<
    Record<string, RunReport>
  >;
  const paths = new Set([
    ...namedFigures(scenario),
    ...headlineWords(scenario.headline ?? []).flatMap(pathsRead),
    ...more,
  ]);
  const cpusOf = (variant: string): number =>
    Number(
      scenario.variants?.find((each) => each.name === variant)?.set["machine.cpus"] ??
        scenario.machine?.cpus,
    );
  const known = ([variant, report]: [string, RunReport]): KnownRun => {
    // Reports of scenarios that name no task are kept without any.
    const whole = { ...report, metrics: { ...report.metrics, tasks: { ...report.metrics.tasks } } };
    const metrics = [...paths]
      .map((path) => [path, metricAt(whole, path)] as const)
      .filter(([, value]) => value !== undefined);
    const { simulated_ns: simulatedNs, records } = report;
    return {
      simulatedNs,
      records,
      cpus: cpusOf(variant),
      metrics: Object.fromEntries(metrics) as KnownRun["metrics"],
    };
  };
  // "as written" is the page's word for a scenario without any of its variants.
  const name = (variant: string): string => (variant === "as it stands" ? "as written" : variant);
  return Object.fromEntries(Object.entries(reports).map((each) => [name(each[0]), known(each)]));
}

/** Undefined where the folder holds no such file. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
