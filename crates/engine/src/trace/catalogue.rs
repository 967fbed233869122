//! Every kind of record that the engine writes, described once: the page's types, its tooltips and
//! `docs/use/trace.md` come from this list.
//!
//! A record is one row of five columns: time (ns), kind, cpu, a, b.

/// One record kind: its number, its name and the meaning of its columns.
#[derive(Clone, Copy, Debug)]
pub struct KindDoc {
    pub kind: Kind,
    /// Name: the kernel's tracepoint where there is one, `sim_` otherwise.
    pub name: &'static str,
    /// Meaning; also the tooltip.
    pub doc: &'static str,
    /// Meaning of `cpu`.
    pub cpu: &'static str,
    /// Meaning of `a`; `codes.rs` has the meaning of each number where `a` holds a code.
    pub a: &'static str,
    /// Meaning of `b`, likewise.
    pub b: &'static str,
    /// Whether the digest covers it (digest encoding 1).
    pub digested: bool,
}

macro_rules! catalogue {
    ($(
        $variant:ident $name:literal, $digested:literal, $doc:literal, $cpu:literal, $a:literal,
        $b:literal;
    )+) => {
        /// A record kind. The numbers are part of digest encoding 1: append, never reorder.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Kind { $(#[doc = $doc] $variant,)+ }

        /// Every record kind in numeric order.
        pub const CATALOGUE: &[KindDoc] = &[$(KindDoc {
            kind: Kind::$variant, name: $name, doc: $doc, cpu: $cpu, a: $a, b: $b,
            digested: $digested,
        },)+];

        /// Whether the digest covers a kind, by its number: apart from the words, which the
        /// simulation does not need.
        pub const DIGESTED: &[bool] = &[$($digested,)+];
    };
}

