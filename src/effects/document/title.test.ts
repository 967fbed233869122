import { expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { initialState } from "../../state/shape/state.ts";
import { makeStore } from "../../state/store.ts";
import { titleOf } from "./title.ts";

const HERD = SCENARIOS.find((entry) => entry.slug === "rt-pull-herd") as ScenarioEntry;

test("the tab's title is the question, and says what is changed or refused", () => {
  const store = makeStore(initialState(HERD, "dark"));
  expect(titleOf(store.getState())).toBe("schedscope: why was this wake-up late?");
  expect(titleOf({ ...store.getState(), route: "preset" })).toBe(`${HERD.title} · schedscope`);
  store.dispatch({
    type: "knob_set",
    where: "both",
    path: "machine.cpus",
    value: 1,
    settled: true,
  });
  expect(titleOf(store.getState())).toContain(" 1 CPU ");
  expect(titleOf(store.getState())).toMatch(/\(changed\) · schedscope$/);
  store.dispatch({ type: "link_refused", problem: { code: "no_preset", slug: "x" } });
  expect(titleOf(store.getState())).toBe("No such page · schedscope");
  store.dispatch({ type: "link_refused", problem: { code: "cut", slug: "x" } });
  expect(titleOf(store.getState())).toBe("This link cannot be opened · schedscope");
});
