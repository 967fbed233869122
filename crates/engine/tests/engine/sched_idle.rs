//! SCHED_IDLE: the share of such a task beside others, which task preempts which, and how a CPU of
//! such tasks counts (kernel/fair/idle_policy.rs).

use schedscope_engine::account::report::Metrics;
use schedscope_engine::kernel::config::{Fair, Version};
use schedscope_engine::run::Options;
use schedscope_engine::setup::{GroupSpec, Policy, Setup, TaskSpec};

use crate::support::build::{costless, fair, forever, hog, pause, task, work};
use crate::support::judge::{judge, written};
use crate::support::{MS, US, run};

const LONG: u64 = 3_600_000 * MS;

/// The whole run, judged.
fn play(setup: &Setup) -> Metrics {
    let written = written(&mut run(setup, Options::EVERYTHING, 64));
    judge(setup, &written).expect("the trace keeps the laws");
    written.report.metrics
}

/// A hog under one policy and a task under another that works briefly every 10 ms: how late the
/// latter is, as p50 and p90.
fn napper_beside(version: Version, hogs: Policy, napper: Policy) -> (u64, u64) {
    let mut setup = costless(version, 1, 3_000 * MS);
    setup.tasks = vec![
        task("hog", hogs, &[0], 0, hog(LONG)),
        task("napper", napper, &[0], 0, forever(&[work(50 * US), pause(10 * MS)])),
    ];
    let latency = &play(&setup).latency["napper"];
    (latency.p50_ns, latency.p90_ns)
}

#[test]
fn beside_a_hog_a_sched_idle_task_gets_its_weight_of_3_in_1027() {
    for (version, weight) in [
        (Version::V2_6_25, 2.0),
        (Version::V5_4, 3.0),
        (Version::V6_1, 3.0),
        (Version::V6_6, 3.0),
        (Version::V6_12_117, 3.0),
    ] {
        let mut setup = costless(version, 1, 60_000 * MS);
        setup.tasks = vec![
            task("hog", fair(), &[0], 0, hog(LONG)),
            task("idle", Policy::Idle, &[0], 0, hog(LONG)),
        ];
        let metrics = play(&setup);
        let share = metrics.tasks["idle.0"].run_ns as f64 / 60e9;
        let expected = weight / (1024.0 + weight);
        assert!((share - expected).abs() < 0.15 * expected, "{version:?}: {share} of {expected}");
    }
}

#[test]
fn two_sched_idle_tasks_alone_share_a_cpu_evenly() {
    for version in [Version::V5_4, Version::V6_1, Version::V6_12] {
        let mut setup = costless(version, 1, 4_000 * MS);
        setup.tasks =
            ["one", "two"].map(|name| task(name, Policy::Idle, &[0], 0, hog(LONG))).to_vec();
        let metrics = play(&setup);
        let (one, two) = (metrics.tasks["one.0"].run_ns, metrics.tasks["two.0"].run_ns);
        assert!(one + two > 3_999 * MS && one.abs_diff(two) < 40 * MS, "{version:?}: {one} {two}");
    }
}

#[test]
fn a_woken_task_preempts_a_sched_idle_one_at_once() {
    for version in [Version::V3_2, Version::V5_4, Version::V6_1, Version::V6_12_117, Version::V6_18]
    {
        let (p50, p90) = napper_beside(version, Policy::Idle, fair());
        // The rest is the timer slack of up to 50 us.
        assert!(p50 <= 52 * US && p90 <= 52 * US, "{version:?}: {p50} {p90}");
    }
}

#[test]
fn up_to_6_13_eevdf_may_pick_the_sched_idle_task_again_that_was_to_be_preempted() {
    // One that sleeps a little ahead of its share comes back so: the idle task, just picked, is
    // eligible, and keeps the CPU.
    let worst = [Version::V6_6, Version::V6_18].map(|version| {
        let mut setup = costless(version, 1, 3_000 * MS);
        let busy = forever(&[work(400 * US), pause(200 * US)]);
        setup.tasks = vec![
            task("idle", Policy::Idle, &[0], 0, hog(LONG)),
            task("busy", fair(), &[0], 0, busy),
        ];
        play(&setup).latency["busy"].max_ns
    });
    assert!(worst[0] > 300 * US && worst[1] <= 52 * US, "{worst:?}");
}

