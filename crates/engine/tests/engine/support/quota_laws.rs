//! Laws of quotas that only a whole run shows (docs/model/bandwidth.md#quota-laws), judged from the
//! trace of each group whose quota no write changes.
//!
//! The bound of a group's run time holds in every era, by docs/model/bandwidth.md#conservation
//! between a refill and any later instant. The run time used is the sum of: the time granted since,
//! which is a quota and its burst; the time that silos held at that refill and owe now; and the
//! excess that distributions of a copy made from nothing. The excess is 0 where the pool itself is
//! handed out (5.7 on), and a walk's private hold to 3.16. In between it is the time that the trace
//! shows as spent twice, as handed out and not subtracted yet, or as handed out of a copy that a
//! refill had thrown away. A callback that cannot keep up doubles quota and burst; the refills show
//! that.

use schedscope_engine::kernel::config::{
    Bandwidth, BwDistribution, Expiry, SiloReturn, SlackSubtract,
};
use schedscope_engine::setup::{Quota, Setup};
use schedscope_engine::trace::catalogue::Kind;

use super::MS;
use super::judge::{Row, Written};
use super::locks::check;

/// The share of a group on one CPU, from the rows.
#[derive(Clone, Default)]
struct Silo {
    ns: i64,
    /// Refills there had been when it was last given something.
    of: usize,
    throttled: Option<u64>,
    /// Run time has been returned since the last row with the silo's level.
    returned: bool,
}

/// Distributions of a copy of the pool (to 5.6), from the rows; empty where the pool itself is
/// handed out.
#[derive(Default)]
struct Copies {
    /// Given to throttled queues, and of it by walks that have ended.
    given: i64,
    ended: i64,
    /// Walks under way: their CPU, their run time at the beginning, and the refills so far.
    open: Vec<(u32, i64, usize)>,
    /// Spent twice, or taken out of a copy that a refill had thrown away: never subtracted.
    made: i64,
    /// The walk that ended last had been outdated, so all it gave is in `made` already.
    outdated: bool,
}

impl Copies {
    fn row(&mut self, era: &Bandwidth, refills: usize, row: &Row) -> Result<(), String> {
        let ns = i64::from(row.b);
        match row.kind {
            Kind::BwDistBegin => self.open.push((row.cpu, ns, refills)),
            Kind::BwDistEnd => {
                let at = self.open.iter().position(|(cpu, ..)| *cpu == row.cpu);
                let of = at.map_or(refills, |at| self.open.remove(at).2);
                self.ended += if era.distribution == BwDistribution::NewLocked {
                    self.given - self.ended
                } else {
                    ns
                };
                let stays = era.distribution == BwDistribution::OldCopy
                    && era.slack_subtract != SlackSubtract::Always;
                self.outdated = stays && of != refills;
                self.made += if self.outdated { ns } else { 0 };
                let told = !self.open.is_empty() || self.given == self.ended;
                return check(told, "a distribution gives other than it says");
            }
            _ => self.made += if self.outdated { 0 } else { ns },
        }
        Ok(())
    }

    /// Held by walks (to 3.16), or handed out by them and not subtracted yet (to 5.6).
    fn in_walk(&self, era: &Bandwidth) -> i64 {
        let given = self.given - self.ended;
        match era.distribution {
            BwDistribution::NewLocked => 0,
            BwDistribution::OldCopy => -given,
            BwDistribution::Pre317 => {
                self.open.iter().map(|(_, began, _)| began).sum::<i64>() - given
            }
        }
    }
}

/// A group by its rows.
struct Group {
    quota: Quota,
    quota_ns: i64,
    silos: Vec<Silo>,
    /// Charged so far, and granted by the refills so far, ns.
    used: i64,
    granted: i64,
    /// The base of the bound of a group's runs, over the refills: the least of the run time used,
    /// less the time granted before, plus the silos.
    least: i64,
    /// The time of each refill, and the end of its run time's validity; the pool is full at 0.
    refills: Vec<(u64, u64)>,
    /// Quota has grown: the callback could not keep up.
    rescaled: bool,
    /// The burst, which grows with it, ns.
    burst_ns: i64,
    /// Distributions of a copy, with the excess that they make from nothing.
    copies: Copies,
    throttled_ns: u64,
    armed: Option<u64>,
    fired: Option<u64>,
}

