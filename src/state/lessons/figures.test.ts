// A lesson says a quantity as the score beside it does.

import { beforeAll, expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { loadEngine } from "../../engine/testing.ts";
import { figureText } from "../figures/figure.ts";
import { headlineValue } from "../figures/headline.ts";
import { metricAt } from "../../scenario/metric-path.ts";
import { scoreWords } from "../figures/score-words.ts";
import { openContent } from "../link/link-state.ts";
import { AT_ONCE } from "../../effects/runs/feeder.ts";
import { startRunner } from "../../effects/runs/runner.ts";
import { BenchClient } from "../../testing/real-runs.ts";
import { perSide, SIDES } from "../../scenario/sides.ts";
import { initialState, type State } from "../shape/state.ts";
import { makeStore } from "../store.ts";
import { liveReport } from "../steps/resolve.ts";
import { lessonFigure, lessonWords, rowOf } from "./figures.ts";

beforeAll(loadEngine);

function opened(slug: string): State {
  const entry = SCENARIOS.find((each) => each.slug === slug);
  if (entry === undefined) throw new Error(`no scenario ${slug}`);
  const store = makeStore(initialState(entry, "dark"));
  const content = { slug, scenario: undefined, both: [], a: [], b: [], view: {}, unknown: [] };
  store.dispatch({ type: "opened", route: "preset", opened: openContent(content, entry, KNOBS) });
  const clients = perSide(() => new BenchClient());
  startRunner(store, clients, AT_ONCE);
  for (const side of SIDES) clients[side].work();
  return store.getState();
}

test("a total of time is that of a second, usage beside what was allowed a share, a maximum itself, a knob its value", () => {
  const state = opened("quota-stranded");
  const report = liveReport(state, "a");
  if (report === undefined) throw new Error("no report");
  for (const words of scoreWords(state.entry))
    expect(lessonFigure(state, words.path, "a")).toBe(
      figureText(headlineValue(report, words) ?? -1, words.unit),
    );
  expect(lessonFigure(state, "groups.fibtest.usage_ns", "a")).toMatch(/^[\d.]+ %$/);
  const expired = metricAt(report, "groups.fibtest.expired_ns") ?? 0;
  expect(lessonFigure(state, "groups.fibtest.expired_ns", "a")).toBe(
    figureText(Math.round((expired * 1e9) / report.simulated_ns), "ns"),
  );
  expect(lessonFigure(state, "groups.fibtest.nr_periods", "a"), "not in the score").toBe("50");
  expect(lessonFigure(state, "kernel.cfs_bandwidth_slice_us", "a")).toBe("5000");
  expect(lessonFigure(state, "groups.nobody.usage_ns", "a")).toBeUndefined();
});

test("what the score does not show has no row, and words all the same", () => {
  const { entry } = opened("quota-stranded");
  expect(rowOf(entry, "groups.fibtest.entitled_ns"), "it is the whole of a share").toBeUndefined();
  expect(lessonWords(entry, "groups.fibtest.nr_periods").label).toBe("fibtest: periods");
});
