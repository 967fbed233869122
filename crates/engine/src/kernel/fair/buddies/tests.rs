//! Which entity is picked next, with virtual times set by hand, on six CPUs: the wake-up
//! granularity is 3 ms.

use std::sync::Arc;

use super::EntityId;
use crate::check::invariants::tests::busy;
use crate::ids::{CPU0, GroupId, TaskId};
use crate::kernel::config::{Fair, Kernel, Version};
use crate::kernel::core::task::TaskState;
use crate::kernel::fair::Enqueue;
use crate::machine::topology::{CpuMask, Topology};
use crate::setup::{GroupSpec, Policy};
use crate::sim::Sim;
use crate::trace::columns::Log;

const US: i64 = 1_000;

/// Fair tasks on CPU 0 with these virtual times, us; the first runs. Those from `inside` on are in
/// a group.
fn sim(version: &str, virtual_us: &[i64], inside: usize) -> Sim {
    let mut setup = (*busy().setup).clone();
    setup.machine.topology = Topology::new(6, 6);
    setup.kernel = Kernel::of_version(Version::parse(version).unwrap(), 6);
    setup.groups = vec![
        GroupSpec::root(),
        GroupSpec { path: "g".to_owned(), parent: 0, weight: 1024, bandwidth: None },
    ];
    let mut spec = setup.tasks[0].clone();
    (spec.policy, spec.cpus) = (Policy::Fair { nice: 0 }, CpuMask::first(1));
    setup.tasks = vec![spec; virtual_us.len()];
    setup.tasks.iter_mut().skip(inside).for_each(|task| task.group = 1);
    let mut sim = Sim::new(Arc::new(setup), Log::new(None, 6, 0));
    for (task, us) in sim.tasks.ids().zip(virtual_us) {
        sim.tasks[task].se.vruntime = us * US;
        sim.enqueue_task(CPU0, task, Enqueue::Moved);
        sim.tasks[task].state = TaskState::Runnable;
    }
    sim.rqs[CPU0].curr = Some(TaskId::new(0));
    sim.set_next_fair(CPU0, TaskId::new(0), true);
    sim
}

fn sleeps(sim: &mut Sim, task: TaskId) {
    sim.task_mut(task).state = TaskState::Sleeping;
    sim.block_task(CPU0, task);
    sim.put_prev_fair(CPU0, task);
}

#[test]
fn the_task_that_preempts_runs_next_if_it_is_within_a_granularity_of_the_leftmost() {
    for (version, woken, picked, marked) in [
        ("2.6.32", 5_500, 1, false),
        ("3.2", 5_500, 2, false),
        ("6.1", 8_000, 2, false),
        ("6.1", 8_001, 1, true),
    ] {
        let mut sim = sim(version, &[20_000, 5_000, woken], 9);
        sim.check_preempt_fair(CPU0, CPU0, (TaskId::new(2), Enqueue::Wakeup), TaskId::new(0));
        assert!(sim.cpus[CPU0].need_resched.is_some(), "{version}: it preempts");
        assert_eq!(
            sim.cfs_pick(CPU0, GroupId::ROOT),
            Some(EntityId::Task(TaskId::new(picked))),
            "{version} {woken}"
        );
        sim.put_prev_fair(CPU0, TaskId::new(0));
        sim.set_next_fair(CPU0, TaskId::new(picked), true);
        assert_eq!(
            sim.cfs_rq(CPU0, GroupId::ROOT).next.is_some(),
            marked,
            "the mark goes with the pick"
        );
    }
}

#[test]
fn a_second_wake_up_before_the_switch_leaves_the_mark_where_it_is() {
    let mut sim = sim("5.4", &[20_000, 5_000, 5_500], 9);
    sim.check_preempt_fair(CPU0, CPU0, (TaskId::new(2), Enqueue::Wakeup), TaskId::new(0));
    sim.check_preempt_fair(CPU0, CPU0, (TaskId::new(1), Enqueue::Wakeup), TaskId::new(0));
    assert_eq!(sim.cfs_pick(CPU0, GroupId::ROOT), Some(EntityId::Task(TaskId::new(2))));
}