impl Group {
    fn new(quota: Quota, quota_ns: u64, cpus: usize) -> Self {
        Self {
            quota,
            quota_ns: quota_ns as i64,
            silos: vec![Silo::default(); cpus],
            used: 0,
            granted: quota_ns as i64,
            least: 0,
            refills: vec![(0, quota.phase_ns)],
            rescaled: false,
            burst_ns: quota.burst_ns as i64,
            copies: Copies::default(),
            throttled_ns: 0,
            armed: None,
            fired: None,
        }
    }

    fn row(&mut self, setup: &Setup, irq_off_ns: u64, row: &Row) -> Result<(), String> {
        let era = &setup.kernel.bandwidth;
        let (ns, refills) = (i64::from(row.b), self.refills.len());
        if row.kind == Kind::BwRefill {
            return self.refill(era, row);
        }
        if row.kind == Kind::BwSlack {
            return self.slack(era, row);
        }
        let silo = &mut self.silos[row.cpu as usize];
        match row.kind {
            Kind::BwTake => {
                check(
                    silo.throttled.is_none() || era.throttled_draws,
                    "a throttled queue takes run time",
                )?;
                (silo.ns, silo.of) = (silo.ns + ns, refills);
            }
            Kind::BwStep => {
                (silo.ns, silo.of) = (silo.ns + ns, refills);
                self.copies.given += ns;
            }
            Kind::BwDistBegin | Kind::BwDistEnd | Kind::BwDoubleSpend => {
                return self.copies.row(era, refills, row);
            }
            Kind::BwReturn | Kind::BwDrop => (silo.ns, silo.returned) = (silo.ns - ns, true),
            Kind::BwExpireSilo => {
                self.used += silo.ns - ns;
                silo.ns = 0;
            }
            Kind::BwThrottle => {
                check(silo.throttled.replace(row.time).is_none(), "a throttled queue is throttled")?
            }
            Kind::BwUnthrottle => {
                let since = silo.throttled.take();
                check(since.is_some(), "a queue is let go that was not throttled")?;
                self.throttled_ns += since.map_or(0, |since| row.time - since);
            }
            Kind::BwSilo => return self.level(setup, irq_off_ns, row),
            _ => {}
        }
        Ok(())
    }

    /// From a refill on, a group runs for the run time present, the refills to come, and the part
    /// that a copy handed out twice.
    fn refill(&mut self, era: &Bandwidth, row: &Row) -> Result<(), String> {
        self.within(era)?;
        let ns = i64::from(row.b);
        let above: i64 = self.silos.iter().map(|silo| silo.ns.max(0)).sum();
        self.least = self
            .least
            .min(self.used - self.granted + above + self.copies.in_walk(era) - self.copies.made);
        self.granted += ns;
        self.rescaled |= ns != self.quota_ns;
        self.burst_ns = self.quota.burst_ns as i64 * (ns / self.quota_ns);
        self.refills.push((row.time, row.time + self.quota.period_ns));
        let near = |at: Option<u64>, ns: u64| at.is_some_and(|at| row.time < at + ns);
        // To 4.1 a timer that starts anew refills at once, and the prototype arms its slack timer
        // even if no queue waits.
        let moves = era.restart_refills && era.silo_return == SiloReturn::SegallList;
        check(
            moves || !near(self.armed, 7 * MS),
            "the slack timer is armed within 7 ms of a refill",
        )?;
        check(
            moves || !near(self.fired, 2 * MS),
            "the slack timer distributes within 2 ms of a refill",
        )
    }

    fn within(&self, era: &Bandwidth) -> Result<(), String> {
        let debts: i64 = self.silos.iter().map(|silo| (-silo.ns).max(0)).sum();
        let most = self.least + self.granted + self.burst_ns + debts + self.copies.made
            - self.copies.in_walk(era);
        check(
            self.used <= most,
            "a group runs for more than its quotas, its burst and what its CPUs held or owe",
        )
    }

