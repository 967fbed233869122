// When something happens on one CPU, in time order: the rows it wrote and the changes of its state.
// True of one run; must not know who steps.

import type { TraceStore } from "./trace-store.ts";

/**
 * The next instant after `ns` at which anything happens on `cpu` (`direction` 1), or the last one
 * before (-1).
 */
export function stepOnCpu(
  store: TraceStore,
  cpu: number,
  ns: number,
  direction: 1 | -1,
): number | undefined {
  const change = changeOf(store, cpu, ns, direction);
  const { events } = store;
  const isPast = (at: number): boolean =>
    change !== undefined && (direction === 1 ? at >= change : at <= change);
  // Past the CPU's own change of state no row is nearer, so that a quiet CPU costs no search
  // through a long run.
  let row = direction === 1 ? events.firstAt(Math.floor(ns) + 1) : events.firstAt(ns) - 1;
  for (; row >= 0 && row < events.count; row += direction) {
    const at = events.time.at(row);
    if (isPast(at)) break;
    if (events.cpu.at(row) === cpu) return at;
  }
  return change;
}

function changeOf(
  { lanes, endNs }: TraceStore,
  cpu: number,
  ns: number,
  direction: 1 | -1,
): number | undefined {
  const lane = lanes[cpu];
  if (lane === undefined) return undefined;
  const here = lane.indexAt(ns);
  const startOf = (index: number): number | undefined =>
    index >= 0 && index < lane.count ? lane.slice(index, endNs).fromNs : undefined;
  if (direction === 1) return startOf(here + 1);
  const start = startOf(here);
  return start !== undefined && start < ns ? start : startOf(here - 1);
}
