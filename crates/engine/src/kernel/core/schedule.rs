//! schedule(): lock the own rq, dequeue a blocked prev, balance, pick, switch, run the push
//! callback, unlock.
//!
//! The whole of schedule() is one window with interrupts off
//! (docs/model/locks-and-ipis.md#interrupts-off): a timer that expires inside is delivered at its
//! end. This window, not lock order alone, turns waiting in a herd into latency.

use super::preempt::{Bit, Point};
use super::task::TaskState;
use crate::account::latency::Phase;
use crate::ids::{CpuId, TaskId};
use crate::kernel::fair::load_balance::newidle::NewIdle;
use crate::kernel::fair::passive::Balance;
use crate::kernel::frame::{Entry, Flow, Frame};
use crate::kernel::rt::pull::Pull;
use crate::kernel::rt::push::Push;
use crate::machine::spinlock::LockId;
use crate::sim::Sim;
use crate::trace::catalogue::{Kind, NONE};

/// Where schedule() is; `prev` is the task it was entered with, if not idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    step: Step,
    prev: Option<TaskId>,
    /// None: the task blocks or yields, or the idle loop schedules, and no flag is asked.
    point: Option<Point>,
    /// This schedule() has searched other CPUs for a task.
    looked: bool,
    /// This schedule() is searching other CPUs: it reads the queue's clock again afterwards
    /// (update_blocked_averages(), attach_tasks()).
    looking: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Enter,
    Locked,
    /// The lock and the work after it, up to the pick, were one piece.
    Worked,
    /// Dequeue and pick were one piece of work.
    Picked,
    Balance,
    NewIdle,
    Pick,
    Switch,
    Chosen,
    /// Whom to switch to is picked, and its cache lines are cold.
    Warm {
        next: TaskId,
    },
    Switched,
    Callback,
    Unlock,
    Tail,
    TailLocked,
    TailUnlock,
    Leave,
    Again,
}

impl Schedule {
    /// About to disable interrupts; a flag at `point` led here.
    pub fn at(point: Point) -> Self {
        Self { point: Some(point), ..Self::explicit() }
    }

    /// About to disable interrupts; the caller asked for schedule(), and no flag did.
    pub fn explicit() -> Self {
        Self { step: Step::Enter, prev: None, point: None, looked: false, looking: false }
    }

