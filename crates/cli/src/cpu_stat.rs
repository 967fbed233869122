//! cpu.stat of each group for people: a table for each file, a line for each group, and a sentence
//! for each group that says how long it waited.

use schedscope_engine::account::groups::GroupMetrics;
use schedscope_engine::account::pressure::{CpuPressure, PressureLine};
use schedscope_formats::cgroup::cpu_stat::{CpuStat, Field};
use schedscope_runs::numbers::{grouped, percent, table, time};

/// The files, a line per group, and the sentences; nothing if no group has ever been under a quota.
/// The fields of bursts only if there was one; cpu.stat.local (6.6 on) only where one group lies
/// below another: alone, it says nothing else.
pub fn text(groups: &[(&String, &GroupMetrics)]) -> String {
    let under_limit = groups.iter().filter(|(_, group)| {
        group.nr_periods > 0 || group.entitled_ns > 0 || group.throttled_local_ns > 0
    });
    let nested = groups.iter().any(|(path, _)| path.contains('/'));
    let waits: String =
        under_limit.clone().map(|(path, group)| waited(path, group, nested)).collect();
    let limited: Vec<(&String, CpuStat)> =
        under_limit.map(|(path, group)| (*path, CpuStat::from(*group))).collect();
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
    let local = if nested { file("cpu.stat.local (us)", &CpuStat::local) } else { String::new() };
    format!("{v2}{v1}{local}how groups with a limit waited\n{waits}\n")
}

/// `  app: nr_throttled 12 of 20 periods, throttled 340.000 ms, cpu.pressure some 50.00 %, full
/// 50.00 %`, and with groups below others what cpu.stat.local has.
fn waited(path: &str, group: &GroupMetrics, nested: bool) -> String {
    let (throttled, periods) = (grouped(group.nr_throttled), grouped(group.nr_periods));
    let own = time(group.throttled_ns);
    let local = match nested {
        true => format!(" (cpu.stat.local {})", time(group.throttled_local_ns)),
        false => String::new(),
    };
    let pressure = group.pressure.map_or_else(String::new, |pressure| in_words(&pressure));
    format!(
        "  {path}: nr_throttled {throttled} of {periods} periods, \
            throttled {own}{local}{pressure}\n"
    )
}

fn in_words(pressure: &CpuPressure) -> String {
    let line = |name: &str, line: &PressureLine| {
        format!("{name} {} % (avg10={})", percent(line.share_bp), percent(line.avg10_bp))
    };
    let full = pressure.full.map_or_else(String::new, |full| format!(", {}", line("full", &full)));
    format!(", cpu.pressure {}{full}", line("some", &pressure.some))
}
