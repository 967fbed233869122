//! The parts of three tasks on one CPU of six, with virtual times set by hand: tasks 0 and 1 in
//! group 1, task 2 in group 2, both of the default weight.

use std::sync::Arc;

use crate::check::invariants::tests::busy;
use crate::ids::{CPU0, GroupId, TaskId};
use crate::kernel::config::{CgroupMode, Kernel, Version};
use crate::kernel::core::task::TaskState;
use crate::kernel::fair::{Enqueue, EntityId};
use crate::machine::topology::{CpuMask, Topology};
use crate::setup::{GroupSpec, Policy};
use crate::sim::Sim;
use crate::trace::columns::Log;

const TASKS: [TaskId; 3] = [TaskId::new(0), TaskId::new(1), TaskId::new(2)];

/// The tasks of `joined`, in this order, of `version` with `cgroup_mode` smp.
fn sim(version: &str, joined: &[usize]) -> Sim {
    let mut setup = (*busy().setup).clone();
    setup.machine.topology = Topology::new(6, 6);
    setup.kernel = Kernel::of_version(Version::parse(version).unwrap(), 6);
    setup.kernel.cgroup_mode = CgroupMode::Smp;
    let group = |path: &str| GroupSpec { path: path.to_owned(), ..GroupSpec::root() };
    setup.groups = vec![GroupSpec::root(), group("a"), group("b")];
    let mut spec = setup.tasks[0].clone();
    (spec.policy, spec.cpus) = (Policy::Fair { nice: 0 }, CpuMask::first(1));
    setup.tasks = vec![spec; 3];
    for (task, group) in setup.tasks.iter_mut().zip([1, 1, 2]) {
        task.group = group;
    }
    let mut sim = Sim::new(Arc::new(setup), Log::new(None, 6, 0));
    for task in joined.iter().map(|at| TASKS[*at]) {
        sim.enqueue_task(CPU0, task, Enqueue::Wakeup);
        sim.tasks[task].state = TaskState::Runnable;
    }
    sim
}

fn runs(sim: &mut Sim, task: TaskId) {
    sim.rqs[CPU0].curr = Some(task);
    sim.set_next_fair(CPU0, task, true);
}

fn weights(sim: &Sim) -> [u64; 3] {
    TASKS.map(|task| sim.tasks[task].se.weight)
}

fn waiting(sim: &Sim, group: u32) -> Vec<EntityId> {
    sim.cfs_rq(CPU0, GroupId::new(group)).queue.iter().map(|entry| entry.id).collect()
}

/// 1024 * 1024 / 2048 in their group, whose weight is that of a nice-0 task: 512 each. The first
/// one had the group alone as it joined, and keeps 1024 until it runs.
#[test]
fn tasks_of_one_group_share_its_part_and_those_that_wait_keep_theirs() {
    let mut sim = sim("7.3", &[0, 1, 2]);
    assert_eq!(weights(&sim), [1024, 512, 1024]);
    runs(&mut sim, TASKS[0]);
    assert_eq!(weights(&sim), [512, 512, 1024]);
    sim.check_fair().expect("sound");
}

/// To 7.2 the root's queue has the groups.
#[test]
fn tasks_of_all_groups_wait_on_the_roots_queue_from_7_3_on() {
    let tasks = TASKS.map(EntityId::Task);
    let flat = sim("7.3", &[0, 1, 2]);
    assert_eq!((waiting(&flat, 0), waiting(&flat, 1)), (tasks.to_vec(), vec![]));
    let groups = [1, 2].map(|group| EntityId::Group(GroupId::new(group))).to_vec();
    let nested = sim("7.2", &[0, 1, 2]);
    assert_eq!((waiting(&nested, 0), waiting(&nested, 1)), (groups, tasks[..2].to_vec()));
}

/// Tasks 0 and 2 of weight 1024, at 2 ms and 0: the average is 1 ms, the lag of the running task 0
/// is -1 ms. With task 1 beside it, at the average, a tick leaves task 0 a weight of 512: lag and
/// the rest of its request, in virtual time, are twice as long.
#[test]
fn a_tick_gives_the_running_task_its_part_and_keeps_its_lag_in_run_time() {
    let mut sim = sim("7.3", &[0, 2]);
    runs(&mut sim, TASKS[0]);
    let se = &mut sim.tasks[TASKS[0]].se;
    (se.vruntime, se.deadline, se.vprot) = (2_000_000, 2_500_000, 0);
    sim.enqueue_task(CPU0, TASKS[1], Enqueue::Wakeup);
    assert_eq!(sim.tasks[TASKS[1]].se.vruntime, 1_000_000);
    sim.task_tick_fair(CPU0, CPU0);
    let se = sim.tasks[TASKS[0]].se;
    assert_eq!((se.weight, se.vruntime, se.deadline), (512, 3_000_000, 4_000_000));
    assert_eq!(sim.avg_vruntime(CPU0, GroupId::ROOT), 1_000_000);
    sim.check_fair().expect("sound");
}

/// The last task of a group leaves ahead of its share: it stays, and with it the group's weight.
#[test]
fn only_tasks_are_delayed() {
    let mut sim = sim("7.3", &[0, 2]);
    runs(&mut sim, TASKS[0]);
    sim.tasks[TASKS[0]].se.vruntime = 2_000_000;
    sim.tasks[TASKS[0]].state = TaskState::Sleeping;
    sim.block_task(CPU0, TASKS[0]);
    let group = sim.cfs_rq(CPU0, GroupId::new(1));
    assert!(sim.tasks[TASKS[0]].se.delayed && group.se.on_rq && !group.se.delayed);
    sim.check_fair().expect("sound");
    sim.finish_delayed_dequeue(CPU0, sim.level_of(TASKS[0]));
    assert!(!sim.cfs_rq(CPU0, GroupId::new(1)).se.on_rq);
    sim.check_fair().expect("sound");
}
