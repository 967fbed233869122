// The words of the command's header; crates/scenario/tests/scenario/costs.rs has the same example.

import { expect, test } from "vitest";
import type { CostInfo, Provenance } from "../../engine/gen/types.ts";
import { changedCosts } from "./setup-words.ts";

function cost(name: string, value: number, provenance: Provenance): CostInfo {
  return { name, value, doc: "", provenance };
}

const knobs = [
  { path: "machine.cpus", value: 2, origin: "stated" },
  { path: "machine.costs", value: "vm2_meas", origin: "stated" },
] as const;

test("costs that were set for a run are named after its preset", () => {
  const costs = [
    cost("tick_ns", 600, "assumed"),
    cost("schedule_ns", 1200, "stated"),
    cost("pipe_ns", 5, "stated"),
  ];
  expect(changedCosts({ knobs, costs: costs.slice(0, 2) })).toBe("vm2_meas, schedule_ns 1200");
  expect(changedCosts({ knobs, costs })).toBe("vm2_meas, schedule_ns 1200, pipe_ns 5");
});

test("a preset as it is has nothing to say", () => {
  expect(changedCosts({ knobs, costs: [cost("tick_ns", 600, "assumed")] })).toBeUndefined();
});