    /// Next step on `cpu`. schedule_ns is spent in three equal parts: dequeue, pick, switch.
    #[inline]
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let third = sim.cost(cpu, sim.setup.machine.costs.schedule_ns) / 3;
        if std::mem::take(&mut self.looking) {
            sim.update_rq_clock(cpu);
        }
        match self.step {
            Step::Enter => self.enter(sim, cpu),
            Step::Locked => self.locked(sim, cpu, third),
            Step::Worked | Step::Picked => self.worked(sim, cpu, third),
            Step::Balance => {
                if sim.needs_pull(cpu, self.prev) {
                    self.step = Step::NewIdle;
                    return Flow::Call(Frame::Pull(Pull::new(cpu)));
                }
                self.newly_idle(sim, cpu)
            }
            Step::NewIdle => self.newly_idle(sim, cpu),
            Step::Pick => {
                self.step = Step::Switch;
                Flow::Spend(third)
            }
            Step::Switch => {
                sim.charge_curr(cpu, cpu);
                self.step = Step::Chosen;
                // A queue found out of quota on the way down is throttled first, and the pick
                // starts again from the root.
                if sim.check_pick(cpu) || sim.rqs[cpu].nr_running() == 0 {
                    Flow::Again
                } else {
                    self.pick(sim, cpu, third)
                }
            }
            Step::Chosen => {
                // Throttling has taken the last task away.
                if !self.looked && sim.needs_newidle(cpu) {
                    // The lock is released meanwhile, and queues may come back: the pick starts
                    // again from the root.
                    let flow = self.newly_idle(sim, cpu);
                    self.step = Step::Switch;
                    return flow;
                }
                self.pick(sim, cpu, third)
            }
            Step::Warm { next } => self.switch(sim, cpu, Some(next), third),
            Step::Switched => {
                self.context_switch(sim, cpu);
                self.step = Step::Callback;
                Flow::Again
            }
            Step::Callback => {
                self.step = Step::Unlock;
                // To 4.1 the push waits until the lock was released.
                let now = !sim.kernel().has_post_schedule()
                    && std::mem::take(&mut sim.rqs[cpu].push_callback);
                if now { Flow::Call(Frame::Push(Push::new(cpu))) } else { Flow::Again }
            }
            Step::Tail => {
                sim.irq_disable(cpu);
                self.step = Step::TailLocked;
                Flow::Lock(LockId::rq(cpu))
            }
            Step::TailLocked => {
                self.step = Step::TailUnlock;
                Flow::Call(Frame::Push(Push::new(cpu)))
            }
            Step::Unlock | Step::TailUnlock => self.unlock(sim, cpu),
            Step::Leave => self.leave(sim, cpu),
            Step::Again => {
                if !sim.preempts_at(cpu, Point::ScheduleLoop) {
                    return Flow::Done;
                }
                *self = Self::at(Point::ScheduleLoop);
                Flow::Again
            }
        }
    }

    #[inline]
    fn enter(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        self.check_point(sim, cpu);
        sim.irq_disable(cpu);
        sim.draw_costs(cpu);
        let third = sim.cost(cpu, sim.setup.machine.costs.schedule_ns) / 3;
        sim.cpu(cpu).in_schedule = true;
        let lock = LockId::rq(cpu);
        let one = sim.picks_at_once(cpu) && sim.works_with_rq(cpu, lock, 2 * third);
        self.step = if one { Step::Worked } else { Step::Locked };
        Flow::Lock(lock)
    }

    #[inline]
    fn locked(&mut self, sim: &mut Sim, cpu: CpuId, third: u64) -> Flow {
        self.prev = sim.rqs[cpu].curr;
        sim.update_curr(cpu, cpu);
        if let Some(prev) = self.prev.filter(|prev| sim.task(*prev).state != TaskState::Runnable) {
            sim.account_sleep(cpu, prev);
            sim.block_task(cpu, prev);
        }
        if sim.works_on(cpu) && sim.only_picks(cpu, self.prev) {
            self.step = Step::Picked;
            return Flow::Spend(2 * third);
        }
        self.step = Step::Balance;
        Flow::Spend(third)
    }

    /// The piece of work is over.
    #[inline]
    fn worked(&mut self, sim: &mut Sim, cpu: CpuId, third: u64) -> Flow {
        if self.step == Step::Worked {
            sim.update_rq_clock_before(cpu, 2 * third);
            sim.count_pieces(1);
        }
        sim.count_pieces(1);
        self.step = Step::Switch;
        self.step(sim, cpu)
    }

    /// See [`Sim::take_apart`]; the work ends at `until`.
    pub(crate) fn take_apart(&mut self, sim: &mut Sim, cpu: CpuId, until: u64) {
        let third = sim.cost(cpu, sim.setup.machine.costs.schedule_ns) / 3;
        let (locked, balances) = (until - 2 * third, until - third);
        if self.step == Step::Worked {
            self.step = Step::Locked;
            if !sim.piece_is_over(cpu, locked) {
                return;
            }
            sim.rqs[cpu].clock = locked;
            self.step = Step::Picked;
        }
        if self.step == Step::Picked {
            let over = sim.piece_is_over(cpu, balances);
            self.step = if over { Step::Switch } else { Step::Balance };
        }
    }

    /// balance_fair(): if still nothing is left to run.
    #[inline]
    fn newly_idle(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        self.step = Step::Pick;
        if self.looked {
            return Flow::Again;
        }
        if sim.needs_idle_balance(cpu) {
            (self.looked, self.looking) = (true, true);
            return Flow::Call(Frame::Balance(Balance::newly_idle(cpu)));
        }
        self.looked = sim.needs_newidle(cpu);
        self.looking = self.looked;
        if self.looked { Flow::Call(Frame::NewIdle(NewIdle::new())) } else { Flow::Again }
    }

    /// The lock is released; up to 4.1 it is taken once more to push, after the switch.
    #[inline]
    fn unlock(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        sim.unlock(cpu, LockId::rq(cpu));
        let pushes = self.step == Step::Unlock && sim.pushes_in_tail(cpu);
        self.step = if pushes { Step::Tail } else { Step::Leave };
        if pushes {
            // finish_lock_switch turns interrupts on before schedule_tail_balance_rt or
            // post_schedule takes the lock again.
            sim.irq_enable(cpu);
        }
        Flow::Again
    }

    #[inline]
    fn leave(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let state = sim.cpu(cpu);
        state.in_schedule = false;
        // The way back to user code looks at the flags once more, after any interruption.
        state.returning = true;
        sim.irq_enable(cpu);
        if sim.looks_again(cpu) {
            // Interrupts that waited are taken first.
            self.step = Step::Again;
            return Flow::Again;
        }
        Flow::Done
    }

    /// A law (docs/model/preemption.md#preemption-laws): a task that could go on is left only where
    /// the model allows it, and never inside a section.
    fn check_point(&self, sim: &mut Sim, cpu: CpuId) {
        let model = sim.kernel().preempt();
        let state = sim.cpu(cpu);
        let (count, irq_off) = (state.preempt_count(), state.hw.irqs_off());
        let (now, lazy) = (state.need_resched.is_some(), state.need_resched_lazy.is_some());
        if let Some(point) = self.point {
            let honoured =
                now && model.honours(point, Bit::Now) || lazy && model.honours(point, Bit::Lazy);
            sim.law(honoured, || {
                format!(
                    "cpu {cpu} schedules at {point:?} without a flag that the model honours there"
                )
            });
            sim.law(!irq_off, || format!("cpu {cpu} schedules at {point:?} with interrupts off"));
        }
        sim.law(count == 0, || format!("cpu {cpu} schedules with preempt_count {count}"));
    }

    #[inline]
    fn pick(&mut self, sim: &mut Sim, cpu: CpuId, third: u64) -> Flow {
        sim.clear_need_resched(cpu);
        let next = sim.pick_next_task(cpu);
        if next == self.prev {
            sim.set_next_task(cpu, next, sim.kernel().pushes_after_same_pick());
            if let Some(next) = next {
                sim.wake_phase(next, Phase::Switching, cpu);
            }
            self.step = Step::Callback;
            return Flow::Again;
        }
        if let Some(next) = next {
            let cold_ns = sim.cold_ns(cpu, next, self.prev.is_none());
            if cold_ns > 0 {
                self.step = Step::Warm { next };
                return Flow::Spend(cold_ns);
            }
        }
        self.switch(sim, cpu, next, third)
    }

    /// `next` is picked and its lines are in the cache; the lock has been held since the pick.
    fn switch(&mut self, sim: &mut Sim, cpu: CpuId, next: Option<TaskId>, third: u64) -> Flow {
        let fair = self.prev.filter(|prev| sim.task(*prev).row().has_vruntime);
        if let Some(prev) = fair {
            sim.note_prev_fair(cpu, prev, true);
        }
        if let Some(prev) = self.prev {
            sim.reset_slice_extension(cpu, prev);
            sim.put_prev_task(cpu, prev);
            sim.task_mut(prev).last_ran = sim.now;
            if sim.task(prev).on_rq {
                sim.set_aside(prev, cpu);
            } else {
                sim.note_sleep(cpu, prev);
            }
        }
        if self.prev.is_none() {
            if sim.kernel().idle_charges_server() {
                sim.charge_idle(cpu, cpu);
            } else {
                sim.fair_server_update_idle(cpu);
            }
        }
        let rq = &mut sim.rqs[cpu];
        rq.curr = next;
        if next.is_none() {
            rq.server.idle_since = rq.clock;
            sim.hrtick_cancel(cpu);
        }
        sim.set_next_task(cpu, next, true);
        if let Some(prev) = fair {
            sim.note_prev_fair(cpu, prev, false);
        }
        if let Some(next) = next {
            let busy = std::mem::replace(&mut sim.task_mut(next).on_cpu, true);
            sim.law(!busy, || {
                format!("cpu {cpu} runs task {next}, which another CPU is not done with")
            });
        }
        sim.emit(
            Kind::SchedSwitch,
            cpu,
            self.prev.map_or(NONE, TaskId::raw),
            next.map_or(NONE, TaskId::raw),
        );
        if sim.user_locks.held > 0
            && let Some(prev) = self.prev
            && sim.task(prev).state == TaskState::Runnable
        {
            sim.tell_preempted_holder(cpu, prev);
        }
        sim.count_switch(cpu, self.prev, next);
        sim.watch_switch(cpu);
        if let Some(next) = next {
            sim.wake_phase(next, Phase::Switching, cpu);
        }
        self.step = Step::Switched;
        Flow::Spend(third)
    }

    /// Swaps the frames below this one: the previous task keeps its own, the next task's come back.
    #[inline]
    fn context_switch(&self, sim: &mut Sim, cpu: CpuId) {
        let next = sim.rqs[cpu].curr;
        let state = &mut sim.cpus[cpu];
        let schedule = state.stack.pop().expect("schedule() is on the stack it runs on");
        let below = match next {
            Some(next) => std::mem::take(&mut sim.tasks[next].stack),
            None => std::mem::take(&mut state.idle_stack),
        };
        let mut saved = std::mem::replace(&mut state.stack, below);
        if next.is_none() {
            state.stack.push(Entry::new(Frame::Idle(super::idle::Idle::Enter)));
        }
        state.stack.push(schedule);
        if let Some(prev) = self.prev {
            sim.tasks[prev].stack = saved;
            sim.finish_task(prev);
        } else {
            saved.clear();
            state.idle_stack = saved;
        }
    }
}

