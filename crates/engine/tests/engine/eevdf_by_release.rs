//! EEVDF from release to release: what a yield gives up, how long the running task is protected,
//! how far a lag reaches, who preempts (docs/model/fair-class.md#eevdf). Every figure is made by
//! hand in a comment.

use schedscope_engine::account::report::Metrics;
use schedscope_engine::kernel::config::{Kernel, Preempt, Protection, Version};
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{GroupSpec, NEVER, Op, Setup, TaskSpec};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{costless, fair, forever, hog, once, pause, task, work};
use crate::support::judge::{Row, Written, judge, written};
use crate::support::rows::with_other_answer;
use crate::support::{MS, US, run};

const LONG: u64 = 3_600_000 * MS;

/// The whole run, judged.
fn play(setup: &Setup) -> Written {
    let written = written(&mut run(setup, Options::EVERYTHING, 64));
    judge(setup, &written).expect("the trace keeps the laws");
    written
}

/// One CPU at 1000 Hz, fully preemptible, with these tasks.
fn alone(kernel: Kernel, duration_ns: u64, tasks: Vec<TaskSpec>) -> Setup {
    let kernel = Kernel { preempt: Preempt::Full, ..kernel };
    Setup { kernel, tasks, ..costless(Version::V6_6, 1, duration_ns) }
}

fn of(version: Version) -> Kernel {
    Kernel::of_version(version, 1)
}

fn ran(metrics: &Metrics, name: &str) -> u64 {
    metrics.tasks[name].run_ns
}

/// How long each task ran at a stretch, ms, with the task.
fn turns(written: &Written) -> Vec<(u32, u64)> {
    let switches: Vec<_> =
        written.rows.iter().filter(|row| row.kind == Kind::SchedSwitch && row.cpu == 0).collect();
    let turn = |pair: &[&Row]| (pair[0].b, (pair[1].time - pair[0].time + MS / 2) / MS);
    switches.windows(2).map(turn).collect()
}

/// A task that yields after each 0.1 ms of work beside a hog. Where the yield gives up the rest of
/// its request, each turn of 0.1 ms costs the yielder a slice of virtual time, 0.70 ms, and the hog
/// runs for as long before the yielder is eligible again: 0.1 of 0.8.
#[test]
fn a_yield_gives_up_the_rest_of_its_request_from_6_19_on_and_in_6_12_117() {
    let share = |kernel: Kernel| {
        let yields = task("yields", fair(), &[0], 0, forever(&[work(100 * US), Op::Yield]));
        let tasks = vec![yields, task("hog", fair(), &[0], 0, hog(LONG))];
        let written = play(&alone(kernel, 4_000 * MS, tasks));
        ran(&written.report.metrics, "yields.0") / MS
    };
    for version in [Version::V6_12, Version::V6_18] {
        let ms = share(of(version));
        assert!(ms.abs_diff(2_000) < 20, "{version:?}: {ms}");
    }
    for version in [Version::V6_12_117, Version::V7_0] {
        let ms = share(of(version));
        assert!(ms.abs_diff(500) < 5, "{version:?}: {ms}");
        let before = share(with_other_answer(&of(version), "yield_gives_up_request"));
        assert!(before.abs_diff(2_000) < 20, "{version:?} without the rule: {before}");
    }
}

/// Two hogs with slices of 1.5 and 100 ms; ticks see the end of a turn. To 6.16 the long one runs
/// to its deadline, then the short one until it has caught up: 100 ms each. From 6.17 on the long
/// one's protection ends 1.5 ms after its pick, which the second tick sees, and the short one's
/// request of 1.5 ms ends with the second tick too: 2 ms each.
#[test]
fn the_shortest_slice_ends_the_protection_of_a_long_one_from_6_17_on() {
    let median = |kernel: Kernel, name: usize| {
        let with_slice = |name: &str, slice_ns| TaskSpec {
            slice_ns: Some(slice_ns),
            ..task(name, fair(), &[0], 0, hog(LONG))
        };
        let tasks = vec![with_slice("short", 1_500 * US), with_slice("long", 100 * MS)];
        let written = play(&alone(kernel, 4_000 * MS, tasks));
        let mut turns: Vec<u64> = turns(&written)
            .into_iter()
            .filter(|(task, _)| *task == name as u32)
            .map(|(_, ms)| ms)
            .collect();
        turns.sort_unstable();
        turns[turns.len() / 2]
    };
    for (version, ms) in
        [(Version::V6_6, 100), (Version::V6_12_117, 100), (Version::V6_18, 2), (Version::V7_0, 2)]
    {
        assert_eq!([0, 1].map(|task| median(of(version), task)), [ms, ms], "{version:?}");
    }
    let old = Kernel { protection: Protection::UntilDeadline, ..of(Version::V7_0) };
    assert_eq!([0, 1].map(|task| median(old.clone(), task)), [100, 100]);
}

