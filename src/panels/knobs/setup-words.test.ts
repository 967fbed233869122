// The sentence over the knobs is true whatever differs: nothing, one knob, several, or what follows
// a knob.

import { beforeAll, expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { loadEngine } from "../../engine/testing.ts";
import { answer, type Page } from "../../testing/knob-changes.ts";
import { ownEntry } from "../../scenario/viewer-scenario.ts";
import { SIDES } from "../../scenario/sides.ts";
import { HERD, page, PUSH, setKnob } from "../../testing/page-state.ts";
import { setupWords } from "./setup-words.ts";

beforeAll(loadEngine);

const scenario = (slug: string): ScenarioEntry =>
  SCENARIOS.find((entry) => entry.slug === slug) as ScenarioEntry;

/** 1 ms of a scenario with these changes, both sides computed. */
function ran(entry: ScenarioEntry, change: (shown: Page) => void = () => undefined): Page {
  const shown = page(entry);
  setKnob(shown.store, "both", "duration", "1ms");
  change(shown);
  for (const side of SIDES) answer(shown, side);
  return shown;
}

const words = ({ store }: Page): string => setupWords(store.getState(), KNOBS);

test("one knob is the only difference where nothing else differs", () => {
  expect(words(ran(HERD))).toBe("40 CPUs, same seed: the only difference is RT_PUSH_IPI.");
});

test("no difference is called identical, of a scenario of one's own too", () => {
  const same = "Both sides are identical: change one knob on one side.";
  expect(words(ran(HERD, ({ store }) => setKnob(store, "both", PUSH, "on")))).toBe(
    `40 CPUs. ${same}`,
  );
  expect(words(ran(ownEntry(JSON.stringify({ ...JSON.parse(HERD.text), variants: [] }))))).toBe(
    `40 CPUs. ${same}`,
  );
});

test("whoever looks at one side alone is not asked to change the other", () => {
  const shown = ran(HERD, ({ store }) => setKnob(store, "both", PUSH, "on"));
  shown.store.dispatch({ type: "one_side_toggled" });
  expect(words(shown)).toBe("40 CPUs. Side A alone is shown; the other side is identical.");
});

test("two differences are both named", () => {
  const shown = ran(HERD, ({ store }) => setKnob(store, "b", "kernel.hz", "100"));
  expect(words(shown)).toMatch(/^40 CPUs, same seed: .*RT_PUSH_IPI.* differ\.$/);
});

test("what follows a knob is no silent difference: a mode of preemption names it, a version counts it", () => {
  expect(words(ran(scenario("hackbench")))).toMatch(/: preemption differs, and [^,]+ with it\.$/);
  expect(words(ran(HERD, ({ store }) => setKnob(store, "b", "kernel.version", "6.6")))).toMatch(
    / differ, and \d+ other knobs with them\.$/,
  );
});

test("runs that are the same under knobs that differ are called the same", () => {
  // One CPU has no other to pull from.
  const shown = ran(HERD, ({ store }) => {
    setKnob(store, "both", "machine.cpus", 1);
    setKnob(store, "a", PUSH, "off");
    setKnob(store, "b", PUSH, "on");
  });
  expect(words(shown)).toBe(
    "1 CPU, same seed: the only difference is RT_PUSH_IPI; both runs are the same.",
  );
});

test("a change in mid-run of one side is a difference more", () => {
  const shown = ran(HERD, ({ store }) =>
    store.dispatch({
      type: "knob_live_set",
      change: { where: "a", path: PUSH, value: "on", atNs: 500_000 },
    }),
  );
  expect(words(shown)).toBe(
    "40 CPUs, same seed: RT_PUSH_IPI differs from the start. On A RT_PUSH_IPI becomes on at 500 µs.",
  );
});

test("a scenario that side B refuses is not said to have run", () => {
  const shown = page(HERD);
  answer(shown, "a");
  shown.engines.b.last.listener.onScenarioError({ path: "kernel.hz", message: "no such rate" });
  expect(words(shown)).toBe("40 CPUs. Side B has no run.");
});
