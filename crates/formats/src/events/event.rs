//! One event of the kernel's tracing, as numbers.

use schedscope_engine::trace::catalogue::NONE;

/// The pid of task 0. The pids of a real machine's first kernel threads lie below it.
pub const FIRST_PID: u32 = 1000;
/// The kernel's priority of the idle task.
const IDLE_PRIO: u8 = 120;

/// One event.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// ns of machine time.
    pub time: u64,
    /// The CPU on which it happens.
    pub cpu: u16,
    /// What the kernel notes beside an event.
    pub flags: Flags,
    /// The task that runs on the CPU, [`NONE`] for idle.
    pub curr: u32,
    /// What happens.
    pub act: Act,
}

/// What an event says; the variants are named after the kernel's tracepoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// `sched_switch`.
    SchedSwitch {
        /// Leaves the CPU.
        prev: Who,
        /// How.
        state: State,
        /// Runs from now on.
        next: Who,
    },
    /// `sched_waking`, `sched_wakeup` or `sched_wakeup_new`.
    Wake {
        /// Which of them.
        step: Wake,
        /// Is woken.
        task: Who,
        /// Where it ran last, for `sched_waking`; else where it is queued.
        target_cpu: u32,
    },
    /// `sched_migrate_task`.
    MigrateTask {
        /// Changes its CPU.
        task: Who,
        /// From there.
        orig_cpu: u32,
        /// To there.
        dest_cpu: u32,
    },
    /// `sched_pi_setprio`.
    PiSetprio {
        /// The task, with the priority that it had.
        task: Who,
        /// The priority that it has now.
        newprio: u8,
    },
    /// An interrupt handler begins or ends. The vector is one of
    /// [`ipi`](schedscope_engine::machine::ipi).
    Irq {
        /// Begins.
        entry: bool,
        /// 0 timer, 1 reschedule, 2 function call, 3 device, 4 irq_work.
        vector: u8,
    },
    /// `softirq_raise`, `softirq_entry` or `softirq_exit`.
    Softirq {
        /// Which of them.
        step: Softirq,
        /// The code of the trace's catalogue.
        nr: u8,
    },
    /// `ipi_send_cpu`.
    IpiSend {
        /// Goes there.
        target: u32,
        /// One of [`ipi`](schedscope_engine::machine::ipi).
        vector: u8,
    },
    /// `sched_set_need_resched_tp`.
    NeedResched {
        /// The task that is to leave, or none for idle.
        task: u32,
        /// It runs there; the event is on the CPU that sets the flag.
        cpu: u16,
        /// need_resched_lazy instead of need_resched.
        lazy: bool,
    },
}

/// A task, or none for idle, and the priority that it has at that instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    /// Number of the task, [`NONE`] for idle.
    pub task: u32,
    /// The kernel's `prio`.
    pub prio: u8,
}

/// `prev_state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It stays runnable.
    Running,
    /// It was preempted while it ran in the kernel.
    Preempted,
    /// It sleeps.
    Sleeping,
}

/// The steps of a wake-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// try_to_wake_up() begins.
    Waking,
    /// The task is on a run queue.
    Wakeup,
    /// A forked task is on a run queue.
    WakeupNew,
}

/// The steps of a softirq.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Softirq {
    /// It becomes pending.
    Raise,
    /// The handler begins.
    Entry,
    /// The handler ends.
    Exit,
}

/// What the kernel notes beside an event, as the letters of its second column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    /// Interrupts are off, as wherever the kernel has these events, but for a softirq's handler.
    pub irqs_off: bool,
    /// `.`, `n`, `N`, `l`, `b` or `B`.
    pub need_resched: u8,
    /// `.`, `s`, `h` or `H`.
    pub interrupt: u8,
    /// The running task must stay on its CPU.
    pub migrate_disable: bool,
}

impl Who {
    /// The idle task of a CPU.
    pub const IDLE: Self = Self { task: NONE, prio: IDLE_PRIO };
}

impl Wake {
    /// The tracepoint.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waking => "sched_waking",
            Self::Wakeup => "sched_wakeup",
            Self::WakeupNew => "sched_wakeup_new",
        }
    }
}

/// The pid of a task; 0 for idle.
pub fn pid(task: u32) -> u32 {
    if task == NONE { 0 } else { FIRST_PID + task }
}
