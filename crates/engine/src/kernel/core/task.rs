//! A task, and its run-queue side: class dispatch, need_resched, run-time accounting.

use super::cold::Cold;
use super::slice_extension::SliceCtrl;
use super::stop::Stopper;
use super::task_stats::TaskStats;
use crate::account::latency::Wake;
use crate::ids::{CpuId, ObjectId};
use crate::kernel::class::{Class, Row};
use crate::kernel::fair::{SchedEntity, Wakee};
use crate::kernel::frame::{Entry, Frame};
use crate::kernel::irq::softirq::Ksoftirqd;
use crate::kernel::syscall::kernel_work::Spacing;
use crate::kernel::syscall::objects::TaskSync;
use crate::kernel::syscall::{Call, Syscall};
use crate::machine::topology::CpuMask;
use crate::setup::{KernelWakes, Policy, Program, TaskSpec};
use crate::workload::ProgramState;

/// The state of a task between sleeping and running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskState {
    /// On a run queue, running or waiting.
    Runnable,
    /// Blocked, or about to be.
    Sleeping,
    /// try_to_wake_up has it: on no queue, or on a wake-list.
    Waking,
    /// The task's program has ended.
    Dead,
}

/// The changing state of one task; its spec says which actions it may take. The fields that each
/// wake-up reads come first.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Task {
    /// Run queue it is on, or was on last.
    pub cpu: CpuId,
    /// Kernel priority: 0..=98 RT, 100..=139 fair; lower is stronger. A stopper shows 0.
    pub prio: u8,
    /// See [`TaskState`].
    pub state: TaskState,
    /// In its run queue's lists (running included).
    pub on_rq: bool,
    /// From before it is switched in until after it is switched out.
    pub on_cpu: bool,
    /// In the stop class: ask [`Task::class`].
    pub(in crate::kernel) stop: bool,
    /// May run on more than one CPU now: more than one allowed, and migration not disabled.
    pub movable: bool,
    /// `nr_cpus_allowed > 1`: counts for overload and belongs in the pushable list. Where running
    /// tasks are pushed (5.11 on) a migration-disabled task does too.
    pub migratory: bool,
    /// The task stops before it returns to user code, because it has no quota (6.18 on).
    pub throttle_work: bool,
    /// The task has stopped before user code: runnable, but on no queue until its group has quota.
    pub throttled: bool,
    /// Policy, for slack and round robin.
    pub policy: Policy,
    /// The wake-up under way.
    pub wake: Option<Wake>,
    /// Frames below schedule() while it does not run.
    pub stack: Vec<Entry>,
    /// When the task last stopped running, ns; 0 before it has run.
    pub last_ran: u64,
    /// Which caches it will find cold when it runs again.
    pub cold: Cold,
    /// Taken off the run queue of this CPU by load balancing, and not on another yet
    /// (TASK_ON_RQ_MIGRATING).
    pub migrating: Option<CpuId>,
    /// A CPU spins in try_to_wake_up until on_cpu clears.
    pub on_cpu_waiter: Option<CpuId>,
    /// Where a timer that it sleeps by was armed last: if one is armed, it is there.
    pub timer_on: CpuId,
    /// Durations its program has drawn.
    pub draws: u64,
    pub program: ProgramState,
    /// Counters for the report.
    pub stats: TaskStats,
    /// The task's clock in the fair class.
    pub se: SchedEntity,
    /// CPUs it may run on; never empty.
    pub cpus: CpuMask,
    /// SCHED_RR ticks left of the slice.
    pub rr_ticks: u32,
    /// Preemption points of the kernel work it does or did last.
    pub spacing: Spacing,
    /// A sleep of this many ns follows the kernel work, in the same system call.
    pub sleeps_after: Option<u64>,
    /// The mutex its kernel work is done under.
    pub kernel_mutex: Option<ObjectId>,
    /// Whom its kernel work wakes from inside.
    pub kernel_wakes: Option<KernelWakes>,
    /// The task's rseq time slice extension.
    pub slice_ctrl: SliceCtrl,
    /// The tasks that it has woken.
    pub wakee: Wakee,
    /// The task's side of the objects that it shares.
    pub sync: TaskSync,
}

impl Task {
    pub fn asleep(spec: &TaskSpec, cpu: CpuId) -> Self {
        let blocked = |call| {
            vec![Entry::new(Frame::User), Entry::new(Frame::Syscall(Syscall::blocked(call)))]
        };
        let stack = match spec.program {
            Program::RtNoise { .. } => blocked(Call::WaitDevice),
            Program::Ops { .. } | Program::Cyclictest { .. } => blocked(Call::SleepUntil(0)),
            Program::Ksoftirqd => vec![Entry::new(Frame::Ksoftirqd(Ksoftirqd::asleep()))],
            Program::Migration => vec![Entry::new(Frame::Stopper(Stopper::asleep()))],
        };
        Self {
            prio: spec.policy.prio(),
            policy: spec.policy,
            state: TaskState::Sleeping,
            cpu,
            on_rq: false,
            on_cpu: false,
            migrating: None,
            last_ran: 0,
            on_cpu_waiter: None,
            timer_on: cpu,
            cpus: spec.cpus,
            movable: spec.cpus.count() > 1,
            migratory: spec.cpus.count() > 1,
            stop: spec.program == Program::Migration,
            stack,
            program: ProgramState::new(&spec.program, spec.start_ns),
            rr_ticks: 0,
            spacing: [None; 2],
            sleeps_after: None,
            kernel_mutex: None,
            kernel_wakes: None,
            draws: 0,
            se: SchedEntity::default(),
            cold: Cold::default(),
            slice_ctrl: SliceCtrl::default(),
            wakee: Wakee::default(),
            throttle_work: false,
            throttled: false,
            sync: TaskSync::default(),
            wake: None,
            stats: TaskStats::default(),
        }
    }

    /// The scheduling class of the task now, with the priority that it inherits.
    #[inline]
    pub fn class(&self) -> Class {
        let class = Class::of_prio(self.prio);
        // A stopper shows a real-time priority: most questions need no second look.
        if class.row().has_rt_prio && self.stop { Class::Stop } else { class }
    }

    /// What its class answers.
    #[inline]
    pub fn row(&self) -> Row {
        self.class().row()
    }

    /// Sets the CPUs that the task may run on, and whether it may leave its CPU; `pushes_running`:
    /// see [`Task::migratory`].
    pub fn set_affinity(&mut self, cpus: CpuMask, migrate_disabled: bool, pushes_running: bool) {
        self.cpus = cpus;
        self.sync.migrate_disabled = migrate_disabled;
        self.movable = cpus.count() > 1 && !migrate_disabled;
        self.migratory = self.movable || (cpus.count() > 1 && pushes_running);
    }
}
