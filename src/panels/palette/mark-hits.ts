// The next of a mark, on any CPU. Asks the mark; must not know which marks there are.

import type { Mark, Run } from "../../timeline/marks/mark.ts";
import type { Direction, Hit } from "../../state/find/next-hit.ts";

/**
 * The nearest instant at which the mark happens on the CPU of one of its rows, or, of a mark that
 * is no part of the trace, on any CPU.
 */
export function markHit(mark: Mark, run: Run, ns: number, direction: Direction): Hit | undefined {
  const { events, lanes } = run.trace;
  const later = direction === 1;
  let best: Hit | undefined;
  const ask = (cpu: number): void => {
    const at = mark.step(run, cpu, ns, later);
    if (at !== undefined && (best === undefined || (later ? at < best.ns : at > best.ns)))
      best = { ns: at, cpu };
  };
  if (mark.kinds.length === 0) {
    for (const { cpu } of lanes) ask(cpu);
    return best;
  }
  // Each CPU is asked once, those with the nearest rows first, until no row can bring a nearer
  // instant.
  const rows = events.rowsOf(mark.kinds);
  const asked = new Set<number>();
  for (
    let index = later ? rows.firstAt(Math.floor(ns) + 1) : rows.firstAt(ns) - 1;
    index >= 0 && index < rows.count;
    index += direction
  ) {
    const row = rows.at(index);
    const found: Hit | undefined = best;
    if (
      found !== undefined &&
      (later ? events.time.at(row) >= found.ns : events.time.at(row) <= found.ns)
    )
      break;
    const cpu = events.cpu.at(row);
    if (asked.has(cpu)) continue;
    asked.add(cpu);
    ask(cpu);
  }
  return best;
}
