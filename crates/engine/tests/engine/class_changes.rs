//! A task that changes its class or its weight while it runs, waits or sleeps: its fair clock and
//! its slice after the change; and writes that follow each other immediately.

use schedscope_engine::ids::TaskId;
use schedscope_engine::kernel::config::{Kernel, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{GroupSpec, Policy, Setup, TaskSpec};
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
    let options = Options {
        window: Options::EVERYTHING,
        check_every: 1,
        max_records: 500_000,
        ..Options::default()
    };
    let mut run =
        Run::new(&setup.clone().with_all_stoppers(), options).expect("the setup is sound");
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
    let found =
        rows.iter().find(|row| row.kind == Kind::SchedSwitch && row.b == to && row.time > after);
    found.map_or(u64::MAX, |row| row.time)
}

const WHO: &str = "tasks.\"who.0\".policy";

#[test]
fn a_task_that_becomes_fair_shares_from_then_on_and_owes_nobody_what_they_ran_before() {
    for version in
        [Version::V3_2, Version::V4_15, Version::V6_1, Version::V6_3, Version::V6_6, Version::V6_12]
    {
        let setup = of_version(
            version,
            vec![
                task("who", fifo(50), &[0], 100 * MS, hog(900 * MS)),
                task("peer", fair(), &[0], 0, hog(900 * MS)),
            ],
        );
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
        let tasks =
            vec![task("who", fair(), &[0], 0, naps), task("peer", fair(), &[0], 0, hog(900 * MS))];
        let rows = rows(
            &of_version(version, tasks),
            &[(20 * MS, WHO, "SCHED_FIFO 1"), (40 * MS, WHO, "SCHED_OTHER 0")],
        );
        let shares = [0, 1].map(|task| run_in(&rows, task, 80 * MS, 180 * MS) / MS);
        assert!(shares.iter().all(|share| (35..=65).contains(share)), "{version:?}: {shares:?}");
    }
}

#[test]
fn a_heavier_weight_makes_what_a_task_owes_a_shorter_virtual_time() {
    for version in [Version::V6_6, Version::V6_12, Version::V6_12_117] {
        for at in [20 * MS, 31 * MS + 300 * US, 42 * MS + 700 * US] {
            let tasks = vec![
                task("who", fair(), &[0], 0, hog(900 * MS)),
                task("peer", fair(), &[0], 0, hog(900 * MS)),
            ];
            let rows = rows(&of_version(version, tasks), &[(at, WHO, "SCHED_OTHER -10")]);
            let shares = [0, 1].map(|task| run_in(&rows, task, at, at + 20 * MS) / US);
            // 9548 to 1024: nine tenths, except one slice of its peer.
            assert!(shares[0] >= 14_000, "{version:?} at {at}: {shares:?} us");
        }
    }
}

#[test]
fn a_change_of_policy_begins_no_new_slice_of_round_robin() {
    let rr = Policy::RoundRobin { rt_priority: 50 };
    let tasks =
        vec![task("who", rr, &[0], 0, hog(900 * MS)), task("peer", rr, &[0], MS, hog(900 * MS))];
    for version in [Version::V3_16, Version::V6_1, Version::V6_12] {
        let mut setup = of_version(version, tasks.clone());
        setup.kernel.rt_runtime_ns = None;
        let alone = first_switch(&rows(&setup, &[]), 1, MS);
        assert!((90 * MS..110 * MS).contains(&alone), "{version:?}: a slice is 100 ms");
        let written = first_switch(
            &rows(&setup, &[(60 * MS, WHO, "SCHED_FIFO 50"), (64 * MS, WHO, "SCHED_RR 50")]),
            1,
            MS,
        );
        assert!(
            (alone..alone + 10 * MS).contains(&written),
            "{version:?}: {written} after {alone}"
        );
    }
}

