//! The state of bandwidth control: per group, and per group and CPU
//! (docs/model/bandwidth.md#pool-and-silo).

use super::By;
use super::throttled::ThrottledList;
use crate::ids::{CpuId, TaskId};
use crate::setup::Quota;

/// The period of a group that states none, ns (default_cfs_period(),
/// docs/model/bandwidth.md#quota-and-period).
const PERIOD_NS: u64 = 100_000_000;
/// Longest period a callback that cannot keep up may double to, ns (max_cfs_quota_period).
const PERIOD_MAX_NS: u64 = 1_000_000_000;

/// The accounts of a group, ns: `granted + double_spent + adjusted == pool + silos + in_walk +
/// usage + expired + dropped` at every event (docs/model/bandwidth.md#conservation), and the
/// figures of cpu.stat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Books {
    /// Added by refills, or run without a limit.
    pub granted: u64,
    /// Run.
    pub usage: u64,
    /// Thrown away by refills, or found too old on a CPU.
    pub expired: u64,
    /// Given up by a CPU that could not return it.
    pub dropped: u64,
    /// Run time that was handed out twice, because the pool had less than the amount to subtract.
    pub double_spent: u64,
    /// Made (positive) or forgiven by writes of the configuration.
    pub adjusted: i64,
    /// Held by distributions (positive), or handed out by them and not taken off the pool yet.
    pub in_walk: i64,
    /// Sum of the silos, and of those above 0.
    pub silos: (i64, i64),
    /// The most that pool, distributions and silos above 0 may hold together until the next refill
    /// (docs/model/bandwidth.md#conservation).
    pub most: i64,
    /// cpu.stat: periods that ended while the timer ran.
    pub nr_periods: u64,
    /// cpu.stat: of them, with a queue throttled at their end.
    pub nr_throttled: u64,
    /// cpu.stat: time queues were throttled, all CPUs together, counted as each is unthrottled, ns.
    pub throttled_ns: u64,
    /// cpu.stat.local: time queues had something to run and were kept from it, by themselves or by
    /// one above; counted when they are unthrottled, ns.
    pub throttled_local_ns: u64,
    /// cpu.stat: periods that used more than a quota.
    pub nr_bursts: u64,
    /// cpu.stat: run time beyond the quota in these periods, ns.
    pub burst_ns: u64,
    /// Times its lock was taken.
    pub lock_acquisitions: u64,
    /// Entitled to before the last write of the configuration, ns, and since when the present one
    /// holds.
    pub entitled: (u64, u64),
    /// Refill that ends the period usage is being counted in, ns; its usage so far, and the most of
    /// any period, ns.
    pub window: (u64, u64, u64),
}

/// cfs_bandwidth: the fields that a group's lock protects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CfsBandwidth {
    /// Run time per period, ns; `None` is no limit.
    pub quota: Option<u64>,
    /// The period, ns.
    pub period: u64,
    /// Unused quota that may accumulate beyond one quota, ns.
    pub burst: u64,
    /// Remaining runtime of all CPUs together, ns.
    pool: u64,
    /// The pool right after the last refill (5.14 on).
    pub pool_snap: u64,
    /// A period went by without a throttled queue.
    pub idle: bool,
    /// The period timer is armed or its callback runs.
    pub period_active: bool,
    /// The callback runs.
    pub in_callback: bool,
    /// When the period timer expires next, or expired last.
    pub expiry: u64,
    /// The slack timer is armed.
    pub slack_started: bool,
    /// The CPU that armed the slack timer last; an armed timer is on it.
    pub slack_on: CpuId,
    /// The group's throttled queues (throttled_cfs_rq).
    pub(super) list: ThrottledList,
    /// Refills so far.
    pub refills: u64,
    /// When the runtime in the pool expires (to 5.3).
    pub expires: u64,
    /// Counts the periods that expire (4.18 to 5.3).
    pub seq: u32,
    /// CPUs whose silos are owed to the slack timer, latest first (Chiluk 2019's prototype).
    pub slack_list: Vec<CpuId>,
    /// The CPUs of `slack_list` that the callback is gathering from.
    pub gathering: Vec<CpuId>,
    /// A configuration written and not taken over yet.
    pub written: Option<Quota>,
    /// The books, which only bandwidth control writes.
    pub(super) books: Books,
}

/// A group's share of one CPU; the run queue's lock protects it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CfsRqBandwidth {
    /// The group has a quota.
    pub enabled: bool,
    /// Runtime left here, ns; negative is debt.
    silo: i64,
    /// Out of runtime, and on the group's list.
    throttled: bool,
    /// Throttled, and gone from its parent's queue: no queue above counts the entities queued here
    /// (to 6.17).
    dequeued: bool,
    /// Throttled while a task of it ran, which goes on: a change of that task took it off the queue
    /// and put it back.
    pub runs_on: bool,
    /// How many queues from the root down to this one are throttled.
    throttle_count: u32,
    /// Since when it counts as throttled.
    pub throttled_since: Option<u64>,
    /// Since when something here waits for it to be unthrottled, or for one above
    /// (throttled_clock_self).
    pub kept_since: Option<u64>,
    /// When the runtime in the silo expires (to 5.3).
    pub lexpires: u64,
    /// The number of the period that the silo's runtime comes from (4.18 to 5.3).
    pub lseq: u32,
    /// On the slack list (Chiluk 2019's prototype).
    pub on_slack: bool,
    /// The CPU has been asked to unthrottle this queue (6.3 on), and by which code.
    pub csd_pending: Option<By>,
    /// Tasks stopped on their way to user code, latest first (6.18 on).
    limbo: Vec<TaskId>,
}

