//! Softirqs: run at hardirq exit with interrupts on and preemption off, left to ksoftirqd when they
//! do not end (docs/model/locks-and-ipis.md#softirqs).
//!
//! tasklet_action takes the whole list at once and runs every piece without looking at
//! need_resched; pieces queued meanwhile wait for the next round. Interrupts that stretch the
//! pieces beyond their period therefore make each list longer than the one before (the live lock of
//! May 2026, docs/model/locks-and-ipis.md#softirq-live-lock).

use crate::ids::{CpuId, TaskId};
use crate::kernel::core::preempt::Point;
use crate::kernel::core::schedule::Schedule;
use crate::kernel::core::task::TaskState;
use crate::kernel::core::wakeup::Ttwu;
use crate::kernel::frame::{Flow, Frame};
use crate::kernel::hrtimer::{Timer, TimerKind};
use crate::sim::Sim;
use crate::trace::catalogue::Kind;
use crate::trace::codes::Softirq as Number;

/// A softirq restarts only within this time (MAX_SOFTIRQ_TIME) ...
const TIME_MAX_NS: u64 = 2_000_000;
/// ... and this often: MAX_SOFTIRQ_RESTART counts the first pass, too.
const RESTARTS_MAX: u8 = 9;

/// Where __do_softirq is. Entered with interrupts off; they are on while handlers run and off again
/// at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Softirq {
    since: u64,
    restarts: u8,
    /// Pieces left of the list taken.
    pieces: u32,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Enter,
    NetRx,
    NetRxWakes,
    NetRxWoken,
    NetRxDone,
    Take,
    Piece,
    Sched,
    Balanced,
    Rcu,
    RcuDone,
    Again,
    Leave,
}

