// The four parts of a kick in words: the tick that asks, the IPI, the CPU that is woken, and what
// that CPU found. Says only what rows of the run show.

import { KIND } from "../../engine/gen/catalogue.ts";
import { KICK_OUTCOME_POLLING } from "../../engine/gen/codes.ts";
import { counted } from "../../lib/count.ts";
import { threeFigures } from "../../lib/format.ts";
import type { Kick, TraceStore } from "../../model/index.ts";

/** What a kicked CPU came to. */
export interface FoundByKick {
  /** When its walk over the idle CPUs began. */
  readonly ns: number;
  readonly words: string;
}

type KickWords = readonly [
  tick: string | undefined,
  ipi: string | undefined,
  woken: string | undefined,
  found: FoundByKick | undefined,
];

/** The parts of a kick; undefined are those that it does not have. */
export function kickWords(trace: TraceStore, kick: Kick): KickWords {
  const { cpu, target, ns, wokeNs, outcome } = kick;
  const tick = `1 tick of CPU ${String(cpu)}`;
  if (target === undefined || wokeNs === undefined) return [tick, undefined, undefined, undefined];
  const polls = outcome === KICK_OUTCOME_POLLING;
  return [
    tick,
    polls ? undefined : `2 IPI, ${threeFigures(wokeNs - ns)}`,
    polls ? `2 CPU ${String(target)} sees its flag` : `3 CPU ${String(target)} is woken`,
    foundBy(trace, target, wokeNs, polls ? 3 : 4),
  ];
}

/** The walk that a kicked CPU makes next, if that is before another kick of that CPU. */
function foundBy(
  trace: TraceStore,
  target: number,
  wokeNs: number,
  number: number,
): FoundByKick | undefined {
  const { events } = trace;
  const rows = events.rowsOf([KIND.NohzRun, KIND.NohzRunEnd]);
  let begun: number | undefined;
  for (let at = rows.firstAt(wokeNs); at < rows.count; at += 1) {
    const row = rows.at(at);
    if (events.cpu.at(row) !== target) continue;
    const ns = events.time.at(row);
    if (events.kind.at(row) === KIND.NohzRun) {
      begun = ns;
      continue;
    }
    if (begun === undefined) return undefined;
    const looked = counted(events.a.at(row), "idle CPU");
    const moved = movedBy(trace, target, begun, ns);
    const cut = events.b.at(row) === 1 ? ", cut short" : "";
    const moves = moved === 0 ? "moves no task" : `moves ${counted(moved, "task")}`;
    return { ns: begun, words: `${String(number)} looks at ${looked}, ${moves}${cut}` };
  }
  return begun === undefined
    ? undefined
    : { ns: begun, words: `${String(number)} looks at idle CPUs` };
}

/** Tasks that a CPU moves in [fromNs, toNs]. */
function movedBy({ events }: TraceStore, cpu: number, fromNs: number, toNs: number): number {
  let moved = 0;
  events.visit(KIND.PullOk, fromNs, toNs + 1, (on) => (moved += on === cpu ? 1 : 0));
  return moved;
}
