// What the kernel does where a record is written: a rule for every record kind, several where a column says which way was taken. The names
// were read in the sources of the versions they are claimed for.

import type { KIND } from "../../engine/gen/catalogue.ts";
import { at, where, type Place, type Rule } from "./place.ts";

type KindName = keyof typeof KIND;

/** By the number that ways.ts finds for a row where there are several. */
export type Rules = Rule | readonly Rule[];

function rule(says: string, ...places: readonly Place[]): Rule {
  return { says, places };
}

const OWN = "The simulator writes this record itself; the kernel has no function for it.";

const TICKET = ["ticket"];
const QUEUED = ["qspinlock"];

const LOCK_SLOW = [
  ...where("kernel.spinlock", QUEUED, [at("queued_spin_lock_slowpath", "kernel/locking/qspinlock.c", "4.2")]),
  ...where("kernel.spinlock", TICKET, [
    at("__ticket_spin_lock", "arch/x86/include/asm/spinlock.h", "3.2", "3.2"),
    at("arch_spin_lock", "arch/x86/include/asm/spinlock.h", "3.16", "4.1"),
  ]),
];
const LOCK_FREE = [
  ...where("kernel.spinlock", QUEUED, [at("queued_spin_unlock", "include/asm-generic/qspinlock.h", "4.2")]),
  ...where("kernel.spinlock", TICKET, [
    at("__ticket_spin_unlock", "arch/x86/include/asm/spinlock.h", "3.2", "3.2"),
    at("arch_spin_unlock", "arch/x86/include/asm/spinlock.h", "3.16", "4.1"),
  ]),
];
export const SPIN = rule("A CPU that finds a spinlock held joins the lock's queue and spins until its turn comes.", ...LOCK_SLOW);

const RESCHED = [at("resched_task", "core", "2.6.24", "3.16"), at("resched_curr", "core", "3.17")];
const LAZY = [at("resched_curr_lazy", "core", "6.13")];
export const LAZY_WAIT = rule(
  "resched_curr_lazy() asks for a switch at the next return to user; a tick turns the request into need_resched.",
  ...LAZY,
);
const TICK = [at("scheduler_tick", "core", "2.6.24", "6.6"), at("sched_tick", "core", "6.12")];
const BALANCE = [at("load_balance", "fair", "3.2", "6.6"), at("sched_balance_rq", "fair", "6.12")];
const PULL_RT = [at("pull_rt_task", "rt", "2.6.25")];
const STOPPERS = [at("migration_thread", "core", "2.6.24", "2.6.25"), at("active_load_balance_cpu_stop", "fair", "3.2")] as const;

/** A file that moved in 5.4. */
function ipi(name: string): readonly Place[] {
  return [at(name, "arch/x86/kernel/smp.c", "3.2", "4.19"), at(name, "arch/x86/kernel/apic/ipi.c", "5.4")];
}
export const SEND_RESCHEDULE = [
  at("smp_send_reschedule", "arch/x86/kernel/smp_64.c", "2.6.24", "2.6.25"),
  ...ipi("native_smp_send_reschedule"),
];

/** Vectors in the order of the catalogue: local timer, reschedule, function call, device, irq_work. */
const IPIS: readonly Rule[] = [
  rule("The CPU's own timer interrupts it; nobody sends an IPI.", at("hrtimer_interrupt", "hrtimer", "2.6.24")),
  rule("A reschedule IPI makes the target look at need_resched, or at its wake-list up to 5.7.", ...SEND_RESCHEDULE),
  rule(
    "A function-call IPI makes the target run the calls that were queued for it: a wake-list, or remote irq_work.",
    ...ipi("native_send_call_func_single_ipi"),
  ),
  rule("A device interrupts the CPU; nobody sends an IPI.", at("handle_irq_event_percpu", "kernel/irq/handle.c", "3.2")),
  rule("A CPU interrupts itself to run the irq_work that it queued.", at("arch_irq_work_raise", "arch/x86/kernel/irq_work.c", "3.2")),
];

