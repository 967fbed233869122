//! Interrupts: entry, handler by vector, exit; expired hrtimers, the tick and the wake-list run in
//! here.

/// Softirqs and ksoftirqd.
pub mod softirq;
/// The tick.
pub mod tick;

use self::tick::Tick;
use super::frame::{Flow, Frame};
use crate::ids::{CpuId, TaskId};
use crate::kernel::core::wakeup::Ttwu;
use crate::kernel::fair::Enqueue;
use crate::kernel::fair::bandwidth::csd::BwCsd;
use crate::kernel::fair::bandwidth::period::BwPeriod;
use crate::kernel::fair::bandwidth::slack::BwSlack;
use crate::kernel::fair::bandwidth::write::BwWrite;
use crate::kernel::fair::hrtick::HrTick;
use crate::kernel::fair::server::FairTimer;
use crate::kernel::hrtimer::{Timer, TimerKind};
use crate::kernel::rt::push::Push;
use crate::kernel::rt::rto::RtoWork;
use crate::kernel::rt::rto_chain_4_1::Work41;
use crate::kernel::rt::throttle::RtPeriod;
use crate::kernel::syscall::live::LiveChange;
use crate::machine::ipi::{CALL_FUNCTION_SINGLE, DEVICE, IRQ_WORK, LOCAL_TIMER, RESCHEDULE};
use crate::machine::spinlock::LockId;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// Where an interrupt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Irq {
    vector: usize,
    since: u64,
    from: From,
    step: Step,
}

/// The interrupted context; it sets the price of entry and exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    User,
    /// Kernel code with interrupts on.
    Kernel,
    /// A sleeping idle loop.
    Idle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    LeaveIdle,
    Accept,
    Entry,
    Handler,
    /// The entry and the work before the first timer's callback were one piece.
    Timed,
    Functions,
    RtPushCheck,
    WakeList,
    DeviceWakes,
    Exit,
    Softirq,
    End,
}

impl Irq {
    /// `vector`, pending since `since`, is accepted.
    pub fn new(vector: usize, since: u64, from: From) -> Self {
        Self { vector, since, from, step: Step::Entry }
    }
    /// A pending vector ends the sleep of the idle loop. The CPU accepts one once it is awake, the
    /// strongest by then; until that moment further arrivals are merged into the pending bits.
    pub fn wake_up() -> Self {
        Self { vector: LOCAL_TIMER, since: 0, from: From::Idle, step: Step::LeaveIdle }
    }

