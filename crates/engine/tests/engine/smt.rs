//! Hardware threads of one core: a busy sibling slows user code
//! (docs/model/programs.md#hardware-threads), and fair tasks prefer idle cores
//! (docs/model/fair-class.md#idle-cores).

use schedscope_engine::kernel::config::{Kernel, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::setup::{Op, Program, Setup};

use crate::support::build::{bare, fair, fifo, hog, once, pause, task, work};
use crate::support::{MS, US, run};

/// Two cores of two threads whose user code runs at half its pace beside another's; a task on each
/// of those CPUs.
fn two_cores(programs: &[(u32, Program)]) -> Setup {
    let mut setup = bare(4, CostsName::Zero);
    setup.machine.topology = setup.machine.topology.with_threads(2, 50);
    setup.duration_ns = 50 * MS;
    for (cpu, program) in programs {
        setup.tasks.push(task(&format!("on{cpu}"), fifo(10), &[*cpu], 0, program.clone()));
    }
    setup
}

/// A program's way into its first op takes 1 ns of user work: this much of CPU time, all tasks of a
/// test starting together.
const START: u64 = 2;

/// CPU time of the task on each CPU after its start.
fn times(setup: &Setup, start: u64) -> Vec<u64> {
    run(setup, None, 1).report().metrics.tasks.values().map(|task| task.run_ns - start).collect()
}

#[test]
fn user_code_beside_a_busy_thread_runs_at_half_its_pace_until_that_one_idles() {
    // CPU 1 is done after 6 ms; of the 10 ms of CPU 0 seven are left then.
    assert_eq!(
        times(&two_cores(&[(0, once(&[work(10 * MS)])), (1, once(&[work(3 * MS)]))]), START),
        [13 * MS, 6 * MS]
    );
    // On another core nothing of it is felt.
    assert_eq!(
        times(&two_cores(&[(0, once(&[work(10 * MS)])), (2, once(&[work(3 * MS)]))]), 1),
        [10 * MS, 3 * MS]
    );
}

#[test]
fn each_nap_of_the_thread_beside_is_felt_to_the_nanosecond() {
    // In each of four rounds 1 ms of work takes 2, and 500 us asleep give 500 back.
    let napping = once(&[
        work(MS),
        pause(500 * US),
        work(MS),
        pause(500 * US),
        work(MS),
        pause(500 * US),
        work(MS),
    ]);
    let expected = 10 * MS + 4 * MS;
    assert_eq!(
        times(&two_cores(&[(0, once(&[work(10 * MS)])), (1, napping)]), START),
        [expected, 8 * MS]
    );
}

#[test]
fn a_loop_that_watches_the_clock_ends_in_time_and_makes_fewer_rounds() {
    let watching = || once(&[Op::RunFor { ns: 10 * MS, round_ns: 100 * US }]);
    let rounds = |setup: &Setup| run(setup, None, 1).report().metrics.tasks["on0.0"].clone();
    // One loop more is the program's own.
    let shared = rounds(&two_cores(&[(0, watching()), (1, once(&[work(20 * MS)]))]));
    assert_eq!((shared.loops, shared.run_ns), (51, 10 * MS + START));
    // Alone from 4 ms on: 20 rounds, then 60.
    let half = rounds(&two_cores(&[(0, watching()), (1, once(&[work(2 * MS)]))]));
    assert_eq!((half.loops, half.run_ns), (81, 10 * MS + START));
    let alone = rounds(&two_cores(&[(0, watching())]));
    assert_eq!((alone.loops, alone.run_ns), (101, 10 * MS + 1));
}

/// The machine of `two_cores` with fair tasks; hogs hold `busy` for as long as the run lasts.
fn beside_hogs(version: Version, busy: &[u32]) -> Setup {
    let mut setup = bare(4, CostsName::Zero);
    setup.machine.topology = setup.machine.topology.with_threads(2, 50);
    setup.kernel = Kernel::of_version(version, 4);
    setup.duration_ns = 80 * MS;
    for cpu in busy {
        setup.tasks.push(task(&format!("hog{cpu}"), fair(), &[*cpu], MS, hog(1_000 * MS)));
    }
    setup
}

#[test]
fn a_fair_task_that_wakes_takes_an_idle_core_and_else_the_thread_beside_its_last_cpu() {
    for version in [Version::V4_1, Version::V5_4, Version::V6_1, Version::V7_0] {
        // It starts on CPU 0 and sleeps while a hog takes that; 10 ms of work follow.
        let naps = once(&[pause(2 * MS), work(10 * MS)]);
        for (busy, expected) in [(&[0][..], 10 * MS), (&[0, 2][..], 20 * MS)] {
            let mut setup = beside_hogs(version, busy);
            setup.tasks.insert(0, task("naps", fair(), &[0, 1, 2, 3], 0, naps.clone()));
            let took = run(&setup, None, 1).report().metrics.tasks["naps.0"].run_ns;
            assert!(took.abs_diff(expected) < 10 * US, "{version} {busy:?}: {took}");
        }
    }
}

#[test]
fn of_two_running_threads_of_a_core_one_moves_to_a_core_that_has_become_idle() {
    for version in [Version::V5_4, Version::V6_1, Version::V6_12, Version::V7_0] {
        // Hogs of RT hold core 2 3 for 5 ms, so both tasks start on core 0 1.
        let mut setup = beside_hogs(version, &[]);
        setup.duration_ns = 200 * MS;
        for cpu in [2, 3] {
            setup.tasks.push(task(&format!("rt{cpu}"), fifo(10), &[cpu], 0, hog(5 * MS)));
        }
        for name in ["a", "b"] {
            setup.tasks.push(task(name, fair(), &[0, 1, 2, 3], MS, once(&[work(60 * MS)])));
        }
        // 60 ms of work, and half of the time for which they share the core: 120 ms if none moves.
        let report = run(&setup.with_all_stoppers(), None, 1).report();
        let took = ["a.0", "b.0"].map(|name| report.metrics.tasks[name].run_ns);
        assert!(took.iter().all(|ns| (61 * MS..90 * MS).contains(ns)), "{version}: {took:?}");
    }
}
