//! Placement rule by rule, on two caches of three CPUs: 0 to 2 and 3 to 5; on a cache of four cores
//! of two hardware threads.

use std::sync::Arc;

use super::WakeFlags;
use crate::check::invariants::tests::busy;
use crate::ids::{CPU0, CPU1, CpuId, GroupId, TaskId};
use crate::kernel::config::{Kernel, Version};
use crate::machine::topology::{CpuMask, Topology};
use crate::setup::Policy;
use crate::sim::Sim;
use crate::trace::columns::Log;

/// All tasks sleep; task n was on CPU n mod 6. Tasks 6 to 11 exist to keep CPUs busy.
fn sim(version: &str) -> Sim {
    sim_on(version, Topology::new(6, 3))
}

/// Cores 0 1, 2 3, 4 5, 6 7 behind one cache.
fn four_cores(version: &str) -> Sim {
    sim_on(version, Topology::new(8, 8).with_threads(2, 100))
}

fn sim_on(version: &str, topology: Topology) -> Sim {
    let (mut setup, cpus) = ((*busy().setup).clone(), topology.cpus());
    setup.machine.topology = topology;
    setup.kernel = Kernel::of_version(Version::parse(version).unwrap(), cpus);
    let mut spec = setup.tasks[0].clone();
    (spec.policy, spec.cpus) = (Policy::Fair { nice: 0 }, CpuMask::first(cpus));
    setup.tasks = vec![spec; 2 * cpus as usize];
    Sim::new(Arc::new(setup), Log::new(None, 3, 0))
}

/// `cpu` runs a task, and `waiting` more wait there.
fn occupy(sim: &mut Sim, cpu: CpuId, waiting: u32) {
    let task = TaskId::new(cpu.raw() + sim.setup.machine.topology.cpus());
    let rq = &mut sim.rqs[cpu];
    rq.curr = Some(task);
    *rq.damaged_nr_running() = 1 + waiting;
    rq.cfs[GroupId::ROOT].damaged().load = 1024 * u64::from(1 + waiting);
    sim.task_mut(task).on_rq = true;
}

fn placed(sim: &mut Sim, task: TaskId, waker: CpuId) -> CpuId {
    sim.select_task_rq(task, waker, WakeFlags::Ttwu)
}

#[test]
fn a_wake_up_looks_at_its_cache_from_the_previous_cpu_on_and_at_no_other() {
    let mut sim = sim("6.6");
    assert_eq!(placed(&mut sim, TaskId::new(4), CpuId::new(4)), CpuId::new(4), "where it was");
    occupy(&mut sim, CpuId::new(4), 0);
    assert_eq!(
        placed(&mut sim, TaskId::new(4), CpuId::new(4)),
        CpuId::new(5),
        "the next one, not the lowest"
    );
    occupy(&mut sim, CpuId::new(5), 0);
    assert_eq!(placed(&mut sim, TaskId::new(4), CpuId::new(4)), CpuId::new(3), "and round");
    occupy(&mut sim, CpuId::new(3), 0);
    assert_eq!(
        placed(&mut sim, TaskId::new(4), CpuId::new(4)),
        CpuId::new(4),
        "CPUs 0 to 2 are idle, and behind another cache"
    );
    assert_eq!(
        sim.select_task_rq(TaskId::new(4), CpuId::new(4), WakeFlags::Fork),
        CPU0,
        "a new task goes there"
    );
}

#[test]
fn a_cpu_with_somebody_on_its_wake_list_is_not_idle() {
    let mut sim = sim("6.6");
    occupy(&mut sim, CPU0, 0);
    sim.cpus[CPU1].wakelist.push(TaskId::new(3));
    assert_eq!(placed(&mut sim, TaskId::new(0), CPU0), CpuId::new(2));
}

