//! The op language: a task's program as a list of steps, and the objects that the steps share.
//!
//! The language is rt-app's event list, extended for the other tools. A workload is data:
//! generators and scenario files write it, [`crate::workload`] plays it.

use super::{Amount, Policy, Section};
use crate::machine::topology::CpuMask;

/// A start time that never comes: the task waits for a [`Op::Fork`].
pub const NEVER: u64 = u64::MAX;

/// Whom kernel work wakes, and when: from inside, so the waker goes on in the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct KernelWakes {
    pub who: KernelWakee,
    /// CPU time into the work, ns; past its end: at its end.
    pub at_ns: u64,
    /// CPU time between one wake-up and the next, ns; `None`: there is one.
    pub every_ns: Option<u64>,
}

/// Whom kernel work wakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum KernelWakee {
    /// One task that waits on this condition.
    Signal(u32),
    /// All that wait on it.
    Broadcast(u32),
    /// One that waits for this semaphore, which gains one.
    Post(u32),
}

/// One step of a program; durations in ns. Indices count [`super::Setup::objects`],
/// [`super::Setup::timers`] or tasks.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Op {
    /// User work: CPU time.
    Run { ns: Amount },
    /// User work until this much time has passed since the op began, looked at every `round_ns` of
    /// CPU time; each round counts one loop (rt-app's `runtime`, rt-migrate-test's busy loop).
    RunFor { ns: u64, round_ns: u64 },
    /// A system call that works in the kernel, with points so far apart (`None` = no such point).
    Kernel {
        section: Section,
        ns: Amount,
        cond_resched: Option<Amount>,
        might_sleep: Option<Amount>,
    },
    /// Such a call, or a kernel thread's work, that wakes others from inside.
    KernelWakes {
        section: Section,
        ns: Amount,
        cond_resched: Option<Amount>,
        might_sleep: Option<Amount>,
        wakes: KernelWakes,
    },
    /// A preemptible system call. Out of a thousand calls `share_milli` then sleep before they
    /// return, as long as `sleep` draws.
    KernelSleep {
        ns: Amount,
        cond_resched: Option<Amount>,
        might_sleep: Option<Amount>,
        share_milli: u32,
        sleep: Amount,
    },
    /// Sleep this long from the moment the timer is armed.
    Sleep { ns: Amount },
    /// Wait for the timer's next expiry; `absolute` keeps the grid when late, else it starts again
    /// from now.
    Timer { timer: u32, period_ns: u64, absolute: bool },
    /// sched_yield().
    Yield,
    /// Take a mutex.
    Lock { mutex: u32 },
    /// Release a mutex; without effect if another task owns it.
    Unlock { mutex: u32 },
    /// Release the mutex, wait for the condition, take the mutex again.
    Wait { cond: u32, mutex: u32 },
    /// Let one waiter of the condition go on.
    Signal { cond: u32 },
    /// Let all waiters of the condition go on.
    Broadcast { cond: u32 },
    /// Signal, then wait (rt-app's `sync`).
    Sync { cond: u32, mutex: u32 },
    /// Wait until all parties are here; the last one wakes the others one by one. `measured` says
    /// whether these wake-ups are samples; with a stamp, its time is the due time of the
    /// activation.
    Barrier { barrier: u32, measured: bool, stamp: Option<u32> },
    /// Take one from a semaphore, or wait.
    SemWait { sem: u32 },
    /// Give one to a semaphore.
    SemPost { sem: u32 },
    /// Write a message: pipe, socket. Waits while the queue is full.
    Put { queue: u32 },
    /// Read a message. Waits while the queue is empty; ends the program if it is empty and closed.
    /// With a stamp, that notes when the message was written.
    Get { queue: u32, stamp: Option<u32> },
    /// Put the task itself on a list and wake the task that waits in [`Op::TakeAll`] (schbench's
    /// worker).
    Enlist { list: u32 },
    /// Take the whole list; waits while it is empty (schbench's message thread).
    TakeAll { list: u32 },
    /// Note the time once, then resume each task taken, one by one.
    ResumeAll { stamp: u32 },
    /// Park until resumed; a resume that came first is remembered.
    Suspend,
    /// Resume a task.
    Resume { task: u32 },
    /// Note the time.
    Stamp { stamp: u32 },
    /// Record the time since the stamp as a sample of this task's kind, in the tool's own
    /// histogram.
    Sample { stamp: u32 },
    /// User-space spin lock: the wait burns CPU.
    SpinLock { lock: u32 },
    /// User-space spin lock that spins for `spin_ns` of CPU time at a time and sleeps in between:
    /// first `sleep_ns`, then each time longer by a drawn factor of 1 to 2, from `sleep_ns` again
    /// once that is more than `sleep_max_ns` (PostgreSQL's s_lock()). Not for a lock of each CPU.
    SpinOrSleep { lock: u32, spin_ns: u64, sleep_ns: u64, sleep_max_ns: u64 },
    /// Release it.
    SpinUnlock { lock: u32 },
    /// Ask for a slice extension from here on (rseq::slice_ctrl.request = 1); without effect where
    /// the kernel has none.
    SliceRequest,
    /// Ask no more; rseq_slice_yield() if an extension was granted.
    SliceYield,
    /// A page fault, with a share of `share_milli` in a thousand: kernel work that an exception
    /// enters.
    PageFault { ns: Amount, share_milli: u32 },
    /// Start a task whose start time is [`NEVER`]; without effect while that task lives.
    Fork { task: u32 },
    /// sched_setscheduler() on the task itself.
    SetPolicy { policy: Policy },
    /// sched_setaffinity() on the task itself.
    SetCpus { cpus: CpuMask },
    /// migrate_disable().
    MigrateDisable,
    /// migrate_enable().
    MigrateEnable,
    /// A system call that works for so long under a mutex of the kernel's, which it takes and
    /// releases in there.
    KernelMutex { mutex: u32, ns: Amount },
    /// Note the time that another stamp notes.
    CopyStamp { from: u32, to: u32 },
}