#[test]
fn a_task_preempted_on_a_queue_of_eight_runs_again_before_others_that_are_hardly_behind_it() {
    for (waiting, picked) in [(6, 0), (5, 2)] {
        // Task 1 preempts and sleeps; all others are 2 ms behind task 0.
        let mut times = vec![10_000, 5_000];
        times.resize(2 + waiting, 8_000);
        let mut sim = sim("5.4", &times, 20);
        sim.check_preempt_fair(CPU0, CPU0, (TaskId::new(1), Enqueue::Wakeup), TaskId::new(0));
        sim.put_prev_fair(CPU0, TaskId::new(0));
        sim.rqs[CPU0].curr = Some(TaskId::new(1));
        sim.set_next_fair(CPU0, TaskId::new(1), true);
        sleeps(&mut sim, TaskId::new(1));
        assert_eq!(
            sim.cfs_pick(CPU0, GroupId::ROOT),
            Some(EntityId::Task(TaskId::new(picked))),
            "{} queued",
            times.len()
        );
        sim.dequeue_task(CPU0, TaskId::new(0));
        assert_eq!(sim.cfs_rq(CPU0, GroupId::ROOT).last, None, "a mark on nobody");
    }
}

#[test]
fn a_slice_used_up_and_a_yield_take_the_mark_away() {
    for yields in [false, true] {
        let mut sim = sim("5.4", &[5_000, 5_500], 9);
        let cfs = sim.cfs_rq_mut(CPU0, GroupId::ROOT);
        (cfs.next, cfs.last) =
            (Some(EntityId::Task(TaskId::new(0))), Some(EntityId::Task(TaskId::new(0))));
        if yields {
            sim.yield_fair(CPU0, TaskId::new(0));
        } else {
            sim.task_mut(TaskId::new(0)).se.ran = 1_000_000_000;
            sim.task_tick_fair(CPU0, CPU0);
        }
        assert_eq!(
            (sim.cfs_rq(CPU0, GroupId::ROOT).next, sim.cfs_rq(CPU0, GroupId::ROOT).last),
            (None, None)
        );
    }
}

#[test]
fn when_a_task_sleeps_one_of_its_group_runs_next_if_the_group_is_near_enough() {
    for (fair, version, picked) in [
        (Fair::Cfs, "2.6.25", Some(0)),
        (Fair::Cfs, "3.2", Some(2)),
        (Fair::Eevdf, "6.6", Some(0)),
        (Fair::Eevdf, "6.12.117", Some(2)),
    ] {
        let mut sim = sim(version, &[0, 0, 0], 1);
        assert_eq!(sim.kernel().fair, fair);
        sim.put_prev_fair(CPU0, TaskId::new(0));
        sim.rqs[CPU0].curr = Some(TaskId::new(1));
        sim.set_next_fair(CPU0, TaskId::new(1), true);
        // Task 0 is to the left of the group, and due before it; the group has had no more than its
        // share.
        let group = EntityId::Group(GroupId::new(1));
        let rq = &mut sim.rqs[CPU0].cfs[GroupId::ROOT];
        rq.queue[0].vruntime = -1_000;
        sim.tasks[TaskId::new(0)].se.vruntime = -1_000;
        sim.tasks[TaskId::new(0)].se.deadline = -900;
        if fair == Fair::Eevdf {
            // Both are at the average.
            sim.rqs[CPU0].cfs[GroupId::ROOT].queue[0].vruntime = 0;
            sim.tasks[TaskId::new(0)].se.vruntime = 0;
            sim.se_mut(CPU0, group).vruntime = 0;
            sim.tasks[TaskId::new(1)].se.vruntime = 0;
        }
        sim.tasks[TaskId::new(1)].se.vprot = -1;
        sim.se_mut(CPU0, group).vprot = -1;
        sleeps(&mut sim, TaskId::new(1));
        assert_eq!(sim.pick_fair(CPU0), picked.map(TaskId::new), "{version}");
    }
}

