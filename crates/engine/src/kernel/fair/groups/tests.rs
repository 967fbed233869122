//! A change of weight of a group's entity beside a task, with virtual times set by hand: the task,
//! of weight 1024, is at 0, the group's entity, of weight 1024 until its shares double, at 4 ms.
//! So the average is 2 ms and the entity's lag -2 ms.

use std::sync::Arc;

use crate::check::invariants::tests::busy;
use crate::ids::{CPU0, GroupId, TaskId};
use crate::kernel::config::{Kernel, Version};
use crate::kernel::core::task::TaskState;
use crate::kernel::fair::{Enqueue, EntityId, SchedEntity};
use crate::machine::topology::{CpuMask, Topology};
use crate::setup::{GroupSpec, Policy};
use crate::sim::Sim;
use crate::trace::columns::Log;

const US: i64 = 1_000;
const GROUP: EntityId = EntityId::Group(GroupId::new(1));

/// Task 0 in the root group, task 1 in the group; the task of `runs` is the running one. On six
/// CPUs a slice is 2.25 ms in 6.6 and 2.1 ms since 6.15, so a lag of 4 ms is within the limit.
fn sim(version: &str, runs: u32) -> Sim {
    let mut setup = (*busy().setup).clone();
    setup.machine.topology = Topology::new(6, 6);
    setup.kernel = Kernel::of_version(Version::parse(version).unwrap(), 6);
    setup.groups = vec![
        GroupSpec::root(),
        GroupSpec { path: "g".to_owned(), parent: 0, weight: 1024, bandwidth: None },
    ];
    let mut spec = setup.tasks[0].clone();
    (spec.policy, spec.cpus) = (Policy::Fair { nice: 0 }, CpuMask::first(1));
    setup.tasks = vec![spec; 2];
    setup.tasks[1].group = 1;
    let mut sim = Sim::new(Arc::new(setup), Log::new(None, 6, 0));
    for (task, id, us) in [(0, EntityId::Task(TaskId::new(0)), 0), (1, GROUP, 4_000)] {
        let task = TaskId::new(task);
        sim.enqueue_task(CPU0, task, Enqueue::Wakeup);
        sim.tasks[task].state = TaskState::Runnable;
        let placed = *sim.se(CPU0, id);
        let set = SchedEntity { vruntime: us * US, deadline: (us + 2_000) * US, ..placed };
        *sim.se_mut(CPU0, id) = set;
        let cfs = sim.cfs_rq_mut(CPU0, GroupId::ROOT);
        assert!(cfs.remove(id, placed.vruntime));
        cfs.insert(id, &set);
    }
    let runs = TaskId::new(runs);
    sim.rqs[CPU0].curr = Some(runs);
    sim.set_next_fair(CPU0, runs, true);
    sim
}

fn double_shares(sim: &mut Sim) {
    Arc::make_mut(&mut sim.setup).groups[1].weight = 2048;
    sim.reweight_group(CPU0, GROUP, GroupId::ROOT);
}

fn lag_us(sim: &Sim) -> i64 {
    (sim.avg_vruntime(CPU0, GroupId::ROOT) - sim.se(CPU0, GROUP).vruntime) / US
}

/// With twice the weight, half the lag in virtual time is as much run time: the entity comes to
/// 3 ms, and the average, (0 + 2 * 3) / 3, stays. The rest of the request, 4 ms from the average,
/// becomes 2 ms.
#[test]
fn a_heavier_group_keeps_its_lag_in_run_time_and_its_queues_average() {
    for (version, runs) in [("6.12", 0), ("6.12", 1), ("7.1", 0), ("7.1", 1)] {
        let mut sim = sim(version, runs);
        double_shares(&mut sim);
        let se = *sim.se(CPU0, GROUP);
        let what = (se.vruntime / US, se.deadline / US, lag_us(&sim));
        assert_eq!(what, (3_000, 4_000, -1_000), "{version}, task {runs} runs");
    }
}

/// To 6.16 the protection compares deadlines, and the deadline has moved. From 6.17 on it ends
/// where it ended, from 7.0 on its rest is scaled. It ends at the deadline, 6 ms, because the two
/// slices are alike.
#[test]
fn a_change_of_weight_ends_protection_to_6_16_and_scales_its_rest_from_7_0_on() {
    for (version, protects, end_us) in
        [("6.12", false, 6_000), ("6.17", true, 6_000), ("7.1", true, 4_000)]
    {
        let mut sim = sim(version, 1);
        double_shares(&mut sim);
        let se = sim.se(CPU0, GROUP);
        assert_eq!((sim.protects_slice(se), se.vprot / US), (protects, end_us), "{version}");
    }
}

