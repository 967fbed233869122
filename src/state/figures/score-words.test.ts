// The score says once that nothing differs.

import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { answer } from "../../testing/knob-changes.ts";
import { SIDES } from "../../scenario/sides.ts";
import { page, PUSH, setKnob } from "../../testing/page-state.ts";
import { sameInAll, scoreWords, sideValue } from "./score-words.ts";

beforeAll(loadEngine);

test("no row differs only where every row has the same figure on both sides", () => {
  const shown = page();
  const { store } = shown;
  setKnob(store, "both", "duration", "5ms");
  setKnob(store, "both", PUSH, "on");
  for (const side of SIDES) answer(shown, side);
  const rows = scoreWords(store.getState().entry);
  expect(rows.length).toBeGreaterThan(1);
  expect(sameInAll(store.getState(), rows)).toBe(true);
  setKnob(store, "b", "machine.cpus", 8);
  answer(shown, "b");
  const state = store.getState();
  expect(rows.some((words) => sideValue(state, "a", words) !== sideValue(state, "b", words))).toBe(
    true,
  );
  expect(sameInAll(state, rows)).toBe(false);
});

test("what has not run is not the same as anything", () => {
  const { store } = page();
  expect(sameInAll(store.getState(), scoreWords(store.getState().entry))).toBe(false);
});
