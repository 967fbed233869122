// One trace row as a sentence: who does what to whom, in the kernel's words. True of any row; must
// not know which side it is on.

import { CPU_STATE, FIELD, KIND, KIND_NAMES, NO_CPU, NONE } from "../../engine/gen/catalogue.ts";
import type {
  SlackSkip,
  SlackTimer,
  SliceEnd,
  StopWork,
  Unthrottle,
  Vector,
  WordsOf,
} from "../../engine/gen/codes.ts";
import {
  IDLE_PERIOD_SECOND,
  KICK_OUTCOME_ALREADY_OWNED,
  KICK_OUTCOME_NO_TARGET,
  KICK_OUTCOME_WORDS,
  LIVE_WRITE_AFFINITY,
  LIVE_WRITE_POLICY,
  LIVE_WRITE_SIGNAL,
  LIVE_WRITE_WEIGHT,
  NOHZ_PLACE_SOFTIRQ,
  PULLER_PULL_RT_TASK,
  SLACK_SKIP_ARMED,
  SLACK_SKIP_NEAR,
  SLACK_SKIP_REFILLING,
  SLACK_TIMER_ARMED,
  SLACK_TIMER_FIRED,
  SLACK_TIMER_IDLE,
  SLACK_TIMER_NEAR,
  SLICE_END_ABORTED,
  SLICE_END_EXPIRED,
  SLICE_END_REVOKED,
  SLICE_END_YIELDED,
  SOFTIRQ_WORDS,
  STOP_WORK_BALANCE,
  STOP_WORK_MIGRATE,
  STOP_WORK_PUSH,
  UNTHROTTLE_CONFIG,
  UNTHROTTLE_PERIOD,
  UNTHROTTLE_SLACK,
  VECTOR_CALL_FUNCTION_SINGLE,
  VECTOR_DEVICE,
  VECTOR_IRQ_WORK,
  VECTOR_LOCAL_TIMER,
  VECTOR_RESCHEDULE,
} from "../../engine/gen/codes.ts";
import { counted } from "../../lib/count.ts";
import { fieldOf } from "../../lib/bit-field.ts";
import { assertUnreachable } from "../../lib/unreachable.ts";
import { formatNs } from "../../lib/format.ts";
import { objectWords } from "../tasks/blocked-at.ts";
import { kickReasons } from "./describe-quota.ts";
import { pointName, STOPPERS } from "./describe.ts";
import { sampleLabel, sampleNs } from "../tasks/samples.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import type { CpuState, Slice } from "../trace/run-types.ts";
import { userLockName } from "../locks/user-locks.ts";
import { lockWords } from "../locks/lock-words.ts";

/** The columns of a row, without its instant. */
export interface TraceRow {
  readonly kind: number;
  readonly cpu: number;
  readonly a: number;
  readonly b: number;
}

type Say = (row: TraceRow, store: TraceStore) => string;

/**
 * "CPU 3 sends a reschedule IPI to CPU 0". A kind that has no sentence of its own is said by its
 * name and numbers.
 */
export function sayRow(store: TraceStore, row: TraceRow): string {
  const say = SENTENCES[row.kind];
  if (say !== undefined) return `${cpuName(row.cpu)} ${say(row, store)}`;
  return `${cpuName(row.cpu)} records ${KIND_NAMES[row.kind] ?? `kind ${String(row.kind)}`} (${String(row.a)}, ${String(row.b)})`;
}

/** "CPU 3 runs user code for cyclictest.3, interrupts off". */
export function saySlice(
  store: TraceStore,
  { cpu, state, task, irqOff, noPreempt }: Slice,
): string {
  const who = task === undefined ? "" : ` for ${store.taskName(task)}`;
  const off = irqOff ? ", interrupts off" : noPreempt ? ", preemption off" : "";
  return `${cpuName(cpu)} ${stateVerb(state)}${who}${off}`;
}

