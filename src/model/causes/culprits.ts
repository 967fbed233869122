// Why a wake-up was late, in sentences: for each stretch of its wait what the machine did, with the
// lock and its holder, the queue ahead, the task that ran instead, where the run shows them. True
// of one run.

import { CAUSES, CPU_STATE } from "../../engine/gen/catalogue.ts";
import { threeFigures } from "../../lib/format.ts";
import { sentenceList } from "../../lib/sentence-list.ts";
import { describeSlice } from "../words/describe.ts";
import { lentPriority } from "../locks/task-locks.ts";
import { slackNs } from "./slack.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import type { WakeRecord, WakeSegment } from "../trace/run-types.ts";

/** One of the causes, in a sentence. */
export interface Culprit {
  /** When to look, ns. */
  readonly atNs: number;
  /** How long it cost the wake-up, ns: all stretches that the sentence is true of. */
  readonly ns: number;
  /** What follows "For 475 ns, ". */
  readonly words: string;
  /** The lock that was waited for, by its id. */
  readonly lock?: number | undefined;
}

/** Sentences at most; the table of causes is complete. */
const SENTENCES_MAX = 6;
/** Sentences end when they explain this part of the latency. */
const EXPLAINED = 0.9;

/**
 * The culprits of a wake-up, the costliest first, until they explain nine tenths of its latency.
 */
export function culpritsOf(store: TraceStore, wake: WakeRecord): readonly Culprit[] {
  const named = new Map<string, Culprit>();
  // The longest first: a sentence leads to the longest of its stretches.
  for (const segment of partsOf(store, wake).sort((one, other) => other.ns - one.ns)) {
    const words = segment.slack ? slackWords(wake) : sentence(store, wake, segment);
    const before = named.get(words);
    const { atNs, lock } = before ?? {
      atNs: segment.fromNs,
      lock: lockIn(store, wake.cpu, segment),
    };
    named.set(words, { words, atNs, lock, ns: (before?.ns ?? 0) + segment.ns });
  }
  let explainedNs = 0;
  return [...named.values()]
    .sort((one, other) => other.ns - one.ns)
    .slice(0, SENTENCES_MAX)
    .filter(({ ns }) => {
      const wanted = ns > 0 && explainedNs < EXPLAINED * wake.latencyNs;
      explainedNs += ns;
      return wanted;
    });
}

interface Part extends WakeSegment {
  /** The delay is slack of the task's own timer: no interrupt was late. */
  readonly slack?: true;
}

/** The stretches of a wake-up, timer slack apart from the delay that follows it. */
function partsOf(store: TraceStore, wake: WakeRecord): Part[] {
  const slack = slackNs(store, wake);
  const [first, ...others] = wake.segments;
  if (first === undefined || slack === 0) return [...wake.segments];
  const rest: Part = { ...first, fromNs: first.fromNs + slack, ns: first.ns - slack };
  return [{ ...first, ns: slack, slack: true }, ...(rest.ns > 0 ? [rest] : []), ...others];
}

function slackWords({ task }: WakeRecord): string {
  return `the timer of ${task} could still wait: that is its timer slack, which only fair tasks have.`;
}

function lockIn(
  store: TraceStore,
  cpu: number,
  { cause, fromNs, ns, summed }: WakeSegment,
): number | undefined {
  if (summed === true || CAUSES[cause]?.name !== "rq_lock_spin") return undefined;
  return lockOf(store, cpu, holdingNs(store, cpu, fromNs, ns))?.lock;
}

/** The locks of so many stretches are looked up, of the longest ones. */
const LOOKED_AT = 3;

/**
 * The locks that the CPU of a wake-up spun for in these stretches of it, the longest wait first:
 * "rq 20, rq 14". Empty where no lock is known.
 */
export function lockNames(
  store: TraceStore,
  { cpu }: WakeRecord,
  parts: readonly WakeSegment[],
): string {
  const longest = [...parts].sort((one, other) => other.ns - one.ns).slice(0, LOOKED_AT);
  const locks = new Set(longest.flatMap((part) => lockIn(store, cpu, part) ?? []));
  return [...locks].map((lock) => store.lockName(lock)).join(", ");
}

function sentence(
  store: TraceStore,
  wake: WakeRecord,
  { cause, fromNs, ns, summed }: WakeSegment,
): string {
  const { cpu, task, taskId } = wake;
  const name = CAUSES[cause]?.name;
  const on = `CPU ${String(cpu)}`;
  // A sum has no instant of its own: no holder and no other task can be named for it.
  if (summed === true)
    return `${(name === "rq_lock_spin" ? spinWords(store, wake) : undefined) ?? withoutNames(name, on, task)}, off and on.`;
  if (name === "rq_lock_spin")
    return `${lockWords(store, cpu, holdingNs(store, cpu, fromNs, ns)) ?? withoutNames(name, on, task)}.`;
  const middle = fromNs + Math.floor(ns / 2);
  const slice = store.cpuAt(cpu, middle);
  // A timer or a waker may be on another CPU: this one is named only if its state shows that it was
  // in the way.
  if (name === "irq_delay" && slice?.irqOff === true)
    return `${WORDS[name](on, task)} (${on}: ${describeSlice(store, slice, middle)}).`;
  const handles = slice?.state === CPU_STATE.Hardirq || slice?.state === CPU_STATE.Softirq;
  const ran = handles === (name === "irq" || name === "softirq") ? slice?.task : undefined;
  const named =
    ran === undefined || ran === taskId
      ? undefined
      : withName(name, on, nameOf(store, name, ran, middle));
  return `${named ?? withoutNames(name, on, task)}.`;
}

