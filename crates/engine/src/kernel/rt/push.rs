//! push_rt_tasks(): an overloaded CPU sends waiting RT tasks to CPUs that run weaker tasks
//! (docs/model/rt-balancing.md#push, docs/model/rt-balancing.md#first-active-code).

use crate::ids::{CpuId, TaskId};
use crate::kernel::config::Code2007;
use crate::kernel::core::double_lock::DoubleLocking;
use crate::kernel::core::preempt::Why;
use crate::kernel::core::wakeup::Ttwu;
use crate::kernel::frame::{Flow, Frame};
use crate::machine::spinlock::LockId;
use crate::machine::topology::Distance;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// find_lock_lowest_rq tries this often (RT_MAX_TRIES).
const RT_MAX_TRIES: u8 = 3;

/// Where push_rt_tasks(rq) is; that rq's lock is held at every step boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Push {
    rq: CpuId,
    task: TaskId,
    target: CpuId,
    tries: u8,
    /// Candidates tried anew after the first one changed (limited in 2007 only).
    retries: u8,
    /// push_rt_task() instead of the loop.
    once: bool,
    /// Asked for by another CPU (`pull` in the kernel): the running task may be pushed too.
    asked: bool,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Search,
    Locked,
    Move,
    Running,
    Woken,
    End,
}

impl Push {
    /// Push every task that can be pushed from `rq`, whose lock the executing CPU holds.
    pub fn new(rq: CpuId) -> Self {
        Self {
            rq,
            task: TaskId::new(0),
            target: CpuId::FIRST,
            tries: 0,
            retries: 0,
            once: false,
            asked: false,
            step: Step::Start,
        }
    }

    /// Pushes in an IPI's handler: a CPU that lowers its priority has asked for it.
    fn asked(rq: CpuId) -> Self {
        Self { asked: true, ..Self::new(rq) }
    }

    /// Push one task at most, as the handler of `ipi_4_1` does (commit b6366f048e0c).
    fn once(rq: CpuId) -> Self {
        Self { once: true, ..Self::asked(rq) }
    }

    /// Next step on `cpu`, which need not be the rq's own.
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::Start => self.start(sim, cpu),
            Step::Search => self.search(sim, cpu),
            Step::Locked => self.locked(sim, cpu),
            Step::Move => {
                sim.move_task(cpu, self.task, self.target);
                sim.resched_curr(cpu, self.target, Why::Balance);
                sim.ledger.pushes += 1;
                sim.emit(Kind::PushOk, cpu, self.task.raw(), self.target.raw());
                sim.unlock(cpu, LockId::rq(self.target));
                self.step = Step::Start;
                self.retries = 0;
                if self.once { Flow::Done } else { Flow::Again }
            }
            Step::Running => self.hand_over(sim, cpu),
            Step::Woken => {
                self.step = Step::End;
                Flow::Lock(LockId::rq(self.rq))
            }
            Step::End => Flow::Done,
        }
    }

    fn start(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let Some(task) = sim.push_candidate(self.rq) else { return Flow::Done };
        let curr_prio = sim.rqs[self.rq].curr.map_or(u8::MAX, |curr| sim.task(curr).prio);
        if sim.task(task).prio < curr_prio {
            sim.resched_curr(cpu, self.rq, Why::Balance);
            return Flow::Done;
        }
        if !sim.task(task).movable {
            return self.look_past(sim, cpu);
        }
        self.task = task;
        self.tries = 0;
        self.begin_search(sim, cpu)
    }

    /// The candidate may not migrate (commit a7c81556ec4d): if this CPU was asked, the task that
    /// runs may go instead, where something weaker than that runs.
    fn look_past(&mut self, sim: &Sim, cpu: CpuId) -> Flow {
        let curr = sim.rqs[self.rq].curr;
        let Some(curr) = curr.filter(|curr| sim.task(*curr).row().is_pushed_and_pulled) else {
            return Flow::Done;
        };
        if !self.asked || sim.rqs[self.rq].stop.push_busy {
            return Flow::Done;
        }
        self.task = curr;
        self.step = Step::Running;
        Flow::Spend(sim.search_lowest_ns(cpu, curr))
    }

    /// The stopper is woken with the run-queue lock released, and the push ends there
    /// (stop_one_cpu_nowait in push_rt_task).
    fn hand_over(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let home = sim.find_lowest_rq(self.task, cpu).filter(|target| *target != self.rq);
        let Some(stopper) = home.and_then(|_| sim.push_running(self.rq)) else { return Flow::Done };
        sim.unlock(cpu, LockId::rq(self.rq));
        self.step = Step::Woken;
        Flow::Call(Frame::Ttwu(Ttwu::new(stopper)))
    }

    /// find_lock_lowest_rq: the search takes time, and the pick is made at its end.
    fn begin_search(&mut self, sim: &Sim, cpu: CpuId) -> Flow {
        self.step = Step::Search;
        Flow::Spend(sim.search_lowest_ns(cpu, self.task))
    }

    /// The pick, and the target's lock at that instant. A picked CPU runs a weaker task, so the
    /// test that 4.0 put between the two (commit 80e3d87b2c55) cannot fail here; changes during the
    /// wait for the lock are found once it is held.
    fn search(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let Some(target) = sim.find_lowest_rq(self.task, cpu).filter(|target| *target != self.rq)
        else {
            return self.fail(sim, cpu);
        };
        self.target = target;
        self.step = Step::Locked;
        Flow::Call(Frame::DoubleLock(DoubleLocking::new(self.rq, target)))
    }

    /// Both locks are held; findings from before the own lock was dropped must be checked again
    /// (docs/model/locks-and-ipis.md#recheck-after-drop).
    fn locked(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        if sim.cpu(cpu).dropped && !self.still_pushable(sim) {
            sim.unlock(cpu, LockId::rq(self.target));
            return self.fail(sim, cpu);
        }
        if sim.rqs[self.target].rt.highest_curr > sim.task(self.task).prio {
            let costs = &sim.setup.machine.costs;
            let near = sim.setup.machine.topology.distance(self.rq, self.target) != Distance::Cross;
            let ns = sim.cost(cpu, if near { costs.push_llc_ns } else { costs.push_cross_ns });
            self.step = Step::Move;
            return Flow::Spend(ns);
        }
        sim.unlock(cpu, LockId::rq(self.target));
        self.tries += 1;
        if self.tries < RT_MAX_TRIES {
            return self.begin_search(sim, cpu);
        }
        self.fail(sim, cpu)
    }

    /// No home for the candidate: the loop ends, unless the own lock was dropped meanwhile and
    /// another is first now.
    fn fail(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        sim.emit(Kind::PushFail, cpu, self.task.raw(), 0);
        let changed = sim.push_candidate(self.rq).is_some_and(|first| first != self.task);
        let tired = sim.kernel().rt_balance().is_2007() && self.retries >= RT_MAX_TRIES;
        if !changed || tired {
            return Flow::Done;
        }
        self.retries += 1;
        self.step = Step::Start;
        Flow::Again
    }

    fn still_pushable(&self, sim: &Sim) -> bool {
        let rq = &sim.rqs[self.rq];
        let waits = rq.rt.active.contains(&self.task) && rq.curr != Some(self.task);
        let first =
            !sim.kernel().rechecks_first_pushable() || rq.rt.pushable.first() == Some(&self.task);
        waits && first && sim.task(self.task).movable && sim.task(self.task).cpus.has(self.target)
    }
}

