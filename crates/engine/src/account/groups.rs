//! The `groups` of the report: the conservation identity as numbers, and cpu.stat
//! (docs/model/bandwidth.md#conservation, docs/model/bandwidth.md#cpu-stat).

use std::collections::BTreeMap;

use serde::Serialize;

use super::pressure::CpuPressure;
use super::report::by_key;
use crate::ids::GroupId;
use crate::sim::Sim;

/// One control group. At every event `granted + double_spent + adjusted == pool + silo + in_walk +
/// usage + expired + dropped`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupMetrics {
    /// Quota times the periods gone by, fractions included; 0 without a quota.
    pub entitled_ns: u64,
    /// Run time charged so far, all CPUs together, as in cpu.stat. Run time since a task's last
    /// tick or switch before the end of the run is missing here, but is in the task's `run_ns`.
    pub usage_ns: u64,
    /// cpu.stat: periods that ended while the timer ran.
    pub nr_periods: u64,
    /// cpu.stat: of these periods, those at whose end a queue was throttled.
    pub nr_throttled: u64,
    /// cpu.stat: time its queues were throttled, all CPUs together, counted as each is unthrottled.
    pub throttled_ns: u64,
    /// cpu.stat.local (6.6 on): time its queues had something to run and were kept from it by the
    /// group or one above, all CPUs together, counted as each is unthrottled.
    pub throttled_local_ns: u64,
    /// cpu.stat: periods that used more than a quota.
    pub nr_bursts: u64,
    /// cpu.stat: run time beyond the quota in these periods.
    pub burst_ns: u64,
    /// Added by refills; run time without a limit counts as added.
    pub granted_ns: u64,
    /// In the pool.
    pub pool_ns: u64,
    /// On the CPUs; debts are negative.
    pub silo_ns: i64,
    /// Held by a distribution; negative: handed out of a copy and not taken off the pool yet.
    pub in_walk_ns: i64,
    /// Made or forgiven by configuration writes.
    pub adjusted_ns: i64,
    /// Thrown away by a refill, or too old on a CPU.
    pub expired_ns: u64,
    /// Given up by a CPU, but too old to be returned; before 3.17 also run time that came back
    /// during a distribution, which overwrites it.
    pub dropped_ns: u64,
    /// Handed out although another CPU had taken it.
    pub double_spent_ns: u64,
    /// Times the group's lock was taken.
    pub lock_acquisitions: u64,
    /// Most used from one refill of the period timer to the next.
    pub max_period_usage_ns: u64,
    /// cpu.pressure; absent before 4.20.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pressure: Option<CpuPressure>,
}

impl Sim {
    /// The metrics of all groups below the root, by path.
    pub(super) fn groups_metrics(&self) -> BTreeMap<String, GroupMetrics> {
        let pressure = self.pressure_now();
        by_key(self.bandwidths.ids().skip(1).map(|group| {
            let pressure = pressure.as_ref().map(|pressure| self.cpu_pressure(pressure, group));
            (self.group_spec(group).path.clone(), self.group_metrics(group, pressure))
        }))
    }

    /// The metrics of `group`. Run time since the last charge is missing from them.
    fn group_metrics(&self, group: GroupId, pressure: Option<CpuPressure>) -> GroupMetrics {
        let b = &self.bandwidths[group];
        let books = b.books();
        GroupMetrics {
            entitled_ns: b.entitled_ns(self.now),
            usage_ns: books.usage,
            nr_periods: books.nr_periods,
            nr_throttled: books.nr_throttled,
            throttled_ns: books.throttled_ns,
            throttled_local_ns: books.throttled_local_ns,
            nr_bursts: books.nr_bursts,
            burst_ns: books.burst_ns,
            granted_ns: books.granted,
            pool_ns: b.pool(),
            silo_ns: self.rqs.iter().map(|rq| rq.cfs[group].bandwidth.silo()).sum(),
            in_walk_ns: books.in_walk,
            adjusted_ns: books.adjusted,
            expired_ns: books.expired,
            dropped_ns: books.dropped,
            double_spent_ns: books.double_spent,
            lock_acquisitions: books.lock_acquisitions,
            max_period_usage_ns: books.window.2,
            pressure,
        }
    }
}
