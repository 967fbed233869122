// The CPUs that do anything in a step's view. On a large machine most lanes may be empty there: the
// guided page shows them as one.

import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import type { TraceStore } from "../../model/index.ts";
import type { Viewport } from "../../model/trace/run-types.ts";

/** Lanes of fewer CPUs are high enough, empty or not. */
const CPUS_LEAST = 17;
/** Share of the lanes up to which it is worth to draw the others as one. */
const MOST = 2 / 3;

/**
 * CPUs, ascending, that are not idle throughout `view` or are throttled in it, on any side; none on
 * a small machine, and none where most CPUs are busy.
 */
export function busyIn(traces: readonly TraceStore[], view: Viewport): readonly number[] {
  const cpus = Math.max(0, ...traces.map(({ lanes }) => lanes.length));
  if (cpus < CPUS_LEAST) return [];
  const busy = new Set<number>();
  for (const { lanes, quota, endNs } of traces) {
    const { fromNs, toNs } = { fromNs: view.fromNs, toNs: Math.min(view.toNs, endNs) };
    for (const lane of lanes) {
      const idleNs = lane.windowNs(fromNs, toNs, endNs)[CPU_STATE.Idle] ?? 0;
      if (idleNs < toNs - fromNs) busy.add(lane.cpu);
    }
    quota.visitThrottled(fromNs, toNs, endNs, (_from, _to, cpu) => busy.add(cpu));
  }
  return busy.size > MOST * cpus ? [] : [...busy].sort((one, other) => one - other);
}
