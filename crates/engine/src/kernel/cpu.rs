//! The kernel's per-CPU area, around the CPU's hardware: the stack of frames, the flags of the
//! running context, the lists that other CPUs add to, and an exact account of the CPU's time.

use super::fair::passive::{DomainTimer, LEVELS};
use super::frame::{Entry, Frame};
use super::hrtimer::Hrtimers;
use crate::account::crowd::Crowd;
use crate::ids::{CpuId, TaskId};
use crate::machine::cpu::Hardware;
use crate::machine::spread::WHOLE;
use crate::trace::catalogue::{CPU_STATES, CpuState};

/// The state of a CPU, with bits for interrupts off and preempt_count, and its task.
pub type Shown = (CpuState, u8, Option<TaskId>);

/// One CPU. The fields that every event reads come first: a thousand CPUs do not fit into a cache.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Cpu {
    /// The frames of this CPU; the last one executes.
    pub stack: Vec<Entry>,
    /// ns of work incurred inside a step, to be spent before the next one.
    owed: u64,
    /// What costs are multiplied by until the next entry into the kernel (`sim/costs.rs`).
    pub(crate) cost_factor: u16,
    /// Such entries so far: the number of the next draw.
    pub(crate) entries: u32,
    /// Waits until another CPU resumes it: in the idle loop, or for on_cpu in try_to_wake_up.
    pub blocked: bool,
    pub in_schedule: bool,
    /// The idle loop watches need_resched (TIF_POLLING_NRFLAG).
    pub polling: bool,
    /// On its way back to user code: the flags are looked at before it gets there.
    pub returning: bool,
    /// An interrupt has just ended: the next look at the flags is its exit.
    pub irq_exit: bool,
    /// The kernel was entered from user code by an interrupt or a fault (rseq_event::user_irq).
    pub user_irq: bool,
    /// preempt_count of the running context, without the interrupt levels.
    preempt_count: u8,
    /// need_resched has been folded into preempt_count: kernel code can see it.
    pub folded: bool,
    /// Between softirq entry and exit.
    pub in_softirq: bool,
    /// double_lock_balance released the own lock.
    pub dropped: bool,
    /// call_single_queue is not empty: another CPU that adds to it sends no IPI (5.8 on).
    pub called: bool,
    /// The RT push chain's irq_work is queued here.
    pub rto_work: bool,
    /// This CPU has queued it on itself (raised_list).
    pub rto_raised: bool,
    /// SCHED_SOFTIRQ is pending: the tick asks for load balancing (2.6.24).
    pub balance_due: bool,
    /// RCU_SOFTIRQ is pending.
    pub rcu_due: bool,
    /// The hardware of this CPU.
    pub hw: Hardware,
    /// The last trace row.
    shown: Shown,
    /// Tasklets queued and not taken by a running softirq.
    pub tasklets: u32,
    shown_since: u64,
    /// Tasks whose wait ([`Wake`](crate::account::latency::Wake)) depends on this CPU's activity: a
    /// wake-up, a way into a sleep that may come too late, or having lost the CPU to another task.
    pub watchers: Vec<TaskId>,
    /// The waits that share lines, if there are many.
    pub(crate) crowd: Crowd,
    /// need_resched is set on the task that runs here, since then.
    pub need_resched: Option<u64>,
    /// need_resched_lazy is set on it, since then.
    pub need_resched_lazy: Option<u64>,
    /// hrtimers and the device behind them.
    pub timers: Hrtimers,
    /// hrtimer_interrupt gave up: the device fires next at this time, even if timers expire before
    /// (hang_detected).
    pub hrtimer_hang: Option<u64>,
    /// The task that armed the timer of slice extensions last.
    pub slice_cookie: Option<TaskId>,
    /// The idle loop's stack while a task's is here, empty: its memory is used again.
    pub idle_stack: Vec<Entry>,
    /// ns spent in each [`CpuState`].
    time: [u64; CPU_STATES.len()],
    /// When a tick last made lazy flags "now" here, 0 before one has: kept for a law
    /// (docs/model/preemption.md#preemption-laws).
    pub lazy_tick: u64,
    /// Tasks others have put here to be activated.
    pub wakelist: Vec<TaskId>,
    /// The tasks of `wakelist` that are being activated.
    pub draining: Vec<TaskId>,
    /// Run queues whose irq_work is queued here, in order of arrival (`ipi_4_1`).
    pub push_works: Vec<CpuId>,
    /// The run queues of `push_works` whose irq_work is running.
    pub push_running: Vec<CpuId>,
    /// Tasks it has taken off one run queue and not put onto another yet.
    pub detached: Vec<TaskId>,
    /// CPUs that its load balancing pass has struck out: all tasks that wait there are bound to it,
    /// or the pass has taken as much as it may.
    pub barred: Vec<CpuId>,
    /// When the CPU last balanced load, by sched domain (2.6.24).
    pub balance: [DomainTimer; LEVELS],
    /// Task the pending device interrupt will wake.
    pub device_task: Option<TaskId>,
    /// NET_RX_SOFTIRQ is pending, for this many interrupts.
    pub net_rx: u32,
    /// Interrupts of the device that have not woken whom they wake.
    pub device_events: u32,
    /// The position of find_lowest_rq's round robin.
    pub distribute: CpuId,
    /// First tick after 0.
    pub tick_phase_ns: u64,
}

