// Going to the worst wake-up, and what is said where there is none.

import { expect, test } from "vitest";
import { pageWith } from "../../testing/two-runs.ts";
import type { Store } from "../../state/store.ts";
import { HERD } from "../../testing/page-state.ts";
import { goToWorst } from "./wake-selection.ts";

/** A page that shows wake-ups of the kind that `t0` has. */
function pageOf(a: readonly number[], b: readonly number[]): Store {
  const store = pageWith([HERD], { a, b });
  store.dispatch({ type: "latency_kind_set", kind: "rt_noise" });
  return store;
}

test("where no wake-up ended the key for the worst says so, until the viewer goes elsewhere", () => {
  const store = pageOf([], [1_000]);
  expect(goToWorst(store, store.getState(), 1)).toBe(false);
  expect(store.getState().reply).toMatch(
    /^No wake-up.* ended in A’s run.*: there is none to go to\.$/,
  );
  store.dispatch({ type: "side_focused", side: "b" });
  expect(store.getState().reply).toBeUndefined();
  expect(goToWorst(store, store.getState(), 1)).toBe(true);
  expect(store.getState()).toMatchObject({ reply: undefined, selection: { task: "t0", nth: 0 } });
});

test("behind the last one and before the first it says that none is less late, and none more", () => {
  const store = pageOf([1_000], []);
  const replies = ([-1, 1, 1, -1] as const).map((direction) => {
    goToWorst(store, store.getState(), direction);
    return store.getState().reply;
  });
  expect(replies).toEqual([
    expect.stringMatching(/^No wake-up.* is selected on A: L goes to the worst\.$/),
    undefined,
    expect.stringMatching(/less late than the selected one\.$/),
    expect.stringMatching(/more late than the selected one\.$/),
  ]);
});