#[test]
fn of_two_writes_to_one_task_the_later_counts_wherever_the_task_is_on_its_way() {
    // The task goes to and fro between two CPUs, and is between queues at every wake-up.
    let mut found_waiting = 0;
    for at in (0..400).map(|step| 2 * MS + step * 700) {
        let tasks = vec![
            task("who", fifo(50), &[0, 1], 10 * US, forever(&[work(3 * US), pause(5 * US)])),
            task("noise", fifo(60), &[0], 12 * US, forever(&[work(6 * US), pause(5 * US)])),
            task("other", fifo(60), &[1], 15 * US, forever(&[work(4 * US), pause(7 * US)])),
        ];
        let mut setup = of_version(Version::V6_12, tasks);
        setup.duration_ns = 3 * MS;
        let rows =
            rows(&setup, &[(at, "tasks.\"who.0\".cpus", "1"), (at + 500, WHO, "SCHED_FIFO 40")]);
        let changes: Vec<(u64, u32)> = rows
            .iter()
            .filter(|row| row.kind == Kind::LiveChange)
            .map(|row| (row.time, row.b))
            .collect();
        assert_eq!(
            changes.iter().map(|(_, code)| *code).collect::<Vec<_>>(),
            [0, 1],
            "written at {at}: {changes:?}"
        );
        found_waiting += usize::from(changes[0].0 > at + 900);
    }
    assert!(found_waiting > 0, "a write had to wait");
}

#[test]
fn what_a_sched_idle_task_owes_is_little_once_it_weighs_more() {
    for version in
        [Version::V6_6, Version::V6_12, Version::V6_12_117, Version::V6_13, Version::V6_18]
    {
        let tasks = vec![
            task("who", Policy::Idle, &[0], 0, hog(900 * MS)),
            task("peer", fair(), &[0], 0, hog(900 * MS)),
        ];
        let setup = of_version(version, tasks);
        let mut run = Run::new(&setup.clone().with_all_stoppers(), Options::default())
            .expect("the setup is sound");
        run.advance(110 * MS, u64::MAX);
        assert!(run.change(WHO, "SCHED_FIFO 1"));
        run.advance(110 * MS + 20 * US, u64::MAX);
        // The task began, and has used some ms of its peers' share: at a weight of 3 those are two
        // seconds of virtual time.
        assert!(
            (-10 * MS as i64..0).contains(&run.sim().task(TaskId::new(0)).se.vlag),
            "{version:?}: {}",
            run.sim().task(TaskId::new(0)).se.vlag
        );
        let rows =
            rows(&setup, &[(110 * MS, WHO, "SCHED_FIFO 1"), (111 * MS, WHO, "SCHED_OTHER 0")]);
        let shares = [0, 1].map(|task| run_in(&rows, task, 112 * MS, 172 * MS) / MS);
        // In 6.12 its request stays as long as it was at that weight, some two thousand ms, and it
        // has the CPU until that is used up.
        let keeps_request = matches!(version, Version::V6_12 | Version::V6_12_117);
        let expected = if keeps_request { 50..=60 } else { 21..=39 };
        assert!(expected.contains(&shares[0]), "{version:?}: {shares:?} ms");
    }
}

/// The longest stretch that `task` runs on CPU 0 without a switch, ns.
fn longest_run(rows: &[Row], task: u32) -> u64 {
    let switches: Vec<&Row> =
        rows.iter().filter(|row| row.kind == Kind::SchedSwitch && row.cpu == 0).collect();
    switches
        .windows(2)
        .filter(|pair| pair[0].b == task)
        .map(|pair| pair[1].time - pair[0].time)
        .max()
        .unwrap_or(0)
}

#[test]
fn a_request_goes_on_over_a_change_of_affinity_from_6_12_on_and_before_a_new_one_began() {
    // One write each ms, while a request is for 6 ms.
    let times: Vec<(u64, &str)> =
        (0..60).map(|nth| (20 * MS + nth * MS, if nth % 2 == 0 { "0-1" } else { "0" })).collect();
    let writes: Vec<(u64, &str, &str)> =
        times.iter().map(|(at, cpus)| (*at, "tasks.\"who.0\".cpus", *cpus)).collect();
    for (version, goes_on) in [
        (Version::V6_6, false),
        (Version::V6_12, true),
        (Version::V6_12_117, true),
        (Version::V6_13, true),
    ] {
        let tasks = vec![
            task("who", fair(), &[0], 0, hog(900 * MS)),
            task("peer", fair(), &[0], 0, hog(900 * MS)),
        ];
        let longest = longest_run(&rows(&of_version(version, tasks), &writes), 0);
        assert!(
            if goes_on { longest < 9 * MS } else { longest > 50 * MS },
            "{version:?}: {longest} ns"
        );
    }
}

