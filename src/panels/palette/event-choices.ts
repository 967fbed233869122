// Every kind of record that the runs hold, as something to go to. Knows names; the way there is
// go.ts's.

import { KIND, KIND_NAMES } from "../../engine/gen/catalogue.ts";
import type { TraceStore } from "../../model/index.ts";
import { rulesOfKind } from "../../model/rules/rules.ts";

/** Changes of a CPU's state are no rows: the lanes show them. */
type EventKind = Exclude<keyof typeof KIND, "CpuState">;

/** What people call one. */
export const EVENT_WORDS: Readonly<Record<EventKind, string>> = {
  SchedWaking: "a wake-up begins",
  SchedWakeup: "a woken task is on a run queue",
  SchedSwitch: "a CPU changes tasks: context switch",
  MigrateTask: "a task changes its CPU: migration",
  LockWait: "a CPU begins to spin for a lock",
  LockAcq: "a CPU takes a lock",
  LockRel: "a CPU releases a lock",
  IpiSend: "an IPI is sent",
  IpiArrive: "an IPI arrives",
  IrqEntry: "an interrupt handler starts",
  IrqExit: "an interrupt handler ends",
  NeedResched: "need_resched is set",
  NeedReschedClear: "need_resched is cleared",
  HrtimerExpire: "a task's timer expires",
  WakelistQueue: "a wake-up goes to a wake-list",
  IdleWithoutIpi: "an idle CPU polls and needs no IPI",
  RtoSet: "a CPU becomes RT-overloaded",
  RtoClear: "a CPU is no longer RT-overloaded",
  PullTry: "a pull asks for another CPU's lock",
  PullOk: "a pull moves a task",
  PullFail: "a pull finds no task",
  PushOk: "a push moves a task",
  PushFail: "a push finds no CPU",
  RtoHop: "the RT push chain hops to its next CPU",
  CpupriSet: "a CPU's level in cpupri changes",
  Tick: "a scheduler tick",
  TickStop: "an idle CPU stops its tick",
  TickRestart: "a tick is restarted",
  WakeDone: "a woken task executes its first instruction",
  NoiseFire: "rt_noise raises an interrupt",
  Finding: "a finding of the run",
  NeedReschedLazy: "need_resched_lazy is set",
  NeedReschedUpgrade: "a lazy flag becomes need_resched",
  PreemptPoint: "a preemption point is passed",
  SoftirqRaise: "a softirq becomes pending",
  SoftirqEntry: "a softirq handler starts",
  SoftirqExit: "a softirq handler ends",
  PiSetprio: "priority inheritance changes a priority",
  RtThrottle: "the RT class is throttled",
  RtUnthrottle: "the RT class may run again",
  ObjectWait: "a task blocks on a user object",
  ObjectWake: "a user object wakes a task",
  MigrateDisable: "a task disables or enables its migration",
  WakeupNew: "a forked task is on a run queue",
  StopWork: "a stopper starts its work",
  BwPool: "a group's pool changes",
  BwSilo: "a group's silo changes",
  BwRefill: "a group's quota is refilled",
  BwTake: "a silo takes from the pool",
  BwReturn: "a silo returns run time to the pool",
  BwExpire: "run time in a pool expires",
  BwExpireSilo: "run time in a silo expires",
  BwDrop: "a silo's run time is dropped",
  BwThrottle: "a group is throttled on a CPU",
  BwUnthrottle: "a group is unthrottled on a CPU",
  BwDistBegin: "a distribution of run time begins",
  BwStep: "a throttled queue gets run time",
  BwDistEnd: "a distribution of run time ends",
  BwDoubleSpend: "run time is spent twice",
  BwBurst: "a period ends that used a burst",
  BwSlack: "the slack timer starts or fires",
  BwIdle: "a period ends without throttled queues",
  NohzEnterIdle: "a CPU enters the mask of idle CPUs",
  NohzExitIdle: "a CPU leaves the mask of idle CPUs",
  NohzKick: "a tick kicks an idle CPU to balance",
  NohzRun: "idle balancing for other CPUs starts",
  NohzRunEnd: "idle balancing for other CPUs ends",
  BwSlackSkip: "the slack timer is not armed",
  LiveChange: "a write to the running kernel takes effect",
  ToolSample: "a tool's sample ends",
  CpuStop: "hardware noise stops a CPU",
  CpuGo: "a stopped CPU goes on",
  SliceGrant: "a slice extension is granted",
  SliceEnd: "a slice extension ends",
  UserSpin: "a task begins to spin in user space",
  UserSpinEnd: "a task has the lock it spun for",
  UserLockOwner: "a spin lock of user space changes its holder",
  UserLockOut: "the holder of a spin lock of user space is preempted",
  MutexOwner: "a mutex changes its holder",
};

export interface EventChoice {
  readonly kind: number;
  /** The name of the event in the trace. */
  readonly name: string;
  readonly words: string;
  /** Kernel functions that do it. */
  readonly functions: string;
}

/** The kinds that any of the runs has a record of. */
export function eventsIn(traces: readonly TraceStore[]): readonly EventChoice[] {
  return (Object.keys(EVENT_WORDS) as EventKind[]).flatMap((key) => {
    const kind = KIND[key];
    if (!traces.some(({ events }) => events.counted([kind]) > 0)) return [];
    return {
      kind,
      name: KIND_NAMES[kind] ?? key,
      words: EVENT_WORDS[key],
      functions: functionsOf([kind]),
    };
  });
}

/** The kernel's functions behind records of these kinds. */
export function functionsOf(kinds: readonly number[]): string {
  return [
    ...new Set(
      kinds.flatMap((kind) =>
        rulesOfKind(kind).flatMap(({ places }) => places.map(({ name }) => name)),
      ),
    ),
  ].join(" ");
}
