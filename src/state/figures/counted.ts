// Which events a counter of the report counts. True of the engine's ledger: over a whole run there
// are as many of them as the counter says. Periods are the exception: one refill may end several.

import { FIELD, KIND, NONE } from "../../engine/gen/catalogue.ts";
import {
  KICK_OUTCOME_ALREADY_OWNED,
  KICK_OUTCOME_NO_TARGET,
  KICK_OUTCOME_POLLING,
  KICK_OUTCOME_SENT,
  KICK_REASON_BALANCE,
  KICK_REASON_BLOCKED_LOAD,
  KICK_REASON_NEXT_BALANCE,
  PULLER_PULL_RT_TASK,
  SOFTIRQ_NET_RX,
  SOFTIRQ_RCU,
  STOPPER_HOST,
  STOPPER_SMI,
  VECTOR_CALL_FUNCTION_SINGLE,
  VECTOR_DEVICE,
  VECTOR_RESCHEDULE,
  type KickOutcome,
  type KickReason,
  type Vector,
} from "../../engine/gen/codes.ts";
import { fieldOf } from "../../lib/bit-field.ts";
import type { TraceStore } from "../../model/index.ts";
import { WAIT_KINDS } from "../../model/trace/waits.ts";

/** Rows of these kinds, those alone whose columns are `wanted`. */
interface Counted {
  readonly kinds: readonly number[];
  readonly wanted?: (cpu: number, a: number, b: number) => boolean;
}

const all = (...kinds: readonly number[]): Counted => ({ kinds });
const only = (kind: number, wanted: NonNullable<Counted["wanted"]>): Counted => ({
  kinds: [kind],
  wanted,
});
const withA = (kind: number, a: number): Counted => only(kind, (_, found) => found === a);
const withB = (kind: number, b: number): Counted => only(kind, (_, __, found) => found === b);

/** Counters of one vector of IPIs: `ipi.reschedule.sent`. */
function ofVector(name: string, vector: Vector): Readonly<Record<string, Counted>> {
  const arrived = (coalesced: number): Counted =>
    only(
      KIND.IpiArrive,
      (_, a) =>
        fieldOf(FIELD.IpiVector, a) === vector && fieldOf(FIELD.IpiCoalesced, a) === coalesced,
    );
  return {
    [`ipi.${name}.sent`]: withB(KIND.IpiSend, vector),
    [`ipi.${name}.delivered`]: arrived(0),
    [`ipi.${name}.coalesced`]: arrived(1),
    [`ipi.${name}.elided_polling`]: withB(KIND.IdleWithoutIpi, vector),
  };
}

const kickFor = (reason: KickReason): Counted =>
  only(KIND.NohzKick, (_, a) => (fieldOf(FIELD.KickReasons, a) & reason) !== 0);
const kickThat = (outcome: KickOutcome): Counted =>
  only(KIND.NohzKick, (_, a) => fieldOf(FIELD.KickOutcome, a) === outcome);

const OF_RUN: Readonly<Record<string, Counted>> = {
  "sched.context_switches": all(KIND.SchedSwitch),
  "sched.migrations": all(KIND.MigrateTask),
  "sched.pushes": all(KIND.PushOk),
  "sched.pulls": all(KIND.PullOk),
  "sched.ticks": all(KIND.Tick),
  "wakeups.wake_list": all(KIND.WakelistQueue),
  "resched.now_set": all(KIND.NeedResched, KIND.NeedReschedUpgrade),
  "resched.lazy_set": all(KIND.NeedReschedLazy),
  "resched.lazy_upgraded": all(KIND.NeedReschedUpgrade),
  "rq_lock.pull_remote_acquisitions": withB(KIND.PullTry, PULLER_PULL_RT_TASK),
  "hw_noise.smi.count": withA(KIND.CpuStop, STOPPER_SMI),
  "hw_noise.steal.count": withA(KIND.CpuStop, STOPPER_HOST),
  ...ofVector("reschedule", VECTOR_RESCHEDULE),
  ...ofVector("call_function", VECTOR_CALL_FUNCTION_SINGLE),
  "ipi.rto_push.sent": only(KIND.RtoHop, (_, a) => a !== NONE),
  "ipi.rto_push.self_sent": only(KIND.RtoHop, (cpu, a) => a === cpu),
  "ipi.nohz_kick.kicks": all(KIND.NohzKick),
  "ipi.nohz_kick.sent": kickThat(KICK_OUTCOME_SENT),
  "ipi.nohz_kick.polling": kickThat(KICK_OUTCOME_POLLING),
  "ipi.nohz_kick.already_owned": kickThat(KICK_OUTCOME_ALREADY_OWNED),
  "ipi.nohz_kick.no_target": kickThat(KICK_OUTCOME_NO_TARGET),
  "ipi.nohz_kick.balance": kickFor(KICK_REASON_BALANCE),
  "ipi.nohz_kick.stats": kickFor(KICK_REASON_BLOCKED_LOAD),
  "ipi.nohz_kick.next": kickFor(KICK_REASON_NEXT_BALANCE),
};