/// The task `who` of [`behind`].
const WHO_LAST: u32 = 2;

/// The virtual run time of `who`, and of the peer with the least, ns.
fn clocks(run: &Run) -> (i64, i64) {
    let [peer, other, who] = [0, 1, 2].map(|task| run.sim().task(TaskId::new(task)).se.vruntime);
    (who, peer.min(other))
}

/// A run paused where `who` of three hogs waits and is behind both others by 2.5 ms or more.
fn behind(version: Version, policy: Policy) -> Run {
    pause_behind(three(version, policy))
}

/// Three hogs; of equals the last one comes last.
fn three(version: Version, policy: Policy) -> Setup {
    let tasks = ["peer", "other", "who"].map(|name| {
        task(name, if name == "who" { policy } else { fair() }, &[0], 0, hog(900 * MS))
    });
    of_version(version, tasks.to_vec())
}

fn pause_behind(setup: Setup) -> Run {
    let version = setup.kernel.version();
    let mut run =
        Run::new(&setup.with_all_stoppers(), Options::default()).expect("the setup is sound");
    let found = (20..300).any(|ms| {
        run.advance(ms * MS, u64::MAX);
        let (who, peers) = clocks(&run);
        !run.sim().task(TaskId::new(WHO_LAST)).on_cpu && who + 5 * (MS as i64) / 2 < peers
    });
    assert!(found, "{version:?}");
    run
}

/// How far these writes, one after the other, move the clock of `who`, and how far that was behind
/// its peers', ns.
fn moved(version: Version, policy: Policy, writes: &[&str]) -> (i64, i64) {
    let mut run = behind(version, policy);
    let before = clocks(&run).0;
    for value in writes {
        assert!(run.change(WHO, value), "{value}");
        run.advance(run.now() + 20 * US, u64::MAX);
    }
    let (who, peers) = clocks(&run);
    (who - before, peers - before)
}

#[test]
fn a_change_of_policy_and_priority_costs_a_waiting_cfs_task_its_place_and_one_of_either_does_not() {
    let nice = Policy::Fair { nice: 5 };
    let is_lost = |version: Version, policy: Policy, writes: &[&str]| {
        let (moved, behind) = moved(version, policy, writes);
        assert!(
            moved == 0 || (behind - moved).abs() < 100 * US as i64,
            "{version:?} {writes:?}: {moved} of {behind} ns"
        );
        moved != 0
    };
    for (version, by_nice, by_policy, by_both) in [
        (Version::V2_6_25, false, false, false),
        (Version::V3_19, true, true, true),
        (Version::V4_18, true, true, false),
        (Version::V5_10, false, false, true),
        (Version::V6_1_192, false, false, true),
    ] {
        assert_eq!(is_lost(version, fair(), &["SCHED_OTHER 5"]), by_nice, "{version:?}");
        assert_eq!(is_lost(version, fair(), &["SCHED_IDLE"]), by_policy, "{version:?}");
        assert_eq!(is_lost(version, nice, &["SCHED_IDLE"]), by_both, "{version:?}");
        // The minimum of the queue stays where it was at a change that costs nothing.
        assert_eq!(
            is_lost(version, fair(), &["SCHED_OTHER 5", "SCHED_IDLE"]),
            by_nice || by_both,
            "{version:?}"
        );
    }
}

#[test]
fn a_change_of_affinity_costs_a_waiting_cfs_task_its_place_in_4_15_to_4_19_alone() {
    for (version, lost) in [
        (Version::V3_19, false),
        (Version::V4_18, true),
        (Version::V5_10, false),
        (Version::V6_1_192, false),
    ] {
        let mut run = behind(version, fair());
        let before = clocks(&run).0;
        assert!(run.change("tasks.\"who.0\".cpus", "0-1"));
        run.advance(run.now() + 20 * US, u64::MAX);
        assert_eq!(clocks(&run).0 != before, lost, "{version:?}");
    }
}

