// When something of idle balancing happens: a tick kicks, the IPI flies, a kicked CPU walks over the
// idle ones, a CPU stops its tick. True of one run.

import { KIND } from "../../engine/gen/catalogue.ts";
import type { TraceStore } from "../../model/index.ts";
import type { Viewport } from "../../model/trace/run-types.ts";

/** The stretches that touch a view; an instant is one without length. */
export function kickStretches(
  { events, kicks }: TraceStore,
  { fromNs, toNs }: Viewport,
): readonly Viewport[] {
  const stretches: Viewport[] = kicks
    .list(fromNs, toNs)
    .map(({ ns, wokeNs }) => ({ fromNs: ns, toNs: wokeNs ?? ns }));
  const begun = new Map<number, number>();
  const rows = events.rowsOf([KIND.NohzRun, KIND.NohzRunEnd, KIND.TickStop]);
  for (const row of rows.listIn(fromNs, toNs)) {
    const [ns, cpu] = [events.time.at(row), events.cpu.at(row)];
    const kind = events.kind.at(row);
    if (kind === KIND.NohzRun) begun.set(cpu, ns);
    else if (kind === KIND.TickStop) stretches.push({ fromNs: ns, toNs: ns });
    else {
      // A walk that began before the view is under way at its left edge.
      stretches.push({ fromNs: begun.get(cpu) ?? fromNs, toNs: ns });
      begun.delete(cpu);
    }
  }
  for (const since of begun.values()) stretches.push({ fromNs: since, toNs });
  return stretches;
}