impl CfsRqBandwidth {
    /// Runtime left here, ns; negative is debt.
    #[inline]
    pub fn silo(&self) -> i64 {
        self.silo
    }

    /// Changes the silo and returns it before and after; the caller updates the group's books
    /// ([`Sim::silo_add`](crate::sim::Sim::silo_add)).
    pub(super) fn change_silo(&mut self, ns: i64) -> (i64, i64) {
        let before = self.silo;
        self.silo += ns;
        (before, self.silo)
    }

    /// Out of runtime, and on the group's list.
    #[inline]
    pub fn throttled(&self) -> bool {
        self.throttled
    }

    /// Throttled, and gone from its parent's queue: no queue above counts the entities queued here.
    #[inline]
    pub fn dequeued(&self) -> bool {
        self.dequeued
    }

    /// How many queues from the root down to this one are throttled.
    #[inline]
    pub fn throttle_count(&self) -> u32 {
        self.throttle_count
    }

    /// Tasks stopped on their way to user code, latest first (6.18 on).
    pub fn limbo(&self) -> &[TaskId] {
        &self.limbo
    }

    /// The queue has been put on the group's list; `leaves` its parent's queue with all its tasks.
    pub(super) fn throttle(&mut self, leaves: bool) {
        (self.throttled, self.dequeued) = (true, leaves);
    }

    /// Ends the throttling; returns whether the queue was throttled.
    pub(super) fn unthrottle(&mut self) -> bool {
        self.dequeued = false;
        std::mem::take(&mut self.throttled)
    }

    /// A queue from the root down to this one has been throttled (`down`) or unthrottled; how many
    /// were before.
    pub(super) fn count_throttled(&mut self, down: bool) -> u32 {
        let before = self.throttle_count;
        self.throttle_count = if down { before + 1 } else { before - 1 };
        before
    }

    /// `task` stops here.
    pub(super) fn limbo_add(&mut self, task: TaskId) {
        self.limbo.insert(0, task);
    }

    /// `task` goes on, alone.
    pub(super) fn limbo_del(&mut self, task: TaskId) {
        self.limbo.retain(|other| *other != task);
    }

    /// All go on.
    pub(super) fn limbo_take(&mut self) -> Vec<TaskId> {
        std::mem::take(&mut self.limbo)
    }

    /// Keeps the room of the emptied list, so that the next stop allocates nothing.
    pub(super) fn limbo_keep(&mut self, emptied: Vec<TaskId>) {
        if self.limbo.is_empty() {
            self.limbo = emptied;
        }
    }

    /// The fields that say whether it is throttled, and how often up the tree, for tests that
    /// damage them.
    #[cfg(test)]
    pub(crate) fn damaged_throttling(&mut self) -> (&mut bool, &mut u32) {
        (&mut self.throttled, &mut self.throttle_count)
    }

    /// The tasks stopped here, for tests that damage them.
    #[cfg(test)]
    pub(crate) fn damaged_limbo(&mut self) -> &mut Vec<TaskId> {
        &mut self.limbo
    }

    /// The silo, for tests that damage it.
    #[cfg(test)]
    pub(crate) fn damaged_silo(&mut self) -> &mut i64 {
        &mut self.silo
    }
}

impl CfsBandwidth {
    #[inline]
    pub fn books(&self) -> &Books {
        &self.books
    }

    /// The group's throttled queues, and the distributions that walk along them.
    #[inline]
    pub fn list(&self) -> &ThrottledList {
        &self.list
    }

    /// The list, for tests that damage it.
    #[cfg(test)]
    pub(crate) fn damaged_list(&mut self) -> &mut ThrottledList {
        &mut self.list
    }

    /// Counts one acquisition of the group's lock.
    #[inline]
    pub(crate) fn count_lock(&mut self) {
        self.books.lock_acquisitions += 1;
    }

    /// The books, for tests that damage them.
    #[cfg(test)]
    pub(crate) fn damaged_books(&mut self) -> &mut Books {
        &mut self.books
    }

    /// The group of `quota` at time 0: pool full, timer armed for the first refill
    /// (docs/model/bandwidth.md#bandwidth-phases).
    pub fn new(quota: Option<Quota>) -> Self {
        let Some(Quota { quota_ns, period_ns, burst_ns, phase_ns }) = quota else {
            return Self { period: PERIOD_NS, ..Self::default() };
        };
        let pool = quota_ns.unwrap_or(0);
        Self {
            quota: quota_ns,
            period: period_ns,
            burst: burst_ns,
            pool,
            pool_snap: pool,
            expiry: phase_ns,
            expires: phase_ns,
            // The write that set the quota has counted one: queues that have taken nothing yet hold
            // 0.
            seq: 1,
            books: Books { granted: pool, most: pool as i64, ..Books::default() },
            ..Self::default()
        }
    }

