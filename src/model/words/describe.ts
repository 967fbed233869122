// What a CPU does at an instant, in words: tooltips, spoken rows. True of one instant; must not
// know where the words appear.

import { CPU_STATE, KIND, NO_CPU } from "../../engine/gen/catalogue.ts";
import type { Stopper, WordsOf } from "../../engine/gen/codes.ts";
import { POINT_WORDS, STOPPER_HOST, STOPPER_SMI } from "../../engine/gen/codes.ts";
import { assertUnreachable } from "../../lib/unreachable.ts";
import { counted } from "../../lib/count.ts";
import { formatNs, speakNs } from "../../lib/format.ts";
import { describeSilos } from "./describe-quota.ts";
import type { Flag } from "../trace/flags.ts";
import { NO_POINT } from "../trace/flags.ts";
import type { PreemptPoint } from "../trace/preempt-points.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import type { Slice } from "../trace/run-types.ts";
import { userSpinWords } from "../locks/user-locks.ts";
import { lockWords } from "../locks/lock-words.ts";

/** Place of a CPU in the queue for a lock, counted from 1. */
interface SpinPlace {
  readonly lock: number;
  readonly place: number;
  readonly of: number;
}

/** The lock `cpu` waits for at `ns`, if it waits for one. */
function spinPlace(store: TraceStore, cpu: number, ns: number): SpinPlace | undefined {
  for (let lock = 0; lock < store.shape.locks.length; lock += 1) {
    const track = store.locks.lock(lock);
    if (track === undefined || track.peak.depth === 0) continue;
    const { queue } = track.at(ns);
    const place = queue.indexOf(cpu);
    if (place >= 0) return { lock, place: place + 1, of: queue.length };
  }
  return undefined;
}

/** "user code for cyclictest.12", "spinning, now for rq 3 lock, 2 of 12, interrupts off". */
export function describeSlice(store: TraceStore, slice: Slice, ns: number): string {
  const who = slice.task === undefined ? "" : ` for ${store.taskName(slice.task)}`;
  const irq = slice.irqOff ? ", interrupts off" : isHeld(slice) ? ", not preemptible" : "";
  return `${stateWords(store, slice, ns, who)}${irq}`;
}

/**
 * What the CPU does, for a screen reader; marks add theirs: "CPU 3, kernel code for t1, interrupts
 * off, 41 to 97 microseconds".
 */
export function describeCpu(store: TraceStore, cpu: number, ns: number): string {
  const slice = store.cpuAt(cpu, ns);
  // A CPU has a slice from its first change on; until then it is where it began, in the idle loop.
  if (slice === undefined)
    return `CPU ${String(cpu)}, ${store.endNs > 0 && ns <= store.endNs ? "idle" : "not simulated yet"}`;
  return `CPU ${String(cpu)}, ${describeSlice(store, slice, ns)}, ${speakNs(slice.fromNs, 3)} to ${speakNs(slice.toNs, 3)}${heldWords(store, cpu, ns)}`;
}

/** What the CPU holds of each group's run time. */
function heldWords(store: TraceStore, cpu: number, ns: number): string {
  return describeSilos(store, cpu, ns)
    .map((words) => `; ${words}`)
    .join("");
}

/** A flag in one sentence for a screen reader: what it is at `ns`, since when, and who set it. */
export function speakFlag(flag: Flag, ns: number): string {
  return `${flagName(flag, ns)} set for ${speakNs(ns - flag.fromNs)} by ${cpuWords(flag.setBy)}`;
}

/** Handlers run with preempt_count raised by nature: only of task code is it worth a word. */
function isHeld({ noPreempt, state }: Slice): boolean {
  return noPreempt && (state === CPU_STATE.User || state === CPU_STATE.Kernel);
}

/** The flag at `ns`, by its kernel name. */
function flagName(flag: Flag, ns: number): string {
  return flag.lazy && ns < (flag.upgradeNs ?? Infinity) ? "need_resched_lazy" : "need_resched";
}