#[test]
fn a_cpu_of_sched_idle_tasks_is_as_good_as_an_idle_one_from_5_6_on_and_second_best_in_the_search_of_5_4()
 {
    for (version, beside_idle, alone) in
        [("4.19", 4, 5), ("5.4", 4, 3), ("5.7", 3, 3), ("6.12", 3, 3)]
    {
        let mut sim = sim(version);
        // The search goes from CPU 5 to 3, which has one SCHED_IDLE task, and then to 4.
        [3, 5].into_iter().for_each(|cpu| occupy(&mut sim, CpuId::new(cpu), 0));
        sim.rqs[CpuId::new(3)].cfs[GroupId::ROOT].damaged().idle_h_nr_running = 1;
        assert_eq!(
            placed(&mut sim, TaskId::new(5), CpuId::new(5)),
            CpuId::new(beside_idle),
            "{version}: CPU 4 idles"
        );
        occupy(&mut sim, CpuId::new(4), 0);
        assert_eq!(
            placed(&mut sim, TaskId::new(5), CpuId::new(5)),
            CpuId::new(alone),
            "{version}: nobody idles"
        );
        occupy(&mut sim, CpuId::new(3), 1);
        assert_eq!(
            placed(&mut sim, TaskId::new(5), CpuId::new(5)),
            CpuId::new(5),
            "{version}: somebody waits there who is none"
        );
    }
}

#[test]
fn an_idle_waker_draws_a_task_across_caches_up_to_4_15_and_since_then_within_its_cache_from_a_busy_cpu()
 {
    for (version, waker, prev_busy, expected) in [
        ("4.15", 1, false, 1),
        ("4.15", 4, false, 4),
        ("4.18", 1, false, 0),
        ("4.18", 1, true, 1),
        ("4.18", 4, false, 0),
        ("6.6", 1, true, 1),
        ("6.6", 4, false, 0),
    ] {
        let mut sim = sim(version);
        if prev_busy {
            occupy(&mut sim, CPU0, 0);
        }
        assert_eq!(
            placed(&mut sim, TaskId::new(0), CpuId::new(waker)),
            CpuId::new(expected),
            "{version}: from CPU {waker}, the previous one busy: {prev_busy}"
        );
    }
}

#[test]
fn a_busy_waker_draws_a_task_if_its_cpu_is_the_lighter_by_a_task_and_more() {
    // All CPUs of both caches are busy; the numbers say how many wait.
    for (version, here, there, drawn) in
        [("6.6", 0, 0, false), ("6.6", 0, 1, true), ("6.6", 1, 1, false)]
    {
        let mut sim = sim(version);
        (0..6).for_each(|cpu| occupy(&mut sim, CpuId::new(cpu), 0));
        occupy(&mut sim, CpuId::new(4), here);
        occupy(&mut sim, CPU0, there);
        assert_eq!(
            placed(&mut sim, TaskId::new(0), CpuId::new(4)),
            CpuId::new(if drawn { 4 } else { 0 }),
            "{here} {there}"
        );
    }
}

#[test]
fn a_waker_that_will_sleep_at_once_draws_the_task_into_its_cache() {
    let mut sim = sim("6.6");
    (0..6).for_each(|cpu| occupy(&mut sim, CpuId::new(cpu), 0));
    assert_eq!(placed(&mut sim, TaskId::new(0), CpuId::new(4)), CPU0);
    assert_eq!(sim.select_task_rq(TaskId::new(0), CpuId::new(4), WakeFlags::Sync), CpuId::new(4));
    let rq = &mut sim.rqs[CpuId::new(5)];
    (rq.curr, rq.cfs[GroupId::ROOT].damaged().load) = (None, 0);
    *rq.damaged_nr_running() = 0;
    assert_eq!(
        sim.select_task_rq(TaskId::new(0), CpuId::new(4), WakeFlags::Sync),
        CpuId::new(5),
        "beside it, if somebody is idle there"
    );
}

