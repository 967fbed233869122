// The wake-up or sample that a selection marks on a run's lanes.

import type { TraceStore } from "../../model/index.ts";
import { findSample } from "../../model/tasks/samples.ts";
import type { MarkedWake, Selection } from "../plot/timeline-props.ts";

/**
 * A sample is marked from its beginning to its end, as a wake-up is. Undefined if the run has not,
 * or not yet, what is selected.
 */
export function markedOf(
  trace: TraceStore,
  selection: Selection | undefined,
): MarkedWake | undefined {
  const row = trace.wakes.findSelection(selection);
  if (row !== undefined) return trace.wakes.record(row);
  const sample = selection?.kind === "sample" ? findSample(trace, selection) : undefined;
  return sample && { ...sample, row: -1, dueNs: sample.fromNs, latencyNs: sample.ns, segments: [] };
}