function stateVerb(state: CpuState): string {
  switch (state) {
    case CPU_STATE.Idle:
      return "goes idle";
    case CPU_STATE.IdleExit:
      return "leaves idle";
    case CPU_STATE.User:
      return "runs user code";
    case CPU_STATE.Kernel:
      return "runs kernel code";
    case CPU_STATE.Softirq:
      return "runs a softirq handler";
    case CPU_STATE.Hardirq:
      return "runs an interrupt handler";
    case CPU_STATE.Spin:
      return "spins for a lock";
    case CPU_STATE.UserSpin:
      return "spins in user code";
    case CPU_STATE.Stopped:
      return "is stopped by hardware noise";
    default:
      return assertUnreachable(state);
  }
}

function cpuName(cpu: number): string {
  return cpu === NO_CPU ? "An unknown CPU" : `CPU ${String(cpu)}`;
}

function targetName(cpu: number): string {
  return cpu === NO_CPU || cpu === NONE ? "no CPU" : `CPU ${String(cpu)}`;
}

const VECTOR_WORDS: WordsOf<Vector> = {
  [VECTOR_LOCAL_TIMER]: "local timer",
  [VECTOR_RESCHEDULE]: "reschedule",
  [VECTOR_CALL_FUNCTION_SINGLE]: "function-call",
  [VECTOR_DEVICE]: "device",
  [VECTOR_IRQ_WORK]: "irq_work",
};

function vectorName(vector: number): string {
  return VECTOR_WORDS[vector] ?? `vector ${String(vector)}`;
}

/** A silo's ns is a signed number in 32 bits. */
function signed(ns: number): number {
  return ns >= 2 ** 31 ? ns - 2 ** 32 : ns;
}

const task = (store: TraceStore, id: number): string =>
  id === NONE ? "the idle task" : store.taskName(id);
const group = (store: TraceStore, id: number): string => `group ${store.groupName(id)}`;
const objectName = ({ shape }: TraceStore, id: number): string => {
  const object = shape.objects?.find((each) => each.id === id);
  return object === undefined ? `object ${String(id)}` : objectWords(object);
};
const lock = (store: TraceStore, id: number): string => lockWords(store.lockName(id));
/** A column holds 32 bits: its greatest values mean all that are longer. */
const NS_MOST = 2 ** 32 - 2;
const ns = (value: number): string => `${formatNs(value, 3)}${value >= NS_MOST ? " or more" : ""}`;
const softirq = (number: number): string => `softirq ${SOFTIRQ_WORDS[number] ?? String(number)}`;
/** Softirqs that work on no list record no items. */
const items = (before: string, count: number, after = ""): string =>
  count === 0 ? "" : `${before}${counted(count, "item")}${after}`;
const overloaded = (count: number, domain: number): string =>
  `${counted(count, "such CPU")} in root domain ${String(domain)}`;
const reasons = (bits: number): string => kickReasons(bits).join(", ") || "no reason recorded";

/** A kick leaves only where an idle CPU was found without a kick of its own. */
const kick: Say = ({ a, b }) => {
  const [target, outcome] = [
    targetName(fieldOf(FIELD.KickTarget, a)),
    fieldOf(FIELD.KickOutcome, a),
  ];
  const why = reasons(fieldOf(FIELD.KickReasons, a));
  if (outcome === KICK_OUTCOME_NO_TARGET)
    return `finds no idle CPU to kick for idle balancing (${why})`;
  const idle = `${target}, idle for ${ns(b)}`;
  if (outcome === KICK_OUTCOME_ALREADY_OWNED)
    return `does not kick ${idle}: a kick of that CPU is under way already (${why})`;
  return `kicks ${idle}, for idle balancing (${why}): ${KICK_OUTCOME_WORDS[outcome] ?? `outcome ${String(outcome)}`}`;
};

/** A sentence about a group, with the ns of the row. */
const ofGroup =
  (words: (group: string, ns: string) => string): Say =>
  ({ a, b }, store) =>
    words(group(store, a), ns(b));

