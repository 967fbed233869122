// What the kernel does where a record is written: a rule for every record kind, several where a
// code says which way was taken. The names were read in the sources of the versions they are
// claimed for.

import type { KIND } from "../../engine/gen/catalogue.ts";
import {
  LIVE_WRITE_AFFINITY,
  LIVE_WRITE_POLICY,
  LIVE_WRITE_SIGNAL,
  LIVE_WRITE_WEIGHT,
  NOHZ_PLACE_IDLE,
  NOHZ_PLACE_SOFTIRQ,
  PULLER_FAIR_BALANCING,
  PULLER_OLD_BALANCING,
  PULLER_PULL_RT_TASK,
  STOP_WORK_BALANCE,
  STOP_WORK_MIGRATE,
  STOP_WORK_PUSH,
  VECTOR_CALL_FUNCTION_SINGLE,
  VECTOR_RESCHEDULE,
  type Puller,
} from "../../engine/gen/codes.ts";
import { BANDWIDTH, RT_THROTTLED } from "./bandwidth.ts";
import { HANDLERS, IPIS } from "./interrupts.ts";
import { at, by, rule, where } from "./kernel-place.ts";
import { LAZY, POINTS, RESCHED, USER_EXIT } from "./preemption.ts";
import type { RulesOf, RulesOfKind } from "./ways.ts";
import { WEIGHT } from "./writes.ts";

const OWN = "The simulator writes this record itself; the kernel has no function for it.";

const TICKET = ["ticket"];
const QUEUED = ["qspinlock"];

const LOCK_SLOW = [
  ...where("kernel.spinlock", QUEUED, [
    by("a33fda35e3a7", at("queued_spin_lock_slowpath", "kernel/locking/qspinlock.c", "4.2")),
  ]),
  ...where("kernel.spinlock", TICKET, [
    by("314cdbefd1fd", at("__ticket_spin_lock", "arch/x86/include/asm/spinlock.h", "3.2", "3.2")),
    by("314cdbefd1fd", at("arch_spin_lock", "arch/x86/include/asm/spinlock.h", "3.16", "4.1")),
  ]),
];
const LOCK_FREE = [
  ...where("kernel.spinlock", QUEUED, [
    by("a33fda35e3a7", at("queued_spin_unlock", "include/asm-generic/qspinlock.h", "4.2")),
  ]),
  ...where("kernel.spinlock", TICKET, [
    by("314cdbefd1fd", at("__ticket_spin_unlock", "arch/x86/include/asm/spinlock.h", "3.2", "3.2")),
    by("314cdbefd1fd", at("arch_spin_unlock", "arch/x86/include/asm/spinlock.h", "3.16", "4.1")),
  ]),
];
export const SPIN = rule(
  "A CPU that finds a spinlock held joins the lock's queue and spins until its turn comes.",
  "docs/model/locks-and-ipis.md#spinlocks",
  ...LOCK_SLOW,
);

const TICK = [
  at("scheduler_tick", "core", "2.6.24", "6.6"),
  by("86dd6c04ef9f", at("sched_tick", "core", "6.12")),
];
const BALANCE = [
  by("1e3c88bdeb12", at("load_balance", "fair", "3.2", "6.6")),
  by("4c3e509ea9f2", at("sched_balance_rq", "fair", "6.12")),
];
const PULL_RT = [at("pull_rt_task", "rt", "2.6.25")];
const STOPPERS = [
  at("migration_thread", "core", "2.6.24", "2.6.25"),
  by("969c79215a35", at("active_load_balance_cpu_stop", "fair", "3.2")),
] as const;

/** No function: the program's own code runs. */
export const USER_SPIN = rule(
  "The task's own code finds a lock of its program held and tries again and again; for the kernel it runs.",
  "docs/model/programs.md#database",
);

const DO_SOFTIRQ = at("__do_softirq", "kernel/softirq.c", "2.6.24", "6.1");
const SOFTIRQ = [
  DO_SOFTIRQ,
  // Back-ported to the stable branch.
  by("1dd1eff161bd", at("handle_softirqs", "kernel/softirq.c", "6.1.192", "6.1.192")),
  { ...DO_SOFTIRQ, from: "6.3", until: "6.6" },
  by("1dd1eff161bd", at("handle_softirqs", "kernel/softirq.c", "6.12")),
];
export const SOFTIRQ_RUN = rule(
  "The pending softirqs of the CPU are handled one after the other.",
  "docs/model/locks-and-ipis.md#softirqs",
  ...SOFTIRQ,
);

