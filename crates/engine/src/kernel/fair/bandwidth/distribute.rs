//! distribute_cfs_runtime(): a refill or a slack timer hands run time to the throttled queues, one
//! run-queue lock at a time (docs/model/bandwidth.md#distribution).
//!
//! Three generations: the pool itself (to 3.16), a copy of the pool, subtracted afterwards (3.17 to
//! 5.6), or the pool under its lock, queue by queue. While a copy is being handed out, run time
//! that another CPU takes from the pool is spent twice.

use super::pool::{level, signed};
use super::throttle::Unthrottle;
use super::throttled::Walk;
use super::{By, CfsRqBandwidth};
use crate::ids::{CpuId, GroupId};
use crate::kernel::config::BwDistribution;
use crate::kernel::frame::{Flow, Frame};
use crate::machine::spinlock::LockId;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// One walk along the list of throttled queues; its state is the group's [`Walk`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distribute {
    group: GroupId,
    by: By,
    /// Run queue in hand.
    rq: CpuId,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Next,
    RqLocked,
    Locked,
    Held,
    Given,
    Unlock,
    Local,
    LocalLocked,
    End,
}

impl Distribute {
    /// About to walk; the group's walk of `by` has begun.
    pub fn new(group: GroupId, by: By) -> Self {
        Self { group, by, rq: CpuId::FIRST, step: Step::Next }
    }

    fn walk<'s>(&self, sim: &'s mut Sim) -> &'s mut Walk {
        sim.bw_mut(self.group).list.walk_mut(self.by)
    }

    /// Next step on `cpu`, in hard-irq context.
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let locked = sim.kernel().bandwidth.distribution().takes_under_lock();
        match self.step {
            Step::Next => self.next(sim, locked),
            Step::RqLocked => {
                let own: &CfsRqBandwidth = &sim.cfs_rq(self.rq, self.group).bandwidth;
                if !own.throttled() || own.csd_pending.is_some() {
                    self.step = Step::Unlock;
                    return Flow::Again;
                }
                let era = sim.kernel().bandwidth;
                if era.throttles_at_charge() && era.sees_running() {
                    // A task that still runs there adds to the debt.
                    sim.update_rq_clock(self.rq);
                    sim.charge_fair(cpu, self.rq);
                }
                self.step = if locked { Step::Locked } else { Step::Given };
                if locked {
                    Flow::Lock(sim.group_lock(self.group))
                } else {
                    self.give(sim, cpu, false)
                }
            }
            Step::Locked => {
                self.step = Step::Held;
                Flow::Spend(sim.cost(cpu, sim.setup.machine.costs.bw_hold_ns))
            }
            Step::Held => {
                self.step = Step::Given;
                let flow = self.give(sim, cpu, true);
                let lock = sim.group_lock(self.group);
                sim.unlock(cpu, lock);
                flow
            }
            Step::Given => self.given(sim, cpu),
            Step::Unlock => {
                sim.unlock(cpu, LockId::rq(self.rq));
                self.step = Step::Next;
                Flow::Again
            }
            Step::Local => {
                self.rq = cpu;
                self.step = Step::LocalLocked;
                Flow::Lock(LockId::rq(cpu))
            }
            Step::LocalLocked => {
                // Comes last, so that a walk does not end up running the tasks that it has just
                // unthrottled.
                self.step = Step::End;
                self.walk(sim).local = false;
                sim.cfs_rq_mut(cpu, self.group).bandwidth.csd_pending = None;
                let throttled = sim.cfs_rq(cpu, self.group).bandwidth.throttled();
                if throttled {
                    Flow::Call(Frame::Unthrottle(Unthrottle::new(cpu, self.group, self.by)))
                } else {
                    Flow::Again
                }
            }
            Step::End => {
                sim.unlock(cpu, LockId::rq(cpu));
                Flow::Done
            }
        }
    }

    fn next(&mut self, sim: &mut Sim, locked: bool) -> Flow {
        let group = sim.bw(self.group);
        let left = if locked {
            group.pool() > 0
        } else {
            group.list().walk(self.by).is_some_and(|walk| walk.remaining > 0)
        };
        let (next, first) = group.list().next(self.by);
        match next {
            // The first queue is looked at even if no run time is left, as in the kernel's loop.
            Some(rq) if left || first => {
                sim.bw_mut(self.group).list.advance(self.by);
                self.rq = rq;
                self.step = Step::RqLocked;
                Flow::Lock(LockId::rq(rq))
            }
            _ => {
                let walk = self.walk(sim);
                walk.throttled |= next.is_some();
                if !walk.local {
                    return Flow::Done;
                }
                self.step = Step::Local;
                Flow::Again
            }
        }
    }

    /// The debt and 1 ns more, as far as there is anything.
    fn give(&self, sim: &mut Sim, cpu: CpuId, locked: bool) -> Flow {
        let debt = sim.cfs_rq(self.rq, self.group).bandwidth.silo();
        let want = (1 - debt).max(0) as u64;
        let group = sim.bw_mut(self.group);
        let (expires, pool) = (group.expires, group.pool());
        let give;
        if locked {
            give = want.min(pool);
            group.pool_take(give);
        } else {
            let walk = group.list.walk_mut(self.by);
            give = want.min(walk.remaining);
            walk.remaining -= give;
            walk.used += give;
            group.books.in_walk -= give as i64;
        }
        let silo = signed(sim.silo_add(self.rq, self.group, give as i64));
        // The silo gets the deadline without its period's number
        // (docs/model/bandwidth.md#distribution).
        sim.cfs_rq_mut(self.rq, self.group).bandwidth.lexpires = expires;
        sim.emit(Kind::BwStep, self.rq, self.group.raw(), level(give));
        sim.emit(Kind::BwSilo, self.rq, self.group.raw(), silo);
        if locked {
            sim.show_pool(cpu, self.group);
        }
        Flow::Again
    }

    fn given(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        self.step = Step::Unlock;
        if sim.cfs_rq(self.rq, self.group).bandwidth.silo() <= 0 {
            self.walk(sim).throttled = true;
            return Flow::Again;
        }
        if !sim.kernel().bandwidth.csd() {
            return Flow::Call(Frame::Unthrottle(Unthrottle::new(self.rq, self.group, self.by)));
        }
        sim.cfs_rq_mut(self.rq, self.group).bandwidth.csd_pending = Some(self.by);
        if self.rq == cpu {
            self.walk(sim).local = true;
            return Flow::Again;
        }
        let list = &mut sim.rqs[self.rq].bw_csd;
        list.push(self.group);
        if list.len() == 1 {
            sim.call_single(cpu, self.rq);
        }
        Flow::Again
    }
}