/// How often a phase is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Rounds {
    /// For ever.
    Endless,
    /// This often; 0 counts as 1.
    Times(u32),
    /// A count drawn anew each time the phase is entered; 0 counts as 1.
    Drawn(Amount),
    /// Until this instant, ns after 0; the clock is looked at after each round.
    Until(u64),
}

/// Ops that are repeated together.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Phase {
    /// How often.
    pub rounds: Rounds,
    /// The ops of one round, in order.
    pub ops: Vec<Op>,
}

/// The program of a task.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Program {
    /// Phases in order, the list repeated `loops` times (`None` = for ever).
    Ops { loops: Option<u32>, phases: Vec<Phase> },
    /// A cyclictest measuring thread (docs/model/programs.md#cyclictest): absolute timer, body,
    /// missed periods skipped.
    Cyclictest {
        /// First timer expiry.
        first_due_ns: u64,
        /// Period.
        interval_ns: u64,
        /// User time after each sample.
        body_ns: u64,
        /// Each round's body gets a keyed extra in `0..extra_ns`
        /// (docs/model/rt-balancing.md#herd-law); 0 for none.
        extra_ns: u64,
        /// When the thread ends.
        until: Until,
    },
    /// A task that sleeps until a device interrupt wakes it, then runs
    /// (docs/model/programs.md#rt-noise).
    RtNoise { run_ns: u64 },
    /// The kernel thread that runs softirqs interrupt exit left over.
    Ksoftirqd,
    /// A CPU's stopper: moves tasks that this CPU runs or ran last (see
    /// [`crate::kernel::core::stop`]).
    Migration,
}

impl Program {
    /// Every op of it, in order.
    pub fn ops(&self) -> impl Iterator<Item = &Op> {
        let phases = if let Self::Ops { phases, .. } = self { phases.as_slice() } else { &[] };
        phases.iter().flat_map(|phase| &phase.ops)
    }
}

/// When a cyclictest thread ends of itself, and its whole program with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Until {
    /// Samples it takes (`-l`); 0 for no end.
    pub loops: u64,
    /// The latency in whole us above which the program ends (`-b`); 0 for no such limit.
    pub break_us: u64,
}

/// When tasks that wait to write into a full queue go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Room {
    /// Each message read lets one go: a queue of user space under a condition.
    Message,
    /// A pipe's pages, of this many messages each: a page is free when all its messages have been
    /// read. If the pipe was full the read releases one writer, who releases the next while there
    /// is room (pipe_read() and pipe_write(), 5.5 on).
    Page(u32),
    /// A Unix socket: all writers go on when at most a quarter of the capacity is in use
    /// (unix_write_space(), unix_writable()).
    Quarter,
}

