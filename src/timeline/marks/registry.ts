// Every mark on the lanes, in the order they are drawn: what comes later lies above. Nothing else
// lists marks; a new one is a file and a line here.

import { LIVE_CHANGE } from "./change.ts";
import { DROP } from "./drop.ts";
import { FLAG } from "./flag.ts";
import { INTERRUPT } from "./interrupt.ts";
import { IPI } from "./ipi.ts";
import { KICKS } from "./kick.ts";
import type { Mark, Run } from "./mark.ts";
import { MOVE } from "./move.ts";
import { OVERLOAD } from "./overload.ts";
import { PREEMPT_POINT } from "./point.ts";
import { REFILL } from "./refill.ts";
import { RT_THROTTLE } from "./rt-throttle.ts";
import { SOFTIRQ } from "./softirq.ts";
import { TETHER } from "./tether.ts";
import { THROTTLE } from "./throttle.ts";
import { TICK } from "./tick.ts";
import { TICK_STOP } from "./tick-stop.ts";
import { USER_LOCK } from "./user-lock.ts";

export const MARKS: readonly Mark[] = [
  TICK,
  TICK_STOP,
  THROTTLE,
  RT_THROTTLE,
  INTERRUPT,
  OVERLOAD,
  TETHER,
  USER_LOCK,
  SOFTIRQ,
  FLAG,
  PREEMPT_POINT,
  REFILL,
  DROP,
  IPI,
  KICKS,
  MOVE,
  LIVE_CHANGE,
];

/** The marks that are drawn of a run. */
export function drawnMarks({ off = [] }: Run): readonly Mark[] {
  return off.length === 0 ? MARKS : MARKS.filter(({ id }) => !off.includes(id));
}

/** The marks that a run has in [fromNs, toNs]; anywhere, if no window is given. */
export function marksIn(runs: readonly Run[], fromNs = 0, toNs = Infinity): readonly Mark[] {
  return MARKS.filter((mark) =>
    runs.some((run) => run.off?.includes(mark.id) !== true && mark.countIn(run, fromNs, toNs) > 0),
  );
}

/** What the marks say at `ns`, by CPU, in the order of the list. */
export function spokenAt(run: Run, ns: number): ReadonlyMap<number, readonly string[]> {
  const words = new Map<number, string[]>();
  for (const mark of MARKS) {
    mark.speak(run, ns, (cpu, said) => {
      const known = words.get(cpu);
      if (known === undefined) words.set(cpu, [said]);
      else known.push(said);
    });
  }
  return words;
}

/** The next instant after `ns` at which any mark happens on `cpu`, or the last one before. */
export function stepOf(run: Run, cpu: number, ns: number, later: boolean): number | undefined {
  const instants = MARKS.flatMap((mark) => mark.step(run, cpu, ns, later) ?? []);
  if (instants.length === 0) return undefined;
  return later ? Math.min(...instants) : Math.max(...instants);
}
