//! Operations on a group's pool under its lock: refill, start, take, return
//! (docs/model/bandwidth.md#refill, docs/model/bandwidth.md#take, docs/model/bandwidth.md#return).

use super::state::CfsBandwidth;
use crate::ids::{CpuId, GroupId};
use crate::kernel::config::{Expiry, SiloReturn};
use crate::kernel::hrtimer::{Timer, TimerKind};
use crate::sim::Sim;
use crate::trace::catalogue::Kind;
use crate::trace::codes::{SlackSkip, SlackTimer};

/// From the first return to the slack timer's distribution, ns (cfs_bandwidth_slack_period).
const SLACK_NS: u64 = 5_000_000;
/// A slack distribution this close before a refill is left out, ns (min_bandwidth_expiration).
pub(super) const SLACK_GUARD_NS: u64 = 2_000_000;
/// Runtime of 1 ms that v4 and the prototype keep back, ns.
const KEEP_NS: i64 = 1_000_000;

/// A level as a trace column holds it.
pub(super) fn level(ns: u64) -> u32 {
    u32::try_from(ns).unwrap_or(u32::MAX).min(u32::MAX - 1)
}

/// A silo as a trace column holds it: an i32 in the bits of a u32.
pub(super) fn signed(ns: i64) -> u32 {
    ns.clamp(i64::from(i32::MIN), i64::from(i32::MAX - 1)) as i32 as u32
}

impl Sim {
    pub(crate) fn bw(&self, group: GroupId) -> &CfsBandwidth {
        &self.bandwidths[group]
    }

    /// Bandwidth to change: marks its books, which are compared once more when the event is over.
    pub(crate) fn bw_mut(&mut self, group: GroupId) -> &mut CfsBandwidth {
        if self.bw_touched.last() != Some(&group) {
            self.bw_touched.push(group);
        }
        &mut self.bandwidths[group]
    }

    /// Adds `ns`, which may be negative, to the silo of `rq`; no other code changes a silo. Returns
    /// the new level.
    pub(crate) fn silo_add(&mut self, rq: CpuId, group: GroupId, ns: i64) -> i64 {
        let (before, after) = self.cfs_rq_mut(rq, group).bandwidth.change_silo(ns);
        let silos = &mut self.bw_mut(group).books.silos;
        *silos = (silos.0 + ns, silos.1 + after.max(0) - before.max(0));
        after
    }

    /// The pool's level has changed on `cpu`.
    pub(super) fn show_pool(&mut self, cpu: CpuId, group: GroupId) {
        let pool = level(self.bw(group).pool());
        self.emit(Kind::BwPool, cpu, group.raw(), pool);
    }

    pub(super) fn show_silo(&mut self, rq: CpuId, group: GroupId) {
        let silo = signed(self.cfs_rq(rq, group).bandwidth.silo());
        self.emit(Kind::BwSilo, rq, group.raw(), silo);
    }

    /// __refill_cfs_bandwidth_runtime(): `Reset` throws the rest of the pool away, `Accumulate`
    /// keeps up to quota + burst.
    pub(super) fn bw_refill(&mut self, cpu: CpuId, group: GroupId) {
        let (now, era) = (self.now, self.kernel().bandwidth);
        let b = self.bw_mut(group);
        let Some(quota) = b.quota else { return };
        let before = b.pool();
        let mut burst = 0;
        if era.refill().keeps_rest() {
            b.pool_add(quota);
            burst = b.pool_snap.saturating_sub(b.pool());
            b.books.nr_bursts += u64::from(burst > 0);
            b.books.burst_ns += burst;
            let most = quota.saturating_add(b.burst);
            b.books.expired += b.pool().saturating_sub(most);
            b.pool_replace(b.pool().min(most));
            b.pool_snap = b.pool();
        } else {
            b.books.expired += b.pool_replace(quota);
        }
        let lost = before + quota - b.pool();
        b.books.granted += quota;
        b.books.most = quota.saturating_add(b.burst) as i64 + b.books.in_walk + b.books.silos.1;
        b.refills += 1;
        b.expires = now + b.period;
        b.seq += 1;
        self.emit(Kind::BwRefill, cpu, group.raw(), level(quota));
        for (kind, ns) in [(Kind::BwExpire, lost), (Kind::BwBurst, burst)] {
            if ns > 0 {
                self.emit(kind, cpu, group.raw(), level(ns));
            }
        }
        self.show_pool(cpu, group);
    }