/** The rows that a CPU's figures count, by the last part of the path. */
const OF_CPU: Readonly<Record<string, Counted>> = {
  ticks: all(KIND.Tick),
  device_irqs: withA(KIND.IrqEntry, VECTOR_DEVICE),
  net_rx_softirqs: withA(KIND.SoftirqEntry, SOFTIRQ_NET_RX),
  rcu_softirqs: withA(KIND.SoftirqEntry, SOFTIRQ_RCU),
};

/**
 * The rows that a control group's figures count, by the last part of the path; column `a` holds the
 * group's number. A figure that is a sum lists the rows whose amounts it adds up.
 */
const OF_GROUP: Readonly<Record<string, readonly number[]>> = {
  nr_periods: [KIND.BwRefill],
  nr_bursts: [KIND.BwBurst],
  burst_ns: [KIND.BwBurst],
  expired_ns: [KIND.BwExpire, KIND.BwExpireSilo],
  dropped_ns: [KIND.BwDrop],
  double_spent_ns: [KIND.BwDoubleSpend],
};

/**
 * The rows that the counter at `path` counts, in order of time; none where it is no counter, or the
 * trace has no record of what it counts.
 */
export function* countedRows(trace: TraceStore, path: string): Generator<number> {
  const { kinds, wanted } = countedBy(trace, path) ?? {};
  if (kinds === undefined) return;
  const { cpu, a, b } = trace.events;
  const rows = trace.events.rowsOf(kinds);
  for (let index = 0; index < rows.count; index += 1) {
    const row = rows.at(index);
    if (wanted?.(cpu.at(row), a.at(row), b.at(row)) !== false) yield row;
  }
}

function countedBy({ shape }: TraceStore, path: string): Counted | undefined {
  const [, of, name = "", leaf = ""] = /^(cpus|groups)\.(.+)\.(\w+)$/.exec(path) ?? [];
  if (of === "cpus") return onCpu(OF_CPU[leaf], Number(name));
  if (of === "groups") return ofGroup(shape, name, leaf);
  if (path === "rq_lock.acquisitions") return ofQueues(shape, KIND.LockAcq);
  if (path === "rq_lock.contended") return ofQueues(shape, KIND.LockWait);
  return OF_RUN[path];
}

function onCpu(counted: Counted | undefined, wanted: number): Counted | undefined {
  return (
    counted && {
      ...counted,
      wanted: (cpu, a, b) => cpu === wanted && counted.wanted?.(cpu, a, b) !== false,
    }
  );
}

function ofGroup(
  { groups, locks }: TraceStore["shape"],
  path: string,
  leaf: string,
): Counted | undefined {
  if (leaf === "lock_acquisitions") return withA(KIND.LockAcq, locks.indexOf(`cfs_b ${path}`));
  const group = groups.findIndex((each) => each.path === path);
  const kinds = OF_GROUP[leaf];
  return kinds && { kinds, wanted: (_, a) => a === group };
}

/** The locks of the run queues are the first ones, one a CPU. */
export function isQueueLock({ cpus }: TraceStore["shape"], lock: number): boolean {
  return lock < cpus;
}

function ofQueues(shape: TraceStore["shape"], kind: number): Counted {
  return only(kind, (_, lock) => isQueueLock(shape, lock));
}

/**
 * The switches away from tasks that could go on, or from those that slept. The task's next row
 * shows which: a switch in or a migration without a wake-up means that the task waited all along. A
 * task without such a row before the end is in neither list, because the trace does not show which
 * it was.
 */
export function switchesAway(
  { events }: TraceStore,
  tasks: ReadonlySet<number>,
  slept: boolean,
): readonly number[] {
  const found: number[] = [];
  const left = new Map<number, number>();
  const note = (task: number, woken: boolean): void => {
    const row = left.get(task);
    if (row !== undefined && woken === slept) found.push(row);
    left.delete(task);
  };
  const rows = events.rowsOf(WAIT_KINDS);
  for (let index = 0; index < rows.count; index += 1) {
    const row = rows.at(index);
    const [kind, a, b] = [events.kind.at(row), events.a.at(row), events.b.at(row)];
    if (kind !== KIND.SchedSwitch) {
      note(a, kind !== KIND.MigrateTask);
      continue;
    }
    note(b, false);
    if (tasks.has(a)) left.set(a, row);
  }
  return found.sort((one, other) => one - other);
}