/// A hog with a slice of 100 ms runs from 0. A task with a slice of 1 ms joins at 10 ms, waits for
/// the first tick after the hog's deadline, at 101 ms, works for 1 ms, sleeps for 5 ms and then
/// wants the CPU for ever. As it goes to sleep its clock is at 11 ms, the hog's at 101 ms and the
/// average at 56: a lag of 45 ms. It comes back beside the hog alone, so its distance from the hog
/// is twice its lag. Before 7.0 the lag is cut to two slices, 2 ms, and the task comes back 4 ms
/// behind the hog; from 7.0 on the limit is 101 ms, and the task comes back 90 ms behind. The hog,
/// ahead of the average, loses the CPU at once. The task keeps it until it is ahead of the hog at
/// a tick: 5 or 91 ms.
#[test]
fn a_lag_reaches_as_far_as_the_greatest_slice_queued_from_7_0_on() {
    let second_turn = |kernel: Kernel| {
        let own = |spec: TaskSpec, slice_ns| TaskSpec { slice_ns: Some(slice_ns), ..spec };
        let naps = once(&[work(MS), pause(5 * MS), work(LONG)]);
        let tasks = vec![
            own(task("hog", fair(), &[0], 0, hog(LONG)), 100 * MS),
            own(task("naps", fair(), &[0], 10 * MS, naps), MS),
        ];
        let turns = turns(&play(&alone(kernel, 600 * MS, tasks)));
        turns.iter().filter(|(task, _)| *task == 1).map(|(_, ms)| *ms).nth(1).unwrap()
    };
    let before = of(Version::V6_6);
    let after = with_other_answer(&before, "lag_clamp_by_greatest_slice");
    let turns = [second_turn(before), second_turn(after)];
    assert!(turns[0].abs_diff(5) <= 1 && turns[1].abs_diff(91) <= 1, "{turns:?}");
    assert!(of(Version::V7_0).lag_clamp_by_greatest_slice());
}

/// A hog runs from 0; a parent joins at 2.5 ms, runs from the tick at 3 ms on, and forks after
/// 0.6 ms. At 3.6 ms its clock is at 3.1, the hog's at 3.0 and the average at 3.05: the parent has
/// had more than its share. The child joins at 3.05 with a deadline of 3.4, the hog's is 3.7. So
/// the pick at the fork is the child's; from 6.19 on a fork asks for no pick, and the child waits
/// for the tick at 4 ms.
#[test]
fn a_forked_task_preempts_only_before_6_19() {
    let born_to_first_run = |kernel: Kernel| {
        let fork = once(&[work(600 * US), Op::Fork { task: 0 }, work(LONG)]);
        let tasks = vec![
            task("child", fair(), &[0], NEVER, hog(100 * US)),
            task("hog", fair(), &[0], 0, hog(LONG)),
            task("parent", fair(), &[0], 2_500 * US, fork),
        ];
        let written = play(&alone(kernel, 20 * MS, tasks));
        let first = |kind: Kind, of: fn(&Row) -> u32| {
            written.rows.iter().find(|row| row.kind == kind && of(row) == 0).unwrap().time
        };
        let born = first(Kind::WakeupNew, |row| row.a);
        assert!(born.abs_diff(3_600 * US) < US, "{born}");
        first(Kind::SchedSwitch, |row| row.b) - born
    };
    assert!(born_to_first_run(of(Version::V6_18)) < US);
    let waits = born_to_first_run(of(Version::V7_0));
    assert!(waits.abs_diff(400 * US) < US, "{waits}");
    let before = with_other_answer(&of(Version::V7_0), "has_wakeup_actions");
    assert!(born_to_first_run(before) < US);
}

