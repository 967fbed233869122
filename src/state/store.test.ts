// The store calls its listeners once for all actions that are taken together.

import { expect, test } from "vitest";
import { HERD } from "../testing/page-state.ts";
import { initialState } from "./shape/state.ts";
import { makeStore } from "./store.ts";

test("actions taken together are seen at once by who takes them, and told to listeners once", () => {
  const store = makeStore(initialState(HERD, "dark"));
  const told: string[] = [];
  store.subscribe(({ lanes }) => told.push(lanes));
  store.together(() => {
    store.dispatch({ type: "lanes_set", lanes: "5" });
    expect(store.getState().lanes).toBe("5");
    store.together(() => store.dispatch({ type: "lanes_set", lanes: "6" }));
    expect(told).toEqual([]);
  });
  expect(told).toEqual(["6"]);
  expect(() =>
    store.together(() => {
      store.dispatch({ type: "lanes_set", lanes: "7" });
      throw new Error("half of it");
    }),
  ).toThrow();
  store.dispatch({ type: "lanes_set", lanes: "8" });
  expect(told).toEqual(["6", "7", "8"]);
});
