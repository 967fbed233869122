//! cpu.stat of each group as the kernel prints it: cgroup v2 in microseconds, v1 in nanoseconds
//! (docs/model/bandwidth.md#cpu-stat).

use schedscope_engine::account::groups::GroupMetrics;
use schedscope_runs::numbers::table;

/// Both files, a line per group; nothing if no group has ever been under a quota. The fields of
/// 5.14's burst only if there was one; cpu.stat.local (6.6 on) only where one group lies below
/// another: alone, it says nothing else.
pub fn text(groups: &[(&String, &GroupMetrics)]) -> String {
    let limited: Vec<_> = groups
        .iter()
        .filter(|(_, group)| {
            group.nr_periods > 0 || group.entitled_ns > 0 || group.throttled_local_ns > 0
        })
        .collect();
    if limited.is_empty() {
        return String::new();
    }
    let burst = limited.iter().any(|(_, group)| group.nr_bursts > 0);
    let file = |head: &str, fields: &dyn Fn(&GroupMetrics) -> Vec<(&'static str, u64)>| {
        let kept = |group: &GroupMetrics| {
            fields(group)
                .into_iter()
                .filter(|(name, _)| burst || !name.contains("burst"))
                .collect::<Vec<_>>()
        };
        let names = kept(limited[0].1).into_iter().map(|(name, _)| name.to_owned());
        let mut rows = vec![std::iter::once(head.to_owned()).chain(names).collect::<Vec<_>>()];
        rows.extend(limited.iter().map(|(path, group)| {
            std::iter::once(format!("  {path}"))
                .chain(kept(group).into_iter().map(|(_, value)| value.to_string()))
                .collect()
        }));
        table(&rows)
    };
    let v2 = file("cpu.stat (cgroup v2, us)", &|group| {
        vec![
            ("usage_usec", group.usage_ns / 1_000),
            ("nr_periods", group.nr_periods),
            ("nr_throttled", group.nr_throttled),
            ("throttled_usec", group.throttled_ns / 1_000),
            ("nr_bursts", group.nr_bursts),
            ("burst_usec", group.burst_ns / 1_000),
        ]
    });
    let v1 = file("cpu.stat (cgroup v1, ns)", &|group| {
        vec![
            ("nr_periods", group.nr_periods),
            ("nr_throttled", group.nr_throttled),
            ("throttled_time", group.throttled_ns),
            ("nr_bursts", group.nr_bursts),
            ("burst_time", group.burst_ns),
        ]
    });
    let nested = groups.iter().any(|(path, _)| path.contains('/'));
    let local = if nested {
        file("cpu.stat.local (us)", &|group| {
            vec![("throttled_usec", group.throttled_local_ns / 1_000)]
        })
    } else {
        String::new()
    };
    format!("{v2}{v1}{local}\n")
}
