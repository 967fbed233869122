//! cpu.stat of each group for people: a table for each file, a line for each group.

use schedscope_engine::account::groups::GroupMetrics;
use schedscope_formats::cgroup::cpu_stat::{CpuStat, Field};
use schedscope_runs::numbers::table;

/// Both files, a line per group; nothing if no group has ever been under a quota. The fields of
/// bursts only if there was one; cpu.stat.local (6.6 on) only where one group lies below another:
/// alone, it says nothing else.
pub fn text(groups: &[(&String, &GroupMetrics)]) -> String {
    let limited: Vec<(&String, CpuStat)> = groups
        .iter()
        .filter(|(_, group)| {
            group.nr_periods > 0 || group.entitled_ns > 0 || group.throttled_local_ns > 0
        })
        .map(|(path, group)| (*path, CpuStat::from(*group)))
        .collect();
    if limited.is_empty() {
        return String::new();
    }
    let bursts = limited.iter().any(|(_, group)| group.nr_bursts > 0);
    let file = |head: &str, fields: &dyn Fn(&CpuStat) -> Vec<Field>| {
        let names = fields(&limited[0].1).into_iter().map(|(name, _)| name.to_owned());
        let mut rows = vec![std::iter::once(head.to_owned()).chain(names).collect::<Vec<_>>()];
        rows.extend(limited.iter().map(|(path, group)| {
            std::iter::once(format!("  {path}"))
                .chain(fields(group).into_iter().map(|(_, value)| value.to_string()))
                .collect()
        }));
        table(&rows)
    };
    let v2 = file("cpu.stat (cgroup v2, us)", &|group| group.v2(bursts));
    let v1 = file("cpu.stat (cgroup v1, ns)", &|group| group.v1(bursts));
    let nested = groups.iter().any(|(path, _)| path.contains('/'));
    let local = if nested { file("cpu.stat.local (us)", &CpuStat::local) } else { String::new() };
    format!("{v2}{v1}{local}\n")
}
