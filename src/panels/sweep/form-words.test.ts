// Which knobs the sweep's form offers.

import { expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { sweptPaths } from "./form-words.ts";

const web = SCENARIOS.find(({ slug }) => slug === "quota-web-p95") as ScenarioEntry;

test("the knobs of programs that do not run are not offered; all are while nothing is known of a run", () => {
  const offered = sweptPaths(web, ["machine.cpus", "workload.web.rate"], KNOBS);
  expect(offered).toContain("workload.web.hops");
  expect(offered).toContain("kernel.hz");
  expect(offered.filter((path) => path.startsWith("workload.") && !path.startsWith("workload.web."))).toEqual([]);
  expect(sweptPaths(web, [], KNOBS)).toContain("workload.cyclictest.threads");
});
