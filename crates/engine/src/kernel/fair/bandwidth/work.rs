//! Does the noted work that needs a group's lock, under the run-queue lock that is held already.

use crate::ids::{CpuId, GroupId};
use crate::kernel::core::preempt::Why;
use crate::kernel::frame::Flow;
use crate::machine::spinlock::LockId;
use crate::sim::Sim;

/// Work of a queue that needs its group's lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A slice: the silo is empty while the group runs (assign_cfs_rq_runtime()). From 7.2 on
    /// failing means being throttled.
    Assign,
    /// A slice on enqueue, where failing means being throttled (check_enqueue_throttle()).
    Enqueue,
    /// To be throttled (throttle_cfs_rq()).
    Throttle,
    /// To give back the part that it does not keep (return_cfs_rq_runtime()).
    Return,
}

/// The work noted on `rq`, item by item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BwWork {
    rq: CpuId,
    /// Lock the interrupted frame asked for, taken at the end.
    then: Option<LockId>,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Next,
    Locked { group: GroupId, work: Work },
    Held { group: GroupId, work: Work },
    Done,
}

impl BwWork {
    /// About to look at the work noted on `rq`; `then` is the lock that its frame takes next.
    pub fn new(rq: CpuId, then: Option<LockId>) -> Self {
        Self { rq, then, step: Step::Next }
    }

    /// Next step on `cpu`, which holds the lock of the run queue.
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::Next => self.next(sim, cpu),
            Step::Locked { group, work } => {
                self.step = Step::Held { group, work };
                Flow::Spend(sim.cost(cpu, sim.setup.machine.costs.bw_hold_ns))
            }
            Step::Held { group, work } => {
                sim.bw_do(cpu, self.rq, group, work);
                let lock = sim.group_lock(group);
                sim.unlock(cpu, lock);
                self.step = Step::Next;
                Flow::Again
            }
            Step::Done => Flow::Done,
        }
    }

    fn next(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        while !sim.rqs[self.rq].bw_pending.is_empty() {
            let (group, work) = sim.rqs[self.rq].bw_pending.remove(0);
            if sim.bw_wants(self.rq, group, work) {
                let hold = sim.cost(cpu, sim.setup.machine.costs.bw_hold_ns);
                self.step = if sim.works_with_lock(cpu, hold) {
                    Step::Held { group, work }
                } else {
                    Step::Locked { group, work }
                };
                return Flow::Lock(sim.group_lock(group));
            }
        }
        let rq = &mut sim.rqs[self.rq];
        let unlocks = std::mem::take(&mut rq.bw_unlock);
        if let (Some(joined), Some(curr)) = (rq.bw_preempt.take(), rq.curr) {
            sim.check_preempt_fair(cpu, self.rq, joined, curr);
        }
        if unlocks {
            sim.unlock(cpu, LockId::rq(self.rq));
            sim.irq_enable(cpu);
        }
        if let Some(other) = sim.noted_on_held(cpu) {
            self.rq = other;
            return Flow::Again;
        }
        self.step = Step::Done;
        self.then.map_or(Flow::Done, Flow::Lock)
    }
}

impl Sim {
    /// Does one thing under the group's lock.
    fn bw_do(&mut self, cpu: CpuId, rq: CpuId, group: GroupId, work: Work) {
        let era = self.kernel().bandwidth;
        let slice = if era.misses_running() { 1 } else { self.kernel().bandwidth_slice_ns };
        let at_charge = era.throttles_at_charge();
        match work {
            Work::Assign => {
                let runs = self.cfs_rq(rq, group).curr.is_some();
                if self.bw_take(cpu, rq, group, slice) {
                    return;
                }
                if at_charge {
                    self.throttle_now(cpu, rq, group);
                } else if runs {
                    self.resched_curr(cpu, rq, Why::Quota);
                }
            }
            Work::Enqueue if at_charge => self.throttle_cfs_rq(cpu, rq, group),
            Work::Enqueue => {
                if !self.bw_take(cpu, rq, group, slice) {
                    self.rqs[rq].bw_pending.insert(0, (group, Work::Throttle));
                }
            }
            Work::Throttle => self.throttle_cfs_rq(cpu, rq, group),
            Work::Return => {
                debug_assert!(
                    !self.kernel().bandwidth.silo_return().keeps_nothing()
                        || self.cfs_rq(rq, group).bandwidth.silo() > 0
                );
                self.bw_return(cpu, rq, group);
            }
        }
    }
}