const HANDLERS: readonly Rule[] = [
  rule("The timer interrupt runs the callbacks of all timers that are due.", at("hrtimer_interrupt", "hrtimer", "2.6.24")),
  rule(
    "The handler of the reschedule IPI leaves the work to the interrupt's exit, which looks at need_resched.",
    at("scheduler_ipi", "core", "3.2", "5.7"),
    at("scheduler_ipi", "include/linux/sched.h", "5.8"),
  ),
  rule(
    "The handler of the function-call IPI runs the calls that were queued for this CPU.",
    at("generic_smp_call_function_single_interrupt", "kernel/smp.c", "3.2"),
  ),
  rule("A device's interrupt runs the handlers that its driver registered.", at("handle_irq_event_percpu", "kernel/irq/handle.c", "3.2")),
  rule("The handler runs the irq_work that was queued on this CPU.", at("irq_work_run", "kernel/irq_work.c", "3.2")),
];

const USER_EXIT = [
  at("exit_to_usermode_loop", "arch/x86/entry/common.c", "4.15", "5.8"),
  at("exit_to_user_mode_loop", "kernel/entry/common.c", "5.10"),
];
const POINTS: readonly Rule[] = [
  rule("On its way back to user code a task calls schedule() while a flag is set.", ...USER_EXIT),
  rule(
    "At the end of an interrupt that met preemptible kernel code, a set need_resched leads to schedule().",
    at("preempt_schedule_irq", "core", "2.6.24"),
  ),
  rule("Where preempt_count falls to 0, a set need_resched leads to schedule().", at("preempt_schedule", "core", "2.6.24")),
  rule(
    "Long kernel paths call cond_resched(), which calls schedule() where need_resched is set.",
    at("cond_resched", "core", "2.6.24", "2.6.24"),
    at("_cond_resched", "core", "2.6.25", "5.10"),
    at("__cond_resched", "core", "5.14"),
  ),
  rule(
    "A kernel path that may sleep says so; under voluntary preemption this is a call of cond_resched().",
    at("might_resched", "include/linux/kernel.h", "2.6.24"),
  ),
];
export const RETURN_TO_USER = rule("After schedule() the task goes back through the kernel's exit path to its user code.", ...USER_EXIT);

const SOFTIRQ = [
  at("__do_softirq", "kernel/softirq.c", "2.6.24", "6.1"),
  // Back-ported to the stable branch.
  at("handle_softirqs", "kernel/softirq.c", "6.1.192", "6.1.192"),
  at("__do_softirq", "kernel/softirq.c", "6.3", "6.6"),
  at("handle_softirqs", "kernel/softirq.c", "6.12"),
];
export const SOFTIRQ_RUN = rule("The pending softirqs of the CPU are handled one after the other.", ...SOFTIRQ);

const PERIOD = [at("do_sched_cfs_period_timer", "fair", "3.2")];
const REFILL = [at("__refill_cfs_bandwidth_runtime", "fair", "3.2")];
const RETURN = [at("__return_cfs_rq_runtime", "fair", "3.2")];
const DISTRIBUTE = [at("distribute_cfs_runtime", "fair", "3.2")];
const SLACK_START = [at("start_cfs_slack_bandwidth", "fair", "3.2")];
const SLACK_RUN = [at("do_sched_cfs_slack_timer", "fair", "3.2")];
const POOL = [at("struct cfs_bandwidth", "kernel/sched.c", "3.2", "3.2"), at("struct cfs_bandwidth", "kernel/sched/sched.h", "3.16")];
const SILO = [at("struct cfs_rq", "kernel/sched.c", "3.2", "3.2"), at("struct cfs_rq", "kernel/sched/sched.h", "3.16")];
export const THROTTLE = rule(
  "A run queue of the group that has no run time and finds the pool empty leaves its CPU until it is given some.",
  at("throttle_cfs_rq", "fair", "3.2"),
);
export const RT_THROTTLED = rule(
  "Once RT tasks used up the runtime of their period, no RT task may run on the CPU.",
  ...where("kernel.rt_throttle", ["off", "950_1000_share", "950_1000_noshare"], [at("sched_rt_runtime_exceeded", "rt", "2.6.25")]),
  ...where("kernel.rt_throttle", ["dl_server_6_12"], [at("dl_server_timer", "kernel/sched/deadline.c", "6.12")]),
);

const KICK = [at("nohz_balancer_kick", "fair", "3.2", "4.15"), at("kick_ilb", "fair", "4.18")];