/// The average with the new weight is 2.667 ms, of a load of 3072. The lag of -1 ms is inflated by
/// (3072 + 2048) / 3072, so the entity goes to 4.333 ms and the average to 2.889: the lag is
/// -1.444 ms instead of -1. One that waits is placed beside the task alone, at 0: by three times
/// its lag, at 3 ms, as in the other releases.
#[test]
fn a_change_of_weight_grows_the_lag_of_a_running_group_from_6_13_to_7_0() {
    for version in ["6.13", "6.18.44", "7.0"] {
        let mut running = sim(version, 1);
        double_shares(&mut running);
        let se = *running.se(CPU0, GROUP);
        let what = (se.vruntime / US, se.deadline / US, lag_us(&running));
        assert_eq!(what, (4_333, 5_333, -1_444), "{version}");
        let mut waiting = sim(version, 0);
        double_shares(&mut waiting);
        let se = *waiting.se(CPU0, GROUP);
        assert_eq!((se.vruntime / US, se.deadline / US), (3_000, 4_000), "{version}");
    }
    let mut since = sim("6.18.45", 1);
    double_shares(&mut since);
    assert_eq!(lag_us(&since), -1_000);
}

/// Two entities of equal weight, 4 ms apart: placing the running one anew makes it 5 ms, and the
/// lag of 2 ms becomes 2.5 ms.
#[test]
fn placing_a_running_entity_of_half_the_weight_anew_multiplies_its_lag_by_1_25() {
    let mut sim = sim("6.18", 1);
    let (old, place) = (*sim.se(CPU0, GROUP), (CPU0, GroupId::ROOT));
    sim.eevdf_reweight(place, GROUP, &old, (2_000 * US, -2_000 * US));
    assert_eq!((sim.se(CPU0, GROUP).vruntime / US, lag_us(&sim)), (5_000, -2_500));
}

/// The group's only task sleeps. The entity is ahead of the average, so it stays from 6.12 to 7.2:
/// it keeps its weight and counts as an entity, though no task is below it. The wake-up finds it
/// where it was. Before 6.12 it leaves at once, and keeps its lag. From 7.3 on it is in no order
/// (`flat/tests.rs`).
#[test]
fn a_group_that_runs_empty_ahead_of_its_share_stays_queued_from_6_12_to_7_2() {
    for (version, stays) in [("6.11", false), ("6.12", true), ("7.2", true)] {
        let mut sim = sim(version, 1);
        let task = TaskId::new(1);
        sim.task_mut(task).state = TaskState::Sleeping;
        sim.block_task(CPU0, task);
        let (cfs, se) = (sim.cfs_rq(CPU0, GroupId::ROOT), sim.se(CPU0, GROUP));
        let counts = (cfs.nr_queued(), cfs.load(), cfs.h_nr_running());
        assert_eq!(counts, if stays { (2, 2048, 1) } else { (1, 1024, 1) }, "{version}");
        assert_eq!((se.on_rq, se.delayed), (stays, stays), "{version}");
        if stays {
            sim.enqueue_task(CPU0, task, Enqueue::Wakeup);
            let (cfs, se) = (sim.cfs_rq(CPU0, GroupId::ROOT), sim.se(CPU0, GROUP));
            assert_eq!((cfs.nr_queued(), cfs.h_nr_running()), (2, 2), "{version}");
            assert_eq!((se.vruntime / US, se.delayed), (4_000, false), "{version}");
        } else {
            assert_eq!(se.vlag / US, -2_000, "{version}");
        }
    }
}

/// The other task comes to 5 ms while the emptied group stays at 4: the average is 4.5 ms and the
/// group is due. The pick takes the group's entity off its queue, the lag of 0.5 ms is forfeit,
/// and the task runs.
#[test]
fn a_pick_takes_an_emptied_group_off_its_queue_as_soon_as_the_group_is_due() {
    let mut sim = sim("6.12", 1);
    sim.task_mut(TaskId::new(1)).state = TaskState::Sleeping;
    sim.block_task(CPU0, TaskId::new(1));
    let (id, old) = (EntityId::Task(TaskId::new(0)), *sim.se(CPU0, EntityId::Task(TaskId::new(0))));
    let moved = SchedEntity { vruntime: 5_000 * US, deadline: 7_000 * US, ..old };
    *sim.se_mut(CPU0, id) = moved;
    let cfs = sim.cfs_rq_mut(CPU0, GroupId::ROOT);
    assert!(cfs.remove(id, old.vruntime));
    cfs.insert(id, &moved);
    assert_eq!(sim.pick_fair(CPU0), Some(TaskId::new(0)));
    let (cfs, se) = (sim.cfs_rq(CPU0, GroupId::ROOT), sim.se(CPU0, GROUP));
    assert_eq!((cfs.nr_queued(), se.on_rq, se.delayed, se.vlag), (1, false, false, 0));
}
