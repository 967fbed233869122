// A version chosen in the page is that kernel: what the file states for a switch of the version
// goes with it.

import { expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { lookUp, NO_KNOBS, pruneKnob, setKnob } from "../../scenario/knob-sets.ts";
import { ownEntry, statedValue } from "../../scenario/viewer-scenario.ts";

test.each(SCENARIOS)(
  "the page and the scenario crate agree on what the variants of $slug are compared by",
  ({ text, variants }) => {
    expect(ownEntry(text).variants).toEqual(variants);
  },
);

test("a time stated in the key's unit is the same time", () => {
  const kernel = { version: "6.6", base_slice_us: 900 };
  const variants = [
    { name: "as it is", set: {} },
    { name: "3 ms", set: { "kernel.base_slice": "3ms" } },
    { name: "another kernel", set: { "kernel.version": "6.12" } },
  ];
  const sets = ownEntry(JSON.stringify({ kernel, variants })).variants.map(({ set }) => set);
  expect(sets).toEqual([
    { "kernel.base_slice": "900us" },
    { "kernel.base_slice": "3ms" },
    { "kernel.version": "6.12" },
  ]);
});

test("under a changed version the file's own value is a change, and is kept", () => {
  const entry: ScenarioEntry = {
    ...ownEntry(
      JSON.stringify({
        kernel: { version: "5.4", bandwidth: "4.19" },
        variants: [{ name: "one", set: {} }],
      }),
    ),
  };
  const keep = (before: typeof NO_KNOBS): unknown => {
    const sets = setKnob(before, "both", "kernel.bandwidth", "4.19");
    return lookUp(
      pruneKnob(entry, sets, "kernel.bandwidth", statedValue(entry, "kernel.bandwidth")).both,
      "kernel.bandwidth",
    );
  };
  expect(keep(NO_KNOBS), "it says nothing new").toBeUndefined();
  expect(keep(setKnob(NO_KNOBS, "both", "kernel.version", "6.12"))).toBe("4.19");
});
