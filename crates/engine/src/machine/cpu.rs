//! One CPU: its stack of frames, its interrupt state, and an exact account of its time.

use super::hrtimer::Hrtimers;
use super::ipi::Lines;
use super::spinlock::LockId;
use super::topology::FULL_SPEED;
use crate::kernel::fair::passive::{DomainTimer, LEVELS};
use crate::kernel::frame::{Entry, Frame};
use crate::trace::catalogue::CpuState;

/// One CPU. What every event looks at comes first: a thousand CPUs do not fit into a cache.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Cpu {
    /// What it is in the middle of; the last entry executes.
    pub stack: Vec<Entry>,
    /// ns of work incurred inside a step, to be spent before the next one.
    pub owed: u64,
    /// Nesting of interrupt disabling.
    pub irq_off: u8,
    /// Waits for somebody to resume it: the idle loop, or on_cpu in try_to_wake_up.
    pub blocked: bool,
    /// On its way out of the idle state.
    pub idle_exiting: bool,
    /// Inside schedule().
    pub in_schedule: bool,
    /// The idle loop watches need_resched (TIF_POLLING_NRFLAG).
    pub polling: bool,
    /// On its way back to user code: the flags are looked at before it gets there.
    pub returning: bool,
    /// An interrupt has just ended: the next look at the flags is its exit.
    pub irq_exit: bool,
    /// preempt_count of the running context, without the interrupt levels.
    pub preempt_count: u8,
    /// need_resched has been folded into preempt_count: kernel code can see it.
    pub folded: bool,
    /// Between softirq entry and exit.
    pub in_softirq: bool,
    /// double_lock_balance let go of the own lock.
    pub dropped: bool,
    /// call_single_queue holds something: whoever adds to it sends no IPI (5.8 on).
    pub called: bool,
    /// Pace of the user code whose work ends then, percent.
    pub pace: u32,
    /// Vector of the handler that runs.
    pub hardirq: Option<usize>,
    /// When the executing step's work ends.
    pub busy_until: Option<u64>,
    /// Locks it owns, in the order taken.
    pub held: Vec<LockId>,
    /// The lock it spins for and since when.
    pub spinning: Option<(LockId, u64)>,
    /// What it does, with bits for interrupts off and preempt_count, and for which task: the last
    /// trace row.
    pub shown: (CpuState, u8, u32),
    /// Since when.
    pub shown_since: u64,
    /// Wake-ups whose wait depends on what this CPU does.
    pub watchers: Vec<u32>,
    /// need_resched is set on the task that runs here, since then.
    pub need_resched: Option<u64>,
    /// need_resched_lazy is set on it, since then.
    pub need_resched_lazy: Option<u64>,
    /// When interrupts went off.
    pub irq_off_since: u64,
    /// Interrupt lines.
    pub lines: Lines,
    /// hrtimers and the device behind them.
    pub timers: Hrtimers,
    /// hrtimer_interrupt gave up: the device fires next at this time, whatever expires before
    /// (hang_detected).
    pub hrtimer_hang: Option<u64>,
    /// The idle loop's stack while a task's is here, empty: its memory is used again.
    pub idle_stack: Vec<Entry>,
    /// ns spent in each [`CpuState`].
    pub time: [u64; 7],
    /// When a tick last made lazy flags "now" here: kept for the law of spec E.9 5.
    pub lazy_tick: Option<u64>,
    /// Tasks others have put here to be activated.
    pub wakelist: Vec<u32>,
    /// Those of them being activated.
    pub draining: Vec<u32>,
    /// The RT push chain's irq_work is queued here.
    pub rto_work: bool,
    /// This CPU has queued it on itself (raised_list).
    pub rto_raised: bool,
    /// Run queues whose irq_work is queued here, in order of arrival (`ipi_4_1`).
    pub push_works: Vec<u32>,
    /// Those of them being run.
    pub push_running: Vec<u32>,
    /// Tasks it has taken off one run queue and not put onto another yet.
    pub detached: Vec<u32>,
    /// CPUs its load balancing pass has struck out: all that waits there is bound, or they have had
    /// what they may.
    pub barred: Vec<u32>,
    /// SCHED_SOFTIRQ is pending: the tick asks for load balancing (2.6.24).
    pub balance_due: bool,
    /// When it last balanced load, by sched domain (2.6.24).
    pub balance: [DomainTimer; LEVELS],
    /// Tasklets queued and not taken by a running softirq.
    pub tasklets: u32,
    /// Task the pending device interrupt will wake.
    pub device_task: Option<u32>,
    /// First tick after 0.
    pub tick_phase_ns: u64,
    /// Where find_lowest_rq's round robin stands.
    pub distribute: u32,
}

impl Cpu {
    /// An idle CPU.
    pub fn new(idle: Frame, tick_phase_ns: u64) -> Self {
        Self {
            stack: vec![Entry::new(idle)],
            idle_stack: Vec::new(),
            irq_off: 0,
            irq_off_since: 0,
            hardirq: None,
            in_schedule: false,
            busy_until: None,
            pace: FULL_SPEED,
            blocked: false,
            idle_exiting: false,
            spinning: None,
            held: Vec::new(),
            owed: 0,
            dropped: false,
            need_resched: None,
            need_resched_lazy: None,
            lazy_tick: None,
            folded: false,
            preempt_count: 0,
            returning: false,
            irq_exit: false,
            polling: false,
            lines: Lines::default(),
            timers: Hrtimers::default(),
            hrtimer_hang: None,
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
            in_softirq: false,
            device_task: None,
            tick_phase_ns,
            distribute: 0,
            watchers: Vec::new(),
            shown: (CpuState::Idle, 0, crate::trace::catalogue::NONE),
            shown_since: 0,
            time: [0; 7],
        }
    }

    /// Whether any softirq is pending.
    pub fn softirq_pending(&self) -> bool {
        self.tasklets > 0 || self.balance_due
    }

    /// Whether a vector is pending that has to wait until interrupts are on.
    pub fn holds_off_irq(&self) -> bool {
        self.irq_off > 0 && self.lines.any_pending()
    }

    /// What a lane shows for it.
    pub fn state(&self) -> CpuState {
        if self.spinning.is_some() {
            CpuState::Spin
        } else if self.idle_exiting {
            CpuState::IdleExit
        } else if self.hardirq.is_some() {
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

    /// Whether what executes was called from a softirq: load balancing in SCHED_SOFTIRQ, the
    /// wake-up of ksoftirqd. Under PREEMPT_RT schedule() may have been entered out of a softirq,
    /// which stands still meanwhile.
    fn works_in_softirq(&self) -> bool {
        let called_from =
            |entry: &Entry| matches!(entry.frame, Frame::Softirq(_) | Frame::Schedule(_));
        // Kept while a preempted softirq waits, so the flag alone does not tell.
        self.in_softirq
            && self
                .stack
                .iter()
                .rfind(|entry| called_from(entry))
                .is_some_and(|entry| matches!(entry.frame, Frame::Softirq(_)))
    }

    /// The executing frame.
    pub fn top(&mut self) -> &mut Entry {
        self.stack.last_mut().expect("a CPU always has its idle loop or a task below everything")
    }
}
