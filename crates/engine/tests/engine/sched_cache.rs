//! Cache-aware balancing of 7.2 (docs/model/idle-balancing.md#threads-of-a-process). Figures are
//! made by hand in comments.

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{Kernel, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::{CpuMask, Topology};
use schedscope_engine::run::{Options, Run};
use schedscope_engine::setup::{Amount, Op, Phase, Program, Rounds, Setup, TaskSpec};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::MS;
use crate::support::build::{bare, fair, hog, task};
use crate::support::judge::play;

const CPUS: u32 = 16;
const CACHE: u32 = 8;

/// Two caches of eight CPUs, one thread each.
fn machine(release: &str) -> Setup {
    let mut setup = bare(CPUS, CostsName::Qspin2s);
    setup.machine.topology = Topology::new(CPUS, CACHE);
    let version = Version::parse(release).expect("a release");
    setup.kernel = Kernel { hz: 1000, ..Kernel::of_version(version, CPUS) };
    setup.duration_ns = 400 * MS;
    setup
}

/// `threads` tasks of one kind.
fn process(name: &str, threads: u32, program: &Program) -> Vec<TaskSpec> {
    let all: Vec<u32> = (0..CPUS).collect();
    let thread = |nth| TaskSpec {
        kind: name.to_owned(),
        ..task(&format!("{name}{nth}"), fair(), &all, 0, program.clone())
    };
    (0..threads).map(thread).collect()
}

/// Runs and sleeps half of the time each, in no step with others; may go everywhere after a first
/// run.
fn half_time() -> Program {
    let around = || Amount::Uniform { min: MS, max: 5 * MS };
    let naps = [Op::Run { ns: around() }, Op::Sleep { ns: around() }];
    let everywhere = [naps[0].clone(), Op::SetCpus { cpus: CpuMask::first(CPUS) }];
    let phase = |rounds, ops: &[Op]| Phase { rounds, ops: ops.to_vec() };
    let phases = vec![phase(Rounds::Times(1), &everywhere), phase(Rounds::Endless, &naps)];
    Program::Ops { loops: Some(1), phases }
}

/// Each process has every second thread in the other cache at first.
fn mixed(processes: impl Iterator<Item = Vec<TaskSpec>>) -> Vec<TaskSpec> {
    let mut tasks: Vec<TaskSpec> = processes.flatten().collect();
    for (at, task) in tasks.iter_mut().enumerate() {
        task.cpus = CpuMask::one(CpuId::new(at as u32 % 2 * CACHE + at as u32 / 2));
    }
    tasks
}

/// Per cent of the switches to each process, in the second half of the run, that are in the cache
/// where it has most of them.
fn in_one_cache(setup: &Setup, threads: u32) -> Vec<u64> {
    let written = play(setup);
    let processes =
        setup.tasks.iter().filter(|task| task.kind != "migration").count() as u32 / threads;
    let mut switches = vec![[0; 2]; processes as usize];
    let late = written.rows.iter().filter(|row| row.time > setup.duration_ns / 2);
    for row in late.filter(|row| row.kind == Kind::SchedSwitch && row.b < threads * processes) {
        switches[(row.b / threads) as usize][(row.cpu / CACHE) as usize] += 1;
    }
    switches.iter().map(|[one, other]| 100 * one.max(other) / (one + other)).collect()
}

/// Two processes of four threads that run half of the time: two at once each, and 2 * 1.25 < 8, so
/// each has a home; both together use at most 8 of 8 CPUs there, 4 on average, less than 75 %.
#[test]
fn the_threads_of_a_process_gather_in_one_cache_from_7_2_on() {
    for (release, on, gather) in
        [("7.1.13", None, false), ("7.2.13", None, true), ("7.2.13", Some(false), false)]
    {
        let mut setup = machine(release);
        setup.kernel.llc_balancing = on.unwrap_or(setup.kernel.llc_balancing);
        setup.tasks = mixed(["a", "b"].iter().map(|name| process(name, 4, &half_time())));
        let shares = in_one_cache(&setup.with_stoppers(), 4);
        let all = shares.iter().all(|share| *share >= 95);
        assert_eq!(all, gather, "{release}, {on:?}: {shares:?} %");
    }
}

/// CPUs of the first cache with a hog at the end.
fn hogs_in_the_first_cache(setup: &Setup) -> usize {
    let written = play(setup);
    let at_end = |cpu| {
        let last =
            |row: &&crate::support::judge::Row| row.kind == Kind::SchedSwitch && row.cpu == cpu;
        written.rows.iter().rev().find(last).is_some_and(|row| row.b < CPUS)
    };
    (0..CACHE).filter(|cpu| at_end(*cpu)).count()
}

/// Four hogs are 4 * 1.25 = 5 of 8 CPUs: one cache. The average of eight, in whole threads, comes
/// to seven, and 7 * 1.25 is more than 8: no home, and the caches share them. So do processes of
/// one thread.
#[test]
fn a_process_with_more_threads_at_once_than_a_cache_has_room_for_has_no_home() {
    for (hogs, forked, first) in [(4, false, [0, 4]), (8, false, [4, 4]), (4, true, [2, 2])] {
        let mut setup = machine("7.2.13");
        setup.tasks = process("a", hogs, &hog(10_000 * MS));
        setup.tasks.iter_mut().for_each(|task| task.forked = forked);
        let found = hogs_in_the_first_cache(&setup.with_stoppers());
        assert!(first.contains(&found), "{hogs} hogs, forked {forked}: {found} in the first cache");
    }
}

#[test]
fn llc_balancing_is_switched_in_mid_run() {
    let mut setup = machine("7.2.13");
    setup.kernel.llc_balancing = false;
    setup.tasks = process("a", 4, &hog(10_000 * MS));
    let setup = setup.with_stoppers();
    let moved = |on: bool| {
        let mut run = Run::new(&setup, Options::default()).expect("a sound setup");
        run.advance(200 * MS, u64::MAX);
        let before = run.report().metrics.sched.pulls;
        assert!(run.change("kernel.llc_balancing", if on { "true" } else { "false" }));
        run.advance(u64::MAX, u64::MAX);
        run.report().metrics.sched.pulls - before
    };
    assert!(moved(true) > moved(false), "hogs go home as soon as the switch is on");
}