/// An IPI's handler pushes: the own run queue's lock is taken for it and released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskedPush {
    once: bool,
    step: AskedStep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AskedStep {
    Start,
    Locked,
    Pushed,
}

impl AskedPush {
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            AskedStep::Start => {
                self.step = AskedStep::Locked;
                Flow::Lock(LockId::rq(cpu))
            }
            AskedStep::Locked => {
                // The pushable task may be gone by now; then the push ends at once.
                self.step = AskedStep::Pushed;
                Flow::Call(Frame::Push(if self.once { Push::once(cpu) } else { Push::asked(cpu) }))
            }
            AskedStep::Pushed => {
                sim.unlock(cpu, LockId::rq(cpu));
                Flow::Done
            }
        }
    }
}

impl Sim {
    /// `cpu` is asked to push its pushable tasks, one if `once`; nothing is locked if nothing is
    /// pushable.
    pub(crate) fn asked_push(&self, cpu: CpuId, once: bool) -> Flow {
        if self.rqs[cpu].rt.pushable.is_empty() {
            return Flow::Again;
        }
        Flow::Call(Frame::AskedPush(AskedPush { once, step: AskedStep::Start }))
    }

    /// The task push_rt_task would send away next: the first pushable one, by the 2007 rule before
    /// there was that list.
    fn push_candidate(&self, rq: CpuId) -> Option<TaskId> {
        let rt = &self.rqs[rq].rt;
        match self.kernel().rt_balance().code_2007() {
            Some(Code2007::First) => self.next_highest_2007(rq, |_| true),
            Some(Code2007::Routed) => self.next_highest_2007(rq, |task| self.task(task).movable),
            None => rt.pushable.first().copied().filter(|_| rt.overloaded),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::invariants::tests::busy;
    use crate::ids::{CPU0, CPU1};
    use crate::kernel::config::{Release, RtBalance, Version};

    /// Whether a push of the second of two tasks that wait on CPU 0 goes on after its lock was
    /// dropped.
    fn goes_on(version: &str, balance: RtBalance) -> bool {
        let release = Release::of(Version::parse(version).unwrap());
        let mut sim = busy();
        let kernel = &mut std::sync::Arc::make_mut(&mut sim.setup).kernel;
        (kernel.release, kernel.rt_balance) = (release, balance);
        // A task stronger than task 2 has come to wait.
        sim.rqs[CPU0].rt.pushable.insert(0, TaskId::new(1));
        let mut push = Push::new(CPU0);
        (push.task, push.target) = (TaskId::new(2), CPU1);
        push.still_pushable(&sim)
    }

    #[test]
    fn from_6_16_on_a_push_asks_under_its_lock_whether_its_task_is_still_the_first() {
        let pull = RtBalance::ActivePlist;
        for (version, expected) in [
            ("3.2", true),
            ("6.1", true),
            ("6.1.192", false),
            ("6.12", true),
            ("6.12.117", false),
            ("6.13", true),
            ("6.18", false),
            ("7.0", false),
        ] {
            assert_eq!(goes_on(version, pull), expected, "{version}");
        }
        assert!(!goes_on("4.15", RtBalance::Ipi2026Noself), "the code of 2026 by hand");
        assert!(goes_on("7.0", RtBalance::Active2008Routed), "2008 has no such list");
    }
}