    fn slack(&mut self, era: &Bandwidth, row: &Row) -> Result<(), String> {
        match row.b {
            0 => {
                let again = self.armed.replace(row.time).is_some_and(|at| row.time < at + 5 * MS);
                let once = !era.slack_pushes && era.silo_return != SiloReturn::SegallList;
                check(!(again && once), "the slack timer is armed twice in 5 ms")
            }
            1 => {
                self.fired = Some(row.time);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The silo's level: it falls by the run time used, and never holds more than a slice or
    /// expired time.
    fn level(&mut self, setup: &Setup, irq_off_ns: u64, row: &Row) -> Result<(), String> {
        let (era, last) = (&setup.kernel.bandwidth, self.refills.len());
        let silo = &mut self.silos[row.cpu as usize];
        let ns = i64::from(row.b as i32);
        let ran = silo.ns - ns;
        check(ran >= 0, "a silo rises without being given anything")?;
        check(ns <= setup.kernel.bandwidth_slice_ns as i64, "a silo holds more than a slice")?;
        let keeps = era.min_keep_ns();
        check(
            !std::mem::take(&mut silo.returned) || ns <= keeps,
            "a silo keeps more than it may after a return",
        )?;
        (self.used, silo.ns) = (self.used + ran, ns);
        // Up to 4.17 a deadline moved on by a tick may lie beyond that of the next period, if a
        // tick is as long: then it moves again.
        let moves_once = era.expiry == Expiry::Seq
            || self.refills.iter().all(|(now, deadline)| deadline - now > setup.kernel.tick_ns());
        let expires =
            matches!(era.expiry, Expiry::Seq | Expiry::TimeCmp) && !self.rescaled && moves_once;
        if !expires || ran == 0 || silo.of >= last {
            return Ok(());
        }
        // The silo's own deadline, and the refill that outdated it: a check in between, or before
        // both, moves the deadline by a tick.
        let (deadline, refilled) =
            (self.refills[silo.of.saturating_sub(1)].1, self.refills[silo.of].0);
        let ends = refilled.max(deadline) + setup.kernel.tick_ns() + irq_off_ns;
        check(ns <= 0 || row.time < ends, "run time of a period gone by is worth something")
    }
}

/// The first law of quotas the written run breaks.
pub fn judge(setup: &Setup, written: &Written) -> Result<(), String> {
    let cpus = setup.machine.topology.cpus() as usize;
    let group = |quota: Quota| Some(Group::new(quota, quota.quota_ns?, cpus));
    let mut groups: Vec<Option<Group>> =
        setup.groups.iter().map(|spec| spec.bandwidth.and_then(group)).collect();
    let irq_off_ns = written.report.metrics.rq_lock.irq_off_max_ns;
    for row in written.rows.iter().filter(|row| (Kind::BwPool..=Kind::BwIdle).contains(&row.kind)) {
        let Some(group) = &mut groups[row.a as usize] else { continue };
        group
            .row(setup, irq_off_ns, row)
            .map_err(|what| format!("{what}: group {} {row:?}", row.a))?;
    }
    let era = &setup.kernel.bandwidth;
    for (spec, group) in
        setup.groups.iter().zip(&groups).filter_map(|(spec, group)| Some((spec, group.as_ref()?)))
    {
        group.within(era)?;
        let books = &written.report.metrics.groups[spec.path.as_str()];
        check(
            books.usage_ns as i64 == group.used,
            &format!("{} ns were used by the silos, {books:?}", group.used),
        )?;
        // Throttled time is the sum of the intervals; where the clock starts with the first who
        // would run, or stops, queues count from later on.
        let exact = !era.late_clock && !era.per_task;
        let fits = books.throttled_ns == group.throttled_ns
            || (!exact && books.throttled_ns < group.throttled_ns);
        check(
            fits,
            &format!("queues were throttled for {} ns by the trace, {books:?}", group.throttled_ns),
        )?;
    }
    Ok(())
}