/// Tasks 1 and 2 wake in this order beside task 0; all three are at the average, and task 1 has the
/// earlier deadline. To 6.18 each is marked, so task 2 is picked next. From 6.19 on task 1 is kept,
/// because its deadline is earlier. A new task is never marked.
#[test]
fn next_buddy_marks_each_woken_task_to_6_18_and_the_earliest_deadline_since() {
    for (version, how, bit, marked) in [
        ("6.12.117", Enqueue::Wakeup, true, Some(2)),
        ("6.18", Enqueue::Wakeup, true, Some(2)),
        ("7.0", Enqueue::Wakeup, true, Some(1)),
        ("6.18", Enqueue::New, true, None),
        ("7.0", Enqueue::New, true, None),
        ("6.18", Enqueue::Wakeup, false, None),
        ("7.0", Enqueue::Wakeup, false, None),
    ] {
        let mut sim = sim(version, &[0, 0, 0], 9);
        Arc::make_mut(&mut sim.setup).kernel.next_buddy = bit;
        for (task, deadline_us) in [(1, 5_000), (2, 6_000)].map(|(at, us)| (TaskId::new(at), us)) {
            sim.tasks[task].se.deadline = deadline_us * US;
            sim.check_preempt_fair(CPU0, CPU0, (task, how), TaskId::new(0));
        }
        let marked = marked.map(|task| EntityId::Task(TaskId::new(task)));
        assert_eq!(sim.cfs_rq(CPU0, GroupId::ROOT).next, marked, "{version} {how:?}");
        if marked.is_some() {
            assert_eq!(sim.pick_fair(CPU0).map(EntityId::Task), marked, "{version}");
        }
    }
}

/// Task 1 is at the average, due first, and the running task unprotected: it preempts. From 6.19 on
/// a synchronous wake-up marks it and asks whether 0.5 ms have passed since the charge of the
/// running task, which the wake-up itself has made.
#[test]
fn a_synchronous_wake_up_of_the_new_buddy_does_not_preempt_from_6_19_on() {
    for (version, how, bit, preempts) in [
        ("6.18", Enqueue::Sync, true, true),
        ("7.0", Enqueue::Sync, true, false),
        ("7.3", Enqueue::Sync, true, false),
        ("7.0", Enqueue::Wakeup, true, true),
        ("7.3", Enqueue::Wakeup, true, true),
        ("7.0", Enqueue::Sync, false, true),
        ("7.3", Enqueue::Sync, false, true),
    ] {
        let mut sim = sim(version, &[0, 0], 9);
        Arc::make_mut(&mut sim.setup).kernel.next_buddy = bit;
        let (running, woken) = (TaskId::new(0), TaskId::new(1));
        (sim.tasks[running].se.deadline, sim.tasks[running].se.vprot) = (9_000 * US, -1);
        sim.tasks[woken].se.deadline = 1_000 * US;
        sim.check_preempt_fair(CPU0, CPU0, (woken, how), running);
        let cpu = &sim.cpus[CPU0];
        let asks = cpu.need_resched.or(cpu.need_resched_lazy).is_some();
        assert_eq!(asks, preempts, "{version} {how:?} {bit}");
        let next = sim.cfs_rq(CPU0, GroupId::ROOT).next;
        assert_eq!(next, bit.then_some(EntityId::Task(woken)), "{version} {how:?}");
    }
}

/// Under CFS the queue must be long: 8 entities.
#[test]
fn next_buddy_marks_a_task_that_does_not_preempt_on_a_long_queue_of_cfs() {
    for (others, marks) in [(6, false), (7, true)] {
        let mut at = vec![0; others + 1];
        at[1] = 100;
        let mut sim = sim("6.1", &at, 99);
        Arc::make_mut(&mut sim.setup).kernel.next_buddy = true;
        let woken = TaskId::new(1);
        sim.check_preempt_fair(CPU0, CPU0, (woken, Enqueue::Wakeup), TaskId::new(0));
        assert!(sim.cpus[CPU0].need_resched.is_none());
        let next = sim.cfs_rq(CPU0, GroupId::ROOT).next;
        assert_eq!(next, marks.then_some(EntityId::Task(woken)), "{others} others");
    }
}