const KICK = [
  by("83cd4fe27ad8", at("nohz_balancer_kick", "fair", "3.2", "4.15")),
  by("4550487a993d", at("kick_ilb", "fair", "4.18")),
];

/** A rule for every record kind. */
export const RECORDS: { readonly [name in keyof typeof KIND]: RulesOfKind<name> } = {
  CpuState: rule(
    "The CPU goes on with something else; the state's own rule says by what.",
    "docs/model/accounting.md#causes",
  ),
  SchedWaking: rule(
    "Somebody wakes a sleeping task.",
    "docs/model/wake-ups.md#try-to-wake-up",
    at("try_to_wake_up", "core", "2.6.24"),
  ),
  SchedWakeup: rule(
    "The woken task is put on a run queue and is runnable.",
    "docs/model/wake-ups.md#wake-up-paths",
    at("activate_task", "core", "2.6.24", "2.6.25"),
    at("ttwu_do_activate", "core", "3.2"),
  ),
  SchedSwitch: rule(
    "The CPU changes from one task to the next.",
    "docs/model/preemption.md#resched",
    at("context_switch", "core", "2.6.24"),
  ),
  MigrateTask: rule(
    "The task gets another CPU: this is where its new CPU is written.",
    "docs/model/wake-ups.md#try-to-wake-up",
    at("set_task_cpu", "core", "2.6.24"),
  ),
  LockWait: SPIN,
  LockAcq: rule(
    "The CPU takes the lock: at once where it is free, else when its turn comes.",
    "docs/model/locks-and-ipis.md#spinlocks",
    ...LOCK_SLOW,
  ),
  LockRel: rule(
    "The owner releases the lock; the first in the queue goes on.",
    "docs/model/locks-and-ipis.md#spinlocks",
    ...LOCK_FREE,
  ),
  IpiSend: IPIS,
  IpiArrive: IPIS,
  IrqEntry: HANDLERS,
  IrqExit: rule(
    "At the end of an interrupt pending softirqs are run, and then need_resched is looked at.",
    "docs/model/locks-and-ipis.md#softirqs",
    at("irq_exit", "kernel/softirq.c", "2.6.24", "5.7"),
    by("8a6bc4787f05", at("irq_exit_rcu", "kernel/softirq.c", "5.8")),
  ),
  NeedResched: rule(
    "need_resched is set: the task that runs will call schedule() at the next preemption point.",
    "docs/model/preemption.md#resched",
    ...RESCHED,
  ),
  NeedReschedClear: rule(
    "schedule() has picked a task, or the kernel extends a slice: the flags of the running task are cleared.",
    "docs/model/preemption.md#resched",
    at("schedule", "core", "2.6.24", "2.6.25"),
    at("__schedule", "core", "3.2"),
  ),
  SliceGrant: rule(
    "On return to user code a set flag meets a request for a slice extension: the kernel clears the flag and arms a timer.",
    "docs/model/preemption.md#slice-extension",
    by("dfb630f548a7", at("rseq_grant_slice_extension", "include/linux/rseq_entry.h", "7.0")),
  ),
  SliceEnd: rule(
    "The timer, a system call or another request to reschedule ends a slice extension, and the CPU calls schedule().",
    "docs/model/preemption.md#slice-extension",
    by("0ac3b5c3dc45", at("rseq_slice_expired", "kernel/rseq.c", "7.0")),
  ),
  UserSpin: rule(USER_SPIN.says, USER_SPIN.model),
  UserSpinEnd: rule(
    "The program's own lock is free, and the task that spun has it: the kernel sees neither.",
    USER_SPIN.model,
  ),
  UserLockOwner: rule(
    "The program's own lock changes hands: the kernel does not know of it.",
    USER_SPIN.model,
  ),
  UserLockOut: rule(
    "A task is preempted on its way back to user code; the kernel does not know which lock of its program it holds.",
    "docs/model/preemption.md#preemption-points",
    ...USER_EXIT,
  ),
  HrtimerExpire: rule(
    "The callback of a sleeping task's timer wakes the task.",
    "docs/model/time.md#hrtimers",
    at("hrtimer_wakeup", "hrtimer", "2.6.24"),
  ),
  WakelistQueue: rule(
    "The waker does not take the remote run queue's lock: it puts the task on the target's wake-list.",
    "docs/model/wake-ups.md#wake-list",
    by("317f394160e9", at("ttwu_queue_remote", "core", "3.2", "5.7")),
    by("2ebb17717550", at("ttwu_queue_wakelist", "core", "5.8")),
  ),
  IdleWithoutIpi: {
    [VECTOR_RESCHEDULE]: rule(
      "The idle target polls need_resched, so that setting the flag is enough: no IPI is sent.",
      "docs/model/wake-ups.md#polling-idle",
      ...RESCHED,
    ),
    [VECTOR_CALL_FUNCTION_SINGLE]: rule(
      "The idle target polls need_resched, so that setting the flag is enough: no IPI is sent.",
      "docs/model/wake-ups.md#polling-idle",
      by("e3baac47f0e8", at("ttwu_queue_remote", "core", "3.16", "5.7")),
      by("b2a02fc43a1f", at("send_call_function_single_ipi", "core", "5.8", "6.3")),
      by("68f4ff04dbad", at("call_function_single_prep_ipi", "core", "6.6")),
    ),
  },
  RtoSet: rule(
    "The CPU has an RT task that could run elsewhere: it becomes RT-overloaded.",
    "docs/model/rt-balancing.md#overload",
    by("637f50851b57", at("rt_set_overload", "rt", "2.6.25", "6.6")),
    by("612f769edd06", at("rt_set_overload", "rt", "6.12")),
  ),
  RtoClear: rule(
    "The CPU has no RT task left that could run elsewhere.",
    "docs/model/rt-balancing.md#overload",
    by("637f50851b57", at("rt_clear_overload", "rt", "2.6.25", "6.6")),
    by("612f769edd06", at("rt_clear_overload", "rt", "6.12")),
  ),
  PullTry: pulls("goes for the lock of a run queue that has too much"),
  PullOk: pulls("takes a task from another run queue"),
  PullFail: pulls("finds nothing to take on the other run queue"),
  PushOk: {
    push_rt_task: rule(
      "A CPU with more than one RT task moves one to a CPU that runs a lower priority.",
      "docs/model/rt-balancing.md#push",
      by("e8fa136262e1", at("push_rt_task", "rt", "2.6.25")),
    ),
    stopper: rule(
      "The CPU's stopper moves a task away that cannot be moved while it runs.",
      "docs/model/rt-balancing.md#stopper",
      ...STOPPERS,
    ),
    push_cpu_stop: rule(
      "The CPU's stopper moves the running RT task away for push_rt_task().",
      "docs/model/rt-balancing.md#push-the-running-task",
      by("a7c81556ec4d", at("push_cpu_stop", "core", "5.14")),
    ),
  },
  PushFail: rule(
    "No CPU runs a lower priority than that of the RT task that is to be pushed.",
    "docs/model/rt-balancing.md#lowest-run-queue",
    at("find_lowest_rq", "rt", "2.6.25"),
  ),
  RtoHop: rule(
    "The RT push chain goes from overloaded CPU to overloaded CPU; each tries to push a task.",
    "docs/model/rt-balancing.md#push-ipi-chain",
    ...where(
      "kernel.rt_balance",
      ["ipi_4_1"],
      [by("b6366f048e0c", at("find_next_push_cpu", "rt", "4.1", "4.2"))],
    ),
    ...where(
      "kernel.rt_balance",
      ["ipi_4_15", "ipi_4_16_skip1", "ipi_2026_noself"],
      [by("4bdced5c9a29", at("rto_next_cpu", "rt", "4.15"))],
    ),
  ),
  CpupriSet: rule(
    "The priority of what the CPU runs changed; cpupri is updated, for CPUs that look for a lower priority.",
    "docs/model/rt-balancing.md#cpupri",
    by("6e0534f27819", at("cpupri_set", "cpupri", "3.2")),
  ),
  Tick: rule(
    "HZ times a second the tick charges the running task and asks for balancing.",
    "docs/model/time.md#tick",
    ...TICK,
  ),
  TickStop: rule(
    "A CPU that is idle stops its tick.",
    "docs/model/time.md#tick-stop",
    by(
      "79bf2bb335b8",
      at("tick_nohz_stop_sched_tick", "kernel/time/tick-sched.c", "2.6.24", "4.15"),
    ),
    by("0e7767687fda", at("tick_nohz_stop_tick", "kernel/time/tick-sched.c", "4.18")),
  ),
  TickRestart: rule(
    "A CPU that leaves idle starts its tick again.",
    "docs/model/time.md#tick-stop",
    by("79bf2bb335b8", at("tick_nohz_restart_sched_tick", "kernel/time/tick-sched.c", "2.6.24")),
  ),
  WakeDone: rule(
    "The task is back in its own code: here its latency ends.",
    "docs/model/accounting.md#latency",
  ),
  CpuStop: rule(
    "The firmware or the host takes the CPU away; the kernel does not notice.",
    "docs/model/time.md#hardware-noise",
  ),
  CpuGo: rule(
    "The CPU executes again and takes what became pending meanwhile.",
    "docs/model/time.md#hardware-noise",
  ),
  NoiseFire: rule(
    "The scenario's device interrupt; the kernel only handles it.",
    "docs/model/locks-and-ipis.md#interrupt-delivery",
  ),
  Finding: rule(OWN, "docs/model/accounting.md#report"),
  NeedReschedLazy: rule(
    "need_resched_lazy is set: the task will call schedule() at its return to user, or after the next tick.",
    "docs/model/preemption.md#which-flag-is-set",
    ...LAZY,
  ),
  NeedReschedUpgrade: rule(
    "The tick finds a lazy flag and sets need_resched.",
    "docs/model/preemption.md#lazy-upgrade",
    by("7c70cb94d29c", at("sched_tick", "core", "6.13")),
  ),
  PreemptPoint: POINTS,
  SoftirqRaise: rule(
    "A softirq becomes pending on this CPU.",
    "docs/model/locks-and-ipis.md#softirqs",
    at("raise_softirq_irqoff", "kernel/softirq.c", "2.6.24"),
  ),
  SoftirqEntry: SOFTIRQ_RUN,
  SoftirqExit: SOFTIRQ_RUN,
  PiSetprio: rule(
    "The owner of a lock inherits the priority of its highest-priority waiter.",
    "docs/model/programs.md#shared-objects",
    by("b29739f902ee", at("rt_mutex_setprio", "core", "2.6.24")),
  ),
  RtThrottle: RT_THROTTLED,
  RtUnthrottle: rule(
    "The timer of RT bandwidth gives the CPU its runtime again.",
    "docs/model/bandwidth.md#rt-throttling",
    at("update_sched_rt_period", "rt", "2.6.25", "2.6.25"),
    by("d0b27fa77854", at("do_sched_rt_period_timer", "rt", "3.2")),
  ),
  ObjectWait: rule(
    "The program's own object: the kernel only sees the task go to sleep.",
    "docs/model/programs.md#shared-objects",
  ),
  MutexOwner: rule(
    "A mutex changes hands, of the program or of the kernel.",
    "docs/model/programs.md#shared-objects",
  ),
  ObjectWake: rule(
    "The program's own object: the kernel only sees the wake-up that follows.",
    "docs/model/programs.md#shared-objects",
  ),
  MigrateDisable: rule(
    "A task keeps the CPU it is on until it allows migration again.",
    "docs/model/rt-balancing.md#push-the-running-task",
    by("af449901b84c", at("migrate_disable", "core", "5.14", "6.13")),
    by("378b7708194f", at("migrate_disable", "include/linux/sched.h", "6.18")),
  ),
  WakeupNew: rule(
    "A forked task is put on a run queue for the first time.",
    "docs/model/wake-ups.md#wake-up-paths",
    at("wake_up_new_task", "core", "2.6.24"),
  ),
  StopWork: {
    [STOP_WORK_PUSH]: rule(
      "The stopper moves the running RT task away for push_rt_task().",
      "docs/model/rt-balancing.md#push-the-running-task",
      by("a7c81556ec4d", at("push_cpu_stop", "core", "5.14")),
    ),
    [STOP_WORK_MIGRATE]: rule(
      "The stopper moves a task to a CPU that it may run on.",
      "docs/model/rt-balancing.md#stopper",
      at("migration_thread", "core", "2.6.24", "2.6.25"),
      by("969c79215a35", at("migration_cpu_stop", "core", "3.2")),
    ),
    [STOP_WORK_BALANCE]: rule(
      "The stopper moves a task to the CPU that could not pull one.",
      "docs/model/idle-balancing.md#active-balance",
      ...STOPPERS,
    ),
  },
  ...BANDWIDTH,
  NohzEnterIdle: rule(
    "A CPU that stopped its tick joins the mask of idle CPUs that others balance for.",
    "docs/model/idle-balancing.md#idle-mask",
    at("select_nohz_load_balancer", "fair", "3.2", "3.2"),
    by("c1cc017c59c4", at("nohz_balance_enter_idle", "fair", "3.16")),
  ),
  NohzExitIdle: rule(
    "The first busy tick takes the CPU out of the mask of idle CPUs.",
    "docs/model/idle-balancing.md#idle-mask",
    at("nohz_balance_exit_idle", "fair", "3.16"),
  ),
  NohzKick: rule(
    "A busy CPU's tick finds that idle CPUs are to be balanced and asks one of them to do it.",
    "docs/model/idle-balancing.md#kick",
    ...KICK,
  ),
  NohzRun: {
    [NOHZ_PLACE_SOFTIRQ]: rule(
      "The kicked CPU balances for every idle CPU.",
      "docs/model/idle-balancing.md#idle-walk",
      by("83cd4fe27ad8", at("nohz_idle_balance", "fair", "3.2")),
    ),
    [NOHZ_PLACE_IDLE]: rule(
      "A CPU about to go idle looks at the others' blocked load first.",
      "docs/model/idle-balancing.md#newly-idle-without-an-ipi",
      by("31e77c93e432", at("nohz_newidle_balance", "fair", "4.18")),
    ),
  },
  NohzRunEnd: rule(
    "The CPU has looked at all idle CPUs, or has something to run.",
    "docs/model/idle-balancing.md#idle-walk",
    by("83cd4fe27ad8", at("nohz_idle_balance", "fair", "3.2")),
  ),
  LiveChange: {
    [LIVE_WRITE_AFFINITY]: rule(
      "A write of the task's affinity.",
      "docs/model/accounting.md#live-writes",
      at("set_cpus_allowed", "core", "2.6.24", "2.6.25"),
      by("cd8ba7cd9be0", at("set_cpus_allowed_ptr", "core", "3.2")),
    ),
    [LIVE_WRITE_POLICY]: rule(
      "A write of the task's policy and priority.",
      "docs/model/accounting.md#live-writes",
      at("sched_setscheduler", "core", "2.6.24", "6.6"),
      by("04746ed80bcf", at("sched_setscheduler", "kernel/sched/syscalls.c", "6.12")),
    ),
    [LIVE_WRITE_WEIGHT]: WEIGHT,
    [LIVE_WRITE_SIGNAL]: rule(
      "A signal ends the task's sleep.",
      "docs/model/programs.md#cyclictest",
      at("complete_signal", "kernel/signal.c", "3.2"),
    ),
  },
  ToolSample: rule(
    "The program reads its own clock: the kernel has no part in it.",
    "docs/model/programs.md#cyclictest",
  ),
};

/** The rules of a pull, by the function that pulls. */
function pulls(what: string): RulesOf<Puller> {
  return {
    [PULLER_PULL_RT_TASK]: rule(
      `A CPU whose RT priority falls ${what}.`,
      "docs/model/rt-balancing.md#pull",
      ...PULL_RT,
    ),
    [PULLER_OLD_BALANCING]: rule(
      `Load balancing of 2.6.24 ${what}, whatever its class.`,
      "docs/model/rt-balancing.md#passive-balancing",
      at("load_balance", "core", "2.6.24", "2.6.25"),
    ),
    [PULLER_FAIR_BALANCING]: rule(
      `Load balancing ${what}.`,
      "docs/model/idle-balancing.md#load-balance-pass",
      ...BALANCE,
    ),
  };
}
