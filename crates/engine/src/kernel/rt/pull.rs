//! pull_rt_task(): a CPU that lowers its priority looks for a task it could run instead
//! (docs/model/rt-balancing.md#pull).
//!
//! Rostedt 2015: every CPU whose measuring thread goes to sleep sees the one overloaded CPU and
//! tries to take its lock. The filter on `highest_next` is read without that lock, so it does not
//! help the herd: all CPUs have read it before the first puller empties the queue.

use super::cpupri::NO_RT_PRIO;
use super::rto::RtoTell;
use super::rto_chain_4_1::Tell41;
use crate::ids::{CpuId, TaskId};
use crate::kernel::config::PushIpi;
use crate::kernel::core::double_lock::DoubleLocking;
use crate::kernel::core::preempt::Why;
use crate::kernel::core::wakeup::Ttwu;
use crate::kernel::fair::Enqueue;
use crate::kernel::frame::{Flow, Frame};
use crate::machine::ipi::RESCHEDULE;
use crate::machine::spinlock::LockId;
use crate::machine::topology::Distance;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;
use crate::trace::codes::Puller;

/// Where pull_rt_task is; the own rq lock is held at every step boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pull {
    this: CpuId,
    source: CpuId,
    /// At the end pull_rt_task() asks the running task of `this` to give way to the pulled task. In
    /// schedule() the pick follows anyway.
    asks: bool,
    taken: bool,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Next {
        from: CpuId,
    },
    Locked,
    Take {
        task: TaskId,
    },
    Nothing,
    /// The source's best task may not migrate.
    Bound,
    Woken,
    Stale,
    Unlock,
    End,
}

impl Pull {
    /// `this` CPU is about to run something weaker than before.
    pub fn new(this: CpuId) -> Self {
        Self { this, source: CpuId::FIRST, asks: false, taken: false, step: Step::Start }
    }

    /// Pulls from a balance callback: `this` CPU goes on with its running task unless it is asked
    /// to reschedule.
    pub fn callback(this: CpuId) -> Self {
        Self { asks: true, ..Self::new(this) }
    }

    #[inline]
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::Start => self.start(sim, cpu),
            Step::Next { from } => self.next(sim, cpu, from),
            Step::Locked => self.locked(sim, cpu),
            Step::Take { task } => {
                self.step = Step::Unlock;
                self.taken = true;
                sim.move_task(cpu, task, self.this);
                sim.ledger.pulls += 1;
                sim.emit(Kind::PullOk, cpu, task.raw(), self.source.raw());
                Flow::Again
            }
            Step::Bound => self.push_source(sim, cpu),
            Step::Woken => {
                self.step = Step::Next { from: self.source.next() };
                Flow::Lock(LockId::rq(self.this))
            }
            Step::Nothing => {
                sim.emit(Kind::PullFail, cpu, self.source.raw(), 0);
                self.step = Step::Unlock;
                Flow::Again
            }
            Step::Stale => {
                // Rostedt 2007: a bit left behind is cleared by who finds it; the first code
                // cleared the finder's own.
                if sim.rqs[self.source].rt.active.len() <= 1 {
                    let whose = if sim.kernel().has_bugs_2007() { self.this } else { self.source };
                    sim.clear_stale(whose);
                }
                sim.emit(Kind::PullFail, cpu, self.source.raw(), 0);
                self.step = Step::Unlock;
                Flow::Again
            }
            Step::Unlock => {
                sim.unlock(cpu, LockId::rq(self.source));
                self.step = Step::Next { from: self.source.next() };
                Flow::Again
            }
            Step::End => Flow::Done,
        }
    }

    fn start(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        self.step = Step::Next { from: CpuId::FIRST };
        let domain = sim.rd(self.this);
        if domain.rto_count() == 0 {
            return Flow::Done;
        }
        // 4.16: the only overloaded CPU is this one, so no other CPU has a task to give.
        if sim.kernel().rt_balance().only_overloaded_asks_nobody()
            && domain.rto_count() == 1
            && domain.rto_mask().has(self.this)
        {
            return Flow::Done;
        }
        if !sim.kernel().rt_push_ipi() {
            return Flow::Again;
        }
        self.step = Step::End;
        match sim.kernel().rt_balance().push_ipi() {
            PushIpi::NoBit => Flow::Again,
            PushIpi::ToEach => {
                // Rostedt 2015: one reschedule IPI to every CPU whose next task is stronger than
                // every task left here, no lock taken.
                let overloaded = *sim.rd(self.this).rto_mask();
                for target in overloaded.iter() {
                    if self.is_worth_it(sim, target) {
                        sim.send_ipi(cpu, target, RESCHEDULE);
                    }
                }
                Flow::Again
            }
            PushIpi::ChainOfEach => Flow::Call(Frame::Tell41(Tell41::new())),
            PushIpi::OneWalk => Flow::Call(Frame::RtoTell(RtoTell::new())),
        }
    }

    /// Whether to ask `source` at all, read without its lock: a task that waits there is stronger
    /// than every task left here. The filter came with the pushable list (commit 74ab8e4f6412);
    /// before, every overloaded CPU was locked.
    fn is_worth_it(&self, sim: &Sim, source: CpuId) -> bool {
        let stronger = sim.rqs[source].rt.highest_next < sim.rqs[self.this].rt.highest_curr;
        source != self.this && (stronger || sim.kernel().rt_balance().is_2007())
    }

    fn next(&mut self, sim: &mut Sim, cpu: CpuId, from: CpuId) -> Flow {
        let mut candidate = sim.rd(self.this).rto_mask().next(from);
        while let Some(source) = candidate {
            if self.is_worth_it(sim, source) {
                self.source = source;
                self.step = Step::Locked;
                sim.emit(Kind::PullTry, cpu, source.raw(), Puller::PullRtTask as u32);
                sim.ledger.pull_remote_acquisitions += 1;
                return Flow::Call(Frame::DoubleLock(DoubleLocking::new(self.this, source)));
            }
            candidate = sim.rd(self.this).rto_mask().next(source.next());
        }
        if self.asks && self.taken {
            sim.resched_curr(cpu, self.this, Why::Balance);
        }
        Flow::Done
    }

    /// Both locks are held: take the strongest task allowed here, unless it is about to run at the
    /// source.
    fn locked(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let costs = &sim.setup.machine.costs;
        let near = sim.setup.machine.topology.distance(self.this, self.source) != Distance::Cross;
        let (inspect, take) = if near {
            (costs.pull_inspect_llc_ns, costs.pull_llc_ns)
        } else {
            (costs.pull_inspect_cross_ns, costs.pull_cross_ns)
        };
        if sim.kernel().rt_balance().is_2007() && sim.rqs[self.source].rt.active.len() <= 1 {
            self.step = Step::Stale;
            return Flow::Spend(sim.cost(cpu, inspect));
        }
        match self.candidate(sim) {
            Some(task) if !sim.task(task).movable => {
                self.step = Step::Bound;
                Flow::Spend(sim.cost(cpu, inspect))
            }
            Some(task) => {
                // The section's price is that of touching the source's lines, so the task moves at
                // its end (docs/develop/decisions/0004-herd-law.md): until then every CPU that
                // looks still sees it.
                self.step = Step::Take { task };
                Flow::Spend(sim.cost(cpu, take))
            }
            None => {
                self.step = Step::Nothing;
                Flow::Spend(sim.cost(cpu, inspect))
            }
        }
    }
}

