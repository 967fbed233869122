import { expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { contentOf } from "../link/link-state.ts";
import { selectedWake, selectionOn, trackInQuestion } from "./selection.ts";
import { finish, pageWith, show } from "../../testing/two-runs.ts";
import { TraceStore } from "../../model/index.ts";
import { shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import type { Selection } from "../../model/trace/run-types.ts";
import type { State } from "../shape/state.ts";

const DUES = { a: [1000, 2000, 3000, 4000], b: [2010, 3990] };

test("the other side shows the wake-up due at the same time, whatever its number", () => {
  const store = pageWith(SCENARIOS, DUES);
  store.dispatch({ type: "selected", side: "a", selection: { kind: "wake", task: "t0", nth: 1 } });
  expect(selectedWake(store.getState(), "a")?.dueNs).toBe(2000);
  expect(selectedWake(store.getState(), "b")).toMatchObject({ dueNs: 2010, nth: 0 });
});

test("a wake-up without a partner has none on the other side", () => {
  const store = pageWith(SCENARIOS, DUES);
  store.dispatch({ type: "selected", side: "a", selection: { kind: "wake", task: "t0", nth: 0 } });
  expect(selectedWake(store.getState(), "a")?.dueNs).toBe(1000);
  expect(selectionOn(store.getState(), "b")).toBeUndefined();
});

test("what is selected on B counts on B, and keeps counting there when A is in focus", () => {
  const store = pageWith(SCENARIOS, DUES);
  store.dispatch({ type: "selected", side: "b", selection: { kind: "wake", task: "t0", nth: 1 } });
  store.dispatch({ type: "side_focused", side: "a" });
  expect(selectionOn(store.getState(), "a")).toEqual({ kind: "wake", task: "t0", nth: 3 });
  expect(selectionOn(store.getState(), "b")).toEqual({ kind: "wake", task: "t0", nth: 1 });
});

test("a link names the selection as side A counts it, and leaves out what A does not have", () => {
  const store = pageWith(SCENARIOS, { a: [1000, 2000, 3000], b: [2000, 2990, 9000] });
  const sel = (nth: number): string | undefined => {
    store.dispatch({ type: "selected", side: "b", selection: { kind: "wake", task: "t0", nth } });
    return contentOf(store.getState()).view.sel;
  };
  expect([0, 1, 2].map(sel)).toEqual(["t0.w1", "t0.w2", undefined]);
});

/** A page with this selection, once its side has come to the end of the run of another text. */
function afterText(selected: Selection, dues: readonly number[], task = "t0"): State {
  const store = pageWith(SCENARIOS, DUES);
  finish(store, "a", {});
  store.dispatch({ type: "selected", side: "a", selection: selected });
  const shape = shapeOf(4, 4, 10_000);
  const trace = new TraceStore({
    ...shape,
    tasks: shape.tasks.map((each, index) => (index === 0 ? { ...each, name: task } : each)),
  });
  show(store, "a", trace, "another text");
  trace.append(
    10_000,
    traceChunk([]),
    wakeChunk(
      dues.map((due, nth) => ({ task: 0, nth, cpu: 0, due, segments: [[1, 100] as const] })),
    ),
  );
  const { runId: run } = store.getState().sides.a;
  store.dispatch({
    type: "run_grew",
    side: "a",
    run,
    simulatedNs: 10_000,
    shareDone: 10_000,
    version: trace.version,
  });
  finish(store, "a", {});
  return store.getState();
}

test("a wake-up that the run of another text cannot have is selected no more, and the link does not name it", () => {
  const state = afterText({ kind: "wake", task: "t0", nth: 1 }, [1000, 2000, 3000], "web.0");
  expect(state.selection).toBeUndefined();
  expect(contentOf(state).view.sel).toBeUndefined();
});

test("a wake-up whose number another text does not have is found again by its instant, and where none is there, is selected no more", () => {
  const last: Selection = { kind: "wake", task: "t0", nth: 3 };
  expect(afterText(last, [1000, 4010]).selection).toEqual({ kind: "wake", task: "t0", nth: 1 });
  expect(afterText(last, []).selection).toBeUndefined();
});

test("a wake-up that another text still has stays selected, and other knobs leave a selection as it is", () => {
  const first: Selection = { kind: "wake", task: "t0", nth: 1 };
  expect(afterText(first, [1000, 2000]).selection).toEqual(first);
  const store = pageWith(SCENARIOS, DUES);
  finish(store, "a", {});
  store.dispatch({ type: "selected", side: "a", selection: first });
  show(store, "a", new TraceStore(shapeOf(4, 4, 10_000)));
  finish(store, "a", {});
  expect(store.getState().selection, "the number comes back with the knobs").toEqual(first);
});

test("the CPU in question is the one pointed at last; a selection after it takes its place", () => {
  const store = pageWith(SCENARIOS, DUES, undefined, 3);
  expect(trackInQuestion(store.getState())).toEqual({ side: "a", cpu: 0 });
  store.dispatch({ type: "track_pointed", track: { side: "b", cpu: 1 } });
  expect(trackInQuestion(store.getState())).toEqual({ side: "b", cpu: 1 });
  store.dispatch({ type: "selected", side: "a", selection: { kind: "wake", task: "t0", nth: 1 } });
  expect(trackInQuestion(store.getState())).toEqual({ side: "a", cpu: 3 });
});