const WEIGHT = rule(
  "A write to the group's cpu.weight changes its share of every CPU.",
  at("sched_group_set_shares", "core", "2.6.25", "3.2"),
  at("sched_group_set_shares", "fair", "3.16"),
);

/** A rule for every record kind. */
export const RECORDS: { readonly [name in KindName]: Rules } = {
  CpuState: rule("The CPU goes on with something else; the state's own rule says by what."),
  SchedWaking: rule("Somebody wakes a sleeping task.", at("try_to_wake_up", "core", "2.6.24")),
  SchedWakeup: rule(
    "The woken task is put on a run queue and is runnable.",
    at("activate_task", "core", "2.6.24", "2.6.25"),
    at("ttwu_do_activate", "core", "3.2"),
  ),
  SchedSwitch: rule("The CPU changes from one task to the next.", at("context_switch", "core", "2.6.24")),
  MigrateTask: rule("The task gets another CPU: this is where its new CPU is written.", at("set_task_cpu", "core", "2.6.24")),
  LockWait: SPIN,
  LockAcq: rule("The CPU takes the lock: at once where it is free, else when its turn comes.", ...LOCK_SLOW),
  LockRel: rule("The owner releases the lock; the first in the queue goes on.", ...LOCK_FREE),
  IpiSend: IPIS,
  IpiArrive: IPIS,
  IrqEntry: HANDLERS,
  IrqExit: rule(
    "At the end of an interrupt pending softirqs are run, and then need_resched is looked at.",
    at("irq_exit", "kernel/softirq.c", "2.6.24", "5.7"),
    at("irq_exit_rcu", "kernel/softirq.c", "5.8"),
  ),
  NeedResched: rule("need_resched is set: the task that runs will call schedule() at the next preemption point.", ...RESCHED),
  NeedReschedClear: rule(
    "schedule() has picked a task and clears the flags of the one before.",
    at("schedule", "core", "2.6.24", "2.6.25"),
    at("__schedule", "core", "3.2"),
  ),
  HrtimerExpire: rule("The callback of a sleeping task's timer wakes the task.", at("hrtimer_wakeup", "hrtimer", "2.6.24")),
  WakelistQueue: rule(
    "The waker does not take the remote run queue's lock: it puts the task on the target's wake-list.",
    at("ttwu_queue_remote", "core", "3.2", "5.7"),
    at("ttwu_queue_wakelist", "core", "5.8"),
  ),
  IdleWithoutIpi: [
    rule("The idle target polls need_resched, so that setting the flag is enough: no IPI is sent.", ...RESCHED),
    rule(
      "The idle target polls need_resched, so that setting the flag is enough: no IPI is sent.",
      at("ttwu_queue_remote", "core", "3.16", "5.7"),
      at("send_call_function_single_ipi", "core", "5.8", "6.3"),
      at("call_function_single_prep_ipi", "core", "6.6"),
    ),
  ],
  RtoSet: rule("The CPU has an RT task that could run elsewhere: it becomes RT-overloaded.", at("rt_set_overload", "rt", "2.6.25")),
  RtoClear: rule("The CPU has no RT task left that could run elsewhere.", at("rt_clear_overload", "rt", "2.6.25")),
  PullTry: pulls("goes for the lock of a run queue that has too much"),
  PullOk: pulls("takes a task from another run queue"),
  PullFail: pulls("finds nothing to take on the other run queue"),
  PushOk: [
    rule("A CPU with more than one RT task moves one to a CPU that runs something weaker.", at("push_rt_task", "rt", "2.6.25")),
    rule("The CPU's stopper moves a task away that cannot be moved while it runs.", ...STOPPERS),
    rule("The CPU's stopper moves the running RT task away for push_rt_task().", at("push_cpu_stop", "core", "5.14")),
  ],
  PushFail: rule("No CPU runs something weaker than the RT task that is to be pushed.", at("find_lowest_rq", "rt", "2.6.25")),
  RtoHop: rule(
    "The RT push chain goes from overloaded CPU to overloaded CPU; each tries to push a task.",
    ...where("kernel.rt_balance", ["ipi_4_1"], [at("find_next_push_cpu", "rt", "4.1", "4.2")]),
    ...where("kernel.rt_balance", ["ipi_4_15", "ipi_4_16_skip1", "ipi_2026_noself"], [at("rto_next_cpu", "rt", "4.15")]),
  ),
  CpupriSet: rule(
    "The priority of what the CPU runs changed; cpupri is told, for those who look for a weaker CPU.",
    at("cpupri_set", "cpupri", "3.2"),
  ),
  Tick: rule("HZ times a second the tick charges the running task and asks for balancing.", ...TICK),
  TickStop: rule(
    "A CPU that is idle stops its tick.",
    at("tick_nohz_stop_sched_tick", "kernel/time/tick-sched.c", "2.6.24", "4.15"),
    at("tick_nohz_stop_tick", "kernel/time/tick-sched.c", "4.18"),
  ),
  TickRestart: rule(
    "A CPU that leaves idle starts its tick again.",
    at("tick_nohz_restart_sched_tick", "kernel/time/tick-sched.c", "2.6.24"),
  ),
  WakeDone: rule("The task is back in its own code: here its latency ends."),
  NoiseFire: rule("The scenario's device interrupt; the kernel only handles it."),
  Finding: rule(OWN),
  NeedReschedLazy: rule("need_resched_lazy is set: the task will call schedule() at its return to user, or after the next tick.", ...LAZY),
  NeedReschedUpgrade: rule("The tick finds a lazy flag and sets need_resched.", at("sched_tick", "core", "6.13")),
  PreemptPoint: POINTS,
  SoftirqRaise: rule("A softirq becomes pending on this CPU.", at("raise_softirq_irqoff", "kernel/softirq.c", "2.6.24")),
  SoftirqEntry: SOFTIRQ_RUN,
  SoftirqExit: SOFTIRQ_RUN,
  PiSetprio: rule("The owner of a lock inherits the priority of the strongest waiter.", at("rt_mutex_setprio", "core", "2.6.24")),
  RtThrottle: RT_THROTTLED,
  RtUnthrottle: rule(
    "The timer of RT bandwidth gives the CPU its runtime again.",
    at("update_sched_rt_period", "rt", "2.6.25", "2.6.25"),
    at("do_sched_rt_period_timer", "rt", "3.2"),
  ),
  ObjectWait: rule("The program's own object: the kernel only sees the task go to sleep."),
  ObjectWake: rule("The program's own object: the kernel only sees the wake-up that follows."),
  MigrateDisable: rule(
    "A task keeps the CPU it is on until it allows migration again.",
    at("migrate_disable", "core", "5.14", "6.13"),
    at("migrate_disable", "include/linux/sched.h", "6.18"),
  ),
  WakeupNew: rule("A forked task is put on a run queue for the first time.", at("wake_up_new_task", "core", "2.6.24")),
  StopWork: [
    rule("The stopper moves the running RT task away for push_rt_task().", at("push_cpu_stop", "core", "5.14")),
    rule(
      "The stopper moves a task to a CPU that it may run on.",
      at("migration_thread", "core", "2.6.24", "2.6.25"),
      at("migration_cpu_stop", "core", "3.2"),
    ),
    rule("The stopper moves a task to the CPU that could not pull one.", ...STOPPERS),
  ],
  BwPool: rule("The group's pool is cfs_bandwidth.runtime; whoever takes, returns or refills writes it.", ...POOL),
  BwSilo: rule("A CPU's share of the group's run time is cfs_rq.runtime_remaining, charged as the group runs.", ...SILO),
  BwRefill: rule("The period timer sets the pool to a period's quota.", ...REFILL),
  BwTake: rule(
    "A run queue of the group that used up its run time takes a slice from the pool.",
    at("assign_cfs_rq_runtime", "fair", "3.2"),
  ),
  BwReturn: rule("The last task of the group on this CPU sleeps: all but a minimum goes back to the pool.", ...RETURN),
  BwExpire: rule("The refill sets the pool and does not add to it: what was left is gone.", ...REFILL),
  BwExpireSilo: rule("Run time of a period that is over expires on the CPU.", at("expire_cfs_rq_runtime", "fair", "3.2", "4.19")),
  BwDrop: rule("Run time of a period that is over is not returned to the pool.", at("__return_cfs_rq_runtime", "fair", "3.2", "4.19")),
  BwThrottle: THROTTLE,
  BwUnthrottle: rule("The group's run queue has run time again and comes back to its CPU.", at("unthrottle_cfs_rq", "fair", "3.2")),
  BwDistBegin: rule("The pool is handed out to the throttled run queues of the group, one after the other.", ...DISTRIBUTE),
  BwStep: rule("A throttled run queue gets its debt and 1 ns, so that it may run.", ...DISTRIBUTE),
  BwDistEnd: rule("The pool is empty, or no run queue of the group is throttled any more.", ...DISTRIBUTE),
  BwDoubleSpend: rule(
    "A copy of the pool was handed out while others took from the pool: what both took is spent twice.",
    at("do_sched_cfs_period_timer", "fair", "3.17", "5.4"),
  ),
  BwBurst: rule(
    "The period that ends used more than one quota, from run time saved before.",
    at("__refill_cfs_bandwidth_runtime", "fair", "5.14"),
  ),
  BwSlack: [
    rule("Returned run time arms the slack timer, if throttled run queues could use it.", ...SLACK_START),
    rule("The slack timer hands returned run time to throttled run queues before the next refill.", ...SLACK_RUN),
  ],
  BwIdle: rule("A period without throttled run queues; after the second one the timer stops.", ...PERIOD),
  NohzEnterIdle: rule(
    "A CPU that stopped its tick joins the mask of idle CPUs that others balance for.",
    at("select_nohz_load_balancer", "fair", "3.2", "3.2"),
    at("nohz_balance_enter_idle", "fair", "3.16"),
  ),
  NohzExitIdle: rule("The first busy tick takes the CPU out of the mask of idle CPUs.", at("nohz_balance_exit_idle", "fair", "3.16")),
  NohzKick: rule("A busy CPU's tick finds that idle CPUs are to be balanced and asks one of them to do it.", ...KICK),
  NohzRun: [
    rule("The kicked CPU balances for every idle CPU.", at("nohz_idle_balance", "fair", "3.2")),
    rule("A CPU about to go idle looks at the others' blocked load first.", at("nohz_newidle_balance", "fair", "4.18")),
  ],
  NohzRunEnd: rule("The CPU has looked at all idle CPUs, or has something to run.", at("nohz_idle_balance", "fair", "3.2")),
  BwSlackSkip: rule("Returned run time does not arm the slack timer.", ...SLACK_START),
  LiveChange: [
    rule("A write of the task's affinity.", at("set_cpus_allowed", "core", "2.6.24", "2.6.25"), at("set_cpus_allowed_ptr", "core", "3.2")),
    rule(
      "A write of the task's policy and priority.",
      at("sched_setscheduler", "core", "2.6.24", "6.6"),
      at("sched_setscheduler", "kernel/sched/syscalls.c", "6.12"),
    ),
    WEIGHT,
    rule("A signal ends the task's sleep.", at("complete_signal", "kernel/signal.c", "3.2")),
  ],
  ToolSample: rule("The program reads its own clock: the kernel has no part in it."),
};