catalogue! {
    CpuState "sim_cpu_state", false, "The CPU's state changes.", "the CPU", "state, + 256 if \
        interrupts are off, + 512 if preempt_count is not 0", "task, or none";
    SchedWaking "sched_waking", true, "A wake-up begins.", "the waker's CPU", "task", "CPU the \
        task last ran on";
    SchedWakeup "sched_wakeup", true, "The task is on a run queue and runnable.", "the CPU that \
        enqueued it", "task", "CPU of the run queue";
    SchedSwitch "sched_switch", true, "The CPU changes tasks.", "the CPU", "previous task, or none \
        for idle", "next task, or none for idle";
    MigrateTask "sched_migrate_task", true, "The task's CPU changes.", "the CPU that moves \
        it", "task", "new CPU";
    LockWait "sim_rqlock_wait", true, "A CPU starts to spin for a held lock, interrupts \
        off.", "the waiting CPU", "lock", "waiters, this one included";
    LockAcq "sim_rqlock_acq", true, "The CPU owns the lock.", "the new owner", "lock", "ns spent \
        spinning; 0 if the lock was free";
    LockRel "sim_rqlock_rel", true, "The lock is released.", "the owner", "lock", "waiters still \
        queued";
    IpiSend "ipi_send_cpu", true, "An IPI is sent.", "the sender", "target CPU", "vector";
    IpiArrive "sim_ipi_arrive", true, "An IPI reaches its target's interrupt line; coalesced if \
        that vector was already pending.", "the target", "sender + vector x 65536 + coalesced x \
        16777216", "ns since the send";
    IrqEntry "irq_handler_entry", true, "An interrupt handler starts.", "the CPU", "vector", "ns \
        since it arrived";
    IrqExit "irq_handler_exit", false, "The handler ends.", "the CPU", "vector", "0";
    NeedResched "sched_set_need_resched_tp", true, "need_resched is set on the task that runs \
        there.", "the flagged CPU", "task flagged, or none for idle", "the CPU that set it";
    NeedReschedClear "sim_need_resched_clear", true, "schedule() picks, or a slice extension is \
        granted: the flag is cleared.", "the CPU", "task it was set on, or none for idle",
        "ns it was set";
    HrtimerExpire "hrtimer_expire_entry", true, "A task's timer callback runs.", "the \
        CPU", "task", "ns late";
    WakelistQueue "sim_ttwu_queue_wakelist", true, "The wake-up goes to the target's \
        wake-list.", "the waker's CPU", "task", "target CPU";
    IdleWithoutIpi "sched_wake_idle_without_ipi", true, "The target polls need_resched: no IPI \
        needed.", "the waker's CPU", "target CPU", "vector saved";
    RtoSet "sim_rto_set", true, "The CPU becomes RT-overloaded: its bit in rto_mask is set.", "the \
        CPU", "overloaded CPUs of its root domain now", "root domain";
    RtoClear "sim_rto_clear", true, "The CPU is no longer RT-overloaded.", "the CPU", "overloaded \
        CPUs of its root domain now", "root domain";
    PullTry "sim_pull_try", false, "pull_rt_task, or load balancing, asks for this source's \
        lock.", "the pulling CPU", "source CPU", "by";
    PullOk "sim_pull_ok", true, "pull_rt_task, or load balancing, moved a task.", "the pulling \
        CPU", "task", "source CPU";
    PullFail "sim_pull_fail", false, "The pull found no task to move.", "the pulling CPU", "source \
        CPU", "0";
    PushOk "sim_push_ok", true, "push_rt_task, or a stopper, moved a task away.", "the pushing \
        CPU", "task", "target CPU";
    PushFail "sim_push_fail", false, "push_rt_task found no CPU that runs a lower priority.", "the \
        pushing CPU", "task", "0";
    RtoHop "sim_rto_hop", true, "The RT push chain chooses its next CPU.", "the CPU that \
        chose", "next CPU, or \
        none at the end", "root domain; the chain's own CPU under ipi_4_1";
    CpupriSet "sim_cpupri_set", false, "The CPU's level in cpupri changes.", "the CPU", "new \
        level", "old level";
    Tick "sim_tick", true, "The scheduler tick runs.", "the CPU", "0", "0";
    TickStop "tick_stop", false, "The idle CPU stops its tick.", "the CPU", "0", "0";
    TickRestart "sim_tick_restart", false, "The tick is restarted.", "the CPU", "0", "0";
    WakeDone "sim_wake_done", true, "The woken task executes its first instruction.", "the \
        CPU it runs on", "task", "latency in ns, at most 4294967295";
    NoiseFire "sim_noise_fire", true, "rt_noise raises a device interrupt.", "the CPU \
        interrupted", "task it will wake", "0";
    Finding "sim_finding", false, "A finding of the run.", "the CPU, or \
        none", "finding kind", "0";
    NeedReschedLazy "sim_need_resched_lazy", true, "need_resched_lazy is set on the task that runs \
        there: return to user or a tick will act on it.", "the flagged CPU", "task flagged", "the \
        CPU that set it";
    NeedReschedUpgrade "sim_need_resched_upgrade", true, "A lazy flag becomes need_resched.", "the \
        flagged CPU", "task flagged", "the CPU that upgraded it";
    PreemptPoint "sim_preempt_point", false, "A preemption point is passed: cond_resched and \
        might_sleep always, the others while a flag is set.", "the CPU", "point, + 256 if \
        schedule() follows", "task, or none";
    SoftirqRaise "softirq_raise", true, "A softirq becomes pending.", "the CPU", "softirq", "items \
        of work queued now";
    SoftirqEntry "softirq_entry", true, "A softirq handler starts.", "the CPU", "softirq", "items \
        it will process";
    SoftirqExit "softirq_exit", true, "The handler ends.", "the CPU", "softirq", "items queued \
        meanwhile";
    PiSetprio "sched_pi_setprio", true, "Priority inheritance changes a task's priority.", "the \
        CPU that changes it", "task", "new kernel prio";
    RtThrottle "sim_rt_throttle", true, "The RT class of this CPU has used up its runtime.", "the \
        CPU", "RT time used in this period, us", "runtime it had, us";
    RtUnthrottle "sim_rt_unthrottle", true, "The RT class of this CPU may run again.", "the \
        CPU", "RT time still owed, us", "0";
    ObjectWait "sim_object_wait", false, "A task blocks on a user object (mutex, condition, \
        barrier, queue, semaphore, list), or suspends itself.", "the CPU", "task", "object, or \
        none if it suspends itself";
    ObjectWake "sim_object_wake", false, "A user object wakes a task, or another task resumes \
        it.", "the waker's CPU", "task", "object, or none if it was suspended";
    MigrateDisable "sim_migrate_disable", true, "A task disables or enables its migration.", "the \
        CPU", "task", "1 disabled, 0 enabled";
    WakeupNew "sched_wakeup_new", true, "A forked task is on a run queue for the first \
        time.", "the CPU that enqueued it", "task", "CPU of the run queue";
    StopWork "sim_stop_work", true, "The CPU's stopper starts a work item.", "the \
        CPU", "task it is about, or none", "work";
    BwPool "sim_bw_pool", true, "The group's pool changes.", "the CPU that changed \
        it", "group", "ns, at most 4294967294";
    BwSilo "sim_bw_silo", false, "The group's silo on this CPU changes; between records it falls \
        while the group runs.", "the CPU", "group", "ns, a signed number in 32 bits: from \
        2147483648 on it is 4294967296 too large";
    BwRefill "sim_bw_refill", true, "A period's quota is added to the pool.", "the CPU of the \
        timer", "group", "ns added";
    BwTake "sim_bw_take", true, "The CPU's silo takes from the pool.", "the CPU", "group", "ns it \
        got; 0 if the pool was empty";
    BwReturn "sim_bw_return", true, "The group's last task on the CPU sleeps: the silo returns its \
        excess to the pool.", "the CPU", "group", "ns returned";
    BwExpire "sim_bw_expire", true, "A refill expires unused run time in the pool.", "the CPU of \
        the timer", "group", "ns lost";
    BwExpireSilo "sim_bw_expire_silo", true, "The silo's run time is of an old period and is \
        lost.", "the \
        CPU", "group", "ns lost";
    BwDrop "sim_bw_drop", true, "The silo's excess is of an old period and is lost.", "the \
        CPU", "group", "ns lost";
    BwThrottle "sim_bw_throttle", true, "The group has no run time here: its queue is \
        throttled.", "the CPU", "group", "ns it owes";
    BwUnthrottle "sim_bw_unthrottle", true, "The group's queue is unthrottled.", "the \
        CPU", "group", "by";
    BwDistBegin "sim_bw_dist_begin", true, "A distribution to throttled queues begins.", "the CPU \
        of the timer", "group", "ns to distribute";
    BwStep "sim_bw_dist_step", true, "A throttled queue gets its debt and 1 ns.", "the CPU of the \
        queue", "group", "ns given";
    BwDistEnd "sim_bw_dist_end", true, "The distribution ends.", "the CPU of the \
        timer", "group", "ns handed out of a copy of the pool; 0 without a copy";
    BwDoubleSpend "sim_bw_double_spend", true, "The pool holds less than was handed out of its \
        copy: the difference is spent twice.", "the CPU of the timer", "group", "ns";
    BwBurst "sim_bw_burst", true, "The period that ends used more than one quota.", "the CPU of \
        the timer", "group", "ns beyond it";
    BwSlack "sim_bw_slack", true, "The slack timer starts or fires.", "the CPU", "group", "act";
    BwIdle "sim_bw_idle", true, "A period without throttled queues.", "the CPU of the \
        timer", "group", "period";
    NohzEnterIdle "sim_nohz_enter_idle", true, "The CPU's tick has stopped: it is in the mask of \
        idle CPUs.", "the CPU", "CPUs in the mask now", "0";
    NohzExitIdle "sim_nohz_exit_idle", true, "A busy tick takes the CPU out of the mask of idle \
        CPUs.", "the CPU", "CPUs in the mask now", "0";
    NohzKick "sim_nohz_kick", true, "A busy tick kicks an idle CPU to balance for the idle \
        ones.", "the ticking CPU", "target CPU (65535 none) + reasons \
        x 65536 + outcome x 16777216", "ns the target has been idle";
    NohzRun "sim_nohz_run", true, "A CPU starts to balance for the idle CPUs.", "the \
        CPU", "reasons as in \
        sim_nohz_kick", "place";
    NohzRunEnd "sim_nohz_run_end", true, "The walk over the idle CPUs ends.", "the \
        CPU", "idle CPUs looked at", "1 if cut short";
    BwSlackSkip "sim_bw_slack_skip", false, "Unused run time went back to the pool, but the slack \
        timer was not armed.", "the CPU", "group", "why";
    LiveChange "sim_live_change", true, "A write to a task or group of the running kernel takes \
        effect.", "the CPU that carries it out", "task, or group of a \
        weight", "change";
    ToolSample "sim_tool_sample", false, "A measurement of a tool ends: a request, a cycle, a wait \
        for a lock.", "the CPU", "task + series x 16384 + high bits of the ns x \
        2097152", "ns, the low 32 bits; in all at most 8796093022207";
    CpuStop "sim_cpu_stop", true, "Hardware noise stops the CPU: an SMI, or the host takes it \
        away.", "the CPU", "by", "ns";
    CpuGo "sim_cpu_go", true, "The CPU goes on: the last of its stops has ended.", "the \
        CPU", "ns it stood still", "0";
    SliceGrant "sim_slice_grant", true, "A task asks for a slice extension on its way back to user \
        code: the kernel clears the flag and lets it go on.", "the CPU", "task",
        "ns until the timer";
    SliceEnd "sim_slice_end", true, "A slice extension ends.", "the CPU", "task", "by";
    UserSpin "sim_user_spin", true, "A task finds a spin lock of user space held and begins to \
        spin for it.", "the CPU", "lock: object + CPU x 1048576 where each CPU has its own", "task";
    UserSpinEnd "sim_user_spin_end", true, "The task has the lock that it spun for.", "the \
        CPU", "task + high bits of the ns x 16384", "ns of CPU time since sim_user_spin, the low \
        32 bits";
    UserLockOwner "sim_user_lock_owner", true, "Who holds a spin lock of user space for which \
        tasks spin: when the first begins, and whenever that changes.", "the CPU", "lock, as in \
        sim_user_spin", "task, or none once it is released";
    UserLockOut "sim_user_lock_preempted", true, "A task is preempted that holds a spin lock of \
        user space.", "the CPU", "lock, as in sim_user_spin", "task";
    MutexOwner "sim_mutex_owner", false, "Who holds a mutex, of user space or of the kernel: \
        whenever that changes.", "the CPU", "object", "task, or none once it is released";
}

