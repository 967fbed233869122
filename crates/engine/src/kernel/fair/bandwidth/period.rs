//! sched_cfs_period_timer(): a new period. Hard-irq context, on the CPU that armed it
//! (docs/model/bandwidth.md#period-timer).

use super::By;
use crate::ids::{CpuId, GroupId};
use crate::kernel::frame::Flow;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;
use crate::trace::codes::IdlePeriod;

/// Loops of one callback before its period is doubled.
const LOOPS: u8 = 3;

/// The period timer's callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BwPeriod {
    group: GroupId,
    loops: u8,
    idle: bool,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Locked,
    Loop,
    Walked,
    WalkedHeld,
}

impl BwPeriod {
    /// The timer of `group` has expired.
    pub fn new(group: GroupId) -> Self {
        Self { group, loops: 0, idle: false, step: Step::Start }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let hold = sim.cost(cpu, sim.setup.machine.costs.bw_hold_ns);
        match self.step {
            Step::Start => {
                sim.bw_mut(self.group).in_callback = true;
                self.step = Step::Locked;
                Flow::Lock(sim.group_lock(self.group))
            }
            Step::Locked => {
                self.step = Step::Loop;
                Flow::Spend(hold)
            }
            Step::Loop => self.one(sim, cpu),
            Step::Walked => {
                self.step = Step::WalkedHeld;
                Flow::Lock(sim.group_lock(self.group))
            }
            Step::WalkedHeld => {
                let pre = sim.kernel().bandwidth.distribution().takes_pool_along();
                let (csd, b) = (sim.kernel().bandwidth.csd(), sim.bw(self.group));
                let walk = b.list().walk(By::Period).unwrap_or_default();
                // A CPU that has been asked to unthrottle its own is not waited for.
                let waits = if csd { walk.throttled } else { !b.list().is_empty() };
                if pre && walk.remaining > 0 && waits {
                    // To 3.16 the private copy goes round until it or the list is used up
                    // (docs/model/bandwidth.md#quota-pathologies).
                    return self.again(sim, cpu);
                }
                let left = sim.walk_end(cpu, self.group, By::Period, true);
                if left && sim.bw(self.group).pool() > 0 && !pre && self.may_walk(sim) {
                    return self.walk(sim, cpu);
                }
                sim.bw_mut(self.group).idle = false;
                self.step = Step::Loop;
                Flow::Again
            }
        }
    }

    /// One pass of the callback's loop: as many periods as have gone by.
    fn one(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let (now, era) = (sim.now, sim.kernel().bandwidth);
        if era.rescale_last() {
            self.rescale(sim);
        }
        let b = sim.bw_mut(self.group);
        if b.expiry > now {
            return self.end(sim, cpu);
        }
        let overrun = (now - b.expiry) / b.period + 1;
        b.expiry += overrun * b.period;
        self.loops += 1;
        self.idle = false;
        if era.rescales() && !era.rescale_last() {
            self.rescale(sim);
        }
        let b = sim.bw_mut(self.group);
        if b.quota.is_none() {
            self.idle = true;
            return Flow::Again;
        }
        let (throttled, was_idle) = (!b.list().is_empty(), b.idle);
        b.books.nr_periods += overrun;
        let stops = was_idle && !throttled;
        // Since 5.14 the refill happens even as the timer stops, because of the burst.
        if era.refill().keeps_rest() || !stops {
            sim.bw_refill(cpu, self.group);
        }
        if stops {
            self.idle = true;
            return Flow::Again;
        }
        let b = sim.bw_mut(self.group);
        if !throttled {
            b.idle = true;
            sim.emit(Kind::BwIdle, cpu, self.group.raw(), IdlePeriod::First as u32);
            return Flow::Again;
        }
        b.books.nr_throttled += overrun;
        if b.pool() > 0 && self.may_walk(sim) {
            return self.walk(sim, cpu);
        }
        sim.bw_mut(self.group).idle = false;
        Flow::Again
    }

    /// A fourth loop in one callback doubles the period: once its body is done (commit
    /// 5a6d6a6ccb5f, 5.8 on), or between its timer's move by the old period and its refill with the
    /// new quota.
    fn rescale(&mut self, sim: &mut Sim) {
        if self.loops > LOOPS {
            self.loops = 0;
            sim.bw_mut(self.group).rescale();
        }
    }

    /// From 4.19 to 5.7 a second distribution does not begin while one is under way.
    fn may_walk(&self, sim: &mut Sim) -> bool {
        !(sim.kernel().bandwidth.one_walk() && sim.bw(self.group).list().distributing())
    }

    fn walk(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        self.step = Step::Walked;
        let flow = sim.walk_begin(cpu, self.group, By::Period);
        let lock = sim.group_lock(self.group);
        sim.unlock(cpu, lock);
        flow
    }

    fn again(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        self.step = Step::Walked;
        sim.bw_mut(self.group).list.restart(By::Period);
        let lock = sim.group_lock(self.group);
        sim.unlock(cpu, lock);
        Flow::Call(crate::kernel::frame::Frame::Distribute(super::distribute::Distribute::new(
            self.group,
            By::Period,
        )))
    }

    fn end(&self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let b = sim.bw_mut(self.group);
        b.in_callback = false;
        b.period_active = !self.idle;
        if self.idle {
            sim.emit(Kind::BwIdle, cpu, self.group.raw(), IdlePeriod::Second as u32);
        } else {
            sim.bw_arm_period(cpu, self.group);
        }
        let lock = sim.group_lock(self.group);
        sim.unlock(cpu, lock);
        Flow::Done
    }
}
