//! Costs vary, so nothing that is independent stays in step (docs/model/time.md#spread).

use std::collections::BTreeSet;

use schedscope_engine::machine::costs::{Costs, CostsName};
use schedscope_engine::named::Named;
use schedscope_engine::setup::{Object, Op, Room, Setup};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::MS;
use crate::support::build::{bare, fair, forever, hog, object, pause, task, work};
use crate::support::judge::play;

/// A machine whose costs vary, or are the same each time.
fn machine(cpus: u32, name: CostsName, varies: bool) -> Setup {
    let mut setup = bare(cpus, name);
    let costs = Costs::preset(name);
    setup.machine.costs = if varies { costs } else { costs.steady() };
    setup
}

/// The reader and the writer of a pipe, each on a CPU of its own.
fn pipe(varies: bool) -> Setup {
    let mut setup = machine(2, CostsName::Qspin2s, varies);
    let room = Room::Message;
    let queue = object(
        &mut setup,
        Object::Queue { capacity: 16, filled: 0, closed_when_empty: false, room },
    );
    setup.tasks.push(task("writer", fair(), &[0], 0, forever(&[Op::Put { queue }, work(100)])));
    let get = Op::Get { queue, stamp: None };
    setup.tasks.push(task("reader", fair(), &[1], 0, forever(&[get, work(100)])));
    setup.duration_ns = 50 * MS;
    setup
}

#[test]
fn the_two_ends_of_a_pipe_on_two_cpus_wait_for_each_other_now_and_then() {
    let switches = |varies| {
        let rows = play(&pipe(varies)).rows;
        rows.iter().filter(|row| row.kind == Kind::SchedSwitch).count()
    };
    let (steady, varied) = (switches(false), switches(true));
    assert!(varied > 20 * steady, "{steady} switches in step, {varied} with a spread");
}

#[test]
fn the_ticks_of_one_instant_come_within_some_microseconds_on_their_grid() {
    let mut setup = machine(8, CostsName::Qspin2s, true);
    for cpu in 0..8 {
        setup.tasks.push(task(&format!("hog{cpu}"), fair(), &[cpu], 0, hog(100 * MS)));
    }
    setup.duration_ns = 40 * MS;
    let period = setup.kernel.tick_ns();
    let ticks: Vec<(u64, u32)> = play(&setup)
        .rows
        .iter()
        .filter(|row| row.kind == Kind::Tick && row.time > MS)
        .map(|row| (row.time % period, row.cpu))
        .collect();
    assert!(ticks.len() > 60);
    let first = |ticks: &[(u64, u32)]| ticks.iter().map(|tick| tick.0).collect::<BTreeSet<_>>();
    assert!(first(&ticks).len() > ticks.len() / 2, "{ticks:?}");
    assert!(ticks.iter().all(|tick| tick.0 < 20_000), "{ticks:?}");
}

#[test]
fn seeds_of_a_run_that_draws_nothing_else_differ_and_of_the_preset_without_costs_do_not() {
    let digests = |name| {
        let of = |seed| play(&Setup { seed, ..machine_with_hogs(name) }).report.digest;
        (1..5).map(of).collect::<BTreeSet<_>>().len()
    };
    for name in CostsName::ALL {
        let expected = if *name == CostsName::Zero { 1 } else { 4 };
        assert_eq!(digests(*name), expected, "{name:?}");
    }
}

fn machine_with_hogs(name: CostsName) -> Setup {
    let mut setup = machine(2, name, true);
    for nth in 0..3 {
        setup.tasks.push(task(&format!("hog{nth}"), fair(), &[0, 1], 0, hog(100 * MS)));
    }
    setup
}

#[test]
fn a_cpu_that_a_change_does_not_reach_has_the_same_run_on_both_sides() {
    // The task on CPU 1 is other work on side B; CPU 0 never meets it.
    let of = |ns| {
        let mut setup = machine(2, CostsName::Qspin2s, true);
        let sleeps = forever(&[work(50_000), pause(300_000)]);
        setup.tasks.push(task("here", fair(), &[0], 0, sleeps));
        setup.tasks.push(task("there", fair(), &[1], 0, hog(ns)));
        let rows = play(&setup).rows;
        let of_cpu_0 = rows.iter().filter(|row| row.cpu == 0 && row.kind == Kind::SchedSwitch);
        of_cpu_0.map(|row| row.time).collect::<Vec<_>>()
    };
    let (a, b) = (of(MS), of(3 * MS));
    assert!(a.len() > 20);
    assert_eq!(a, b);
}