    /// start_cfs_bandwidth(): the period timer runs from now on, pinned to `cpu`. Its periods lie
    /// where they lay, except to 4.1, where a restart refills and begins them anew.
    pub(super) fn bw_start(&mut self, cpu: CpuId, group: GroupId) {
        let (now, era) = (self.now, self.kernel().bandwidth);
        let b = self.bw_mut(group);
        if b.period_active {
            return;
        }
        b.period_active = true;
        if era.restart_refills() && now > 0 {
            b.expiry = now + b.period;
            self.bw_refill(cpu, group);
        } else if now > 0 {
            // Even a restart within the period in which the timer stopped begins one that expires
            // anew.
            let skipped = if b.expiry <= now { (now - b.expiry) / b.period + 1 } else { 0 };
            b.expiry += skipped * b.period;
            if era.expiry().is_by_seq() {
                b.expires += (skipped + 1) * b.period;
                b.seq += 1;
            }
        }
        self.bw_arm_period(cpu, group);
    }

    pub(super) fn bw_arm_period(&mut self, cpu: CpuId, group: GroupId) {
        let expiry = self.bw(group).expiry.max(self.now);
        self.cpu(cpu).timers.arm(Timer { expiry, kind: TimerKind::BwPeriod { group } });
        self.arm_device(cpu);
    }

    /// __assign_cfs_rq_runtime(): fills the silo of `rq` up to `target`, as far as the pool goes;
    /// whether it is above 0 now.
    pub(super) fn bw_take(&mut self, cpu: CpuId, rq: CpuId, group: GroupId, target: u64) -> bool {
        let want = (target as i64 - self.cfs_rq(rq, group).bandwidth.silo()).max(0) as u64;
        let give = if self.bw(group).quota.is_none() {
            self.bw_mut(group).books.granted += want;
            want
        } else {
            self.bw_start(cpu, group);
            want.min(self.bw(group).pool())
        };
        let expiry = self.kernel().bandwidth.expiry();
        let b = self.bw_mut(group);
        b.idle &= give == 0;
        b.pool_take(if b.quota.is_some() { give } else { 0 });
        let (expires, seq) = (b.expires, b.seq);
        let filled = self.silo_add(rq, group, give as i64) > 0;
        let own = &mut self.cfs_rq_mut(rq, group).bandwidth;
        match expiry {
            Expiry::TimeCmp | Expiry::BrokenTick => own.lexpires = own.lexpires.max(expires),
            Expiry::Seq if own.lseq != seq => (own.lseq, own.lexpires) = (seq, expires),
            Expiry::Seq | Expiry::Never => {}
        }
        self.emit(Kind::BwTake, rq, group.raw(), level(give));
        if give > 0 {
            self.show_pool(cpu, group);
            self.show_silo(rq, group);
        }
        filled
    }

    /// Whether the silo of `rq` still belongs to the group's period, so that it may be returned (to
    /// 5.3).
    fn bw_fresh(&mut self, rq: CpuId, group: GroupId) -> bool {
        // The prototype of Chiluk 2019 compares the mark of its kernel's periods: the number, or
        // the deadline in eras without numbers.
        let era = self.kernel().bandwidth;
        let by_seq = era.silo_return().gathers() && era.expiry().is_by_seq();
        let never = !era.expiry().has_deadline();
        let (expires, seq) = (self.bw(group).expires, self.bw(group).seq);
        let own = &self.cfs_rq(rq, group).bandwidth;
        never || if by_seq { own.lseq == seq } else { own.lexpires == expires }
    }

