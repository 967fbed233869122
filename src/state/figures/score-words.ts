// The rows of a scenario's score, in its own order.

import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { hasProgram } from "../own-scenario.ts";
import { headlineWords, type MetricWords } from "./headline.ts";

const HERD_METRIC = "latency.cyclictest.max_ns";

/** As the file says it, not the runs: a row has its room before they have begun. */
export function scoreWords(entry: ScenarioEntry): readonly MetricWords[] {
  const { headline, labels } = entry;
  return headlineWords(hasProgram(entry, "cyclictest") && !headline.includes(HERD_METRIC) ? [...headline, HERD_METRIC] : headline, labels);
}
