// Test support: a page with two runs on screen, made of due times or of rows. Never part of the
// product.

import type { RunMeta, RunReport, ScenarioEntry } from "../engine/gen/types.ts";
import { TraceStore } from "../model/index.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../model/trace/trace-text.ts";
import { SIDES, type PerSide, type Side } from "../scenario/sides.ts";
import { initialState } from "../state/shape/state.ts";
import { makeStore, type Store } from "../state/store.ts";

const END_NS = 10_000;

/** Each wake-up of task `t0` takes 100 ns, on `cpu`. */
export function pageWith(
  entries: readonly ScenarioEntry[],
  dues: PerSide<readonly number[]>,
  rows?: PerSide<string>,
  cpu = 0,
): Store {
  const [entry] = entries;
  if (entry === undefined) throw new Error("no scenario");
  const store = makeStore(initialState(entry, "dark"));
  for (const side of SIDES) {
    const trace = new TraceStore(shapeOf(4, 4, END_NS));
    show(store, side, trace);
    const wakes = dues[side].map((due, nth) => ({
      task: 0,
      nth,
      cpu,
      due,
      segments: [[1, 100] as const],
    }));
    trace.append(END_NS, traceChunk(rowsFrom(rows?.[side] ?? "")), wakeChunk(wakes));
    const { runId: run } = store.getState().sides[side];
    store.dispatch({
      type: "run_grew",
      side,
      run,
      simulatedNs: END_NS,
      shareDone: 10_000,
      version: trace.version,
    });
  }
  return store;
}

/** Ends a side's run with a report of these metrics. */
export function finish(store: Store, side: Side, metrics: object): void {
  const { runId: run } = store.getState().sides[side];
  const report = {
    simulated_ns: END_NS,
    records: 4,
    metrics,
    findings: [],
  } as unknown as RunReport;
  store.dispatch({ type: "run_finished", side, run, report, limit: undefined });
}

/** A new run of a side, with nothing in it yet; `text`: the scenario's. */
export function show(store: Store, side: Side, trace: TraceStore, text = ""): void {
  const run = store.getState().sides[side].runId + 1;
  const meta = { ...trace.shape, knobs: [], live: [], notes: [] } as unknown as RunMeta;
  const request = { slug: "made-up", text, set: [], maxRecords: 1 };
  store.dispatch({ type: "run_requested", side, run });
  store.dispatch({ type: "run_meta", side, run, request, meta, trace });
}