    /// __return_cfs_rq_runtime() under the group's lock: run time that is not kept back goes to the
    /// pool, or is lost if it is stale.
    pub(super) fn bw_return(&mut self, cpu: CpuId, rq: CpuId, group: GroupId) {
        let (era, slice) = (self.kernel().bandwidth, self.kernel().bandwidth_slice_ns);
        let fresh = self.bw_fresh(rq, group);
        let silo = self.cfs_rq(rq, group).bandwidth.silo();
        let excess = match era.silo_return() {
            SiloReturn::V4 if fresh && self.bw(group).pool() >= 3 * slice && silo > KEEP_NS => {
                silo - KEEP_NS
            }
            SiloReturn::V4 => silo,
            SiloReturn::Keep1ms | SiloReturn::Keep0 | SiloReturn::SegallList => {
                silo - era.min_keep_ns()
            }
        };
        let excess = excess.max(0) as u64;
        self.silo_add(rq, group, -(excess as i64));
        let b = self.bw_mut(group);
        if b.quota.is_none() {
            // A write has just made an end of the quota, and has not come to this queue yet.
            b.books.adjusted -= excess as i64;
            self.show_silo(rq, group);
            return;
        }
        if !fresh {
            if excess > 0 {
                b.books.dropped += excess;
                self.emit(Kind::BwDrop, rq, group.raw(), level(excess));
                self.show_silo(rq, group);
            }
            return;
        }
        b.pool_add(excess);
        let waiting = !b.list().is_empty();
        let enough = era.slack_threshold().is_met(b.pool(), slice);
        let listed = era.silo_return().gathers();
        if listed && !std::mem::replace(&mut self.cfs_rq_mut(rq, group).bandwidth.on_slack, true) {
            self.bw_mut(group).slack_list.insert(0, rq);
        }
        if excess > 0 {
            self.emit(Kind::BwReturn, rq, group.raw(), level(excess));
            self.show_pool(cpu, group);
            self.show_silo(rq, group);
        }
        if listed || (enough && waiting) {
            self.bw_start_slack(cpu, group);
        }
    }

    /// start_cfs_slack_bandwidth(): in 5 ms, unless a refill comes within 7; before 5.3 one under
    /// way is pushed forward.
    fn bw_start_slack(&mut self, cpu: CpuId, group: GroupId) {
        let (now, pushes) = (self.now, self.kernel().bandwidth.slack_pushes());
        let b = self.bw_mut(group);
        let skips =
            match (b.refill_within(now, SLACK_NS + SLACK_GUARD_NS), b.slack_started && !pushes) {
                (true, _) if b.in_callback => Some(SlackSkip::Refilling),
                (true, _) => Some(SlackSkip::Near),
                (false, true) => Some(SlackSkip::Armed),
                (false, false) => None,
            };
        if let Some(why) = skips {
            return self.emit(Kind::BwSlackSkip, cpu, group.raw(), why as u32);
        }
        let kind = TimerKind::BwSlack { group };
        b.slack_started = true;
        // hrtimer_start() moves a timer that is armed already, remembered (before 5.3) or forgotten
        // (Chiluk 2019's prototype).
        if pushes || self.kernel().bandwidth.silo_return().gathers() {
            let other = self.bw(group).slack_on;
            self.take_apart(other);
            if self.cpu(other).timers.cancel(kind) {
                self.arm_device(other);
            }
        }
        self.bw_mut(group).slack_on = cpu;
        self.cpu(cpu).timers.arm(Timer { expiry: now + SLACK_NS, kind });
        self.arm_device(cpu);
        self.emit(Kind::BwSlack, cpu, group.raw(), SlackTimer::Armed as u32);
    }
}