/// Something tasks share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Object {
    /// A pthread mutex, free at the start; `pi` = PTHREAD_PRIO_INHERIT.
    Mutex { pi: bool },
    /// A condition variable.
    Cond,
    /// A barrier for `parties` tasks. It wakes the strongest first, as the futex's list is sorted
    /// (2.6.22 on), or, if `drawn`, in an order drawn anew at each opening.
    Barrier { parties: u32, drawn: bool },
    /// A semaphore with `value` units at the start.
    Semaphore { value: u32 },
    /// A bounded queue of equal messages with `filled` of them at the start. `closed_when_empty`:
    /// an empty queue ends its readers, which do not wait for more.
    Queue { capacity: u32, filled: u32, closed_when_empty: bool, room: Room },
    /// A list tasks put themselves on.
    List,
    /// A point in time; 0 at the start.
    Stamp,
    /// A user-space spin lock, or one for each CPU of which a task takes that of the CPU it runs
    /// on.
    SpinLock { per_cpu: bool },
}

impl Object {
    /// The kind of the object, in a word or two.
    pub fn sort(&self) -> &'static str {
        match self {
            Self::Mutex { .. } => "mutex",
            Self::Cond => "condition",
            Self::Barrier { .. } => "barrier",
            Self::Semaphore { .. } => "semaphore",
            Self::Queue { .. } => "queue",
            Self::List => "list",
            Self::Stamp => "stamp",
            Self::SpinLock { .. } => "spin lock",
        }
    }
}

/// An object and its name.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ObjectSpec {
    /// The name in findings and on the page.
    pub name: String,
    pub object: Object,
}

/// A timer of [`Op::Timer`]: it counts from the start of the task that uses it first (rt-app's
/// rule).
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TimerSpec {
    pub name: String,
}

impl Phase {
    /// Refuses references to nothing in `setup`.
    pub(super) fn check(&self, setup: &super::Setup) -> Result<(), String> {
        if let Rounds::Drawn(amount) = self.rounds {
            amount.check(setup)?;
        }
        self.ops.iter().try_for_each(|op| op.check(setup))
    }
}

impl Op {
    fn check(&self, setup: &super::Setup) -> Result<(), String> {
        self.amounts().into_iter().flatten().try_for_each(|amount| amount.check(setup))?;
        self.check_objects(setup)?;
        self.check_others(setup)
    }

    /// The durations of the step that may be drawn.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other ops have none")]
    fn amounts(&self) -> [Option<Amount>; 4] {
        match self {
            Self::Run { ns }
            | Self::Sleep { ns }
            | Self::PageFault { ns, .. }
            | Self::KernelMutex { ns, .. } => [Some(*ns), None, None, None],
            Self::Kernel { ns, cond_resched, might_sleep, .. }
            | Self::KernelWakes { ns, cond_resched, might_sleep, .. } => {
                [Some(*ns), *cond_resched, *might_sleep, None]
            }
            Self::KernelSleep { ns, cond_resched, might_sleep, sleep, .. } => {
                [Some(*ns), *cond_resched, *might_sleep, Some(*sleep)]
            }
            _ => [None; 4],
        }
    }

