//! The fair server of 6.12: when it starves fair tasks, when it serves them, and for how long.

use schedscope_engine::kernel::config::{Kernel, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::run::Options;
use schedscope_engine::setup::Setup;
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{bare, cyclic, fair, fifo, hog, task};
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
fn a_server_whose_deadline_has_passed_is_deferred_again_except_in_6_12_and_6_13_as_released() {
    for version in VERSIONS {
        // 1 ms of every 21: less than the reservation, so the server never runs out of it.
        let mut setup = hogged(version, 250, 900 * MS, 6);
        setup.tasks.push(task("fair", fair(), &[0], 0, cyclic(0, 21 * MS, MS)));
        let windows = off(&play(&setup));
        let waits: Vec<u64> = windows.windows(2).map(|pair| pair[1].0 - pair[0].1).collect();
        let long = waits.iter().filter(|wait| **wait > 30 * MS).count();
        if version == Version::V6_12 || version == Version::V6_13 {
            assert_eq!(long, 0, "{version:?}: served at each wake-up from the first service on");
        } else {
            assert!(
                waits.iter().all(|wait| *wait < 30 * MS || (940 * MS..980 * MS).contains(wait)),
                "{version:?}: {waits:?}"
            );
            assert_eq!(long, 2, "{version:?}: {waits:?}");
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
        assert!(
            from.abs_diff(SECOND) <= 100 * US,
            "{version:?}: not at 950 ms, and not 950 ms after it woke: {from}"
        );
    }
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
