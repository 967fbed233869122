//! The present work of a CPU: a stack of resumable frames (docs/develop/decisions/0001).
//!
//! ```text
//!   User ─ Irq(local timer) ─ Hrtimers ─ Ttwu(cyclictest.3) ─ Push        the top executes
//! ```
//! A frame is plain data: its step and a few fields of its own. A step runs until time must pass or
//! the frame must wait for a lock, and returns that as a [`Flow`].

use super::irq::tick::Tick;
use super::irq::{Drain, Hrtimers, Irq};
use super::nohz::full::RemoteTick;
use super::nohz::run::NohzRun;
use super::syscall::Syscall;
use crate::kernel::core::prio::PiWalk;
use crate::kernel::core::schedule::Schedule;
use crate::kernel::core::stop::Stopper;
use crate::kernel::core::wakeup::Ttwu;
use crate::kernel::fair::bandwidth::csd::BwCsd;
use crate::kernel::fair::bandwidth::distribute::Distribute;
use crate::kernel::fair::bandwidth::limbo::ThrottleWork;
use crate::kernel::fair::bandwidth::period::BwPeriod;
use crate::kernel::fair::bandwidth::slack::BwSlack;
use crate::kernel::fair::bandwidth::throttle::Unthrottle;
use crate::kernel::fair::bandwidth::work::BwWork;
use crate::kernel::fair::bandwidth::write::BwWrite;
use crate::kernel::fair::hrtick::HrTick;
use crate::kernel::fair::load_balance::LoadBalance;
use crate::kernel::fair::load_balance::detach::Attach;
use crate::kernel::fair::load_balance::newidle::NewIdle;
use crate::kernel::fair::passive::Balance;
use crate::kernel::fair::sched_domains::RebalanceDomains;
use crate::kernel::fair::server::FairTimer;
use crate::kernel::irq::softirq::{Ksoftirqd, Softirq};
use crate::kernel::rt::pull::Pull;
use crate::kernel::rt::push::{AskedPush, Push};
use crate::kernel::rt::rto::{RtoTell, RtoWork};
use crate::kernel::rt::rto_chain_4_1::{Tell41, Work41};
use crate::kernel::rt::throttle::RtPeriod;
use crate::kernel::syscall::kernel_work::KernelWork;
use crate::kernel::syscall::live::LiveChange;
use crate::kernel::syscall::objects::call::ObjectCall;
use crate::kernel::syscall::objects::fork::Fork;
use crate::kernel::syscall::setsched::Setsched;
use crate::machine::spinlock::LockId;

/// One level of a CPU's stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    Idle(crate::kernel::core::idle::Idle),
    /// A task's user code.
    User,
    /// A task's system call.
    Syscall(Syscall),
    /// Kernel code that works for a task.
    KernelWork(KernelWork),
    /// A system call's work on an object.
    Object(ObjectCall),
    /// wake_up_new_task().
    Fork(Fork),
    /// A change of the task's own scheduling.
    Setsched(Setsched),
    /// Priority inheritance along a chain of mutexes.
    PiWalk(PiWalk),
    /// __do_softirq().
    Softirq(Softirq),
    /// ksoftirqd's loop.
    Ksoftirqd(Ksoftirqd),
    /// A stopper's loop.
    Stopper(Stopper),
    Irq(Irq),
    /// Running expired hrtimers.
    Hrtimers(Hrtimers),
    Tick(Tick),
    /// sched_tick_remote().
    RemoteTick(RemoteTick),
    /// sched_rt_period_timer().
    RtPeriod(RtPeriod),
    /// dl_server_timer() of the fair server.
    FairTimer(FairTimer),
    /// hrtick().
    HrTick(HrTick),
    /// Activating the tasks of the wake-list.
    Drain(Drain),
    /// schedule().
    Schedule(Schedule),
    /// try_to_wake_up().
    Ttwu(Ttwu),
    /// pull_rt_task().
    Pull(Pull),
    /// push_rt_tasks().
    Push(Push),
    /// push_rt_tasks() in an IPI's handler, with its lock.
    AskedPush(AskedPush),
    /// double_lock_balance().
    DoubleLock(crate::kernel::core::double_lock::DoubleLocking),
    /// tell_cpu_to_push().
    RtoTell(RtoTell),
    /// rto_push_irq_work_func().
    RtoWork(RtoWork),
    /// tell_cpu_to_push() of 4.1.
    Tell41(Tell41),
    /// try_to_push_tasks() of 4.1.
    Work41(Work41),
    /// load_balance().
    LoadBalance(LoadBalance),
    /// attach_tasks().
    Attach(Attach),
    /// newidle_balance().
    NewIdle(NewIdle),
    /// Load balancing of 2.6.24.
    Balance(Balance),
    /// Work of group queues under their group's lock.
    BwWork(BwWork),
    /// sched_cfs_period_timer().
    BwPeriod(BwPeriod),
    /// sched_cfs_slack_timer().
    BwSlack(BwSlack),
    /// distribute_cfs_runtime().
    Distribute(Distribute),
    /// unthrottle_cfs_rq().
    Unthrottle(Unthrottle),
    /// __cfsb_csd_unthrottle().
    BwCsd(BwCsd),
    /// tg_set_cfs_bandwidth().
    BwWrite(BwWrite),
    /// A write to a task or a group from outside.
    LiveChange(LiveChange),
    /// throttle_cfs_rq_work().
    ThrottleWork(ThrottleWork),
    /// rebalance_domains().
    RebalanceDomains(RebalanceDomains),
    /// _nohz_idle_balance().
    NohzRun(NohzRun),
}

/// A frame and the work left in its present step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub frame: Frame,
    /// ns of work before its next step.
    pub remaining: u64,
}

impl Entry {
    /// A frame about to take its first step.
    pub fn new(frame: Frame) -> Self {
        Self { frame, remaining: 0 }
    }
}

// Frames are copied at every step.
const _: () = assert!(size_of::<Entry>() <= 64);

/// The request of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// This much work, in ns, then the next step.
    Spend(u64),
    /// This lock, then the next step.
    Lock(LockId),
    /// Run that frame to its end, then the next step.
    Call(Frame),
    /// The next step at once.
    Again,
    /// Nothing until another CPU or an interrupt resumes this CPU.
    Block,
    /// The frame has ended.
    Done,
}