#[test]
fn whoever_wakes_more_tasks_in_turn_than_a_cache_holds_draws_none_from_3_12_on() {
    for (version, drawn) in [("3.2", true), ("6.6", false)] {
        let mut sim = sim(version);
        (0..6).for_each(|cpu| occupy(&mut sim, CpuId::new(cpu), 0));
        // CPU 4's task wakes tasks 0 to 2 in turn; task 0 wakes others too.
        (0..12).for_each(|round| {
            _ = sim.select_task_rq(TaskId::new(round % 3), CpuId::new(4), WakeFlags::Ttwu)
        });
        sim.rqs[CpuId::new(3)].curr = Some(TaskId::new(0));
        (0..4).for_each(|round| {
            _ = sim.select_task_rq(TaskId::new(1 + round % 2), CpuId::new(3), WakeFlags::Ttwu)
        });
        assert_eq!(
            sim.select_task_rq(TaskId::new(0), CpuId::new(4), WakeFlags::Sync) == CpuId::new(4),
            drawn,
            "{version}"
        );
    }
}

fn occupy_all(sim: &mut Sim, cpus: &[u32]) {
    cpus.iter().for_each(|cpu| occupy(sim, CpuId::new(*cpu), 0));
}

#[test]
fn an_idle_core_goes_before_an_idle_thread_beside_a_busy_one() {
    for version in ["3.2", "4.15", "5.14", "6.6", "7.0"] {
        let mut sim = four_cores(version);
        occupy_all(&mut sim, &[0, 2, 4]);
        assert_eq!(placed(&mut sim, TaskId::new(0), CPU0), CpuId::new(6), "{version}");
        let forked = sim.select_task_rq(TaskId::new(0), CPU0, WakeFlags::Fork);
        assert_eq!(forked, CpuId::new(6), "{version}: a new task too");
        assert_eq!(
            placed(&mut sim, TaskId::new(1), CPU0),
            CPU1,
            "{version}: it was on CPU 1, which idles; that its core does not is not asked"
        );
    }
}

#[test]
fn without_an_idle_core_the_own_core_comes_last_in_4_15_first_since_5_13_and_to_4_8_alone() {
    for (version, first, then, beside) in
        [("4.1", 0, 0, 1), ("4.8", 0, 0, 1), ("4.9", 3, 3, 1), ("5.12", 3, 3, 1), ("5.13", 3, 5, 5)]
    {
        // The task was on CPU 4, its waker draws it to CPU 0; threads 3, 5 and 7 idle.
        let mut sim = four_cores(version);
        occupy_all(&mut sim, &[0, 1, 2, 4, 6]);
        let mut go = || sim.select_idle_sibling(TaskId::new(4), CpuId::new(4), CPU0).raw();
        assert_eq!(go(), first, "{version}: the cache may have had an idle core");
        assert_eq!(go(), then, "{version}: it has none");
        let mut sim = four_cores(version);
        occupy_all(&mut sim, &[0, 2, 4, 6]);
        sim.rd_mut(CPU0).idle_cores = CpuMask::EMPTY;
        let found = sim.select_idle_sibling(TaskId::new(4), CpuId::new(4), CPU0);
        assert_eq!(found.raw(), beside, "{version}: with CPU 1 idle, too");
    }
}

#[test]
fn a_cache_has_idle_cores_again_once_the_last_thread_of_one_idles() {
    let mut sim = four_cores("6.6");
    sim.rd_mut(CPU0).idle_cores = CpuMask::EMPTY;
    occupy_all(&mut sim, &[0, 2, 4]);
    assert_eq!(placed(&mut sim, TaskId::new(0), CPU0), CPU1, "nobody has noticed core 6 7");
    sim.update_idle_core(CpuId::new(5));
    assert_eq!(placed(&mut sim, TaskId::new(0), CPU0), CPU1, "CPU 5 idles beside CPU 4");
    sim.update_idle_core(CpuId::new(7));
    assert_eq!(placed(&mut sim, TaskId::new(0), CPU0), CpuId::new(6));
}
