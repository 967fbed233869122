//! Files of control groups, as a reader of /sys/fs/cgroup sees them.

use std::collections::BTreeMap;

use crate::support::{Written, prepared, refusal, shipped, written};

/// Files by their paths, and their lines by the first word.
type Files = BTreeMap<String, BTreeMap<String, u64>>;

fn files(text: &str) -> Files {
    let mut files = Files::new();
    let mut path = String::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix("==> ").and_then(|rest| rest.strip_suffix(" <==")) {
            name.clone_into(&mut path);
            continue;
        }
        let (field, value) = line.rsplit_once(' ').unwrap_or(("", line));
        files.entry(path.clone()).or_default().insert(field.to_owned(), value.parse().unwrap());
    }
    files
}

const QUOTAS: [&str; 3] = ["quota-32-threads", "quota-tree", "quota-burst"];

fn ran(format: &str, slug: &str) -> Written {
    // The shipped kernel of some is older than cgroup v2.
    written(format, &shipped(slug, &[("duration", "300ms"), ("kernel.version", "6.12")]))
}

#[test]
fn cpu_stat_of_each_group_holds_the_figures_of_the_report_in_us() {
    let mut throttled = 0;
    for slug in QUOTAS {
        let written = ran("cpu.stat", slug);
        let files = files(written.text());
        let groups = &written.report.metrics.groups;
        assert_eq!(files.len(), 2 * groups.len(), "{slug}: cpu.stat and cpu.stat.local");
        for (path, group) in groups {
            let stat = &files[&format!("/sys/fs/cgroup/{path}/cpu.stat")];
            let expected = [
                ("usage_usec", group.usage_ns / 1_000),
                ("nr_periods", group.nr_periods),
                ("nr_throttled", group.nr_throttled),
                ("throttled_usec", group.throttled_ns / 1_000),
                ("nr_bursts", group.nr_bursts),
                ("burst_usec", group.burst_ns / 1_000),
            ];
            for (field, value) in expected {
                assert_eq!(stat[field], value, "{slug} {path} {field}");
            }
            let halves = stat["user_usec"] + stat["system_usec"];
            assert!(stat["usage_usec"].abs_diff(halves) <= 1, "{slug} {path}: {stat:?}");
            // What ran for long ran user code.
            let is_short = stat["usage_usec"] < 1_000;
            assert!(is_short || stat["user_usec"] > stat["system_usec"], "{slug} {path}: {stat:?}");
            let local = &files[&format!("/sys/fs/cgroup/{path}/cpu.stat.local")];
            assert_eq!(local["throttled_usec"], group.throttled_local_ns / 1_000, "{slug} {path}");
        }
        throttled += groups.values().map(|group| group.nr_throttled).sum::<u64>();
    }
    assert!(throttled > 0);
}

#[test]
fn the_usage_of_a_group_is_what_its_tasks_ran_but_for_the_last_tick() {
    let written = ran("cpu.stat", "quota-32-threads");
    let usage: u64 = files(written.text())
        .iter()
        .filter(|(path, _)| path.ends_with("/cpu.stat"))
        .map(|(_, stat)| stat["usage_usec"])
        .sum();
    let tasks = written.report.metrics.tasks.iter();
    let ran: u64 = tasks.map(|(_, task)| task.run_ns).sum::<u64>() / 1_000;
    assert!(usage > 0 && usage <= ran, "{usage} {ran}");
}

#[test]
fn cgroup_v1_counts_in_ns_and_has_the_usage_in_a_file_of_its_own() {
    for slug in QUOTAS {
        let written = ran("cpu.stat-v1", slug);
        let files = files(written.text());
        for (path, group) in &written.report.metrics.groups {
            let stat = &files[&format!("/sys/fs/cgroup/cpu/{path}/cpu.stat")];
            assert_eq!(stat["nr_periods"], group.nr_periods, "{slug} {path}");
            assert_eq!(stat["nr_throttled"], group.nr_throttled, "{slug} {path}");
            assert_eq!(stat["throttled_time"], group.throttled_ns, "{slug} {path}");
            let usage = &files[&format!("/sys/fs/cgroup/cpuacct/{path}/cpuacct.usage")];
            assert_eq!(usage[""], group.usage_ns, "{slug} {path}");
        }
    }
}

#[test]
fn a_field_and_a_file_are_there_from_their_version_on() {
    let text = |version| {
        let set = [("duration", "50ms"), ("kernel.version", version)];
        written("cpu.stat", &shipped("quota-pinned", &set)).text().to_owned()
    };
    for (version, bursts, local) in
        [("4.19", false, false), ("5.14", false, false), ("5.16", true, false), ("6.6", true, true)]
    {
        let text = text(version);
        assert_eq!(text.contains("nr_bursts"), bursts, "{version}");
        assert_eq!(text.contains("cpu.stat.local"), local, "{version}");
    }
}

#[test]
fn what_has_no_such_file_is_refused_in_words() {
    for format in ["cpu.stat", "cpu.stat-v1"] {
        let why = refusal(format, &shipped("hackbench", &[("kernel.version", "6.12")]));
        assert!(why.contains("no control group"), "{why}");
    }
    let old = shipped("quota-pinned", &[("kernel.version", "3.2")]);
    assert!(refusal("cpu.stat", &old).contains("use cpu.stat-v1"));
    let ancient = shipped("rt-fifo-preempt", &[("kernel.version", "2.6.25")]);
    assert!(refusal("cpu.stat-v1", &ancient).contains("before 3.2"));
    assert!(refusal("psi", &old).contains("no pressure stall information"));
    assert!(refusal("schedstat", &ancient).contains("version 14"));
    assert!(!written("schedstat", &prepared("quota-pinned")).bytes.is_empty());
}