    #[inline]
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::LeaveIdle => {
                sim.cpu(cpu).hw.set_idle_exiting(true);
                self.step = Step::Accept;
                Flow::Spend(sim.idle_exit_ns(cpu))
            }
            Step::Accept => self.accept(sim, cpu),
            Step::Entry => self.enter(sim, cpu),
            Step::Handler => self.handler(sim, cpu),
            Step::Timed => {
                let hrtimer_ns = sim.cost(cpu, sim.setup.machine.costs.hrtimer_ns);
                sim.count_pieces(1);
                self.step = Step::Exit;
                Flow::Call(Frame::Hrtimers(Hrtimers::first(sim, cpu, sim.now - hrtimer_ns)))
            }
            // sched_rt_push_check of Rostedt 2015: on every scheduler IPI, for any reason.
            Step::Functions => {
                self.step = Step::WakeList;
                if sim.rqs[cpu].bw_csd.is_empty() {
                    Flow::Again
                } else {
                    Flow::Call(Frame::BwCsd(BwCsd::Start))
                }
            }
            Step::RtPushCheck => {
                self.step = Step::WakeList;
                let asked = sim.kernel().rt_balance().asks_each() && sim.kernel().rt_push_ipi();
                if asked { sim.asked_push(cpu, false) } else { Flow::Again }
            }
            Step::WakeList => {
                self.step = Step::Exit;
                let comes_here = self.vector == sim.wakelist_vector() && sim.has_wakeups(cpu);
                if comes_here { Flow::Call(Frame::Drain(Drain::new())) } else { Flow::Again }
            }
            Step::DeviceWakes => {
                if let Some(task) = sim.woken_by_device(cpu) {
                    return Flow::Call(Frame::Ttwu(Ttwu::new(task)));
                }
                self.step = Step::Exit;
                Flow::Again
            }
            Step::Exit => {
                self.step = Step::Softirq;
                Flow::Spend(self.half_ns(sim, cpu))
            }
            Step::Softirq => {
                sim.emit(Kind::IrqExit, cpu, self.vector as u32, 0);
                let state = sim.cpu(cpu);
                state.hw.leave_hardirq();
                self.step = Step::End;
                // Timers have expired since the handler's last look: the device fires at once.
                if state.hrtimer_hang.is_none() && state.timers.any_fired() {
                    sim.raise(cpu, LOCAL_TIMER);
                }
                sim.invoke_softirq(cpu)
            }
            Step::End => {
                if !sim.kernel().nohz_full.is_empty() {
                    sim.full_update_tick(cpu);
                }
                let state = sim.cpu(cpu);
                (state.returning, state.irq_exit) = (true, true);
                sim.irq_enable(cpu);
                Flow::Done
            }
        }
    }

    /// Awake: the strongest pending vector is taken.
    fn accept(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let now = sim.now;
        let watches = sim.setup.machine.idle.polls();
        let state = sim.cpu(cpu);
        // mwait_idle_with_hints() has cleared the polling bit before interrupts come back on.
        state.polling &= watches;
        // Leaving a C-state or halt is hardware, not a section of code with interrupts off.
        state.hw.restart_irq_off(now);
        let taken = state.hw.lines.take();
        sim.law(taken.is_some(), || format!("cpu {cpu} left its idle state for no interrupt"));
        (self.vector, self.since) = taken.unwrap_or((LOCAL_TIMER, sim.now));
        self.step = Step::Entry;
        Flow::Again
    }

    fn enter(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        sim.cpu(cpu).hw.enter_hardirq(self.vector);
        if self.from == From::Idle {
            // tick_irq_enter(): jiffies may not have advanced.
            sim.update_jiffies();
        }
        sim.emit(Kind::IrqEntry, cpu, self.vector as u32, clip(sim.now - self.since));
        let hrtimer_ns = sim.cost(cpu, sim.setup.machine.costs.hrtimer_ns);
        let half_ns = self.half_ns(sim, cpu);
        let looks = sim.now + half_ns;
        if self.vector == LOCAL_TIMER && hrtimer_ns > 0 && sim.runs_first_timer(cpu, looks) {
            self.step = Step::Timed;
            return Flow::Spend(half_ns + hrtimer_ns);
        }
        self.step = Step::Handler;
        Flow::Spend(half_ns)
    }

    /// See [`Sim::take_apart`]; the work ends at `until`. The frame above this one, if that is the
    /// piece it is at.
    pub(crate) fn take_apart(&mut self, sim: &mut Sim, cpu: CpuId, until: u64) -> Option<Frame> {
        if self.step != Step::Timed {
            return None;
        }
        let begun = until - sim.cost(cpu, sim.setup.machine.costs.hrtimer_ns);
        self.step = Step::Handler;
        if !sim.piece_is_over(cpu, begun) {
            return None;
        }
        self.step = Step::Exit;
        Some(Frame::Hrtimers(Hrtimers::first(sim, cpu, begun)))
    }

    fn handler(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.vector {
            LOCAL_TIMER => {
                self.step = Step::Exit;
                Flow::Call(Frame::Hrtimers(Hrtimers::new(sim.now)))
            }
            RESCHEDULE => {
                sim.cpu(cpu).folded |= sim.cpu(cpu).need_resched.is_some();
                self.step = Step::RtPushCheck;
                Flow::Spend(sim.cost(cpu, sim.setup.machine.costs.resched_handler_ns))
            }
            CALL_FUNCTION_SINGLE => {
                // irq_work and functions run before the wake-ups of the same batch
                // (docs/model/locks-and-ipis.md#one-call-list).
                self.step = Step::Functions;
                sim.take_calls(cpu);
                sim.nohz_csd_func(cpu);
                if std::mem::take(&mut sim.cpu(cpu).rto_work) {
                    return Flow::Call(Frame::RtoWork(RtoWork::new()));
                }
                if !sim.cpu(cpu).push_works.is_empty() {
                    return Flow::Call(Frame::Work41(Work41::new()));
                }
                Flow::Again
            }
            IRQ_WORK => {
                self.step = Step::Exit;
                let queued = std::mem::take(&mut sim.cpu(cpu).rto_raised);
                if queued { Flow::Call(Frame::RtoWork(RtoWork::new())) } else { Flow::Again }
            }
            _ => {
                debug_assert_eq!(self.vector, DEVICE);
                self.step = Step::DeviceWakes;
                sim.handle_device_irq(cpu);
                let Some(task) = sim.cpu(cpu).device_task.take() else { return Flow::Again };
                let ns = sim.cost(cpu, sim.setup.machine.costs.device_irq_ns);
                sim.cpu(cpu).owe(ns);
                Flow::Call(Frame::Ttwu(Ttwu::new(task)))
            }
        }
    }

    fn half_ns(&self, sim: &Sim, cpu: CpuId) -> u64 {
        let costs = &sim.setup.machine.costs;
        let ns = match self.from {
            From::User => costs.irq_user_ns,
            From::Kernel | From::Idle => costs.irq_kernel_ns,
        };
        sim.cost(cpu, ns) / 2
    }
}

