//! The fields of cpu.stat: kernel/sched/core.c (`cpu_cfs_stat_show`, `cpu_extra_stat_show`,
//! `cpu_local_stat_show`) and kernel/cgroup/rstat.c (`cgroup_base_stat_cputime_show`). cgroup v2
//! counts in microseconds, v1 in nanoseconds (docs/model/bandwidth.md#cpu-stat).

use schedscope_engine::account::groups::GroupMetrics;

use crate::figures::Figures;
use crate::run::Run;

/// What cpu.stat counts of a group, times in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuStat {
    /// Run time of the group and of those below it, all CPUs together.
    pub usage_ns: u64,
    /// Periods that ended while the timer ran.
    pub nr_periods: u64,
    /// Those at whose end a queue was throttled.
    pub nr_throttled: u64,
    /// Time queues were throttled, all CPUs together.
    pub throttled_ns: u64,
    /// Time queues had something to run and were kept from it, also by a group above.
    pub throttled_local_ns: u64,
    /// Periods that used more than a quota.
    pub nr_bursts: u64,
    /// Run time beyond the quota in these periods.
    pub burst_ns: u64,
}

/// A line: name and value.
pub type Field = (&'static str, u64);

impl From<&GroupMetrics> for CpuStat {
    fn from(group: &GroupMetrics) -> Self {
        Self {
            usage_ns: group.usage_ns,
            nr_periods: group.nr_periods,
            nr_throttled: group.nr_throttled,
            throttled_ns: group.throttled_ns,
            throttled_local_ns: group.throttled_local_ns,
            nr_bursts: group.nr_bursts,
            burst_ns: group.burst_ns,
        }
    }
}

impl CpuStat {
    /// Those of the group at `path`, from the figures of a report.
    pub fn of(figures: &Figures, path: &str) -> Self {
        let count = |name| figures.count(&["groups", path, name]);
        Self {
            usage_ns: count("usage_ns"),
            nr_periods: count("nr_periods"),
            nr_throttled: count("nr_throttled"),
            throttled_ns: count("throttled_ns"),
            throttled_local_ns: count("throttled_local_ns"),
            nr_bursts: count("nr_bursts"),
            burst_ns: count("burst_ns"),
        }
    }

    /// cgroup v2, without the split of the usage; the last two only where `bursts` is true.
    pub fn v2(&self, bursts: bool) -> Vec<Field> {
        let fields = vec![
            ("usage_usec", self.usage_ns / 1_000),
            ("nr_periods", self.nr_periods),
            ("nr_throttled", self.nr_throttled),
            ("throttled_usec", self.throttled_ns / 1_000),
        ];
        self.with_bursts(fields, bursts, ("burst_usec", self.burst_ns / 1_000))
    }

    /// cgroup v1; the last two only where `bursts` is true.
    pub fn v1(&self, bursts: bool) -> Vec<Field> {
        let fields = vec![
            ("nr_periods", self.nr_periods),
            ("nr_throttled", self.nr_throttled),
            ("throttled_time", self.throttled_ns),
        ];
        self.with_bursts(fields, bursts, ("burst_time", self.burst_ns))
    }

    /// cpu.stat.local of cgroup v2, 6.6 on.
    pub fn local(&self) -> Vec<Field> {
        vec![("throttled_usec", self.throttled_local_ns / 1_000)]
    }

    fn with_bursts(&self, mut fields: Vec<Field>, bursts: bool, time: Field) -> Vec<Field> {
        if bursts {
            fields.extend([("nr_bursts", self.nr_bursts), time]);
        }
        fields
    }
}

/// A line for each field.
pub fn lines(fields: &[Field]) -> String {
    fields.iter().map(|(name, value)| format!("{name} {value}\n")).collect()
}

/// `user_usec` and `system_usec` of `usage_ns`, split as `cputime_adjust()` does: in the proportion
/// in which the tasks of the group and of those below it ran in user and in kernel code.
pub fn split(run: &Run, figures: &Figures, group: usize, usage_ns: u64) -> [Field; 2] {
    let (mut user, mut whole) = (0, 0);
    for task in run.setup.tasks.iter().filter(|task| is_below(run, task.group as usize, group)) {
        user += figures.count(&["tasks", &task.name, "user_ns"]);
        whole += figures.count(&["tasks", &task.name, "run_ns"]);
    }
    let user_ns = u128::from(usage_ns) * u128::from(user) / u128::from(whole.max(1));
    let user_ns = u64::try_from(user_ns).unwrap_or(usage_ns).min(usage_ns);
    [("user_usec", user_ns / 1_000), ("system_usec", (usage_ns - user_ns) / 1_000)]
}

/// Whether a group is `top` or lies below it. Parents come before their children.
fn is_below(run: &Run, mut group: usize, top: usize) -> bool {
    while group > top {
        group = run.setup.groups[group].parent as usize;
    }
    group == top
}
