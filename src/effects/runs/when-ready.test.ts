import { expect, test } from "vitest";
import { initialState, type State } from "../../state/shape/state.ts";
import { makeStore, type Store } from "../../state/store.ts";
import { HERD } from "../../testing/page-state.ts";
import { whenReady } from "./when-ready.ts";

const plays = ({ playback }: State): boolean => playback.playing;
const isDark = ({ theme }: State): boolean => theme === "dark";

function waiting(store = makeStore(initialState(HERD, "dark"))): {
  readonly store: Store;
  readonly calls: () => number;
} {
  let calls = 0;
  whenReady(store, plays, isDark, () => {
    calls += 1;
    store.dispatch({ type: "theme_set", theme: "light" });
  });
  return { store, calls: () => calls };
}

test("what waits for a page that is ready is done at once", () => {
  const store = makeStore(initialState(HERD, "dark"));
  store.dispatch({ type: "played" });
  expect(waiting(store).calls()).toBe(1);
});

test("what waits is done once the page is ready, and once only", () => {
  const { store, calls } = waiting();
  expect(calls()).toBe(0);
  store.dispatch({ type: "played" });
  expect(calls()).toBe(1);
  store.dispatch({ type: "theme_set", theme: "dark" });
  expect(calls()).toBe(1);
});

test("what is no longer wanted is never done", () => {
  const { store, calls } = waiting();
  store.dispatch({ type: "theme_set", theme: "light" });
  store.dispatch({ type: "theme_set", theme: "dark" });
  store.dispatch({ type: "played" });
  expect(calls()).toBe(0);
});