/// The name of a record kind by its number.
pub fn kind_name(kind: u8) -> &'static str {
    CATALOGUE.get(usize::from(kind)).map_or("unknown", |entry| entry.name)
}

/// A part of a packed column: `bits` bits from bit `shift` on. The only place that says where a
/// part lies: the engine writes with it, tests and the page read with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Lowest bit.
    pub shift: u32,
    /// How many bits, 1 to 32.
    pub bits: u32,
}

impl Field {
    /// The greatest value the field holds.
    pub const fn mask(self) -> u32 {
        u32::MAX >> (32 - self.bits)
    }

    /// The field's value in a column.
    pub const fn of(self, column: u32) -> u32 {
        column >> self.shift & self.mask()
    }

    /// A column with `value` in this field and 0 in all others; `value` must fit.
    pub const fn put(self, value: u32) -> u32 {
        debug_assert!(value <= self.mask());
        value << self.shift
    }
}

/// A field, and which column of which record it is a part of.
#[derive(Clone, Copy, Debug)]
pub struct FieldDoc {
    /// Name, as in the page's constants.
    pub name: &'static str,
    pub kind: Kind,
    /// Meaning.
    pub doc: &'static str,
    /// The place of the value in column `a`.
    pub field: Field,
}

macro_rules! fields {
    ($($constant:ident $name:ident: $kind:ident $shift:literal $bits:literal $doc:literal;)+) => {
        $(#[doc = $doc] pub const $constant: Field = Field { shift: $shift, bits: $bits };)+

        /// Every field of a packed column; all of them lie in column `a`.
        pub const FIELDS: &[FieldDoc] =
            &[$(FieldDoc {
                name: stringify!($name), kind: Kind::$kind, doc: $doc, field: $constant,
            },)+];
    };
}

fields! {
    CPU_STATE_OF State: CpuState 0 8 "the CPU state";
    IRQ_OFF IrqOff: CpuState 8 1 "1 if interrupts are off";
    NO_PREEMPT NoPreempt: CpuState 9 1 "1 if preempt_count is not 0";
    IPI_SENDER IpiSender: IpiArrive 0 16 "the CPU that sent it";
    IPI_VECTOR IpiVector: IpiArrive 16 8 "the vector";
    IPI_COALESCED IpiCoalesced: IpiArrive 24 1 "1 if that vector was already pending";
    POINT Point: PreemptPoint 0 8 "the preemption point";
    POINT_TAKEN PointTaken: PreemptPoint 8 1 "1 if schedule() follows";
    KICK_TARGET KickTarget: NohzKick 0 16 "the idle CPU asked; 65535 if there is none";
    KICK_REASONS KickReasons: NohzKick 16 8 "bits of the reasons";
    KICK_OUTCOME KickOutcome: NohzKick 24 8 "what came of the kick";
    SAMPLE_TASK SampleTask: ToolSample 0 14 "the task that measured";
    SAMPLE_SERIES SampleSeries: ToolSample 14 7 "what it measured: a number among the series of \
        its kind";
    SAMPLE_HIGH SampleHigh: ToolSample 21 11 "bits 32 to 42 of the ns";
    USER_LOCK UserLock: UserSpin 0 20 "the object";
    USER_LOCK_CPU UserLockCpu: UserSpin 20 12 "which of its locks: the CPU, or 0";
    SPUN_TASK SpunTask: UserSpinEnd 0 14 "the task that spun";
    SPUN_HIGH SpunHigh: UserSpinEnd 14 18 "bits 32 to 49 of the ns";
}

/// "No task", "no CPU" in a column.
pub const NONE: u32 = u32::MAX;

macro_rules! cpu_states {
    ($($variant:ident $name:literal $doc:literal;)+) => {
        /// The state of a CPU, as lanes show it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum CpuState { $(#[doc = $doc] $variant,)+ }

        /// Every CPU state: name and meaning, in numeric order.
        pub const CPU_STATES: &[(CpuState, &str, &str)] =
            &[$((CpuState::$variant, $name, $doc),)+];
    };
}

cpu_states! {
    Idle "idle" "nothing to run";
    IdleExit "idle_exit" "leaving the idle state";
    User "user" "a task's user code";
    Kernel "kernel" "kernel code: system call, schedule(), balancing";
    Softirq "softirq" "softirq handler";
    Hardirq "hardirq" "interrupt handler";
    Spin "spin" "spinning for a lock, interrupts off";
    Stopped "stopped" "stopped by an SMI or by the host: nothing executes";
    // Only lanes distinguish this state from `User`.
    UserSpin "user_spin" "a task's user code that spins for a lock of user space";
}

/// Interrupt vectors by number: name and meaning.
pub const VECTORS: &[(&str, &str)] = &[
    ("local_timer", "the CPU's own timer"),
    ("reschedule", "reschedule IPI"),
    ("call_function_single", "function call IPI: wake-list, remote irq_work"),
    ("device", "device interrupt"),
    ("irq_work", "IPI of a CPU to itself: irq_work that it queued there"),
];

/// Why a wake-up was late: the causes of docs/model/accounting.md#causes, in that order, with the
/// words of rtla where it has any.
pub const CAUSES: &[(&str, &str, &str)] = &[
    (
        "irq_delay",
        "IRQ handler delay",
        "the timer or IPI was due but interrupts were off or another handler ran; for a fair \
            task's timer also its slack of 50 us",
    ),
    ("idle_exit", "IRQ handler delay (exit from idle)", "the CPU was leaving its idle state"),
    ("irq", "Timerlat IRQ duration", "interrupt entry, handler and exit"),
    ("softirq", "Softirq interference", "a softirq handler ran"),
    ("nonpreemptible", "Blocking thread", "the running task could not be preempted"),
    ("lazy_wait", "", "need_resched_lazy was set and waited for return to user or the tick"),
    ("rq_lock_spin", "", "the CPU that the wake-up waits for was spinning for a lock"),
    ("ipi", "", "an IPI was in flight"),
    ("higher_prio", "Thread interference", "a task of higher priority ran"),
    ("same_class", "Thread interference", "a task of the same priority ran"),
    ("throttled", "", "the group had no quota left"),
    (
        "rt_throttled",
        "",
        "RT throttling; from 6.12 on the time that the fair server gives a fair task while an RT \
            task waits",
    ),
    ("switch", "", "schedule() and the context switch"),
    (
        "return_to_user",
        "",
        "from the end of schedule() to the first user instruction; for a missed sleep also the \
            entry into the kernel",
    ),
    ("smi", "", "a system management interrupt stopped the CPU that the wake-up waits for"),
    ("steal", "", "the host ran something else on the CPU that the wake-up waits for"),
];

/// The number of a cause, by its name.
pub const fn cause(name: &str) -> u8 {
    let mut number = 0;
    while !same(CAUSES[number].0.as_bytes(), name.as_bytes()) {
        number += 1;
    }
    number as u8
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    match (one, other) {
        ([], []) => true,
        ([first, one @ ..], [second, other @ ..]) => *first == *second && same(one, other),
        _ => false,
    }
}

/// The names in [`CAUSES`]: apart from the words, which the simulation does not need.
pub const CAUSE_NAMES: [&str; CAUSES.len()] = {
    let mut names = [""; CAUSES.len()];
    let mut cause = 0;
    while cause < names.len() {
        names[cause] = CAUSES[cause].0;
        cause += 1;
    }
    names
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_is_in_numeric_order() {
        for (index, entry) in CATALOGUE.iter().enumerate() {
            assert_eq!(entry.kind as usize, index, "{}", entry.name);
        }
    }

    #[test]
    fn the_fields_of_a_column_do_not_overlap_and_give_back_what_was_put() {
        for one in FIELDS {
            assert!(one.field.shift + one.field.bits <= 32, "{}", one.name);
            let most = one.field.mask();
            assert_eq!(one.field.of(one.field.put(most)), most, "{}", one.name);
            for other in
                FIELDS.iter().filter(|other| other.kind == one.kind && other.name != one.name)
            {
                assert_eq!(
                    other.field.of(one.field.put(most)),
                    0,
                    "{} and {}",
                    one.name,
                    other.name
                );
            }
        }
    }
}