    /// Runtime left in the pool, ns.
    pub fn pool(&self) -> u64 {
        self.pool
    }

    #[inline]
    pub(super) fn pool_add(&mut self, ns: u64) {
        self.pool += ns;
    }

    /// The pool, which holds as much, loses `ns`.
    #[inline]
    pub(super) fn pool_take(&mut self, ns: u64) {
        self.pool -= ns;
    }

    /// Sets the pool to `ns`; returns its old level.
    #[inline]
    pub(super) fn pool_replace(&mut self, ns: u64) -> u64 {
        std::mem::replace(&mut self.pool, ns)
    }

    /// The pool, for tests that damage it.
    #[cfg(test)]
    pub(crate) fn damaged_pool(&mut self) -> &mut u64 {
        &mut self.pool
    }

    /// Quota times the periods gone by, fractions included, ns.
    pub fn entitled_ns(&self, now: u64) -> u64 {
        let (before, since) = self.books.entitled;
        let rate = |quota: u64| {
            u128::from(quota) * u128::from(now - since) / u128::from(self.period.max(1))
        };
        before.saturating_add(u64::try_from(self.quota.map_or(0, rate)).unwrap_or(u64::MAX))
    }

    /// Books `ns` of run time in the period that ends with the next refill of the period timer, or
    /// would end with it if the timer ran: the usage of one refill lies between two refills, late
    /// or not.
    pub fn book_usage(&mut self, now: u64, ns: u64) {
        self.books.usage += ns;
        let rests = !self.period_active && now >= self.expiry;
        let end = if rests {
            self.expiry + ((now - self.expiry) / self.period + 1) * self.period
        } else {
            self.expiry
        };
        let (of, used, most) = self.books.window;
        let used = if of == end { used + ns } else { ns };
        self.books.window = (end, used, most.max(used));
    }

    /// Run time made, less run time present and run time gone: 0 by
    /// docs/model/bandwidth.md#conservation.
    pub fn astray(&self) -> i64 {
        let Books {
            granted, usage, expired, dropped, double_spent, adjusted, in_walk, silos, ..
        } = self.books;
        let made = (granted.wrapping_add(double_spent) as i64).wrapping_add(adjusted);
        let there = (self.pool as i64).wrapping_add(silos.0).wrapping_add(in_walk);
        made.wrapping_sub(there)
            .wrapping_sub(usage.wrapping_add(expired).wrapping_add(dropped) as i64)
    }

    /// Whether the run time present exceeds a quota, its burst and the silos of the last refill
    /// (docs/model/bandwidth.md#conservation).
    pub fn overflows(&self) -> bool {
        self.quota.is_some()
            && (self.pool as i64).wrapping_add(self.books.in_walk).wrapping_add(self.books.silos.1)
                > self.books.most
    }

    /// A callback that cannot keep up: period, quota and burst are doubled, below a second.
    pub fn rescale(&mut self) {
        if 2 * self.period < PERIOD_MAX_NS {
            self.period *= 2;
            self.quota = self.quota.map(|quota| 2 * quota);
            self.burst *= 2;
        }
    }

    /// The next refill is due within `ns` of `now`, or its callback runs
    /// (runtime_refresh_within()).
    pub fn refill_within(&self, now: u64, ns: u64) -> bool {
        self.in_callback || self.expiry < now + ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_is_counted_from_refill_to_refill_and_entitlement_by_fractions() {
        let quota = Quota { quota_ns: Some(10), period_ns: 100, burst_ns: 0, phase_ns: 30 };
        let mut group = CfsBandwidth { period_active: true, ..CfsBandwidth::new(Some(quota)) };
        group.book_usage(29, 7);
        // The timer is late: this is still the first pool.
        group.book_usage(31, 1);
        assert_eq!((group.books.usage, group.books.window), (8, (30, 8, 8)));
        group.expiry = 130;
        group.book_usage(33, 4);
        group.book_usage(129, 5);
        assert_eq!(group.books.window, (130, 9, 9));
        // The timer stops: the grid of periods stays, and a timer that starts again continues it.
        (group.period_active, group.expiry) = (false, 230);
        group.book_usage(450, 3);
        (group.period_active, group.expiry) = (true, 530);
        group.book_usage(529, 8);
        assert_eq!(group.books.window, (530, 11, 11));
        assert_eq!((group.entitled_ns(0), group.entitled_ns(250), group.pool), (0, 25, 10));
    }

    #[test]
    fn a_period_doubles_with_its_quota_and_its_burst_below_a_second() {
        let quota = Quota { quota_ns: Some(10), period_ns: 300_000_000, burst_ns: 4, phase_ns: 30 };
        let mut group = CfsBandwidth::new(Some(quota));
        group.rescale();
        group.rescale();
        assert_eq!((group.period, group.quota, group.burst), (600_000_000, Some(20), 8));
    }
}