impl Sim {
    /// Whether schedule() on `cpu`, which holds its queue's lock and leaves `prev`, will search no
    /// other CPU: the lock protects everything that this depends on. If it would ask for a fair
    /// task first, it may search: from 6.12 on that pick takes tasks that only sleep on the queue
    /// off it.
    #[inline]
    fn only_picks(&self, cpu: CpuId, prev: Option<TaskId>) -> bool {
        let rq = &self.rqs[cpu];
        let leaves = || rq.curr.is_none_or(|curr| !self.task(curr).on_rq);
        let asks = || leaves() && self.may_have_delayed();
        let finds_rt =
            !rq.rt.active().is_empty() && !rq.rt_time.is_throttled() && !rq.server.is_queued();
        rq.nr_running() > 0 && (finds_rt || !asks()) && !self.needs_pull(cpu, prev)
    }

    /// Whether schedule() [only picks](Self::only_picks) before it takes the lock, which is free,
    /// where it leaves the idle task: nothing is charged or dequeued first.
    #[inline]
    fn picks_at_once(&self, cpu: CpuId) -> bool {
        self.rqs[cpu].curr.is_none()
            && self.locks[LockId::rq(cpu)].is_free()
            && self.only_picks(cpu, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::invariants::tests::busy;
    use crate::kernel::config::Preempt;

    /// The law that a switch at `point` on CPU 0 breaks under `model`, with these flags; `None` if
    /// it breaks none.
    fn said(
        model: Preempt,
        point: Option<Point>,
        (now, lazy): (bool, bool),
        irq_off: bool,
    ) -> Option<String> {
        let mut sim = busy();
        std::sync::Arc::make_mut(&mut sim.setup).kernel.preempt = model;
        let cpu = sim.cpu(CpuId::new(0));
        (cpu.need_resched, cpu.need_resched_lazy) = (now.then_some(0), lazy.then_some(0));
        if irq_off {
            cpu.hw.irq_disable(0);
        }
        let schedule = point.map_or_else(Schedule::explicit, Schedule::at);
        schedule.check_point(&mut sim, CpuId::new(0));
        sim.fault
    }

    #[test]
    fn a_switch_without_a_flag_that_its_point_honours_is_caught() {
        let unflagged =
            |said: Option<String>| said.is_some_and(|said| said.contains("without a flag"));
        assert!(unflagged(said(Preempt::Full, Some(Point::IrqExit), (false, false), false)));
        assert!(
            unflagged(said(Preempt::Lazy, Some(Point::PreemptEnable), (false, true), false)),
            "a lazy flag waits for user mode"
        );
        assert!(unflagged(said(Preempt::None, Some(Point::IrqExit), (true, false), false)));
        assert_eq!(said(Preempt::Lazy, Some(Point::ReturnToUser), (false, true), false), None);
        assert_eq!(said(Preempt::Full, Some(Point::IrqExit), (true, false), false), None);
        assert_eq!(said(Preempt::None, None, (false, false), false), None);
    }

    #[test]
    fn a_preemption_with_interrupts_off_is_caught() {
        let said = said(Preempt::Full, Some(Point::PreemptEnable), (true, false), true);
        assert!(said.is_some_and(|said| said.contains("with interrupts off")));
    }
}