/// A group has a hog on CPU 0 and a task on CPU 1 that works and sleeps for 1 ms in turn, so the
/// weight of the group's entity on CPU 0 is 512 and 1024 in turn, from tick to tick. Beside it on
/// CPU 0 is a hog of the root group, which gets 2/3 and 1/2 in turn: 7/12. From 6.13 to 7.0 a tick
/// that finds the group running also multiplies the group's lag; the group has then run for 1 ms,
/// so it is ahead of its share, and the root's hog gains.
#[test]
fn weight_changes_of_a_running_group_cost_it_cpu_time_from_6_13_to_7_0() {
    let share = |kernel: &Kernel| {
        let mut setup = costless(Version::V6_6, 2, 4_000 * MS);
        setup.kernel = Kernel { preempt: Preempt::Full, hrtick: false, ..kernel.clone() };
        let path = "g".to_owned();
        setup.groups.push(GroupSpec { path, parent: 0, weight: 1024, bandwidth: None });
        let naps = forever(&[work(MS), pause(MS)]);
        setup.tasks = vec![
            task("root", fair(), &[0], 0, hog(LONG)),
            TaskSpec { group: 1, ..task("hog", fair(), &[0], 0, hog(LONG)) },
            TaskSpec { group: 1, ..task("naps", fair(), &[1], 500 * US, naps) },
        ];
        ran(&play(&setup).report.metrics, "root.0") as f64 / (4_000 * MS) as f64
    };
    for (version, anew) in [("6.12", false), ("6.18.44", true), ("6.18.45", false), ("7.1", false)]
    {
        let kernel = Kernel::of_version(Version::parse(version).unwrap(), 2);
        assert_eq!(kernel.reweight_places_anew(), anew, "{version}");
        let shares = [share(&kernel), share(&with_other_answer(&kernel, "reweight_places_anew"))];
        let [scaled, placed] = if anew { [shares[1], shares[0]] } else { shares };
        assert!((scaled - 7.0 / 12.0).abs() < 0.01, "{version}: {scaled}");
        assert!(placed > 0.62, "{version}: {placed}");
    }
}

/// Beside a hog, the only task of a group, with a slice of 0.1 ms, works for 0.3 ms at a time and
/// sleeps for 9.7 ms; its timers are 50 us late. It joins at the hog's clock, h, 0.4 ms after a
/// tick, is due before the hog, and preempts it. As it sleeps, its group is at h + 0.3 and the
/// average at h + 0.15. If the group stays queued, the hog passes it and the second wake-up is like
/// the first. If it leaves with its lag of -0.15 ms, it comes back 0.3 ms ahead of the hog, twice
/// its lag, and waits for the next tick, 0.6 ms later; without PLACE_LAG it comes back at the hog's
/// clock.
#[test]
fn a_group_that_stays_queued_pays_its_debt_while_its_only_task_sleeps() {
    let slowest = |kernel: Kernel| {
        let naps = forever(&[work(300 * US), pause(9_700 * US)]);
        let mut setup = alone(
            kernel,
            30 * MS,
            vec![
                task("hog", fair(), &[0], 0, hog(LONG)),
                TaskSpec {
                    group: 1,
                    slice_ns: Some(100 * US),
                    ..task("naps", fair(), &[0], 10_300 * US, naps)
                },
            ],
        );
        let path = "container".to_owned();
        setup.groups.push(GroupSpec { path, parent: 0, weight: 1024, bandwidth: None });
        let written = play(&setup);
        let times = |kind: Kind, of: fn(&Row) -> u32| -> Vec<u64> {
            let rows = written.rows.iter().filter(|row| row.kind == kind && of(row) == 1);
            rows.map(|row| row.time).collect()
        };
        let woken = times(Kind::SchedWakeup, |row| row.a);
        let ran = times(Kind::SchedSwitch, |row| row.b);
        woken.iter().zip(&ran).map(|(woken, ran)| ran - woken).nth(1).unwrap()
    };
    for version in ["6.12", "7.0"] {
        let kernel = Kernel::of_version(Version::parse(version).unwrap(), 1);
        let without = with_other_answer(&kernel, "delays_groups");
        let forgets = Kernel { place_lag: false, ..without.clone() };
        let waits = [slowest(kernel), slowest(without), slowest(forgets)];
        assert!(waits[1].abs_diff(600 * US) < 2 * US, "{version}: {waits:?}");
        assert!(waits[0] < US && waits[2] < US, "{version}: {waits:?}");
    }
}