impl Softirq {
    fn new() -> Self {
        Self { since: 0, restarts: 0, pieces: 0, step: Step::Enter }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::Enter => {
                self.since = sim.now;
                let counted = raises_count(sim);
                let state = sim.cpu(cpu);
                if counted {
                    state.preempt_disable();
                }
                state.in_softirq = true;
                self.step = Step::NetRx;
                self.step(sim, cpu)
            }
            Step::NetRx => self.net_rx(sim, cpu),
            Step::NetRxWakes | Step::NetRxWoken => self.net_rx_wakes(sim, cpu),
            Step::NetRxDone => {
                let queued = sim.cpu(cpu).net_rx;
                self.handled(sim, cpu, (Number::NetRx, queued), Step::Take)
            }
            Step::Take if sim.cpu(cpu).tasklets == 0 => {
                self.step = Step::Sched;
                Flow::Again
            }
            Step::Take => {
                self.pieces = std::mem::take(&mut sim.cpu(cpu).tasklets);
                sim.emit(Kind::SoftirqEntry, cpu, Number::Tasklet as u32, self.pieces);
                sim.irq_enable(cpu);
                self.step = Step::Piece;
                Flow::Again
            }
            Step::Piece if self.pieces > 0 => {
                self.pieces -= 1;
                Flow::Spend(sim.setup.softirq.map_or(0, |load| load.work_ns))
            }
            Step::Piece => {
                let queued = sim.cpu(cpu).tasklets;
                self.handled(sim, cpu, (Number::Tasklet, queued), Step::Sched)
            }
            Step::Sched => {
                self.step = Step::Rcu;
                if !std::mem::take(&mut sim.cpu(cpu).balance_due) {
                    return self.step(sim, cpu);
                }
                sim.emit(Kind::SoftirqEntry, cpu, Number::Sched as u32, 0);
                sim.irq_enable(cpu);
                self.step = Step::Balanced;
                Flow::Call(sim.run_rebalance_domains(cpu))
            }
            Step::Balanced => self.handled(sim, cpu, (Number::Sched, 0), Step::Rcu),
            Step::Rcu => self.rcu(sim, cpu),
            Step::RcuDone => self.handled(sim, cpu, (Number::Rcu, 0), Step::Again),
            Step::Again => self.again(sim, cpu),
            Step::Leave => {
                let counted = raises_count(sim);
                let state = sim.cpu(cpu);
                if counted {
                    state.preempt_enable();
                }
                state.in_softirq = false;
                Flow::Done
            }
        }
    }

    /// net_rx_action(): polls once for each interrupt of the device.
    fn net_rx(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let polls = std::mem::take(&mut sim.cpu(cpu).net_rx);
        if polls == 0 {
            self.step = Step::Take;
            return Flow::Again;
        }
        self.step = Step::NetRxWakes;
        sim.cpu(cpu).device_events = polls;
        sim.count_on(cpu, |counts| counts.net_rx_softirqs += 1);
        sim.emit(Kind::SoftirqEntry, cpu, Number::NetRx as u32, polls);
        sim.irq_enable(cpu);
        let poll_ns = sim.setup.device_irq.map_or(0, |load| load.softirq_ns);
        Flow::Spend(u64::from(polls).saturating_mul(poll_ns))
    }

    /// Whom the polled interrupts wake, one after another.
    fn net_rx_wakes(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        if self.step == Step::NetRxWoken {
            sim.irq_enable(cpu);
        }
        let Some(task) = sim.woken_by_device(cpu) else {
            self.step = Step::NetRxDone;
            return self.step(sim, cpu);
        };
        sim.irq_disable(cpu);
        self.step = Step::NetRxWoken;
        Flow::Call(Frame::Ttwu(Ttwu::new(task)))
    }

    /// rcu_core(): the callbacks that are ready.
    fn rcu(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        if !std::mem::take(&mut sim.cpu(cpu).rcu_due) {
            self.step = Step::Again;
            return Flow::Again;
        }
        self.step = Step::RcuDone;
        let ready = sim.take_callbacks(cpu);
        sim.emit(Kind::SoftirqEntry, cpu, Number::Rcu as u32, ready);
        sim.irq_enable(cpu);
        let callback_ns = sim.setup.rcu.map_or(0, |load| load.work_ns);
        Flow::Spend(u64::from(ready).saturating_mul(callback_ns))
    }

    /// The handler of a softirq has ended, with `queued` new items for it.
    fn handled(
        &mut self,
        sim: &mut Sim,
        cpu: CpuId,
        (number, queued): (Number, u32),
        next: Step,
    ) -> Flow {
        sim.irq_disable(cpu);
        sim.emit(Kind::SoftirqExit, cpu, number as u32, queued);
        self.step = next;
        Flow::Again
    }

    /// Whether preempt_count holds this softirq now.
    pub(crate) fn counts(&self, sim: &Sim) -> bool {
        self.step != Step::Enter && raises_count(sim)
    }

    /// need_resched, 2 ms or ten passes stop a restart, never a handler that runs.
    fn again(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        self.step = Step::Leave;
        if !sim.cpu(cpu).softirq_pending() {
            return Flow::Again;
        }
        let tick = sim.kernel().tick_ns();
        let late = sim.now / tick >= self.since / tick + TIME_MAX_NS.div_ceil(tick);
        let stopped =
            sim.kernel().softirqs_mind_time() && (late || sim.cpu(cpu).need_resched.is_some());
        if stopped || self.restarts >= RESTARTS_MAX {
            return sim.wake_ksoftirqd(cpu);
        }
        self.restarts += 1;
        self.step = Step::NetRx;
        Flow::Again
    }
}

/// Under PREEMPT_RT handlers run in threads and may be preempted
/// (docs/model/preemption.md#preempt_rt).
fn raises_count(sim: &Sim) -> bool {
    !sim.kernel().preempt().is_rt()
}

/// Where ksoftirqd is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ksoftirqd {
    step: ThreadStep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ThreadStep {
    Look,
    Done,
    CondResched,
}