impl Cpu {
    pub fn new(idle: Frame, tick_phase_ns: u64) -> Self {
        Self {
            stack: vec![Entry::new(idle)],
            hw: Hardware::default(),
            idle_stack: Vec::new(),
            in_schedule: false,
            blocked: false,
            owed: 0,
            cost_factor: WHOLE,
            entries: 0,
            dropped: false,
            need_resched: None,
            need_resched_lazy: None,
            lazy_tick: 0,
            folded: false,
            preempt_count: 0,
            returning: false,
            irq_exit: false,
            user_irq: false,
            polling: false,
            timers: Hrtimers::default(),
            hrtimer_hang: None,
            slice_cookie: None,
            wakelist: Vec::new(),
            draining: Vec::new(),
            called: false,
            rto_work: false,
            rto_raised: false,
            push_works: Vec::new(),
            push_running: Vec::new(),
            detached: Vec::new(),
            barred: Vec::new(),
            balance_due: false,
            balance: [DomainTimer::default(); LEVELS],
            tasklets: 0,
            device_events: 0,
            in_softirq: false,
            device_task: None,
            net_rx: 0,
            rcu_due: false,
            tick_phase_ns,
            distribute: CpuId::FIRST,
            watchers: Vec::new(),
            crowd: Crowd::default(),
            shown: (CpuState::Idle, 0, None),
            shown_since: 0,
            time: [0; CPU_STATES.len()],
        }
    }

    /// Adds `ns` of work, to be spent before the next step.
    #[inline]
    pub fn owe(&mut self, ns: u64) {
        self.owed += ns;
    }

    /// The present state and its start: the CPU's last trace row.
    #[inline]
    pub fn shown(&self) -> (Shown, u64) {
        (self.shown, self.shown_since)
    }

    /// ns spent in each [`CpuState`], except in the present state since [`Self::shown`].
    pub fn times(&self) -> &[u64; CPU_STATES.len()] {
        &self.time
    }

    /// Changes the state of the CPU. Returns the state until now and its length, if the state
    /// changes.
    #[inline]
    pub fn shows(&mut self, now: u64, shown: Shown) -> Option<(Shown, u64)> {
        if shown == self.shown {
            return None;
        }
        let ns = now - self.shown_since;
        self.time[self.shown.0 as usize] += ns;
        self.shown_since = now;
        Some((std::mem::replace(&mut self.shown, shown), ns))
    }

    /// The account of its time, for tests that damage it.
    #[cfg(test)]
    pub(crate) fn damaged_times(&mut self) -> &mut [u64; CPU_STATES.len()] {
        &mut self.time
    }

    /// ns of work incurred inside a step and not yet spent.
    #[inline]
    pub fn owed(&self) -> u64 {
        self.owed
    }

    /// Takes the owed work: it counts as spent from now on.
    #[inline]
    pub fn take_owed(&mut self) -> u64 {
        std::mem::take(&mut self.owed)
    }

    /// preempt_disable(): nothing else is scheduled here until the count is 0 again.
    #[inline]
    pub fn preempt_disable(&mut self) {
        self.preempt_count += 1;
    }

    /// preempt_enable_no_resched(): the next preemption point looks at the flags.
    #[inline]
    pub fn preempt_enable(&mut self) {
        self.preempt_count -= 1;
    }

    /// How many sections with preemption disabled the running context is in, one in the other.
    #[inline]
    pub fn preempt_count(&self) -> u8 {
        self.preempt_count
    }

    /// Whether any softirq is pending.
    pub fn softirq_pending(&self) -> bool {
        self.tasklets > 0 || self.balance_due || self.net_rx > 0 || self.rcu_due
    }

    /// The state that the CPU's lane shows.
    #[inline]
    pub fn state(&self) -> CpuState {
        if self.hw.is_stopped() {
            CpuState::Stopped
        } else if self.hw.spinning().is_some() {
            CpuState::Spin
        } else if self.hw.idle_exiting() {
            CpuState::IdleExit
        } else if self.hw.hardirq().is_some() {
            CpuState::Hardirq
        } else {
            match self.stack.last().map(|top| &top.frame) {
                Some(Frame::Idle(_)) | None => CpuState::Idle,
                Some(Frame::Softirq(_)) => CpuState::Softirq,
                Some(Frame::User) => CpuState::User,
                Some(_) if self.works_in_softirq() => CpuState::Softirq,
                Some(_) => CpuState::Kernel,
            }
        }
    }

    /// Whether the executing code was called from a softirq: load balancing in SCHED_SOFTIRQ, the
    /// wake-up of ksoftirqd. Under PREEMPT_RT schedule() may have preempted a softirq, which is
    /// suspended meanwhile and does not count.
    fn works_in_softirq(&self) -> bool {
        let called_from =
            |entry: &Entry| matches!(entry.frame, Frame::Softirq(_) | Frame::Schedule(_));
        // The flag stays set while a preempted softirq waits, so the frames decide too.
        self.in_softirq
            && self
                .stack
                .iter()
                .rfind(|entry| called_from(entry))
                .is_some_and(|entry| matches!(entry.frame, Frame::Softirq(_)))
    }

    /// The executing frame.
    #[inline]
    pub fn top(&mut self) -> &mut Entry {
        self.stack.last_mut().expect("a CPU always has its idle loop or a task below everything")
    }
}

// A snapshot copies every one of up to 1 024.
const _: () = assert!(size_of::<Cpu>() <= 704);