/// Two hogs on one of eight CPUs take turns: their slice is 3.0 ms in 6.12 and 2.8 ms in 7.0, which
/// ends by the third tick. At 2 s NO_RUN_TO_PARITY is written. To 6.16 the hogs go on like that:
/// without a wake-up only the deadline asks for a pick. From 6.17 on the protection of the next
/// turns ends 0.70 ms after the pick, the base slice of one CPU, which the first tick sees.
#[test]
fn no_run_to_parity_written_in_mid_run_protects_for_the_base_slice_from_6_17_on() {
    for (version, turn_ms) in [("6.12", 3), ("6.18", 1), ("7.0", 1)] {
        let kernel = Kernel::of_version(Version::parse(version).unwrap(), 8);
        let hogs = ["a", "b"].map(|name| task(name, fair(), &[0], 0, hog(LONG)));
        let mut setup = costless(Version::V6_6, 8, 4_000 * MS);
        setup.kernel = Kernel { preempt: Preempt::Full, ..kernel };
        setup.tasks = hogs.to_vec();
        let options = Options { window: Options::EVERYTHING, ..Options::default() };
        let mut run = Run::new(&setup, options).expect("a sound setup");
        assert_eq!(run.advance(2_000 * MS, u64::MAX), Progress::Running);
        assert!(run.change("kernel.run_to_parity", "false"));
        assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
        let turns = turns(&written(&mut run));
        let of = |at: usize| turns[at].1;
        assert_eq!((of(100), of(turns.len() - 100)), (3, turn_ms), "{version}");
    }
}

#[test]
fn a_feature_takes_no_other_value_than_yes_or_no_in_mid_run() {
    let setup = alone(of(Version::V7_0), 20 * MS, vec![task("hog", fair(), &[0], 0, hog(LONG))]);
    let mut run = Run::new(&setup, Options::default()).expect("a sound setup");
    let features = ["place_lag", "preempt_short", "next_buddy", "delay_dequeue", "ni_random"];
    for feature in features.map(|feature| format!("kernel.{feature}")) {
        assert!(run.change(&feature, "false") && run.change(&feature, "true"), "{feature}");
        assert!(!run.change(&feature, "maybe"), "{feature}");
    }
    assert!(!run.change("kernel.hz", "true"));
}

/// Two hogs of nice 0 on one of eight CPUs: a slice of 2.8 ms. From 7.1 on a timer ends it. Before,
/// a tick sees the end: 3, 4 or 10 ms. The hogs run user code, which a lazy flag leaves at once, at
/// the end of the tick's interrupt.
#[test]
fn a_timer_ends_a_slice_from_7_1_on() {
    let turn_us = |version: &str, preempt, hz, hrtick: Option<bool>| {
        let kernel = Kernel::of_version(Version::parse(version).unwrap(), 8);
        let hrtick = hrtick.unwrap_or(kernel.hrtick);
        let mut setup = costless(Version::V6_6, 8, 1_000 * MS);
        setup.kernel = Kernel { preempt, hz, hrtick, ..kernel };
        setup.tasks = ["a", "b"].map(|name| task(name, fair(), &[0], 0, hog(LONG))).to_vec();
        let written = play(&setup);
        let at: Vec<u64> = written
            .rows
            .iter()
            .filter(|row| row.kind == Kind::SchedSwitch && row.cpu == 0)
            .map(|row| row.time)
            .collect();
        (at[21] - at[1]) / 20 / US
    };
    for (hz, ms) in [(1000, 3), (250, 4), (100, 10)] {
        for preempt in [Preempt::Full, Preempt::Lazy] {
            let ticks =
                [turn_us("7.0", preempt, hz, None), turn_us("7.1", preempt, hz, Some(false))];
            assert_eq!(ticks, [ms * 1_000; 2], "{preempt:?}, HZ {hz}");
            let timer = turn_us("7.1", preempt, hz, None);
            assert_eq!(timer, 2_800, "{preempt:?}, HZ {hz}");
        }
    }
}
