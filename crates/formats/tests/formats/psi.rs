//! Pressure files, as a reader of /proc/pressure sees them, against the report's own times.

use std::collections::BTreeMap;

use crate::support::{shipped, stopped, written};

/// A line: the averages and the total.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Line {
    averages: [f64; 3],
    total_us: u64,
}

/// Lines by path and first word; one file alone has no path.
fn lines(text: &str) -> BTreeMap<(String, String), Line> {
    let mut lines = BTreeMap::new();
    let mut path = String::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix("==> ") {
            name.trim_end_matches(" <==").clone_into(&mut path);
            continue;
        }
        let words: Vec<&str> = line.split(' ').collect();
        let value = |word: &str, name: &str| word.strip_prefix(name).unwrap().to_owned();
        let averages = [(1, "avg10="), (2, "avg60="), (3, "avg300=")]
            .map(|(place, name)| value(words[place], name).parse().unwrap());
        let total_us = value(words[4], "total=").parse().unwrap();
        lines.insert((path.clone(), words[0].to_owned()), Line { averages, total_us });
    }
    lines
}

#[test]
fn threads_that_never_sleep_stall_their_group_while_its_quota_keeps_them_from_running() {
    let set = [("duration", "5s"), ("kernel.version", "6.12")];
    let written = written("psi", &shipped("quota-32-threads", &set));
    let lines = lines(written.text());
    let line = |path: &str, word: &str| lines[&(path.to_owned(), word.to_owned())];
    let full = line("/sys/fs/cgroup/app/cpu.pressure", "full");
    let some = line("/sys/fs/cgroup/app/cpu.pressure", "some");
    // One thread to a CPU, so each CPU has the same weight.
    let tasks = written.report.metrics.tasks.values();
    let waits: Vec<u64> = tasks.map(|task| task.ready_ns + task.throttled_ns).collect();
    let mean_us = waits.iter().sum::<u64>() / waits.len() as u64 / 1_000;
    assert!(mean_us > 3_000_000, "{mean_us}");
    assert!(full.total_us.abs_diff(mean_us) < mean_us / 50, "{full:?} {mean_us}");
    assert!(some.total_us >= full.total_us, "{some:?} {full:?}");
    assert_eq!(line("/proc/pressure/cpu", "full"), Line::default());
    // Two periods of 2 s are over.
    let exact = mean_us as f64 / 50_000.0 * (1.0 - libm::exp(-0.4));
    assert!((full.averages[0] - exact).abs() < 2.0, "{full:?} {exact}");
}

#[test]
fn before_5_13_there_is_no_line_of_full_and_the_machine_has_one_until_5_18() {
    let text = |version| {
        let set = [("duration", "50ms"), ("kernel.version", version)];
        written("psi", &shipped("hackbench", &set)).text().to_owned()
    };
    assert_eq!(text("5.10").lines().count(), 1);
    let (old, new) = (text("5.14"), text("6.12"));
    assert!(old.lines().count() == 2 && !old.contains("==>"));
    assert!(new.ends_with("full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"), "{new}");
    let some = lines(&new)[&(String::new(), "some".to_owned())];
    assert!(some.total_us > 10_000, "hackbench's threads wait: {some:?}");
}

#[test]
fn a_run_that_a_limit_stops_has_the_pressure_up_to_there() {
    let prepared = shipped("quota-tree", &[("duration", "1s")]);
    let written = stopped("psi", &prepared, 2_000);
    let end_us = written.report.simulated_ns / 1_000;
    let lines = lines(written.text());
    assert!(lines.values().all(|line| line.total_us <= end_us), "{end_us} {lines:?}");
    assert!(lines.values().any(|line| line.total_us > 0), "{lines:?}");
}

#[test]
fn the_files_of_groups_say_what_the_report_says_which_the_engine_counts_as_it_runs() {
    let scenarios = [
        ("quota-tree", "6.12"),
        ("quota-web-p95", "6.18"),
        ("quota-32-threads", "5.14"),
        ("envoy-workers", "7.0"),
        ("quota-kernel-lock", "6.6"),
    ];
    for (slug, version) in scenarios {
        let set = [("duration", "2100ms"), ("kernel.version", version)];
        let written = written("psi", &shipped(slug, &set));
        let lines = lines(written.text());
        for (path, group) in &written.report.metrics.groups {
            let pressure = group.pressure.expect("the kernel has pressure");
            for (word, line) in [("some", pressure.some), ("full", pressure.full.unwrap())] {
                let file = lines[&(format!("/sys/fs/cgroup/{path}/cpu.pressure"), word.to_owned())];
                let averages = [line.avg10_bp, line.avg60_bp, line.avg300_bp];
                let reported = Line {
                    averages: averages.map(|bp| bp as f64 / 100.0),
                    total_us: line.total_ns / 1_000,
                };
                assert_eq!(file, reported, "{slug} on {version}: {path}, {word}");
            }
        }
    }
}
