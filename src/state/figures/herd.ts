// What a herd leaves behind in a trace: the longest wait for a lock. cyclictest sees it only when
// the wait outlasts the slack between its body and its next expiry.

import { KIND } from "../../engine/gen/catalogue.ts";
import type { TraceStore } from "../../model/index.ts";

const remembered = new WeakMap<TraceStore, { readonly version: number; readonly ns: number }>();

/** The longest time a CPU span for a lock so far, ns; 0 if none did. */
export function longestSpinNs(trace: TraceStore): number {
  const known = remembered.get(trace);
  if (known?.version === trace.version) return known.ns;
  const { count, kind, b } = trace.events;
  const [kinds, spun] = [kind.data, b.data];
  let ns = 0;
  for (let row = 0; row < count; row += 1)
    if (kinds[row] === KIND.LockAcq && (spun[row] ?? 0) > ns) ns = spun[row] ?? 0;
  remembered.set(trace, { version: trace.version, ns });
  return ns;
}