const UNTHROTTLERS: WordsOf<Unthrottle> = {
  [UNTHROTTLE_PERIOD]: "the period timer",
  [UNTHROTTLE_SLACK]: "the slack timer",
  [UNTHROTTLE_CONFIG]: "a write",
};

const SLACK_ACTS: WordsOf<SlackTimer> = {
  [SLACK_TIMER_ARMED]: "arms the slack timer",
  [SLACK_TIMER_FIRED]: "runs the slack timer",
  [SLACK_TIMER_IDLE]: "runs the slack timer without effect",
  [SLACK_TIMER_NEAR]: "runs the slack timer too close to a refill",
};

const SKIPS: WordsOf<SlackSkip> = {
  [SLACK_SKIP_NEAR]: "a refill comes within 7 ms",
  [SLACK_SKIP_REFILLING]: "the refill is under way",
  [SLACK_SKIP_ARMED]: "it is armed already",
};

const SLICE_ENDS: WordsOf<SliceEnd> = {
  [SLICE_END_EXPIRED]: "its timer fired",
  [SLICE_END_YIELDED]: "rseq_slice_yield()",
  [SLICE_END_ABORTED]: "another system call",
  [SLICE_END_REVOKED]: "another request to reschedule",
};

const STOPPER_WORKS: WordsOf<StopWork> = {
  [STOP_WORK_PUSH]: "push_cpu_stop",
  [STOP_WORK_MIGRATE]: "migration_cpu_stop",
  [STOP_WORK_BALANCE]: "active balance",
};

function liveWrite(store: TraceStore, of: number, write: number): string {
  switch (write) {
    case LIVE_WRITE_AFFINITY:
      return `takes on the new affinity of ${task(store, of)}`;
    case LIVE_WRITE_POLICY:
      return `takes on the new policy of ${task(store, of)}`;
    case LIVE_WRITE_WEIGHT:
      return `takes on the new cpu.weight of ${group(store, of)}`;
    case LIVE_WRITE_SIGNAL:
      return `ends the sleep of ${task(store, of)} by a signal`;
    default:
      return "carries out a live change";
  }
}

