// What a side is called whose knobs are no variant of the scenario.

import { expect, test } from "vitest";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { SIDES } from "../sides.ts";
import { NO_KNOBS, setKnob } from "./knob-sets.ts";
import { customWords } from "./variants.ts";

test("a knob that leaves the variants of both sides keeps their names apart", () => {
  const sizes = SCENARIOS.find(({ slug }) => slug === "rt-pull-herd-sizes") as ScenarioEntry;
  const both = setKnob(NO_KNOBS, "both", "kernel.rt_push_ipi", "on");
  const [a, b] = SIDES.map((side) => customWords(sizes, both, side));
  expect(a).not.toBe(b);
  expect(
    [a, b].map((words) => /^cpus \d+, rt_push_ipi on$/.test(words ?? "")),
    "what differs comes first",
  ).toEqual([true, true]);
});
