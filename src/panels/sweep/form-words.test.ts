// Which knobs the sweep's form offers.

import { expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { findKnob } from "../../state/knobs/knob-values.ts";
import { metricWords } from "../../state/figures/headline.ts";
import { questionOf, sweptPaths } from "./form-words.ts";

const web = SCENARIOS.find(({ slug }) => slug === "quota-web-p95") as ScenarioEntry;

test("the knobs of programs that do not run are not offered; all are while nothing is known of a run", () => {
  const offered = sweptPaths(web, ["machine.cpus", "workload.web.rate"], KNOBS);
  expect(offered).toContain("workload.web.hops");
  expect(offered).toContain("kernel.hz");
  expect(offered.filter((path) => path.startsWith("workload.") && !path.startsWith("workload.web."))).toEqual([]);
  expect(sweptPaths(web, [], KNOBS)).toContain("workload.cyclictest.threads");
});

test("of a search the field that cannot be read is told, with its form, before those that are still empty", () => {
  const depth = metricWords("rq_lock.max_waiters");
  const wrong = (typed: { readonly bound?: string; readonly from?: string; readonly to?: string }): unknown => {
    const search = { metric: depth.path, variant: "", bound: "", from: "", to: "", ...typed };
    return questionOf(search, findKnob(KNOBS, "machine.cpus"), depth, 5);
  };
  expect(wrong({ bound: "few" })).toEqual({ ok: false, field: "bound", words: "expected a number, got “few”" });
  expect(wrong({ bound: "3", to: "many" })).toMatchObject({ field: "to", words: "expected a whole number from 1 to 1024, got “many”" });
  expect(wrong({ bound: "3", from: "8", to: "4" })).toMatchObject({
    field: "to",
    words: "expected more than “8”, where the range begins, got “4”",
  });
});
