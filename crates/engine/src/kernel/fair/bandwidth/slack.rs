//! sched_cfs_slack_timer(): hands out the run time that sleeping queues returned, before the period
//! ends (docs/model/bandwidth.md#slack-timer, docs/model/bandwidth.md#fixes-of-2019).

use super::By;
use super::pool::SLACK_GUARD_NS;
use crate::ids::{CpuId, GroupId};
use crate::kernel::config::SlackSubtract;
use crate::kernel::frame::Flow;
use crate::machine::spinlock::LockId;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;
use crate::trace::codes::SlackTimer;

/// The slack timer's callback, in hard-irq context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BwSlack {
    group: GroupId,
    /// Run queue the prototype is gathering from.
    rq: CpuId,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Locked,
    Fire,
    Gather,
    GatherRq,
    GatherLocked,
    GatherHeld,
    Again,
    Decide,
    Walked,
    Subtract,
}

impl BwSlack {
    /// The timer of `group` has expired.
    pub fn new(group: GroupId) -> Self {
        Self { group, rq: CpuId::FIRST, step: Step::Start }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let hold = Flow::Spend(sim.cost(cpu, sim.setup.machine.costs.bw_hold_ns));
        let lock = sim.group_lock(self.group);
        match self.step {
            Step::Start | Step::Again => {
                self.step = if self.step == Step::Start { Step::Locked } else { Step::Decide };
                Flow::Lock(lock)
            }
            Step::Locked => {
                self.step = Step::Fire;
                hold
            }
            Step::Fire => self.fire(sim, cpu),
            Step::Gather => self.gather(sim),
            Step::GatherRq => {
                self.step = Step::GatherLocked;
                Flow::Lock(lock)
            }
            Step::GatherLocked => {
                self.step = Step::GatherHeld;
                hold
            }
            Step::GatherHeld => {
                sim.gather_silo(cpu, self.rq, self.group);
                sim.unlock(cpu, lock);
                sim.unlock(cpu, LockId::rq(self.rq));
                self.step = Step::Gather;
                Flow::Again
            }
            Step::Decide => {
                // A timer armed while it gathered is forgotten, and may be armed once more.
                sim.bw_mut(self.group).slack_started = false;
                self.decide(sim, cpu)
            }
            Step::Walked => {
                if sim.kernel().bandwidth.distribution().takes_under_lock()
                    && !sim.kernel().bandwidth.one_walk()
                {
                    sim.walk_end(cpu, self.group, By::Slack, false);
                    return Flow::Done;
                }
                self.step = Step::Subtract;
                Flow::Lock(lock)
            }
            Step::Subtract => {
                self.subtract(sim, cpu);
                sim.unlock(cpu, lock);
                Flow::Done
            }
        }
    }

    /// With the group's lock held: hands out the run time in the pool, or first gathers the silos
    /// on its list.
    fn fire(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let gathers = sim.kernel().bandwidth.silo_return().gathers();
        let b = sim.bw_mut(self.group);
        b.slack_started = false;
        if !gathers {
            return self.decide(sim, cpu);
        }
        b.gathering.append(&mut b.slack_list);
        let lock = sim.group_lock(self.group);
        sim.unlock(cpu, lock);
        self.step = Step::Gather;
        Flow::Again
    }

    fn gather(&mut self, sim: &mut Sim) -> Flow {
        let gathering = &mut sim.bw_mut(self.group).gathering;
        if gathering.is_empty() {
            self.step = Step::Again;
            return Flow::Again;
        }
        self.rq = gathering.remove(0);
        self.step = Step::GatherRq;
        Flow::Lock(LockId::rq(self.rq))
    }

    /// With the group's lock held: nothing if the refill is near, if another distribution runs, or
    /// if there is too little.
    fn decide(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let (now, era, slice) = (sim.now, sim.kernel().bandwidth, sim.kernel().bandwidth_slice_ns);
        let lock = sim.group_lock(self.group);
        let b = sim.bw(self.group);
        let enough = era.slack_threshold().is_met(b.pool(), slice);
        let near = b.refill_within(now, SLACK_GUARD_NS);
        let busy =
            (era.one_walk() && b.list().distributing()) || b.list().walk(By::Slack).is_some();
        let goes = b.quota.is_some() && enough && !near && !busy;
        let act = match (goes, near) {
            (true, _) => SlackTimer::Fired,
            (false, false) => SlackTimer::Idle,
            (false, true) => SlackTimer::Near,
        };
        sim.emit(Kind::BwSlack, cpu, self.group.raw(), act as u32);
        if !goes {
            sim.unlock(cpu, lock);
            return Flow::Done;
        }
        self.step = Step::Walked;
        let flow = sim.walk_begin(cpu, self.group, By::Slack);
        sim.unlock(cpu, lock);
        flow
    }

    fn subtract(&self, sim: &mut Sim, cpu: CpuId) {
        let era = sim.kernel().bandwidth;
        let b = sim.bw(self.group);
        let same = b.list().walk(By::Slack).is_some_and(|walk| walk.refills == b.refills);
        let subtracts = match era.slack_subtract() {
            _ if era.distribution().takes_pool_along() => same,
            SlackSubtract::IfSamePeriod => same,
            SlackSubtract::Never => false,
            SlackSubtract::Always => true,
        };
        sim.walk_end(cpu, self.group, By::Slack, subtracts);
    }
}

impl Sim {
    /// Takes an idle queue's silo back to the pool, if it is of this period (Chiluk 2019's
    /// prototype).
    fn gather_silo(&mut self, cpu: CpuId, rq: CpuId, group: GroupId) {
        let never = !self.kernel().bandwidth.expiry().has_deadline();
        let expires = self.bw(group).expires;
        let cfs = self.cfs_rq_mut(rq, group);
        cfs.bandwidth.on_slack = false;
        let (queued, own) = (cfs.nr_queued() > 0, &cfs.bandwidth);
        if queued || own.silo() <= 0 || (own.lexpires != expires && !never) {
            return;
        }
        let silo = own.silo() as u64;
        self.silo_add(rq, group, -(silo as i64));
        self.bw_mut(group).pool_add(silo);
        self.emit(Kind::BwReturn, rq, group.raw(), super::pool::level(silo));
        self.show_pool(cpu, group);
        self.show_silo(rq, group);
    }
}
