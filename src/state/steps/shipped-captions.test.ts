// What the captions of the shipped scenarios say beside their pictures: a figure of the whole run
// is not taken for the one in view.

import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { RunReport, ScenarioEntry } from "../../engine/gen/types.ts";
import { loadEngine } from "../../engine/testing.ts";
import { selectedRow } from "../select/selection.ts";
import { figureText } from "../figures/figure.ts";
import { metricAt } from "../../scenario/metric-path.ts";
import { valueText } from "../../scenario/knob-values.ts";
import { openContent } from "../link/link-state.ts";
import { AT_ONCE } from "../../effects/runs/feeder.ts";
import { startRunner } from "../../effects/runs/runner.ts";
import { BenchClient } from "../../testing/real-runs.ts";
import { perSide, SIDES, type Side } from "../../scenario/sides.ts";
import { initialState } from "../shape/state.ts";
import { makeStore, type Store } from "../store.ts";
import { shippedFigures } from "../../../scripts/site/shipped-figures.ts";
import { captionOf, liveMetric, sceneOf } from "./resolve.ts";
import { stepsOf, type Step } from "../../scenario/step.ts";

beforeAll(loadEngine);

const ALL = SCENARIOS.flatMap((entry) =>
  stepsOf(entry).map((step, index) => ({
    entry,
    step,
    index,
    at: `${entry.slug}, step ${index + 1}`,
  })),
);

function figuresOf({ caption }: Step): readonly { readonly path: string; readonly side: Side }[] {
  return [...caption.matchAll(/\{([^{} ]+) ([ab])\}/g)].map(([, path = "", side]) => ({
    path,
    side: side as Side,
  }));
}

/**
 * Maxima of a kind's wake-ups that a caption states without saying that they are of the whole run.
 */
function maximaOf(step: Step): ReturnType<typeof figuresOf> {
  return step.caption.includes("whole run")
    ? []
    : figuresOf(step).filter(({ path }) => /^latency\..*\.max_ns$/.test(path));
}

/** Nothing has run yet. */
function openedAt(entry: ScenarioEntry): Store {
  const store = makeStore(initialState(entry, "dark"));
  const content = {
    slug: entry.slug,
    scenario: undefined,
    both: [],
    a: [],
    b: [],
    view: {},
    unknown: [],
  };
  store.dispatch({ type: "opened", route: "preset", opened: openContent(content, entry, KNOBS) });
  return store;
}

function atStep(entry: ScenarioEntry, index: number): Store {
  const store = openedAt(entry);
  const clients = perSide(() => new BenchClient());
  startRunner(store, clients, AT_ONCE);
  store.dispatch({ type: "step_opened", index });
  for (const side of SIDES) clients[side].work();
  return store;
}

test("a maximum beside a selected wake-up is that wake-up's latency, or is said of the whole run", () => {
  for (const { entry, step, index, at } of ALL.filter(
    ({ step }) => step.focus.wakeup !== undefined && maximaOf(step).length > 0,
  )) {
    const state = atStep(entry, index).getState();
    const scene = sceneOf(state, step);
    if (scene?.selection === undefined) throw new Error(`${at} selects nothing`);
    for (const { path, side } of maximaOf(step)) {
      const row = selectedRow({ sides: state.sides, ...scene }, side);
      const wakes = state.sides[side].shown?.trace.wakes;
      const shown =
        row === undefined || wakes === undefined ? "none" : figureText(wakes.latencyNs(row), "ns");
      expect(figureText(liveMetric(state, path, side) ?? 0, "ns"), `${at}: ${path} ${side}`).toBe(
        shown,
      );
    }
  }
});

test("a maximum of wake-ups where none is selected is said of the whole run", () => {
  expect(
    ALL.filter(({ step }) => step.focus.wakeup === undefined && maximaOf(step).length > 0).map(
      ({ at }) => at,
    ),
  ).toEqual([]);
});

const PERCENTILES: readonly (readonly [leaf: RegExp, words: RegExp])[] = [
  [/\.p50_ns$/, /median|half of/],
  [/\.p90_ns$/, /90 %/],
  [/\.p95_ns$/, /95 %/],
  [/\.p99_ns$/, /99 %|p99/],
];

test("a percentile is called what it is", () => {
  const bare = ALL.filter(({ step }) =>
    figuresOf(step).some(({ path }) =>
      PERCENTILES.some(([leaf, words]) => leaf.test(path) && !words.test(step.caption)),
    ),
  );
  expect(bare.map(({ at }) => at)).toEqual([]);
});

test("a quota that a caption states is that of the step's side", () => {
  const stated = ALL.flatMap(({ entry, step, at }) => {
    const [, ms] = /quota(?: of|,) (\d+) ms/.exec(step.caption) ?? [];
    if (ms === undefined) return [];
    const variant = entry.variants[step.side === "b" ? 1 : 0]?.set ?? {};
    const quotas = Object.entries(variant).flatMap(([path, value]) =>
      path.endsWith(".cpu_max") ? [valueText(value).split(" ")[0]] : [],
    );
    return [[at, quotas.includes(`${ms}000`)]];
  });
  expect(stated).toEqual([["quota-period, step 3", true]]);
});

test("quota-boundary: no period of B uses more than its quota, and one of A does", () => {
  const quotaNs = 50_000_000;
  const reports = reportsOf("quota-boundary");
  const most = (variant: string): number =>
    metricAt(reports[variant] as RunReport, "groups.batch.max_period_usage_ns") ?? 0;
  expect(most("refilled before it starts")).toBeGreaterThan(quotaNs);
  expect(most("refilled half-way")).toBeLessThanOrEqual(quotaNs);
});

function reportsOf(slug: string): Readonly<Record<string, RunReport>> {
  const recorded = readFileSync(
    new URL(`../../../scenarios/${slug}/expected/reports.json`, import.meta.url),
    "utf8",
  );
  return JSON.parse(recorded) as Readonly<Record<string, RunReport>>;
}

test("a longest time is called the longest where the others of its kind read differently", () => {
  const named = /at most|longest|at worst|up to|whole run|\.min_ns [ab]\} to \{/;
  const wrong = ALL.filter(({ entry, step }) => {
    if (named.test(step.caption)) return false;
    const reports = Object.values(reportsOf(entry.slug));
    return figuresOf(step).some(({ path }) => {
      if (!/^tool_samples\..*\.max_ns$/.test(path)) return false;
      const text = (report: RunReport, of: string): string =>
        figureText(metricAt(report, of) ?? 0, "ns");
      return reports.some(
        (report) => text(report, path) !== text(report, path.replace(/max_ns$/, "min_ns")),
      );
    });
  });
  expect(wrong.map(({ at }) => at)).toEqual([]);
});

test("the first caption, and that of a step that turns knobs, is a sentence without gaps before its runs are made", () => {
  const figures = shippedFigures(new URL("../../..", import.meta.url).pathname);
  const early = ALL.filter(({ step, index }) => index === 0 || step.set.length > 0);
  const cut = early.flatMap(({ entry, step, at }) => {
    const store = openedAt(entry);
    store.dispatch({ type: "figures_came", figures });
    const told = captionOf(store.getState(), step);
    return told.includes("…") ? [`${at}: ${told}`] : [];
  });
  expect(cut).toEqual([]);
});
