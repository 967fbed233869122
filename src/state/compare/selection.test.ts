import { expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { contentOf } from "../links/link-state.ts";
import { selectedWake, selectionOn, trackInQuestion } from "./selection.ts";
import { pageWith } from "./testing.ts";

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

test("the CPU in question is the one pointed at last; a selection after it takes its place", () => {
  const store = pageWith(SCENARIOS, DUES, undefined, 3);
  expect(trackInQuestion(store.getState())).toEqual({ side: "a", cpu: 0 });
  store.dispatch({ type: "track_pointed", track: { side: "b", cpu: 1 } });
  expect(trackInQuestion(store.getState())).toEqual({ side: "b", cpu: 1 });
  store.dispatch({ type: "selected", side: "a", selection: { kind: "wake", task: "t0", nth: 1 } });
  expect(trackInQuestion(store.getState())).toEqual({ side: "a", cpu: 3 });
});