function cpuWords(cpu: number): string {
  return cpu === NO_CPU ? "an unknown CPU" : `CPU ${String(cpu)}`;
}

/** Name of a preemption point. */
export function pointName(point: number): string {
  return POINT_WORDS[point] ?? `point ${String(point)}`;
}

/**
 * A flag in a few lines, the heading first: what it is at `ns`, who set it, its age, its upgrade,
 * where it was honoured.
 */
export function describeFlag(store: TraceStore, flag: Flag, ns: number): string[] {
  const on = flag.task === undefined ? "the idle task" : store.taskName(flag.task);
  const lived = flag.toNs - flag.fromNs;
  const upgrade =
    flag.upgradeNs === undefined ? undefined : formatNs(flag.upgradeNs - flag.fromNs, 3);
  const by = flag.upgradedBy === undefined ? "" : ` by ${cpuWords(flag.upgradedBy)}`;
  return [
    `${flagName(flag, ns)} on ${on}, set by ${cpuWords(flag.setBy)}`,
    `age ${formatNs(Math.max(0, ns - flag.fromNs), 3)} of ${formatNs(lived, 3)}${flag.honouredAt === undefined ? " so far" : ""}`,
    ...(upgrade === undefined ? [] : [`born lazy, became need_resched after ${upgrade}${by}`]),
    endWords(flag),
  ];
}

function endWords({ task, honouredAt, passed }: Flag): string {
  const before = passed === 0 ? "" : `, after passing ${counted(passed, "point")} with it set`;
  if (honouredAt === undefined) return `still set${before}`;
  if (honouredAt === NO_POINT)
    return `ended when ${task === undefined ? "the CPU left idle" : "the task gave way by itself"}${before}`;
  return `honoured at ${pointName(honouredAt)}${before}`;
}

/** One preemption point: which, and what came of it. */
export function describePoint(point: PreemptPoint): string {
  const outcome = point.taken
    ? "schedule() follows"
    : point.flagged
      ? "passed, the flag waits on"
      : "passed, no flag set";
  return `${pointName(point.point)}: ${outcome}`;
}

/** The stops of a CPU in a slice up to `ns`: overlapping stops are one slice. */
function stopperWords({ events }: TraceStore, { cpu, fromNs }: Slice, ns: number): string {
  const rows = events.rowsOf([KIND.CpuStop]);
  const sources = new Set<number>();
  for (
    let index = rows.firstAt(fromNs);
    index < rows.count && events.time.at(rows.at(index)) <= ns;
    index += 1
  )
    if (events.cpu.at(rows.at(index)) === cpu) sources.add(events.a.at(rows.at(index)));
  return (
    [...sources].map((source) => STOPPERS[source] ?? "hardware noise").join(" and ") ||
    "hardware noise"
  );
}

/** What stops a CPU. */
export const STOPPERS: WordsOf<Stopper> = { [STOPPER_SMI]: "an SMI", [STOPPER_HOST]: "the host" };

function stateWords(store: TraceStore, slice: Slice, ns: number, who: string): string {
  switch (slice.state) {
    case CPU_STATE.Idle:
      return "idle";
    case CPU_STATE.IdleExit:
      return "leaving idle";
    case CPU_STATE.User:
      return `user code${who}`;
    case CPU_STATE.UserSpin:
      return `spinning in user code${who}, ${userSpinWords(store, slice.task, ns)}`;
    case CPU_STATE.Kernel:
      return `kernel code${who}`;
    case CPU_STATE.Softirq:
      return "softirq handler";
    case CPU_STATE.Hardirq:
      return "interrupt handler";
    case CPU_STATE.Spin: {
      const spin = spinPlace(store, slice.cpu, ns);
      if (spin === undefined) return "spinning for a lock";
      // The stretch may hold waits for several locks, one after the other.
      return `spinning, now for ${lockWords(store.lockName(spin.lock))}, ${String(spin.place)} of ${String(spin.of)}`;
    }
    case CPU_STATE.Stopped:
      return `stopped by ${stopperWords(store, slice, ns)}`;
    default:
      return assertUnreachable(slice.state);
  }
}