#[test]
fn a_task_that_sleeps_on_its_queue_goes_on_doing_so_with_another_weight_and_leaves_it_with_another_class()
 {
    for version in [Version::V6_12, Version::V6_12_117] {
        for (key, value, stays) in [
            ("policy", "SCHED_OTHER 5", true),
            ("cpus", "0-1", true),
            ("cpus", "1", false),
            ("policy", "SCHED_FIFO 1", false),
        ] {
            let naps = forever(&[work(5 * MS), pause(40 * MS)]);
            let tasks = vec![
                task("who", fair(), &[0], 0, naps),
                task("peer", fair(), &[0], 0, hog(900 * MS)),
            ];
            let options = Options { check_every: 1, ..Options::default() };
            let mut run = Run::new(&of_version(version, tasks).with_all_stoppers(), options)
                .expect("the setup is sound");
            let asleep = (1..3_000).any(|step| {
                run.advance(step * 100 * US, u64::MAX);
                run.sim().task(TaskId::new(0)).se.delayed
            });
            assert!(asleep, "{version:?}");
            assert!(run.change(&format!("tasks.\"who.0\".{key}"), value));
            run.advance(run.now() + 20 * US, u64::MAX);
            assert_eq!(run.sim().task(TaskId::new(0)).se.delayed, stays, "{version:?}: {value}");
            assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished, "{version:?}: {value}");
        }
    }
}

/// The three hogs in one group, whose entity is alone on the root queue.
fn three_in_a_group(version: Version) -> Setup {
    let mut setup = three(version, fair());
    setup.groups.push(GroupSpec { path: "g".to_owned(), ..GroupSpec::root() });
    setup.tasks.iter_mut().for_each(|task| task.group = 1);
    setup
}

#[test]
fn a_stronger_nice_value_preempts_at_once_but_from_5_5_on_not_where_the_root_queue_has_one_group_alone()
 {
    for (version, in_a_group) in
        [(Version::V5_4, true), (Version::V5_10, false), (Version::V6_1_192, false)]
    {
        for (setup, preempts) in
            [(three(version, fair()), true), (three_in_a_group(version), in_a_group)]
        {
            let mut run = pause_behind(setup);
            assert!(run.change(WHO, "SCHED_OTHER -20"));
            run.advance(run.now() + 50 * US, u64::MAX);
            assert_eq!(run.sim().task(TaskId::new(WHO_LAST)).on_cpu, preempts, "{version:?}");
        }
    }
}

#[test]
fn a_running_task_that_becomes_fair_gives_way_at_once_to_its_group_too() {
    for version in [Version::V3_19, Version::V5_4, Version::V6_1_192, Version::V6_12_117] {
        for group in [0, 1] {
            let mut setup = three_in_a_group(version);
            setup.tasks.iter_mut().for_each(|task| task.group = group);
            setup.tasks[WHO_LAST as usize].policy = fifo(50);
            setup.tasks[WHO_LAST as usize].start_ns = 20 * MS;
            let at = 30 * MS + 300 * US;
            let rows = rows(&setup, &[(at, WHO, "SCHED_OTHER 0")]);
            let asked = rows
                .iter()
                .find(|row| row.kind == Kind::NeedResched && row.cpu == 0 && row.time > at)
                .expect("it is asked for");
            assert!(asked.time < at + 50 * US, "{version:?}, group {group}: at {}", asked.time);
        }
    }
}

#[test]
fn a_throttled_rt_task_that_becomes_fair_takes_the_cpu_from_a_sched_idle_one_at_once() {
    for version in [Version::V3_19, Version::V5_10, Version::V6_1_192] {
        let tasks = vec![
            task("who", fifo(50), &[0], 5 * MS, hog(900 * MS)),
            task("peer", Policy::Idle, &[0], 0, hog(900 * MS)),
        ];
        let mut setup = of_version(version, tasks);
        setup.kernel.rt_runtime_ns = Some(5 * MS);
        setup.kernel.rt_period_ns = 300 * MS;
        let mut run =
            Run::new(&setup.with_all_stoppers(), Options::default()).expect("the setup is sound");
        run.advance(50 * MS + 300 * US, u64::MAX);
        assert!(
            !run.sim().task(TaskId::new(0)).on_cpu && run.change(WHO, "SCHED_OTHER 0"),
            "{version:?}"
        );
        run.advance(run.now() + 50 * US, u64::MAX);
        assert!(run.sim().task(TaskId::new(0)).on_cpu, "{version:?}");
    }
}
