// The order of the lanes. Both sides have one order, made of what both runs did, so that they
// stay level.

import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import type { TraceStore } from "../../model/index.ts";

export const SORTS = ["number", "busy", "late"] as const;
/** By number; the busiest first; those with the worst wake-ups first. */
export type Sort = (typeof SORTS)[number];

/**
 * The CPUs in their order; undefined: by number. Equals are in order of their numbers. Only runs
 * that are done have an order: rows that jump are worse than rows that wait.
 */
export function sequenceOf(
  sort: Sort,
  traces: readonly TraceStore[],
): readonly number[] | undefined {
  if (sort === "number") return undefined;
  const cpus = Math.max(0, ...traces.map(({ lanes }) => lanes.length));
  const weights = new Float64Array(cpus);
  for (const trace of traces) (sort === "busy" ? addBusy : addLatest)(trace, weights);
  return Array.from(weights.keys()).sort(
    (one, other) => (weights[other] ?? 0) - (weights[one] ?? 0) || one - other,
  );
}

function addBusy(trace: TraceStore, weights: Float64Array): void {
  for (const lane of trace.lanes) {
    const idle = lane.windowNs(0, trace.endNs, trace.endNs)[CPU_STATE.Idle] ?? 0;
    weights[lane.cpu] = (weights[lane.cpu] ?? 0) + trace.endNs - idle;
  }
}

function addLatest({ wakes }: TraceStore, weights: Float64Array): void {
  for (let row = 0; row < wakes.count; row += 1) {
    const cpu = wakes.cpuOf(row);
    weights[cpu] = Math.max(weights[cpu] ?? 0, wakes.latencyNs(row));
  }
}