const SENTENCES: Readonly<Record<number, Say>> = {
  [KIND.CpuState]: ({ a }) => stateVerb(fieldOf(FIELD.State, a) as CpuState),
  [KIND.SchedWaking]: ({ a, b }, store) =>
    `starts to wake ${task(store, a)}, which last ran on ${targetName(b)}`,
  [KIND.SchedWakeup]: ({ a, b }, store) =>
    `puts ${task(store, a)} on the run queue of ${targetName(b)}`,
  [KIND.WakeupNew]: ({ a, b }, store) =>
    `puts the new task ${task(store, a)} on the run queue of ${targetName(b)}`,
  [KIND.SchedSwitch]: ({ a, b }, store) => `switches from ${task(store, a)} to ${task(store, b)}`,
  [KIND.MigrateTask]: ({ a, b }, store) => `moves ${task(store, a)} to ${targetName(b)}`,
  [KIND.LockWait]: ({ a, b }, store) =>
    `starts to spin for the ${lock(store, a)}, ${String(b)} in the queue`,
  [KIND.LockAcq]: ({ a, b }, store) =>
    `takes the ${lock(store, a)}${b === 0 ? "" : ` after ${ns(b)} of spinning`}`,
  [KIND.LockRel]: ({ a, b }, store) => `releases the ${lock(store, a)}, ${String(b)} waiting`,
  [KIND.IpiSend]: ({ a, b }) => `sends a ${vectorName(b)} IPI to ${targetName(a)}`,
  [KIND.IpiArrive]: ({ a, b }) =>
    `receives a ${vectorName(fieldOf(FIELD.IpiVector, a))} IPI from ${targetName(fieldOf(FIELD.IpiSender, a))} after ${ns(b)}${fieldOf(FIELD.IpiCoalesced, a) === 1 ? ", already pending" : ""}`,
  [KIND.IrqEntry]: ({ a, b }) =>
    `enters the ${vectorName(a)} interrupt handler ${b === 0 ? "as the interrupt arrives" : `${ns(b)} after the interrupt arrived`}`,
  [KIND.IrqExit]: ({ a }) => `leaves the ${vectorName(a)} interrupt handler`,
  [KIND.NeedResched]: ({ a, b }, store) =>
    `is asked by ${targetName(b)} to switch away from ${task(store, a)}: need_resched`,
  [KIND.NeedReschedLazy]: ({ a, b }, store) =>
    `is asked by ${targetName(b)} to switch away from ${task(store, a)} by the next tick: need_resched_lazy`,
  [KIND.NeedReschedUpgrade]: ({ a, b }, store) =>
    `is asked by ${targetName(b)} to switch away from ${task(store, a)} at once: need_resched after need_resched_lazy`,
  [KIND.NeedReschedClear]: ({ a, b }, store) =>
    `clears need_resched on ${task(store, a)}, set for ${ns(b)}`,
  [KIND.SliceGrant]: ({ a, b }, store) =>
    `extends the slice of ${task(store, a)} by at most ${ns(b)} instead of calling schedule()`,
  [KIND.SliceEnd]: ({ a, b }, store) =>
    `ends the slice extension of ${task(store, a)}: ${SLICE_ENDS[b] ?? String(b)}`,
  [KIND.UserSpin]: ({ a, b }, store) =>
    `runs ${task(store, b)}, which begins to spin for ${userLockName(store, a)}`,
  [KIND.UserSpinEnd]: ({ a, b }, store) => {
    const spun = fieldOf(FIELD.SpunHigh, a) * 2 ** 32 + b;
    return `runs ${task(store, fieldOf(FIELD.SpunTask, a))}, which has its user lock after ${formatNs(spun, 3)} of spinning`;
  },
  [KIND.UserLockOwner]: ({ a, b }, store) =>
    b === NONE
      ? `releases ${userLockName(store, a)}`
      : `sees ${userLockName(store, a)} held by ${task(store, b)}`,
  [KIND.UserLockOut]: ({ a, b }, store) =>
    `preempts ${task(store, b)}, which holds ${userLockName(store, a)}`,
  [KIND.PreemptPoint]: ({ a, b }, store) => {
    const taken = fieldOf(FIELD.PointTaken, a) === 1;
    return `passes ${pointName(fieldOf(FIELD.Point, a))} in ${task(store, b)}${taken ? " and calls schedule()" : ""}`;
  },
  [KIND.HrtimerExpire]: ({ a, b }, store) =>
    `runs the timer callback of ${task(store, a)}, ${ns(b)} late`,
  [KIND.WakelistQueue]: ({ a, b }, store) =>
    `puts ${task(store, a)} on the wake-list of ${targetName(b)}`,
  [KIND.IdleWithoutIpi]: ({ a, b }) =>
    `sends no ${vectorName(b)} IPI: ${targetName(a)} polls need_resched`,
  [KIND.RtoSet]: ({ a, b }) => `becomes RT-overloaded: ${overloaded(a, b)}`,
  [KIND.RtoClear]: ({ a, b }) => `is no longer RT-overloaded: ${overloaded(a, b)}`,
  [KIND.PullTry]: ({ a, b }) =>
    `goes for the run-queue lock of ${targetName(a)} to pull (${b === PULLER_PULL_RT_TASK ? "pull_rt_task" : "load balancing"})`,
  [KIND.PullOk]: ({ a, b }, store) => `pulls ${task(store, a)} from ${targetName(b)}`,
  [KIND.PullFail]: ({ a }) => `finds nothing to pull on ${targetName(a)}`,
  [KIND.PushOk]: ({ a, b }, store) => `pushes ${task(store, a)} to ${targetName(b)}`,
  [KIND.PushFail]: ({ a }, store) => `finds no CPU to push ${task(store, a)} to`,
  [KIND.RtoHop]: ({ a, b }) =>
    // The row's number is the root domain's, or that of the CPU whose chain it is: the kernel's
    // version decides, which the row does not know. Nor does the row know whether the walk begins
    // again because a CPU has lowered its priority meanwhile.
    a === NONE
      ? `finds no further CPU for RT push chain ${String(b)}`
      : `passes RT push chain ${String(b)} on to ${targetName(a)}`,
  [KIND.CpupriSet]: ({ a, b }) => `changes its cpupri level from ${String(b)} to ${String(a)}`,
  [KIND.Tick]: () => "runs the scheduler tick",
  [KIND.TickStop]: () => "stops its tick",
  [KIND.TickRestart]: () => "restarts its tick",
  [KIND.WakeDone]: ({ a, b }, store) => `runs ${task(store, a)}, ${ns(b)} after it was due`,
  [KIND.NoiseFire]: ({ a }, store) => `gets a device interrupt that will wake ${task(store, a)}`,
  [KIND.Finding]: ({ a }) => `has a finding (kind ${String(a)})`,
  [KIND.SoftirqRaise]: ({ a, b }) => `raises ${softirq(a)}${items(", ", b, " queued")}`,
  [KIND.SoftirqEntry]: ({ a, b }) => `starts ${softirq(a)}${items(" with ", b)}`,
  [KIND.SoftirqExit]: ({ a, b }) => `ends ${softirq(a)}${items(", ", b, " queued meanwhile")}`,
  [KIND.PiSetprio]: ({ a, b }, store) =>
    `sets the kernel prio of ${task(store, a)} to ${String(b)}: priority inheritance`,
  [KIND.RtThrottle]: ({ a, b }) =>
    `throttles its RT class: ${String(a)} µs used of ${String(b)} µs`,
  [KIND.RtUnthrottle]: ({ a }) => `lets its RT class run again, ${String(a)} µs still owed`,
  [KIND.ObjectWait]: ({ a, b }, store) =>
    b === NONE
      ? `suspends ${task(store, a)}`
      : `blocks ${task(store, a)} on ${objectName(store, b)}`,
  [KIND.MutexOwner]: ({ a, b }, store) =>
    b === NONE
      ? `releases ${objectName(store, a)}`
      : `sees ${task(store, b)} take ${objectName(store, a)}`,
  [KIND.ObjectWake]: ({ a, b }, store) =>
    b === NONE
      ? `resumes ${task(store, a)}`
      : `ends the wait of ${task(store, a)} for ${objectName(store, b)}`,
  [KIND.MigrateDisable]: ({ a, b }, store) =>
    `${b === 1 ? "disables" : "enables"} migration of ${task(store, a)}`,
  [KIND.StopWork]: ({ a, b }, store) =>
    `starts stopper work ${STOPPER_WORKS[b] ?? String(b)}${a === NONE ? "" : ` for ${task(store, a)}`}`,
  [KIND.BwPool]: ofGroup((name, amount) => `sets the pool of ${name} to ${amount}`),
  [KIND.BwSilo]: ({ a, b }, store) =>
    `sets its silo of ${group(store, a)} to ${signed(b) < 0 ? "a debt of " : ""}${formatNs(Math.abs(signed(b)), 3)}`,
  [KIND.BwRefill]: ofGroup((name, amount) => `refills ${name} with ${amount}`),
  [KIND.BwTake]: ({ a, b }, store) =>
    b === 0
      ? `finds the pool of ${group(store, a)} empty`
      : `takes ${ns(b)} from the pool of ${group(store, a)}`,
  [KIND.BwReturn]: ofGroup((name, amount) => `returns ${amount} to the pool of ${name}`),
  [KIND.BwExpire]: ofGroup((name, amount) => `expires ${amount} in the pool of ${name}`),
  [KIND.BwExpireSilo]: ofGroup((name, amount) => `expires ${amount} in its silo of ${name}`),
  [KIND.BwDrop]: ofGroup((name, amount) => `drops ${amount} of ${name}, too old to return`),
  [KIND.BwThrottle]: ofGroup(
    (name, amount) => `throttles its queue of ${name}, which owes ${amount}`,
  ),
  [KIND.BwUnthrottle]: ({ a, b }, store) =>
    `unthrottles its queue of ${group(store, a)} by ${UNTHROTTLERS[b] ?? String(b)}`,
  [KIND.BwDistBegin]: ofGroup(
    (name, amount) => `starts to distribute ${amount} to throttled queues of ${name}`,
  ),
  [KIND.BwStep]: ofGroup((name, amount) => `gets ${amount} for its throttled queue of ${name}`),
  [KIND.BwDistEnd]: ({ a, b }, store) =>
    `ends the distribution of ${group(store, a)}${b === 0 ? "" : `, ${ns(b)} handed out of a copy of the pool`}`,
  [KIND.BwDoubleSpend]: ofGroup((name, amount) => `finds ${amount} of ${name} spent twice`),
  [KIND.BwBurst]: ofGroup(
    (name, amount) => `ends a period in which ${name} used ${amount} more than its quota`,
  ),
  [KIND.BwSlack]: ({ a, b }, store) => `${SLACK_ACTS[b] ?? "slack timer"} of ${group(store, a)}`,
  [KIND.BwSlackSkip]: ({ a, b }, store) =>
    `does not arm the slack timer of ${group(store, a)}: ${SKIPS[b] ?? String(b)}`,
  [KIND.CpuStop]: ({ a, b }) => `is stopped for ${ns(b)} by ${STOPPERS[a] ?? "hardware noise"}`,
  [KIND.CpuGo]: ({ a }) => `goes on after a stop of ${ns(a)}`,
  [KIND.LiveChange]: ({ a, b }, store) => liveWrite(store, a, b),
  [KIND.ToolSample]: ({ a, b }, store) =>
    `ends a sample (${sampleLabel(store, a)}) of ${task(store, fieldOf(FIELD.SampleTask, a))}, which took ${ns(sampleNs(a, b))}`,
  [KIND.BwIdle]: ({ a, b }, store) =>
    `ends a period of ${group(store, a)} without throttled queues${b === IDLE_PERIOD_SECOND ? " and stops its timer" : ""}`,
  [KIND.NohzEnterIdle]: ({ a }) => `joins the mask of idle CPUs, ${String(a)} in it now`,
  [KIND.NohzExitIdle]: ({ a }) => `leaves the mask of idle CPUs, ${String(a)} in it now`,
  [KIND.NohzKick]: kick,
  [KIND.NohzRun]: ({ a, b }) =>
    `looks at all idle CPUs ${b === NOHZ_PLACE_SOFTIRQ ? "in SCHED softirq" : "on its way into idle"} (${reasons(a)})`,
  [KIND.NohzRunEnd]: ({ a, b }) =>
    `has looked at ${counted(a, "idle CPU")}${b === 1 ? ", cut short" : ""}`,
};

/**
 * What happens on `cpu` at exactly `ns`, a sentence each, in the order of the run's rows; the
 * change of its state first.
 */
export function sayOnCpu(store: TraceStore, cpu: number, ns: number): readonly string[] {
  const { events } = store;
  const sentences: string[] = [];
  const slice = store.cpuAt(cpu, ns);
  if (slice?.fromNs === ns) sentences.push(saySlice(store, slice));
  for (let row = events.firstAt(ns); row < events.count && events.time.at(row) === ns; row += 1) {
    if (events.cpu.at(row) !== cpu) continue;
    sentences.push(
      sayRow(store, { kind: events.kind.at(row), cpu, a: events.a.at(row), b: events.b.at(row) }),
    );
  }
  return sentences;
}

/** Turns a run's rows and slices into sentences. */
export interface Saying {
  readonly row: (store: TraceStore, row: TraceRow) => string;
  readonly slice: (store: TraceStore, slice: Slice) => string;
}

/** The words that `DivergenceFinder` uses for the two runs. */
export const SAYING: Saying = { row: sayRow, slice: saySlice };
