//! A task that changes its class or its weight while it runs, waits or sleeps: what becomes of its fair clock and of its slice; and writes
//! that come one upon the other.

use schedscope_engine::kernel::config::{Kernel, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{Policy, Setup, TaskSpec};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{bare, fair, fifo, forever, hog, pause, task, work};
use crate::support::judge::{Row, written};
use crate::support::{MS, US};

/// CPU 0 of two, on which all of it happens.
fn of_version(version: Version, tasks: Vec<TaskSpec>) -> Setup {
    let mut setup = bare(2, CostsName::Qspin2s);
    setup.kernel = Kernel { load_balance: false, ..Kernel::of_version(version, 2) };
    setup.tasks = tasks;
    setup.duration_ns = 400 * MS;
    setup
}

/// Runs with these writes, each law looked at.
fn rows(setup: &Setup, writes: &[(u64, &str, &str)]) -> Vec<Row> {
    let options = Options { window: Options::EVERYTHING, check_every: 1, max_records: 500_000, ..Options::default() };
    let mut run = Run::new(&setup.clone().with_all_stoppers(), options).expect("the setup is sound");
    for (at, path, value) in writes {
        assert_eq!(run.advance(*at, u64::MAX), Progress::Running);
        assert!(run.change(path, value), "{path}={value}");
    }
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    written(&mut run).rows
}

/// Run by `task` on CPU 0 in a stretch, ns.
fn run_in(rows: &[Row], task: u32, from: u64, to: u64) -> u64 {
    let mut since = None;
    let mut sum = 0;
    for row in rows.iter().filter(|row| row.kind == Kind::SchedSwitch && row.cpu == 0) {
        if let Some(since) = since.take_if(|_| row.a == task) {
            sum += row.time.min(to).saturating_sub(from.max(since));
        }
        if row.b == task {
            since = Some(row.time);
        }
    }
    sum + since.map_or(0, |since: u64| to.saturating_sub(since.max(from)))
}

fn first_switch(rows: &[Row], to: u32, after: u64) -> u64 {
    let found = rows.iter().find(|row| row.kind == Kind::SchedSwitch && row.b == to && row.time > after);
    found.map_or(u64::MAX, |row| row.time)
}

const WHO: &str = "tasks.\"who.0\".policy";

#[test]
fn a_task_that_becomes_fair_shares_from_then_on_and_owes_nobody_what_they_ran_before() {
    for version in [Version::V3_2, Version::V4_15, Version::V6_1, Version::V6_3, Version::V6_6, Version::V6_12] {
        let setup =
            of_version(version, vec![task("who", fifo(50), &[0], 100 * MS, hog(900 * MS)), task("peer", fair(), &[0], 0, hog(900 * MS))]);
        let rows = rows(&setup, &[(110 * MS, WHO, "SCHED_OTHER 0")]);
        let shares = [0, 1].map(|task| run_in(&rows, task, 110 * MS, 210 * MS) / MS);
        assert!(shares.iter().all(|share| (35..=65).contains(share)), "{version:?}: {shares:?}");
    }
}

#[test]
fn a_time_as_an_rt_task_is_no_part_of_what_a_fair_task_has_had() {
    for version in [Version::V3_2, Version::V6_1] {
        let tasks = vec![
            task("who", fair(), &[0], 0, hog(900 * MS)),
            task("peer", fair(), &[0], 0, hog(900 * MS)),
            task("other", fair(), &[0], 0, hog(900 * MS)),
        ];
        // Two times fifty ms as an RT task that has the CPU for itself.
        let writes = [
            (50 * MS, WHO, "SCHED_FIFO 1"),
            (100 * MS, WHO, "SCHED_OTHER 0"),
            (200 * MS, WHO, "SCHED_FIFO 1"),
            (250 * MS, WHO, "SCHED_OTHER 0"),
        ];
        let rows = rows(&of_version(version, tasks), &writes);
        let share = run_in(&rows, 0, 260 * MS, 380 * MS) / MS;
        assert!((30..=50).contains(&share), "{version:?}: {share} of 120 ms");
    }
}

#[test]
fn a_sleeper_that_comes_back_to_the_fair_class_is_at_most_a_sleepers_credit_behind() {
    for version in [Version::V3_2, Version::V4_15, Version::V6_1] {
        let naps = forever(&[work(MS), pause(60 * MS), work(900 * MS)]);
        let tasks = vec![task("who", fair(), &[0], 0, naps), task("peer", fair(), &[0], 0, hog(900 * MS))];
        let rows = rows(&of_version(version, tasks), &[(20 * MS, WHO, "SCHED_FIFO 1"), (40 * MS, WHO, "SCHED_OTHER 0")]);
        let shares = [0, 1].map(|task| run_in(&rows, task, 80 * MS, 180 * MS) / MS);
        assert!(shares.iter().all(|share| (35..=65).contains(share)), "{version:?}: {shares:?}");
    }
}

#[test]
fn a_heavier_weight_makes_what_a_task_owes_a_shorter_virtual_time() {
    for version in [Version::V6_6, Version::V6_12, Version::V6_12_117] {
        for at in [20 * MS, 31 * MS + 300 * US, 42 * MS + 700 * US] {
            let tasks = vec![task("who", fair(), &[0], 0, hog(900 * MS)), task("peer", fair(), &[0], 0, hog(900 * MS))];
            let rows = rows(&of_version(version, tasks), &[(at, WHO, "SCHED_OTHER -10")]);
            let shares = [0, 1].map(|task| run_in(&rows, task, at, at + 20 * MS) / US);
            // 9548 to 1024: nine tenths, but for one slice of its peer.
            assert!(shares[0] >= 14_000, "{version:?} at {at}: {shares:?} us");
        }
    }
}

#[test]
fn a_change_of_policy_begins_no_new_slice_of_round_robin() {
    let rr = Policy::RoundRobin { rt_priority: 50 };
    let tasks = vec![task("who", rr, &[0], 0, hog(900 * MS)), task("peer", rr, &[0], MS, hog(900 * MS))];
    for version in [Version::V3_16, Version::V6_1, Version::V6_12] {
        let mut setup = of_version(version, tasks.clone());
        setup.kernel.rt_runtime_ns = None;
        let alone = first_switch(&rows(&setup, &[]), 1, MS);
        assert!((90 * MS..110 * MS).contains(&alone), "{version:?}: a slice is 100 ms");
        let written = first_switch(&rows(&setup, &[(60 * MS, WHO, "SCHED_FIFO 50"), (64 * MS, WHO, "SCHED_RR 50")]), 1, MS);
        assert!((alone..alone + 10 * MS).contains(&written), "{version:?}: {written} after {alone}");
    }
}

#[test]
fn of_two_writes_to_one_task_the_later_counts_wherever_the_task_is_on_its_way() {
    // It goes to and fro between two CPUs, and is on its way between queues at every wake-up.
    let mut found_waiting = 0;
    for at in (0..400).map(|step| 2 * MS + step * 700) {
        let tasks = vec![
            task("who", fifo(50), &[0, 1], 10 * US, forever(&[work(3 * US), pause(5 * US)])),
            task("noise", fifo(60), &[0], 12 * US, forever(&[work(6 * US), pause(5 * US)])),
            task("other", fifo(60), &[1], 15 * US, forever(&[work(4 * US), pause(7 * US)])),
        ];
        let mut setup = of_version(Version::V6_12, tasks);
        setup.duration_ns = 3 * MS;
        let rows = rows(&setup, &[(at, "tasks.\"who.0\".cpus", "1"), (at + 500, WHO, "SCHED_FIFO 40")]);
        let changes: Vec<(u64, u32)> = rows.iter().filter(|row| row.kind == Kind::LiveChange).map(|row| (row.time, row.b)).collect();
        assert_eq!(changes.iter().map(|(_, code)| *code).collect::<Vec<_>>(), [0, 1], "written at {at}: {changes:?}");
        found_waiting += usize::from(changes[0].0 > at + 900);
    }
    assert!(found_waiting > 0, "a write had to wait");
}