impl Sim {
    /// Whether the handler of the local timer on `cpu`, which begins, will run the callback of a
    /// timer that has expired and is no tick, and finds no other when it `looks`: one whose device
    /// is late has expired by then all the same.
    #[inline]
    fn runs_first_timer(&self, cpu: CpuId, looks: u64) -> bool {
        let timers = &self.cpus[cpu].timers;
        let is_tick = |kind| matches!(kind, TimerKind::Tick | TimerKind::TickOfSecond);
        !self.in_pieces
            && timers.first_fired().is_some_and(|timer| !is_tick(timer.kind))
            && timers.next_expiry().is_none_or(|expiry| expiry > looks)
    }
}

/// A duration as a trace column holds it.
pub(crate) fn clip(ns: u64) -> u32 {
    u32::try_from(ns).unwrap_or(u32::MAX)
}

/// hrtimer_interrupt(): every expired timer in expiry order, in rounds: a round runs the timers
/// that had expired when it began.
///
/// If the next timer has expired too after three rounds, the interrupt gives the CPU back for as
/// long as it has taken, 100 ms at most, no matter which timers expire meanwhile (2.6.33 on, commit
/// 41d2e4949377, recalled; the three rounds read in 6.1, docs/model/time.md#hrtimers). Before that
/// the rounds went on (2.6.29 to 2.6.32, which had other guards, are not on the ladder).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hrtimers {
    entered: u64,
    /// When the present round began.
    round: u64,
    rounds: u8,
    running: Option<Timer>,
}

/// Rounds of one interrupt.
const ROUNDS_MAX: u8 = 3;
/// The hang guard lets at most this long pass before the next interrupt.
const HANG_NS_MAX: u64 = 100_000_000;

impl Hrtimers {
    /// The interrupt's handler starts at `now`.
    fn new(now: u64) -> Self {
        Self { entered: now, round: now, rounds: 1, running: None }
    }

    /// The handler started at `begun` and has taken the first timer; its callback is next.
    fn first(sim: &mut Sim, cpu: CpuId, begun: u64) -> Self {
        Self { running: sim.cpu(cpu).timers.take_fired(), ..Self::new(begun) }
    }

