import { expect, test } from "vitest";
import type { RunMeta, RunReport } from "../../engine/gen/types.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { TraceStore } from "../../model/index.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import { HERD } from "../../testing/page-state.ts";
import { selectedWake } from "../select/selection.ts";
import { selectionOnStrip } from "./strip-selection.ts";
import { stripRequest } from "./strips.ts";
import { pageWith } from "../../testing/two-runs.ts";

const [, , THIRD = ""] = HERD.variants.map(({ name }) => name);
const END_NS = 10_000;

/**
 * A page of the herd whose strip C ran, with wake-ups of `t0` due at those instants; each takes 100
 * ns.
 */
function withStrip(
  dues: { readonly a: readonly number[]; readonly b: readonly number[] },
  onC: readonly number[],
) {
  const herd = SCENARIOS.filter(({ slug }) => slug === HERD.slug);
  const store = pageWith(herd, dues);
  store.dispatch({ type: "strip_added", variant: THIRD });
  const trace = new TraceStore(shapeOf(4, 4, END_NS));
  const wakes = onC.map((due, nth) => ({
    task: 0,
    nth,
    cpu: 0,
    due,
    segments: [[1, 100] as const],
  }));
  trace.append(END_NS, traceChunk(rowsFrom("")), wakeChunk(wakes));
  const asked = stripRequest(store.getState(), { variant: THIRD });
  if (asked === undefined) throw new Error("no such variant");
  const meta = { ...trace.shape, knobs: [], live: [], notes: [] } as unknown as RunMeta;
  const report = { simulated_ns: END_NS, metrics: {}, findings: [] } as unknown as RunReport;
  const run = {
    id: 0,
    request: asked,
    meta,
    trace,
    version: trace.version,
    simulatedNs: END_NS,
    report,
  };
  store.dispatch({ type: "strip_advanced", asked, status: { kind: "finished" }, run });
  const pick = (nth: number): void =>
    store.dispatch({
      type: "strip_picked",
      index: 0,
      selection: { kind: "wake", task: "t0", nth },
    });
  const onStrip = (): number | undefined => {
    const [strip] = store.getState().strips;
    return strip && selectionOnStrip(store.getState(), strip)?.nth;
  };
  const onSides = () =>
    (["a", "b"] as const).map((side) => selectedWake(store.getState(), side)?.dueNs);
  return { store, pick, onStrip, onSides };
}

test("a wake-up picked on a strip is selected by its due time on the sides, and stays the strip's own", () => {
  const { pick, onStrip, onSides } = withStrip(
    { a: [1000, 2000, 3000], b: [2010, 2990] },
    [1990, 3010],
  );
  pick(0);
  expect([onSides(), onStrip()]).toEqual([[2000, 2010], 0]);
  pick(1);
  expect([onSides(), onStrip()]).toEqual([[3000, 2990], 1]);
});

test("the side in focus is asked first, and the other one where only that has it", () => {
  const { store, pick, onSides } = withStrip(
    { a: [1000, 2000, 3000], b: [2010, 2990] },
    [1010, 2010],
  );
  store.dispatch({ type: "side_focused", side: "b" });
  pick(1);
  expect(store.getState().selectedOn).toBe("b");
  pick(0);
  expect([store.getState().selectedOn, onSides()]).toEqual(["a", [1000, undefined]]);
});

test("what is selected on a side is shown on the strip by its due time, and nothing where the strip has none", () => {
  const { store, onStrip } = withStrip({ a: [1000, 2000, 9000], b: [2000] }, [990, 2010, 3000]);
  const select = (nth: number): number | undefined => {
    store.dispatch({ type: "selected", side: "a", selection: { kind: "wake", task: "t0", nth } });
    return onStrip();
  };
  expect([0, 1, 2].map(select)).toEqual([0, 1, undefined]);
});

test("a wake-up that no side has is selected on the strip alone, until something else is or the selection is cleared", () => {
  const { store, pick, onStrip } = withStrip(
    { a: [1000, 2000], b: [1000, 2000] },
    [1000, 2000, 9000],
  );
  pick(2);
  expect([store.getState().selection, onStrip()]).toEqual([undefined, 2]);
  store.dispatch({ type: "selected", side: "a", selection: { kind: "wake", task: "t0", nth: 0 } });
  store.dispatch({ type: "selection_cleared" });
  expect(onStrip(), "it does not come back").toBeUndefined();
  pick(2);
  store.dispatch({ type: "selection_cleared" });
  expect(onStrip()).toBeUndefined();
});
