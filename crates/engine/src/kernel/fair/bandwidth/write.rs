//! tg_set_cfs_bandwidth(): a write to cpu.max or cpu.max.burst
//! (docs/model/bandwidth.md#writing-a-quota). Any write unthrottles every queue.

use super::By;
use super::throttle::Unthrottle;
use crate::ids::{CpuId, GroupId};
use crate::kernel::frame::{Flow, Frame};
use crate::kernel::hrtimer::{Timer, TimerKind};
use crate::machine::spinlock::LockId;
use crate::setup::Quota;
use crate::sim::Sim;

/// The write, from CPU to CPU. It runs where a timer expired at once: the writing task is no part
/// of the simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BwWrite {
    group: GroupId,
    rq: CpuId,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Locked,
    Next,
    RqLocked,
    Unlock,
}

impl BwWrite {
    /// About to write the quota that was handed over.
    pub fn new(group: GroupId) -> Self {
        Self { group, rq: CpuId::FIRST, step: Step::Start }
    }

    /// The group whose quota is written.
    pub fn group(&self) -> GroupId {
        self.group
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let lock = sim.group_lock(self.group);
        match self.step {
            Step::Start => {
                self.step = Step::Locked;
                Flow::Lock(lock)
            }
            Step::Locked => {
                sim.bw_write(cpu, self.group);
                sim.unlock(cpu, lock);
                self.step = Step::Next;
                Flow::Again
            }
            Step::Next => {
                if self.rq == sim.rqs.ids().end() {
                    return Flow::Done;
                }
                self.step = Step::RqLocked;
                Flow::Lock(LockId::rq(self.rq))
            }
            Step::RqLocked => {
                self.step = Step::Unlock;
                let (quota, keeps) =
                    (sim.bw(self.group).quota, i64::from(sim.kernel().bandwidth.per_task()));
                let own = &mut sim.cfs_rq_mut(self.rq, self.group).bandwidth;
                own.enabled = quota.is_some();
                // Commit 956dfda6a708: 1 ns, or a queue whose tasks stop one by one could not be
                // unthrottled.
                let (silo, throttled) = (own.silo(), own.throttled());
                sim.silo_add(self.rq, self.group, keeps - silo);
                let books = &mut sim.bw_mut(self.group).books;
                (books.adjusted, books.most) = (books.adjusted + keeps - silo, books.most + keeps);
                sim.show_silo(self.rq, self.group);
                if throttled {
                    Flow::Call(Frame::Unthrottle(Unthrottle::new(self.rq, self.group, By::Config)))
                } else {
                    Flow::Again
                }
            }
            Step::Unlock => {
                sim.unlock(cpu, LockId::rq(self.rq));
                self.rq = self.rq.next();
                self.step = Step::Next;
                Flow::Again
            }
        }
    }
}

impl Sim {
    /// Hands a write over to the first CPU, which carries it out at once.
    pub(crate) fn write_quota(&mut self, group: GroupId, quota: Quota) {
        self.bw_mut(group).written = Some(quota);
        let expiry = self.now;
        self.cpu(CpuId::FIRST).timers.arm(Timer { expiry, kind: TimerKind::BwWrite { group } });
        self.arm_device(CpuId::FIRST);
    }

    fn bw_write(&mut self, cpu: CpuId, group: GroupId) {
        let now = self.now;
        let b = self.bw_mut(group);
        let Some(quota) = b.written.take() else { return };
        b.books.entitled = (b.entitled_ns(now), now);
        (b.quota, b.period, b.burst) = (quota.quota_ns, quota.period_ns, quota.burst_ns);
        if quota.quota_ns.is_none() {
            b.books.adjusted -= b.pool_replace(0) as i64;
            return;
        }
        self.bw_refill(cpu, group);
        self.bw_start(cpu, group);
    }

    /// Every group at time 0: those with a quota have a full pool, and their timer runs on the
    /// first CPU.
    pub(crate) fn start_bandwidth(&mut self) {
        for group in self.bandwidths.ids() {
            if self.bw(group).quota.is_none() {
                continue;
            }
            for cpu in self.cpus.ids() {
                self.cfs_rq_mut(cpu, group).bandwidth.enabled = true;
            }
            self.bw_start(CpuId::FIRST, group);
            self.show_pool(CpuId::FIRST, group);
        }
    }
}
