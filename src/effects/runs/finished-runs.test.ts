// Runs that are found again, through the page's public door: a runner with the real engine behind
// it.

import { beforeAll, expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { Handover, ScenarioEntry } from "../../engine/gen/types.ts";
import { loadEngine } from "../../engine/testing.ts";
import { prepare } from "../../engine/wasm/reader.js";
import type { Action } from "../../state/shape/actions.ts";
import { effectiveSet, NO_KNOBS, setKnob, type KnobSets } from "../../scenario/knob-sets.ts";
import { perSide, SIDES } from "../../scenario/sides.ts";
import { initialState } from "../../state/shape/state.ts";
import { type Run } from "../../state/shape/run.ts";
import { makeStore } from "../../state/store.ts";
import { HERD, PUSH } from "../../testing/page-state.ts";
import { AT_ONCE } from "./feeder.ts";
import { KeptRuns } from "./finished-runs.ts";
import { startRunner } from "./runner.ts";
import { BenchClient, seen } from "../../testing/real-runs.ts";

beforeAll(loadEngine);

const SHORT: KnobSets = { ...NO_KNOBS, both: [["duration", "2ms"]] };

function pageWith(knobs: KnobSets, kept = new KeptRuns(), entry: ScenarioEntry = HERD) {
  const store = makeStore({ ...initialState(entry, "dark"), knobs });
  const engines = { a: new BenchClient(), b: new BenchClient() };
  startRunner(
    store,
    perSide((side) => engines[side]),
    AT_ONCE,
    kept,
  );
  const work = (): void => SIDES.forEach((side) => engines[side].work());
  work();
  return { store, engines, work, runs: () => engines.a.asked + engines.b.asked };
}

const push = (value: string, side: "a" | "b" = "a"): Action => ({
  type: "knob_set",
  where: side,
  path: PUSH,
  value,
  settled: true,
});

test("a switch flipped back, undone, redone, swapped or made like the other side's computes nothing, and shows what a fresh page shows", () => {
  const page = pageWith(SHORT);
  page.store.dispatch(push("rt_only"));
  page.work();
  expect(page.runs()).toBe(3);
  const ways: readonly Action[] = [
    push("off"),
    { type: "undone" },
    { type: "redone" },
    { type: "sides_swapped" },
    push("off"),
    push("on", "b"),
    { type: "variant_chosen", side: "b", name: HERD.variants[0]?.name ?? "" },
    { type: "undone" },
    { type: "knob_reset", path: PUSH },
  ];
  for (const way of ways) {
    page.store.dispatch(way);
    const { sides, knobs } = page.store.getState();
    expect([sides.a.status.kind, sides.b.status.kind], JSON.stringify(way)).toEqual([
      "finished",
      "finished",
    ]);
    const fresh = pageWith(knobs).store.getState();
    for (const side of SIDES)
      expect(seen(page.store.getState(), side), `${JSON.stringify(way)}, ${side}`).toEqual(
        seen(fresh, side),
      );
  }
  expect(page.runs()).toBe(3);
});

test("a run under way gives way to one that is found, and nothing it still says is shown", () => {
  const page = pageWith(SHORT);
  const before = seen(page.store.getState());
  page.store.dispatch(push("rt_only"));
  page.engines.a.work(2);
  expect(page.store.getState().sides.a.status.kind).toBe("computing");
  page.store.dispatch({ type: "undone" });
  expect(page.store.getState().sides.a.status.kind).toBe("finished");
  page.work();
  expect(seen(page.store.getState())).toEqual(before);
  page.store.dispatch({ type: "redone" });
  page.work();
  expect(seen(page.store.getState())).toEqual(
    seen(pageWith(page.store.getState().knobs).store.getState()),
  );
});

test("what is written to a run that was found, or that both sides share, leaves the kept one as it is", () => {
  const page = pageWith(SHORT);
  page.store.dispatch(push("on"));
  const shared = seen(page.store.getState(), "b");
  expect(page.store.getState().sides.a.shown?.trace).toBe(
    page.store.getState().sides.b.shown?.trace,
  );
  page.store.dispatch({
    type: "knob_live_set",
    change: { where: "a", path: PUSH, value: "off", atNs: 1_200_000 },
  });
  page.work();
  expect(seen(page.store.getState())).toEqual(
    seen(pageWith(page.store.getState().knobs).store.getState()),
  );
  expect(seen(page.store.getState(), "b")).toEqual(shared);
  page.store.dispatch({ type: "undone" });
  expect(seen(page.store.getState())).toEqual(shared);
});

test("beside the runs on screen there are never more records than the budget, and those of another scenario go", () => {
  const records = pageWith(SHORT).store.getState().sides.a.shown?.trace.rows ?? 0;
  expect(records).toBeGreaterThan(0);
  const kept = new KeptRuns(2.5 * records);
  const page = pageWith(SHORT, kept);
  const seen: Run[] = [];
  for (let seed = 1; seed <= 12; seed += 1) {
    page.store.dispatch({ type: "knob_set", where: "a", path: "seed", value: seed, settled: true });
    page.work();
    const { shown } = page.store.getState().sides.a;
    if (shown !== undefined) seen.push(shown);
    const onScreen = SIDES.map((side) => page.store.getState().sides[side].shown?.trace);
    const beside = seen.filter(
      ({ request, trace }) => !onScreen.includes(trace) && kept.find(request)?.trace === trace,
    );
    expect(beside.reduce((sum, { trace }) => sum + trace.rows, 0)).toBeLessThanOrEqual(
      2.5 * records,
    );
    if (seed > 4) expect(beside.length).toBeGreaterThan(0);
  }
  page.store.dispatch({ type: "scenario_written", entry: { ...HERD, text: `${HERD.text}\n` } });
  expect(seen.filter(({ request }) => kept.find(request) !== undefined)).toEqual([]);
});

test.each(SCENARIOS.map((entry) => [entry.slug, entry] as const))(
  "%s: the order in which knobs are laid over the file makes no other machine, so that a set is found in any",
  (slug, entry) => {
    const prepared = (set: readonly unknown[]): string =>
      (
        JSON.parse(
          (prepare as (...parts: unknown[]) => string)(
            slug,
            entry.text,
            JSON.stringify(set),
            false,
          ),
        ) as Handover
      ).setup;
    const sets = setKnob(setKnob(NO_KNOBS, "both", "seed", 7), "both", "duration", "3ms");
    for (const { set } of entry.variants) {
      const laid = [...effectiveSet({ ...entry, variants: [] }, sets, "a"), ...Object.entries(set)];
      expect(prepared(laid.toReversed())).toBe(prepared(laid));
    }
  },
);
