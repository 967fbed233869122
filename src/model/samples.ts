// Where a tool's own sample lies: its stretch is no record of the trace, but most programs begin and end one where a task enters or leaves
// user code. A stretch is told only if no other of the same kind of task is exactly as long; a guess among several is none.

import { CPU_STATE, KIND } from "../engine/gen/catalogue.ts";
import type { TraceStore } from "./trace-store.ts";

export interface SampleStretch {
  readonly task: number;
  readonly fromNs: number;
  readonly toNs: number;
}

/** The one stretch of exactly `ns` between two such instants of one task of `kind`; undefined if there is none or more than one. */
export function sampleStretch(store: TraceStore, kind: string, ns: number): SampleStretch | undefined {
  let found: SampleStretch | undefined;
  for (const [task, instants] of instantsOf(store, kind)) {
    for (const toNs of instants) {
      if (!instants.has(toNs - ns)) continue;
      if (found !== undefined) return undefined;
      found = { task, fromNs: toNs - ns, toNs };
    }
  }
  return found;
}

/** When each task of a kind entered and left user code. A visit that takes no time is no slice, but ends a wake-up. */
function instantsOf(store: TraceStore, kind: string): ReadonlyMap<number, ReadonlySet<number>> {
  const of = new Map<number, Set<number>>();
  store.shape.tasks.forEach((task, id) => {
    if (task.kind === kind) of.set(id, new Set());
  });
  for (const lane of store.lanes) {
    for (let index = 0; index < lane.count; index += 1) {
      const instants = of.get(lane.tasks.at(index));
      if (instants === undefined) continue;
      const { state, fromNs, toNs } = lane.slice(index, store.endNs);
      if (state === CPU_STATE.User) instants.add(fromNs).add(toNs);
    }
  }
  const { events } = store;
  for (let row = 0; row < events.count; row += 1) {
    if (events.kind.data[row] === KIND.WakeDone) of.get(events.a.data[row] ?? -1)?.add(events.time.at(row));
  }
  return of;
}