/** A task as it ran: one whose priority is lent is not of a higher priority itself. */
function nameOf(store: TraceStore, cause: CauseName | undefined, task: number, ns: number): string {
  const name = store.taskName(task);
  if (cause !== "higher_prio") return name;
  return lentPriority(store, task, ns) === undefined
    ? `${name}, of higher priority,`
    : `${name}, whose priority was lent by a waiter,`;
}

type CauseName = (typeof CAUSES)[number]["name"];

/** Names the task on the CPU, for causes that another task has a part in. */
function withName(name: CauseName | undefined, on: string, who: string): string | undefined {
  switch (name) {
    case "higher_prio":
    case "same_class":
      return `${who} ran on ${on} instead`;
    case "nonpreemptible":
      return `${who} kept ${on} and could not be preempted`;
    case "lazy_wait":
      return `${who} ran on: the flag on ${on} was lazy`;
    case "irq":
      return `interrupt handlers ran on ${on}: they interrupted ${who}`;
    case "softirq":
      return `softirq handlers ran on ${on}: they interrupted ${who}`;
    default:
      return undefined;
  }
}

function withoutNames(name: CauseName | undefined, on: string, task: string): string {
  return name === undefined ? `${task} waited for an unknown reason` : WORDS[name](on, task);
}

/** The words of each cause; a new cause without words does not compile. */
const WORDS: { readonly [name in CauseName]: (on: string, task: string) => string } = {
  irq_delay: () => "the timer or IPI was due, but its handler had not begun",
  idle_exit: () => "a CPU left its idle state",
  irq: (_, task) => `interrupt handlers ran before ${task} could go on`,
  softirq: (_, task) => `softirq handlers ran before ${task} could go on`,
  nonpreemptible: (on) => `what ran on ${on} could not be preempted`,
  lazy_wait: (on) => `the flag on ${on} was lazy`,
  rq_lock_spin: () => "a CPU that this wake-up needed spun for a lock",
  ipi: () => "an IPI was in flight",
  higher_prio: (on) => `a task of higher priority ran on ${on} instead`,
  same_class: (on) => `a task of the same class ran on ${on} instead`,
  throttled: (_, task) => `the group of ${task} was throttled: its quota was used up`,
  rt_throttled: (on, task) => `RT throttling or the fair server kept ${task} off ${on}`,
  switch: (_, task) => `the kernel woke ${task} up or switched to it`,
  return_to_user: (_, task) => `the kernel led ${task} back to its user code`,
  smi: (on) => `a system management interrupt stopped ${on}`,
  steal: (on) => `the host ran something else on ${on}`,
};

/**
 * Instants of a wait that are searched for one at which a CPU holds the lock: between two
 * holders it is on its way.
 */
const INSTANTS = 16;

export function holdingNs(store: TraceStore, cpu: number, fromNs: number, ns: number): number {
  const instants = Array.from(
    { length: INSTANTS },
    (_, at) => fromNs + Math.floor((ns * at) / INSTANTS),
  );
  return instants.find((instant) => lockOf(store, cpu, instant)?.holder !== undefined) ?? fromNs;
}

interface LockWait {
  readonly lock: number;
  readonly holder: number | undefined;
  /** CPUs ahead of this one in the queue. */
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

/** Locks that a sum of spins names. */
const LOCKS_NAMED = 2;

/**
 * "CPU 0 spun for cfs_b pod01, cfs_b pod15 and 14 other locks", the longest wait first; undefined
 * where its own CPU waited for none.
 */
function spinWords(store: TraceStore, { cpu, dueNs, latencyNs }: WakeRecord): string | undefined {
  const waits = store.shape.locks
    .map((_, lock) => {
      const steps = store.locks.lock(lock)?.steps(dueNs, dueNs + latencyNs) ?? [];
      return {
        lock,
        ns: steps.reduce(
          (sum, { queue, fromNs, toNs }) => sum + (queue.includes(cpu) ? toNs - fromNs : 0),
          0,
        ),
      };
    })
    .filter(({ ns }) => ns > 0)
    .sort((one, other) => other.ns - one.ns || one.lock - other.lock);
  if (waits.length === 0) return undefined;
  const names = waits.slice(0, LOCKS_NAMED).map(({ lock }) => store.lockName(lock));
  const others = waits.length - names.length;
  const named =
    others > 0
      ? [...names, others === 1 ? "1 other lock" : `${String(others)} other locks`]
      : names;
  return `CPU ${String(cpu)} spun for ${sentenceList(named)}`;
}

/** "CPU 12 spun for rq 0: CPU 3 held it, 4 stood ahead (CPU 1, 5, 7, 9)". */
function lockWords(store: TraceStore, cpu: number, ns: number): string | undefined {
  const wait = lockOf(store, cpu, ns);
  if (wait === undefined) return undefined;
  const held =
    wait.holder === undefined
      ? "the lock was being handed over"
      : holdWords(store, wait.holder, ns);
  return `CPU ${String(cpu)} spun for ${store.lockName(wait.lock)}: ${held}${aheadWords(wait.ahead)}`;
}

function holdWords(store: TraceStore, holder: number, ns: number): string {
  const task = store.cpuAt(holder, ns)?.task;
  return `CPU ${String(holder)} held it${task === undefined ? "" : ` for ${store.taskName(task)}`}`;
}

const NAMED_MAX = 6;

function aheadWords(ahead: readonly number[]): string {
  if (ahead.length === 0) return ", nobody stood ahead";
  const more = ahead.length > NAMED_MAX ? ", …" : "";
  return `, ${String(ahead.length)} stood ahead (CPU ${ahead.slice(0, NAMED_MAX).join(", ")}${more})`;
}

/** How long a culprit cost, in the form that begins the sentence. */
export function costWords({ ns }: Culprit): string {
  return threeFigures(ns);
}
