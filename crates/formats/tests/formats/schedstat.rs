//! /proc/schedstat, as a reader of its columns sees it, against the run's own counts.

use schedscope_engine::kernel::config::Version;
use schedscope_engine::trace::catalogue::{Kind, NONE};

use schedscope_scenario::Prepared;

use crate::support::{SCENARIOS, Written, prepared, shipped, stopped, written};

/// The nine columns of each CPU.
fn cpus(text: &str) -> Vec<[u64; 9]> {
    let mut lines = text.lines();
    assert!(lines.next().unwrap().starts_with("version "));
    assert!(lines.next().unwrap().starts_with("timestamp "));
    let columns = |(nth, line): (usize, &str)| {
        let rest = line.strip_prefix(&format!("cpu{nth} ")).unwrap();
        let columns: Vec<u64> = rest.split(' ').map(|word| word.parse().unwrap()).collect();
        columns.try_into().unwrap()
    };
    lines.enumerate().map(columns).collect()
}

fn column(cpus: &[[u64; 9]], nth: usize) -> u64 {
    cpus.iter().map(|columns| columns[nth]).sum()
}

/// So many rows of a kind, of those that pass.
fn rows(written: &Written, kind: Kind, pass: impl Fn(u32, u32) -> bool) -> u64 {
    let rows = &written.rows;
    let each = rows.kind.iter().zip(rows.a.iter().zip(&rows.b));
    each.filter(|(each, (a, b))| **each == kind as u8 && pass(**a, **b)).count() as u64
}

/// The scenarios whose kernel has columns of version 15 on.
fn runs() -> impl Iterator<Item = (&'static str, Prepared)> {
    let run = |(slug, ..): (&'static str, _, _)| (slug, prepared(slug));
    SCENARIOS.into_iter().map(run).filter(|(_, run)| run.setup.kernel.version() >= Version::V3_2)
}

#[test]
fn switches_wake_ups_and_slices_are_those_of_the_run() {
    for (slug, run) in runs() {
        let written = written("schedstat", &run);
        let cpus = cpus(written.text());
        let switches = written.report.metrics.sched.context_switches;
        let to_task = rows(&written, Kind::SchedSwitch, |_, next| next != NONE);
        assert_eq!(column(&cpus, 8), to_task, "{slug}: pcount");
        let (count, idle) = (column(&cpus, 2), column(&cpus, 3));
        assert!(count >= switches && count <= 2 * switches + 100, "{slug}: {count} {switches}");
        assert!(idle >= switches - to_task && idle <= count, "{slug}: sched_goidle {idle}");
        assert_eq!(column(&cpus, 4), rows(&written, Kind::SchedWaking, |_, _| true), "{slug}");
        assert!(column(&cpus, 5) <= column(&cpus, 4), "{slug}: ttwu_local");
        assert!(column(&cpus, 0) == 0 && column(&cpus, 1) == 0, "{slug}");
    }
}

/// ns from each switch to a task to the next switch on its CPU.
fn stays_ns(written: &Written, cpus: usize) -> Vec<u64> {
    let rows = &written.rows;
    let mut last = vec![0; cpus];
    let mut ran = vec![0; cpus];
    for row in (0..rows.time.len()).filter(|row| rows.kind[*row] == Kind::SchedSwitch as u8) {
        let (time, cpu) = (rows.time[row], usize::from(rows.cpu[row]));
        ran[cpu] += if rows.a[row] == NONE { 0 } else { time - last[cpu] };
        last[cpu] = time;
    }
    ran
}

#[test]
fn run_time_is_that_of_the_stays_and_waits_are_those_of_the_tasks() {
    for (slug, run) in runs() {
        let written = written("schedstat", &run);
        let cpus = cpus(written.text());
        let ran: Vec<u64> = cpus.iter().map(|columns| columns[6]).collect();
        assert_eq!(ran, stays_ns(&written, cpus.len()), "{slug}");
        let metrics = &written.report.metrics;
        let tasks = metrics.tasks.values();
        let waited: u64 = tasks.map(|task| task.ready_ns + task.throttled_ns).sum();
        // A wait ends a part of a schedule() later here; one under way at the end is not counted.
        let slack = metrics.sched.context_switches * 10_000;
        let delay = column(&cpus, 7);
        let pulls = metrics.rq_lock.pull_remote_acquisitions > 0;
        assert!(pulls || delay <= waited + slack, "{slug}: {delay} {waited}");
        let open = written.report.metrics.tasks.len() as u64 * run.setup.duration_ns;
        assert!(delay + slack + open >= waited, "{slug}: {delay} {waited}");
    }
}

#[test]
fn the_version_follows_the_kernel_and_the_time_stamp_counts_ticks() {
    for (kernel, version) in [("3.2", 15), ("6.6", 15), ("6.12", 16), ("6.13", 16), ("6.18", 17)] {
        let set = [("duration", "20ms"), ("kernel.version", kernel)];
        let run = shipped("rt-fifo-preempt", &set);
        let ticks = 20 * u64::from(run.setup.kernel.hz) / 1_000;
        let written = written("schedstat", &run);
        let head = format!("version {version}\ntimestamp {ticks}\ncpu0 ");
        assert!(written.text().starts_with(&head), "{kernel}: {}", written.text());
    }
}

#[test]
fn the_time_stamp_of_a_run_that_a_limit_stops_is_that_of_its_end() {
    let run = shipped("quota-tree", &[("duration", "1s")]);
    let written = stopped("schedstat", &run, 2_000);
    let ticks = written.report.simulated_ns * u64::from(run.setup.kernel.hz) / 1_000_000_000;
    let stamp = written.text().lines().nth(1);
    assert_eq!(stamp, Some(format!("timestamp {ticks}").as_str()));
}
