// What a scenario's own words leave aside on its lanes.

import { expect, test } from "vitest";
import { SCENARIOS } from "../engine/gen/scenarios.ts";
import { asideMarks } from "./unmentioned-marks.ts";

function asidesOf(slug: string): readonly string[] | undefined {
  const entry = SCENARIOS.find((each) => each.slug === slug);
  return entry && asideMarks(entry);
}

test("a story of a quota leaves kicks and moved tasks aside, one that speaks of them does not", () => {
  expect(asidesOf("cron-burst")).toEqual(["kick", "move", "ipi"]);
  expect(asidesOf("quota-burst")).toContain("move");
  expect(asidesOf("nohz-kick")).not.toContain("kick");
  expect(asidesOf("rt-pull-herd")).toEqual(["kick"]);
});