impl Sim {
    /// A walk begins, under the group's lock: to 3.16 it takes the pool along, to 5.6 it notes the
    /// pool's content.
    pub(super) fn walk_begin(&mut self, cpu: CpuId, group: GroupId, by: By) -> Flow {
        let distribution = self.kernel().bandwidth.distribution();
        let b = self.bw_mut(group);
        let remaining = match distribution {
            BwDistribution::NewLocked => 0,
            BwDistribution::OldCopy => b.pool(),
            BwDistribution::Pre317 => {
                let pool = b.pool();
                b.pool_replace(0);
                b.books.in_walk += pool as i64;
                pool
            }
        };
        let (held, refills) = (b.pool().max(remaining), b.refills);
        b.list.begin(by, remaining, refills);
        self.emit(Kind::BwDistBegin, cpu, group.raw(), level(held));
        Flow::Call(Frame::Distribute(Distribute::new(group, by)))
    }

    /// Books a walk's results, under the group's lock. `subtract`: run time that was handed out of
    /// a copy is taken off the pool; if the pool has less by now, the difference has been spent
    /// twice. Returns whether queues are left throttled.
    pub(crate) fn walk_end(&mut self, cpu: CpuId, group: GroupId, by: By, subtract: bool) -> bool {
        let era = self.kernel().bandwidth;
        let b = self.bw_mut(group);
        let walk = b.list.end(by);
        let mut clip = 0;
        match era.distribution() {
            BwDistribution::NewLocked => {}
            BwDistribution::OldCopy => {
                b.books.in_walk += walk.used as i64;
                let off = if subtract { walk.used.min(b.pool()) } else { 0 };
                b.pool_take(off);
                clip = walk.used - off;
                b.books.most += clip as i64;
                if !subtract && walk.refills != b.refills {
                    // The refill threw the whole copy away, including the part that had been handed
                    // out.
                    let counted = clip.min(b.books.expired);
                    b.books.expired -= counted;
                    clip -= counted;
                }
                b.books.double_spent += clip;
            }
            BwDistribution::Pre317 => {
                // Run time that came back meanwhile is overwritten; after a refill the rest is too.
                b.books.in_walk -= walk.remaining as i64;
                if subtract {
                    b.books.dropped += b.pool_replace(walk.remaining);
                } else {
                    b.books.expired += walk.remaining;
                }
            }
        }
        let left = if era.csd() { walk.throttled } else { !b.list().is_empty() };
        self.emit(Kind::BwDistEnd, cpu, group.raw(), level(walk.used));
        if clip > 0 {
            self.bw_found_double_spend(group, clip);
            self.emit(Kind::BwDoubleSpend, cpu, group.raw(), level(clip));
        }
        self.show_pool(cpu, group);
        left
    }

    /// A policy that breaks a law is a finding, once per group; the books go on closing.
    fn bw_found_double_spend(&mut self, group: GroupId, clip: u64) {
        if self.bw(group).books.double_spent == clip {
            let path = self.group_spec(group).path.clone();
            let what = path
                + ": a distribution handed out run time that other CPUs had taken from the pool \
                    meanwhile, so it was spent twice";
            self.found("double_spend", what);
        }
    }
}