/** pull_rt_task, load balancing of 2.6.24, load balancing of fair tasks. */
function pulls(what: string): readonly Rule[] {
  return [
    rule(`A CPU whose RT priority falls ${what}.`, ...PULL_RT),
    rule(`Load balancing of 2.6.24 ${what}, whatever its class.`, at("load_balance", "core", "2.6.24", "2.6.25")),
    rule(`Load balancing ${what}.`, ...BALANCE),
  ];
}

/** What is written to the running kernel and no record tells: a scheduler feature, the preemption mode, a sysctl. */
export const WRITES: readonly Rule[] = [
  rule(
    "A write to sched_features switches a feature of the scheduler.",
    at("sched_feat_write", "core", "3.2", "4.2"),
    at("sched_feat_write", "kernel/sched/debug.c", "4.15"),
  ),
  rule("A write to the preempt file of PREEMPT_DYNAMIC switches the preemption model.", at("sched_dynamic_update", "core", "5.14")),
  rule(
    "A write to sched_rt_runtime_us changes what RT tasks may use of a period.",
    at("sched_rt_handler", "core", "3.2", "4.2"),
    at("sched_rt_handler", "rt", "4.15"),
  ),
  rule("A write to the group's cpu.max changes its quota or period.", at("tg_set_cfs_bandwidth", "core", "3.2")),
  WEIGHT,
];
