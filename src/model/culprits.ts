// Who made a wake-up late: for each stretch of its wait, the lock and its holder, the queue ahead, the task that ran instead. True of one run.

import { CAUSES } from "../engine/gen/catalogue.ts";
import { formatNs } from "../lib/format.ts";
import { describeCpu } from "./describe.ts";
import type { TraceStore } from "./trace-store.ts";
import type { WakeRecord, WakeSegment } from "./types.ts";

/** One of those who are to blame, in a sentence. */
export interface Culprit {
  /** When to look, ns. */
  readonly atNs: number;
  /** How long it cost the wake-up, ns. */
  readonly ns: number;
  readonly words: string;
}

/** So many of the longest stretches are looked into. */
const LOOKED_AT = 6;

/** The culprits of a wake-up, the costliest first. */
export function culpritsOf(store: TraceStore, wake: WakeRecord): readonly Culprit[] {
  const longest = wake.segments
    .filter((segment) => segment.summed !== true)
    .sort((one, other) => other.ns - one.ns)
    .slice(0, LOOKED_AT);
  return longest.flatMap((segment) => {
    const words = sentence(store, wake, segment);
    return words === undefined ? [] : [{ atNs: segment.fromNs, ns: segment.ns, words }];
  });
}

function sentence(store: TraceStore, { cpu, taskId }: WakeRecord, { cause, fromNs, ns }: WakeSegment): string | undefined {
  const name = CAUSES[cause]?.name;
  const middle = fromNs + Math.floor(ns / 2);
  if (name === "rq_lock_spin") return lockSentence(store, cpu, holdingNs(store, cpu, fromNs, ns));
  const slice = store.cpuAt(cpu, middle);
  if (slice?.task === undefined || slice.task === taskId) return name === "throttled" ? describeCpu(store, cpu, middle) : undefined;
  const who = store.taskName(slice.task);
  switch (name) {
    case "higher_prio":
      return `${who}, of higher priority, ran on CPU ${String(cpu)} instead.`;
    case "same_class":
      return `${who} ran on CPU ${String(cpu)} instead.`;
    case "nonpreemptible":
      return `${who} kept CPU ${String(cpu)} and could not be preempted.`;
    case "lazy_wait":
      return `${who} ran on: the flag on CPU ${String(cpu)} was lazy.`;
    case "irq":
    case "softirq":
      return `Handlers on CPU ${String(cpu)} held up ${who} and what waited behind it.`;
    default:
      return undefined;
  }
}

/** So many instants of a wait are looked at for one at which somebody holds the lock: between two holders it is on its way. */
const INSTANTS = 16;

export function holdingNs(store: TraceStore, cpu: number, fromNs: number, ns: number): number {
  const instants = Array.from({ length: INSTANTS }, (_, at) => fromNs + Math.floor((ns * at) / INSTANTS));
  return instants.find((instant) => lockOf(store, cpu, instant)?.holder !== undefined) ?? fromNs;
}

interface LockWait {
  readonly lock: number;
  readonly holder: number | undefined;
  /** CPUs that stand before this one. */
  readonly ahead: readonly number[];
}

/** The lock a CPU waits for at an instant. */
export function lockOf(store: TraceStore, cpu: number, ns: number): LockWait | undefined {
  for (let lock = 0; lock < store.shape.locks.length; lock += 1) {
    const track = store.locks.lock(lock);
    if (track === undefined || track.peak.depth === 0) continue;
    const { queue, holder } = track.at(ns);
    const place = queue.indexOf(cpu);
    if (place >= 0) return { lock, holder, ahead: queue.slice(0, place) };
  }
  return undefined;
}

/** "CPU 12 spins for rq 0: CPU 3 holds it, 4 stand ahead (CPU 1, 5, 7, 9)." */
function lockSentence(store: TraceStore, cpu: number, ns: number): string | undefined {
  const wait = lockOf(store, cpu, ns);
  if (wait === undefined) return undefined;
  const held = wait.holder === undefined ? "it is being handed over" : holdWords(store, wait.holder, ns);
  return `CPU ${String(cpu)} spins for ${store.lockName(wait.lock)}: ${held}${aheadWords(wait.ahead)}.`;
}

function holdWords(store: TraceStore, holder: number, ns: number): string {
  const task = store.cpuAt(holder, ns)?.task;
  return `CPU ${String(holder)} holds it${task === undefined ? "" : ` for ${store.taskName(task)}`}`;
}

const NAMED_MAX = 6;

function aheadWords(ahead: readonly number[]): string {
  if (ahead.length === 0) return ", nobody ahead";
  const more = ahead.length > NAMED_MAX ? ", …" : "";
  return `, ${String(ahead.length)} ahead (CPU ${ahead.slice(0, NAMED_MAX).join(", ")}${more})`;
}

/** How long a culprit cost, as it stands before the sentence. */
export function costWords({ ns }: Culprit): string {
  return formatNs(ns, 2);
}