#[test]
fn a_sched_idle_task_preempts_nobody_when_it_wakes() {
    // Under SCHED_OTHER these naps preempt a CFS hog; under SCHED_IDLE they wait for ticks, also
    // behind other SCHED_IDLE tasks.
    for version in [Version::V3_2, Version::V5_4, Version::V6_1] {
        let (other, _) = napper_beside(version, fair(), fair());
        let (idle, _) = napper_beside(version, fair(), Policy::Idle);
        assert!(other <= 52 * US && idle > MS, "{version:?}: {other} {idle}");
    }
    for version in [Version::V5_4, Version::V6_12, Version::V6_18] {
        let (likes, _) = napper_beside(version, Policy::Idle, Policy::Idle);
        assert!(likes > 200 * US, "{version:?}: {likes}");
    }
}

#[test]
fn policies_are_compared_where_groups_meet_from_6_12_on() {
    // An idle task in a group that is not idle: before 6.12 the task is preempted for its policy,
    // since then its group by run time.
    for (version, at_once) in [(Version::V6_1, true), (Version::V6_12_117, false)] {
        let mut setup = costless(version, 1, 3_000 * MS);
        setup.kernel.fair = Fair::Cfs;
        setup.groups.push(GroupSpec {
            path: "g".to_owned(),
            parent: 0,
            weight: 1 << 18,
            bandwidth: None,
        });
        let inside = |spec: TaskSpec| TaskSpec { group: 1, ..spec };
        // The group is heavy, and its virtual time slow: a task that works long and sleeps briefly
        // is never behind it.
        let naps = [work(4 * MS), pause(200 * US)];
        setup.tasks = vec![
            inside(task("idle", Policy::Idle, &[0], 0, hog(LONG))),
            task("napper", fair(), &[0], 0, forever(&naps)),
        ];
        let p50 = play(&setup).latency["napper"].p50_ns;
        assert_eq!(p50 <= 52 * US, at_once, "{version:?}: {p50}");
    }
}

#[test]
fn a_cpu_of_sched_idle_tasks_takes_wake_ups_from_5_4_on() {
    for (version, takes) in [
        (Version::V4_19, false),
        (Version::V5_4, true),
        (Version::V5_7, true),
        (Version::V6_12_117, true),
    ] {
        let mut setup = costless(version, 2, 1_000 * MS);
        setup.kernel.load_balance = false;
        setup.tasks = vec![
            task("hog", fair(), &[0], 0, hog(LONG)),
            task("idle", Policy::Idle, &[1], 0, hog(LONG)),
            task("napper", fair(), &[0, 1], 5 * MS, forever(&[work(2 * MS), pause(2 * MS)])),
        ];
        let metrics = play(&setup);
        let hog = metrics.tasks["hog.0"].run_ns;
        // Beside the hog the napper takes near half of CPU 0; beside the idle task nothing.
        assert_eq!(hog > 990 * MS, takes, "{version:?}: {hog}");
    }
}

#[test]
fn a_cpu_left_with_sched_idle_tasks_alone_balances_like_an_idle_one_from_5_6_on() {
    // Two hogs wait on CPU 0; CPU 1 runs an idle task and nothing else once `first` is done.
    let mut took = Vec::new();
    for version in [Version::V5_4, Version::V5_7] {
        let mut setup = costless(version, 2, 400 * MS);
        setup.tasks = vec![
            task("hog", fair(), &[0], 0, hog(LONG)),
            task("idle", Policy::Idle, &[1], 0, hog(LONG)),
            task("first", fair(), &[1], 0, hog(100 * MS + 300 * US)),
        ];
        setup.tasks.push(task("roams", fair(), &[0, 1], 0, hog(LONG)));
        let metrics = play(&setup);
        took.push(metrics.tasks["roams.0"].run_ns);
    }
    assert!(took[1] > took[0] + 5 * MS, "{took:?}");
}
