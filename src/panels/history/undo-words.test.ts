// Undo takes back every change of what is computed and says which; what is only looked at is in no
// step of it.

import { expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import type { Action } from "../../state/shape/actions.ts";
import { ownEntry } from "../../scenario/viewer-scenario.ts";
import { requestFor } from "../../state/select/selectors.ts";
import { initialState, type State } from "../../state/shape/state.ts";
import { makeStore } from "../../state/store.ts";
import { HERD } from "../../testing/page-state.ts";
import { undoWords } from "./undo-words.ts";

const [, PUSHED = "", THIRD = ""] = HERD.variants.map(({ name }) => name);
const EDITED = ownEntry(HERD.text.replace('"schema"', ' "schema"'));
const CHANGE = {
  where: "a",
  path: 'tasks."cyclictest.0".cpus',
  value: "0-3",
  atNs: 5_000,
} as const;

const computed = ({ route, entry, knobs, strips, moreRecords }: State): unknown => ({
  route,
  text: entry.text,
  knobs,
  strips: strips.map(({ variant }) => variant),
  moreRecords,
});

const CHANGES: readonly (readonly [Action, string])[] = [
  [{ type: "knob_set", where: "both", path: "seed", value: 9, settled: true }, "seed from 7 to 9"],
  [{ type: "knob_set", where: "both", path: "duration", value: "20ms", settled: true }, "duration"],
  [{ type: "variant_chosen", side: "a", name: PUSHED }, `A: “${PUSHED}” in place of “pull”`],
  [{ type: "sides_swapped" }, "A and B exchanged what they run"],
  [{ type: "knob_live_set", change: CHANGE }, "write of A: cyclictest.0: CPUs 0-3 at 5 µs"],
  [{ type: "strip_added", variant: THIRD }, `strip “${THIRD}” added`],
  [{ type: "more_records_allowed" }, "up to 32 million records"],
  [{ type: "scenario_written", entry: EDITED }, "an edit of the scenario’s text"],
];

test.each(CHANGES)(
  "%o is one step: undo and redo put back what was computed, and say what that was",
  (action, words) => {
    const store = makeStore({ ...initialState(HERD, "dark"), route: "preset" });
    const before = store.getState();
    store.dispatch(action);
    const changed = store.getState();
    expect(computed(changed)).not.toEqual(computed(before));
    store.dispatch({ type: "undone" });
    const undone = store.getState();
    expect(computed(undone)).toEqual(computed(before));
    expect(undoWords(changed, undone, "undone", KNOBS)).toContain(`Undone: ${words}`);
    expect(undoWords(changed, undone, "undone", KNOBS)).toMatch(/ Nothing more can be undone\.$/);
    store.dispatch({ type: "redone" });
    expect(computed(store.getState())).toEqual(computed(changed));
    expect(undoWords(undone, store.getState(), "redone", KNOBS)).toContain(`Redone: ${words}`);
  },
);

test("a step says how many are left, several knobs at once are told together, and none left is said", () => {
  const store = makeStore(initialState(HERD, "dark"));
  for (const value of [8, 9])
    store.dispatch({ type: "knob_set", where: "both", path: "seed", value, settled: true });
  const two = store.getState();
  store.dispatch({ type: "undone" });
  expect(undoWords(two, store.getState(), "undone", KNOBS)).toBe(
    "Undone: seed from 8 to 9. 1 more can be undone.",
  );
  const one = store.getState();
  store.dispatch({
    type: "knobs_tried",
    knobs: { both: [["machine.cpus", 8]], a: [], b: [], live: [] },
  });
  const tried = store.getState();
  store.dispatch({ type: "undone" });
  expect(computed(store.getState())).toEqual(computed(one));
  expect(undoWords(tried, store.getState(), "undone", KNOBS)).toContain("seed from 8 to 7");
  store.dispatch({ type: "undone" });
  const none = store.getState();
  store.dispatch({ type: "undone" });
  expect(undoWords(none, store.getState(), "undone", KNOBS)).toBe("There is nothing to undo.");
});

test("text and knobs come back together: what was turned over an edited text is not laid over the one before", () => {
  const store = makeStore({ ...initialState(HERD, "dark"), route: "preset" });
  const first = requestFor(store.getState(), "a");
  store.dispatch({ type: "scenario_written", entry: EDITED });
  store.dispatch({ type: "knob_set", where: "both", path: "seed", value: 9, settled: true });
  for (let step = 0; step < 2; step += 1) store.dispatch({ type: "undone" });
  expect(requestFor(store.getState(), "a")).toEqual(first);
  expect(store.getState()).toMatchObject({ route: "preset", step: { waiting: false } });
});

test("what is only looked at makes no step", () => {
  const store = makeStore(initialState(HERD, "dark"));
  const looks: readonly Action[] = [
    { type: "viewport_set", viewport: { fromNs: 0, toNs: 9 }, settled: true },
    { type: "area_set", area: { fromNs: 0, toNs: 9 } },
    { type: "marker_set", which: "from", ns: 3 },
    { type: "lanes_set", lanes: "p3" },
    { type: "ghost_toggled", mode: "before" },
    { type: "one_side_toggled" },
    { type: "theme_set", theme: "light" },
    { type: "knob_split", path: "seed" },
  ];
  for (const look of looks) store.dispatch(look);
  expect(store.getState().undo.past).toEqual([]);
});

test("steps of long texts are kept up to a bound, the last one always", () => {
  const store = makeStore(initialState(HERD, "dark"));
  for (let nth = 0; nth < 12; nth += 1)
    store.dispatch({ type: "scenario_written", entry: ownEntry(`${nth}${" ".repeat(1_000_000)}`) });
  expect(store.getState().undo.past.length).toBeLessThan(6);
  store.dispatch({ type: "scenario_written", entry: ownEntry("{}") });
  store.dispatch({ type: "undone" });
  expect(store.getState().entry.text).toMatch(/^11 /);
});