impl Ksoftirqd {
    /// Waiting to be woken.
    pub fn asleep() -> Self {
        Self { step: ThreadStep::Look }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            ThreadStep::Look => {
                sim.first_user_instruction(cpu);
                if sim.cpu(cpu).softirq_pending() {
                    sim.irq_disable(cpu);
                    self.step = ThreadStep::Done;
                    return Flow::Call(Frame::Softirq(Softirq::new()));
                }
                if let Some(task) = sim.rqs[cpu].curr {
                    sim.task_mut(task).state = TaskState::Sleeping;
                    sim.end_activation(task);
                }
                Flow::Call(Frame::Schedule(Schedule::explicit()))
            }
            ThreadStep::Done => {
                sim.irq_enable(cpu);
                self.step = ThreadStep::CondResched;
                Flow::Again
            }
            ThreadStep::CondResched => {
                self.step = ThreadStep::Look;
                let model = sim.kernel().preempt();
                let exists =
                    model.honours(Point::CondResched, crate::kernel::core::preempt::Bit::Now);
                if exists && sim.preempts_at(cpu, Point::CondResched) {
                    return Flow::Call(Frame::Schedule(Schedule::at(Point::CondResched)));
                }
                Flow::Again
            }
        }
    }
}

impl Sim {
    /// The first piece of each CPU comes one period after the start.
    pub(crate) fn start_softirq(&mut self) {
        let Some(load) = self.setup.softirq else { return };
        for cpu in load.cpus.iter() {
            self.cpu(cpu).timers.arm(Timer { expiry: load.period_ns, kind: TimerKind::Softirq });
            self.arm_device(cpu);
        }
    }

    /// The hard timer's callback: one more piece of work, and the timer goes on.
    pub(crate) fn raise_tasklet(&mut self, cpu: CpuId, expiry: u64) {
        let Some(load) = self.setup.softirq else { return };
        let missed = (self.now - expiry) / load.period_ns;
        let next = expiry + (missed + 1) * load.period_ns;
        self.cpu(cpu).timers.arm(Timer { expiry: next, kind: TimerKind::Softirq });
        self.arm_device(cpu);
        self.cpu(cpu).tasklets += 1;
        let queued = self.cpu(cpu).tasklets;
        self.emit(Kind::SoftirqRaise, cpu, Number::Tasklet as u32, queued);
    }

    /// The handler of the device with an affinity leaves work to NET_RX_SOFTIRQ.
    pub(crate) fn raise_net_rx(&mut self, cpu: CpuId) {
        self.cpu(cpu).net_rx += 1;
        let queued = self.cpu(cpu).net_rx;
        self.emit(Kind::SoftirqRaise, cpu, Number::NetRx as u32, queued);
    }

    /// The end of a hardirq, interrupts off: softirqs run here unless one was interrupted, or
    /// threads run them.
    pub(crate) fn invoke_softirq(&mut self, cpu: CpuId) -> Flow {
        let state = &self.cpus[cpu];
        if !state.softirq_pending() || state.in_softirq {
            return Flow::Again;
        }
        if self.kernel().preempt().is_rt() && self.ksoftirqd(cpu).is_some() {
            return self.wake_ksoftirqd(cpu);
        }
        let at_once = state.tasklets > 0 && self.kernel().tasklets_run_at_once();
        if self.kernel().ksoftirqd_defers()
            && !at_once
            && self.ksoftirqd(cpu).is_some_and(|task| self.task(task).state == TaskState::Runnable)
        {
            return Flow::Again;
        }
        Flow::Call(Frame::Softirq(Softirq::new()))
    }

    fn ksoftirqd(&self, cpu: CpuId) -> Option<TaskId> {
        let load = self.setup.softirq?;
        load.cpus
            .iter()
            .position(|other| other == cpu)
            .map(|nth| TaskId::new(load.first_task + nth as u32))
    }

    fn wake_ksoftirqd(&mut self, cpu: CpuId) -> Flow {
        match self.ksoftirqd(cpu).filter(|task| self.task(*task).state == TaskState::Sleeping) {
            Some(task) => Flow::Call(Frame::Ttwu(Ttwu::new(task))),
            None => Flow::Again,
        }
    }
}