    #[inline]
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.running.take() {
            None => self.next(sim, cpu),
            Some(timer) => Self::run(sim, cpu, timer),
        }
    }

    fn next(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        sim.fire_timers(cpu);
        let Some(Timer { expiry, .. }) = sim.cpu(cpu).timers.first_fired() else {
            return Flow::Done;
        };
        if expiry > self.round {
            if self.rounds >= ROUNDS_MAX && sim.kernel().hrtimer_hang_guard() {
                let until = sim.now + (sim.now - self.entered).min(HANG_NS_MAX);
                sim.cpu(cpu).hrtimer_hang = Some(until);
                sim.arm_device(cpu);
                return Flow::Done;
            }
            self.rounds = self.rounds.saturating_add(1);
            self.round = sim.now;
        }
        self.running = sim.cpu(cpu).timers.take_fired();
        sim.arm_device(cpu);
        match self.running {
            Some(Timer { kind: TimerKind::Tick | TimerKind::TickOfSecond, .. }) => Flow::Again,
            _ => Flow::Spend(sim.cost(cpu, sim.setup.machine.costs.hrtimer_ns)),
        }
    }

    fn run(sim: &mut Sim, cpu: CpuId, timer: Timer) -> Flow {
        match timer.kind {
            TimerKind::Tick => Flow::Call(Frame::Tick(Tick::new(timer.expiry))),
            TimerKind::TickOfSecond => Flow::Call(Frame::Tick(Tick::of_second(timer.expiry))),
            TimerKind::RemoteTick { target } => Sim::remote_tick(target),
            TimerKind::RtPeriod => Flow::Call(Frame::RtPeriod(RtPeriod::new(timer.expiry))),
            TimerKind::FairServer => {
                Flow::Call(Frame::FairTimer(FairTimer::Start { expiry: timer.expiry }))
            }
            TimerKind::HrTick => Flow::Call(Frame::HrTick(HrTick::Start)),
            TimerKind::BwPeriod { group } => Flow::Call(Frame::BwPeriod(BwPeriod::new(group))),
            TimerKind::BwSlack { group } => Flow::Call(Frame::BwSlack(BwSlack::new(group))),
            TimerKind::BwWrite { group } => Flow::Call(Frame::BwWrite(BwWrite::new(group))),
            TimerKind::LiveChange { nth } => Flow::Call(Frame::LiveChange(LiveChange::new(nth))),
            TimerKind::SliceExtension => {
                sim.slice_extension_expires(cpu);
                Flow::Again
            }
            TimerKind::Softirq => {
                sim.raise_tasklet(cpu, timer.expiry);
                Flow::Again
            }
            TimerKind::Task { task, .. } => {
                sim.emit(Kind::HrtimerExpire, cpu, task.raw(), clip(sim.now - timer.expiry));
                Flow::Call(Frame::Ttwu(Ttwu::new(task)))
            }
        }
    }
}

/// sched_ttwu_pending(): the wake-list under one hold of the own rq lock, so its time grows with
/// the batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drain {
    step: DrainStep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DrainStep {
    Start,
    Locked,
    Next,
    Activate { task: TaskId },
}

impl Drain {
    /// About to take the own rq lock.
    pub fn new() -> Self {
        Self { step: DrainStep::Start }
    }

    #[inline]
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            DrainStep::Start => {
                sim.irq_disable(cpu);
                // llist_del_all: a CPU that adds a task from now on finds an empty list and sends
                // an IPI of its own. From 5.8 on the list was taken with all other calls.
                if !sim.kernel().has_one_call_list()
                    || sim.wakelist_vector() != CALL_FUNCTION_SINGLE
                {
                    let state = sim.cpu(cpu);
                    // A list takes at its head and was walked as it lay, newest first; 5.8 turns it
                    // round before.
                    state.draining.extend(state.wakelist.drain(..).rev());
                }
                self.step = DrainStep::Locked;
                Flow::Lock(LockId::rq(cpu))
            }
            DrainStep::Locked => {
                sim.update_rq_clock(cpu);
                self.step = DrainStep::Next;
                Flow::Again
            }
            DrainStep::Next => {
                if sim.cpu(cpu).draining.is_empty() {
                    sim.unlock(cpu, LockId::rq(cpu));
                    sim.irq_enable(cpu);
                    return Flow::Done;
                }
                let task = sim.cpu(cpu).draining.remove(0);
                self.step = DrainStep::Activate { task };
                Flow::Spend(sim.cost(cpu, sim.setup.machine.costs.wakelist_drain_ns))
            }
            DrainStep::Activate { task } => {
                self.step = DrainStep::Next;
                if sim.activate(cpu, cpu, task, Enqueue::Wakeup) {
                    Flow::Call(Frame::Push(Push::new(cpu)))
                } else {
                    Flow::Again
                }
            }
        }
    }
}

impl Default for Drain {
    fn default() -> Self {
        Self::new()
    }
}
