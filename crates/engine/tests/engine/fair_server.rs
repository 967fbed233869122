//! The fair server of 6.12 on: when it starves fair tasks, when it serves them, and for how long.

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{Kernel, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::run::Options;
use schedscope_engine::setup::{IdleKind, Setup};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{bare, cyclic, fair, fifo, hog, once, pause, task, work};
use crate::support::judge::{Row, judge, written};
use crate::support::{MS, US, run};

const SECOND: u64 = 1_000 * MS;
const LONG: u64 = 3_600 * SECOND;
const VERSIONS: [Version; 5] =
    [Version::V6_12, Version::V6_12_117, Version::V6_13, Version::V6_18, Version::V7_0];

/// One CPU with a FIFO hog, task 0, from `hog_ns` on.
fn hogged(version: Version, hz: u32, hog_ns: u64, seconds: u64) -> Setup {
    let mut setup = bare(1, CostsName::Qspin2s);
    setup.kernel = Kernel { hz, ..Kernel::of_version(version, 1) };
    setup.duration_ns = seconds * SECOND;
    setup.tasks.push(task("hog", fifo(50), &[0], hog_ns, hog(LONG)));
    setup
}

fn play(setup: &Setup) -> Vec<Row> {
    let written = written(&mut run(setup, Options::EVERYTHING, 16));
    judge(setup, &written).expect("the trace keeps the laws");
    written.rows
}

/// From when to when the hog was off its CPU again, once it had begun.
fn off(rows: &[Row]) -> Vec<(u64, u64)> {
    let switches = || rows.iter().filter(|row| row.kind == Kind::SchedSwitch);
    let left = switches().filter(|row| row.a == 0).map(|row| row.time);
    let back = switches().filter(|row| row.b == 0).map(|row| row.time).skip(1);
    left.zip(back).collect()
}

#[test]
fn a_starved_fair_task_gets_one_budget_at_a_time_and_waits_950_ms_for_the_next() {
    for version in VERSIONS {
        for hz in [100, 250, 1000] {
            let mut setup = hogged(version, hz, 0, 5);
            setup.tasks.push(task("fair", fair(), &[0], 0, hog(LONG)));
            let tick = setup.kernel.tick_ns();
            let windows = off(&play(&setup));
            assert_eq!(windows.len(), 4, "{version:?}, {hz} Hz: {windows:?}");
            let mut end = 0;
            for (from, to) in windows {
                // The server's period begins with the service, and the next period with the end of
                // the service, which a tick notices.
                assert!(
                    (from - end).abs_diff(950 * MS) <= 100 * US,
                    "{version:?}, {hz} Hz: from {end} to {from}"
                );
                assert!(
                    (50 * MS - 100 * US..50 * MS + tick + 100 * US).contains(&(to - from)),
                    "{version:?}, {hz} Hz: {from} to {to}"
                );
                end = to;
            }
        }
    }
}

#[test]
fn a_server_whose_deadline_has_passed_is_deferred_again_once_a_new_period_ends_serving() {
    for version in VERSIONS.into_iter().chain(["6.18.8", "6.18.9"].map(Version::of)) {
        // 1 ms of every 21: less than the reservation, so the server never runs out of it.
        let mut setup = hogged(version, 250, 900 * MS, 6);
        setup.tasks.push(task("fair", fair(), &[0], 0, cyclic(0, 21 * MS, MS)));
        let windows = off(&play(&setup));
        let waits: Vec<u64> = windows.windows(2).map(|pair| pair[1].0 - pair[0].1).collect();
        let long = waits.iter().filter(|wait| **wait > 30 * MS).count();
        if !setup.kernel.new_period_ends_serving() {
            assert_eq!(long, 0, "{version:?}: served at each wake-up from the first service on");
        } else {
            assert!(
                waits.iter().all(|wait| *wait < 30 * MS || (940 * MS..980 * MS).contains(wait)),
                "{version:?}: {waits:?}"
            );
            // Without the cut of its runtime it waits where it would have too much of it, too.
            let expected = if setup.kernel.serving_server_revises_wakeup() { 2 } else { 3 };
            assert_eq!(long, expected, "{version:?}: {waits:?}");
        }
    }
}

#[test]
fn the_last_fair_task_that_leaves_stops_the_server_in_6_12_and_6_13_as_released_only() {
    for version in VERSIONS {
        let mut setup = hogged(version, 250, 10 * MS, 3);
        setup.tasks.push(task("fair", fair(), &[0], 0, hog(MS)));
        let asked: Vec<u64> = play(&setup)
            .iter()
            .filter(|row| row.kind == Kind::NeedResched && row.time > 20 * MS)
            .map(|row| row.time)
            .collect();
        if version == Version::V6_12 || version == Version::V6_13 {
            assert!(asked.is_empty(), "{version:?}: {asked:?}");
        } else {
            // After 1 ms of work and 9 ms of idling, 40 ms are left up to the deadline: the timer
            // fires, and the pick finds no fair task.
            assert_eq!(asked.len(), 1, "{version:?}: {asked:?}");
            assert!(asked[0].abs_diff(960 * MS) <= 100 * US, "{version:?}: {asked:?}");
        }
    }
}

#[test]
fn idle_time_uses_the_reservation_up_so_a_starved_task_waits_for_its_deadline() {
    for version in VERSIONS {
        // 1 ms of work, idle up to the hog at 500 ms, and from 600 ms on a fair task that starves.
        let mut setup = hogged(version, 250, 500 * MS, 2);
        setup.tasks.push(task("fair", fair(), &[0], 0, cyclic(0, 600 * MS, MS)));
        let (from, _) = off(&play(&setup))[0];
        // From 6.19 on the idle time is charged as the hog begins, like time of a fair task: a new
        // period from 500 ms.
        let expected = if setup.kernel.idle_charges_server() { 1_450 * MS } else { SECOND };
        assert!(
            from.abs_diff(expected) <= 100 * US,
            "{version:?}: not at 950 ms, and not 950 ms after it woke: {from}"
        );
    }
}

/// A fair task beside a FIFO hog is served from 950 ms on for `work_ns`, sleeps, and wakes. Returns
/// how long it waits then, and how long it is served without a pause.
fn served_again(version: &str, work_ns: u64, sleep_ns: u64) -> (u64, u64) {
    let mut setup = hogged(Version::of(version), 1_000, 0, 5);
    let program = once(&[work(work_ns), pause(sleep_ns), work(200 * MS)]);
    setup.tasks.push(task("fair", fair(), &[0], 0, program));
    let (from, to) = off(&play(&setup))[1];
    (from - (950 * MS + work_ns + sleep_ns), to - from)
}

/// Whether two times agree but for a timer's slack, a few switches and a tick.
fn about((wait, served): (u64, u64), expected: (u64, u64)) -> bool {
    wait.abs_diff(expected.0) <= 200 * US && served.abs_diff(expected.1) <= MS + 200 * US
}

#[test]
fn a_server_that_served_starts_again_ahead_of_its_deadline_by_the_rule_of_its_release() {
    // It wakes at 1 155 ms: 45 ms of runtime are left for 795 ms, whose 5 % are 39.75 ms.
    let rules = [
        ("6.12", 0, 50 * MS),
        ("6.12.69", 950 * MS, 50 * MS),
        ("6.12.117", 0, 39_750 * US),
        ("6.18.5", 0, 50 * MS),
        ("6.18.15", 950 * MS, 50 * MS),
        ("7.0", 0, 39_750 * US),
        ("7.2", 0, 39_750 * US),
    ];
    for (version, wait, served) in rules {
        let got = served_again(version, 5 * MS, 200 * MS);
        assert!(about(got, (wait, served)), "{version}: {got:?}");
    }
}

#[test]
fn a_server_that_served_starts_again_past_its_deadline_at_once_until_a_new_period_ends_serving() {
    // It wakes at 2 055 ms, past 1 950 ms.
    for (version, wait) in [("6.12", 0), ("6.18.5", 0), ("6.12.117", 950 * MS), ("7.2", 950 * MS)] {
        let got = served_again(version, 5 * MS, 1_100 * MS);
        assert!(about(got, (wait, 50 * MS)), "{version}: {got:?}");
    }
}

#[test]
fn a_server_that_served_and_has_no_more_than_its_share_goes_on_in_every_release() {
    // It wakes at 1 070 ms: 30 ms for 880 ms, which may take 44 ms.
    for version in ["6.12", "6.12.117", "6.18.5", "6.18.15", "7.0", "7.2"] {
        let got = served_again(version, 20 * MS, 100 * MS);
        assert!(about(got, (0, 30 * MS)), "{version}: {got:?}");
    }
}

#[test]
fn a_server_that_idle_time_alone_used_up_stops_by_its_timer_without_a_pick_from_6_19_on() {
    let asked = |version: &str| {
        // 1 ms of work, and idle.
        let mut setup = hogged(Version::of(version), 250, 2_900 * MS, 3);
        setup.machine.idle = IdleKind::Halt;
        setup.tasks.push(task("fair", fair(), &[0], 0, hog(MS)));
        let rows = play(&setup);
        let asked = |row: &&Row| row.kind == Kind::NeedResched && row.time > 20 * MS;
        rows.iter().filter(asked).filter(|row| row.time < 2_800 * MS).count()
    };
    assert_eq!((asked("6.18"), asked("6.19")), (1, 0));
}

/// Run time of a fair task beside a FIFO hog on the nohz_full CPU 1, in 20 s.
fn on_full_cpu(version: &str) -> u64 {
    let mut setup = bare(2, CostsName::Zero);
    setup.kernel = Kernel {
        hz: 1_000,
        nohz_full: CpuMask::one(CpuId::new(1)),
        ..Kernel::of_version(Version::of(version), 2)
    };
    setup.duration_ns = 20 * SECOND;
    setup.tasks.push(task("hog", fifo(50), &[1], 0, hog(LONG)));
    setup.tasks.push(task("fair", fair(), &[1], 0, hog(LONG)));
    let report = run(&setup, None, 16).report();
    report.metrics.tasks["fair.0"].run_ns
}

#[test]
fn a_nohz_full_cpu_ticks_for_a_queued_server_until_6_17_and_then_waits_for_the_remote_tick() {
    // 950 ms, then 50 ms and up to a tick: 19 or 20 turns.
    let ticks = on_full_cpu("6.12");
    assert!((950 * MS..=1_040 * MS).contains(&ticks), "{ticks}");
    // The first turn ends at some remote tick. From then on the server starts 950 ms after it, and
    // the next one is 1 024 ms after it: 74 ms a turn, 18 or 19 of them.
    let remote = on_full_cpu("6.17");
    let first = remote - 18 * 74 * MS;
    assert!(first < 1_024 * MS + 74 * MS, "{remote}");
}

#[test]
fn no_rt_task_is_sent_to_a_cpu_whose_fair_server_serves() {
    for version in VERSIONS {
        let mut setup = bare(3, CostsName::Qspin2s);
        setup.kernel = Kernel::of_version(version, 3);
        setup.duration_ns = SECOND;
        // CPU 1 has the weakest RT task, but its fair task is served from 950 ms on. The late task,
        // the fourth, sleeps on CPU 0.
        for (cpu, priority) in [(0, 60), (1, 40), (2, 45)] {
            setup.tasks.push(task(&format!("hog{cpu}"), fifo(priority), &[cpu], 0, hog(LONG)));
        }
        setup.tasks.push(task("late", fifo(50), &[0, 1, 2], 0, cyclic(970 * MS, SECOND, MS)));
        setup.tasks.push(task("fair", fair(), &[1], 0, hog(LONG)));
        let written = written(&mut run(&setup, Options::EVERYTHING, 16));
        judge(&setup, &written).expect("the trace keeps the laws");
        let late = &written.report.metrics.latency["late"];
        assert!(late.count == 1 && late.max_ns < 100 * US, "{version:?}: {} ns", late.max_ns);
    }
}