impl Pull {
    /// The task to take may not migrate: the source's stopper is asked to move the running task
    /// there (commit a7c81556ec4d).
    fn push_source(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let Some(stopper) = sim.push_running(self.source) else {
            self.step = Step::Nothing;
            return Flow::Again;
        };
        sim.emit(Kind::PullFail, cpu, self.source.raw(), 0);
        sim.unlock(cpu, LockId::rq(self.source));
        sim.unlock(cpu, LockId::rq(self.this));
        self.step = Step::Woken;
        Flow::Call(Frame::Ttwu(Ttwu::new(stopper)))
    }

    /// The strongest task of the source that may run here and is stronger than every task here,
    /// unless the source itself is about to run it; in 2007 also unless this CPU's task is stronger
    /// than the running task there.
    fn candidate(&self, sim: &Sim) -> Option<TaskId> {
        let source = &sim.rqs[self.source];
        let source_prio = source.curr.map_or(u8::MAX, |curr| sim.task(curr).prio);
        let this_prio = sim.rqs[self.this].rt.highest_curr;
        let allowed = |task: TaskId| sim.task(task).cpus.has(self.this) && sim.task(task).migratory;
        let found = if sim.kernel().rt_balance().is_2007() {
            let leaves_it = this_prio < NO_RT_PRIO && this_prio < source_prio;
            sim.next_highest_2007(self.source, allowed).filter(|_| !leaves_it)
        } else {
            source.rt.pushable.iter().copied().find(|task| allowed(*task))
        };
        found.filter(|task| sim.task(*task).prio < this_prio && sim.task(*task).prio >= source_prio)
    }
}

impl Sim {
    /// Clears a bit that its queue no longer earns; with the slips of 2007, even one that the queue
    /// earns.
    fn clear_stale(&mut self, cpu: CpuId) {
        if self.kernel().has_bugs_2007()
            || (self.rd(cpu).rto_mask().has(cpu) && !self.overload_due(cpu))
        {
            self.set_overload(cpu, false);
        }
    }

    /// The balance step of schedule(): prev was RT and has left the queue, and the remaining tasks
    /// are weaker (docs/model/rt-balancing.md#pull).
    pub(crate) fn needs_pull(&self, cpu: CpuId, prev: Option<TaskId>) -> bool {
        self.kernel().rt_balance().is_active()
            && prev.is_some_and(|prev| {
                let prev = self.task(prev);
                prev.row().has_rt_prio && !prev.on_rq && self.rqs[cpu].rt.highest_curr > prev.prio
            })
    }

    /// Moves a queued task that does not run; both rq locks are held.
    pub(crate) fn move_task(&mut self, cpu: CpuId, task: TaskId, target: CpuId) {
        let source = self.task(task).cpu;
        self.law(!self.task(task).on_cpu, || {
            format!("task {task} is moved while cpu {source} is not done with it")
        });
        let held = self.holds(cpu, LockId::rq(source)) && self.holds(cpu, LockId::rq(target));
        self.law(held, || {
            format!("cpu {cpu} moves task {task} from {source} to {target} without both locks")
        });
        // deactivate_task() and activate_task() read the clocks.
        self.update_rq_clock(source);
        self.dequeue_task(source, task);
        self.set_task_cpu(cpu, task, target);
        self.update_rq_clock(target);
        self.enqueue_task(target, task, Enqueue::Moved);
        self.wake_moved(task, target);
    }
}