    fn check_objects(&self, setup: &super::Setup) -> Result<(), String> {
        let is = |index: u32, wanted: &str, fits: fn(&Object) -> bool| {
            let found = setup.objects.get(index as usize).is_some_and(|spec| fits(&spec.object));
            if found { Ok(()) } else { Err(format!("object {index} is no {wanted}")) }
        };
        let mutex = |index| is(index, "mutex", |object| matches!(object, Object::Mutex { .. }));
        let cond = |index| is(index, "condition", |object| matches!(object, Object::Cond));
        let stamp = |index| is(index, "stamp", |object| matches!(object, Object::Stamp));
        let semaphore =
            |index| is(index, "semaphore", |object| matches!(object, Object::Semaphore { .. }));
        match self {
            Self::Lock { mutex: index } | Self::Unlock { mutex: index } => mutex(*index),
            Self::Wait { cond: index, mutex: guard } | Self::Sync { cond: index, mutex: guard } => {
                cond(*index).and(mutex(*guard))
            }
            Self::Signal { cond: index } | Self::Broadcast { cond: index } => cond(*index),
            Self::Barrier { barrier, stamp: due, .. } => {
                is(*barrier, "barrier", |object| matches!(object, Object::Barrier { .. }))
                    .and(due.map_or(Ok(()), stamp))
            }
            Self::SemWait { sem } | Self::SemPost { sem } => semaphore(*sem),
            Self::KernelWakes { wakes, .. } => match wakes.who {
                KernelWakee::Signal(index) | KernelWakee::Broadcast(index) => cond(index),
                KernelWakee::Post(index) => semaphore(index),
            }
            .and(wakes.check()),
            Self::Put { queue } => {
                is(*queue, "queue", |object| matches!(object, Object::Queue { .. }))
            }
            Self::Get { queue, stamp: written } => {
                is(*queue, "queue", |object| matches!(object, Object::Queue { .. }))
                    .and(written.map_or(Ok(()), stamp))
            }
            Self::CopyStamp { from, to } => stamp(*from).and(stamp(*to)),
            Self::Enlist { list } | Self::TakeAll { list } => {
                is(*list, "list", |object| matches!(object, Object::List))
            }
            Self::ResumeAll { stamp: index }
            | Self::Stamp { stamp: index }
            | Self::Sample { stamp: index } => stamp(*index),
            Self::SpinLock { lock } | Self::SpinUnlock { lock } => {
                is(*lock, "spin lock", |object| matches!(object, Object::SpinLock { .. }))
            }
            Self::SpinOrSleep { lock, sleep_ns, sleep_max_ns, .. } => {
                let fits = |object: &Object| matches!(object, Object::SpinLock { per_cpu: false });
                is(*lock, "spin lock for all CPUs", fits)?;
                check_sleep(*sleep_ns, *sleep_max_ns)
            }
            Self::KernelMutex { mutex, .. } => {
                is(*mutex, "plain mutex", |object| matches!(object, Object::Mutex { pi: false }))
            }
            Self::Run { .. }
            | Self::RunFor { .. }
            | Self::Kernel { .. }
            | Self::KernelSleep { .. }
            | Self::Sleep { .. }
            | Self::Timer { .. }
            | Self::Yield
            | Self::Suspend
            | Self::Resume { .. }
            | Self::SliceRequest
            | Self::SliceYield
            | Self::PageFault { .. }
            | Self::Fork { .. }
            | Self::SetPolicy { .. }
            | Self::SetCpus { .. }
            | Self::MigrateDisable
            | Self::MigrateEnable => Ok(()),
        }
    }

    /// Timers, tasks, policies and CPUs.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other ops name objects, or nothing")]
    fn check_others(&self, setup: &super::Setup) -> Result<(), String> {
        match self {
            Self::Timer { timer, .. } if *timer as usize >= setup.timers.len() => {
                Err(format!("there is no timer {timer}"))
            }
            Self::Resume { task } if *task as usize >= setup.tasks.len() => {
                Err(format!("there is no task {task} to resume"))
            }
            Self::Fork { task } => {
                let waits =
                    setup.tasks.get(*task as usize).is_some_and(|spec| spec.start_ns == NEVER);
                if waits {
                    Ok(())
                } else {
                    Err(format!("task {task} cannot be forked: it starts by itself, or is none"))
                }
            }
            Self::SetPolicy { policy } => policy.check(),
            Self::SetCpus { cpus }
                if cpus.is_empty()
                    || cpus.last() >= Some(setup.machine.topology.cpu_ids().end()) =>
            {
                Err("an affinity names CPUs the machine has".to_owned())
            }
            _ => Ok(()),
        }
    }
}

impl KernelWakes {
    /// Refuses wake-ups without time between them.
    fn check(self) -> Result<(), String> {
        if self.every_ns == Some(0) {
            return Err("kernel work wakes again after 1 ns at least".to_owned());
        }
        Ok(())
    }
}

fn check_sleep(ns: u64, max_ns: u64) -> Result<(), String> {
    if (1..=max_ns).contains(&ns) {
        Ok(())
    } else {
        Err("a spinner sleeps at least 1 ns and at most its maximum".to_owned())
    }
}

impl Object {
    /// Refuses objects that could never work.
    pub(super) fn check(&self) -> Result<(), String> {
        match self {
            Self::Barrier { parties: 0, .. } => Err("a barrier has parties".to_owned()),
            Self::Queue { capacity, filled, .. } if *capacity == 0 || filled > capacity => {
                Err("a queue holds at least one message, and no more than that".to_owned())
            }
            Self::Queue { room: Room::Page(0), .. } => {
                Err("a page of a pipe holds at least one message".to_owned())
            }
            Self::Mutex { .. }
            | Self::Cond
            | Self::Barrier { .. }
            | Self::Semaphore { .. }
            | Self::Queue { .. }
            | Self::List
            | Self::Stamp
            | Self::SpinLock { .. } => Ok(()),
        }
    }
}
