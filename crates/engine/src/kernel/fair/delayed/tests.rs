//! The lag of a task that sleeps on its queue, with virtual times set by hand, on six CPUs: the
//! slice is 2.1 ms (three times 0.70), a tick 1 ms, all weights 1024.

use std::convert::Infallible;
use std::sync::Arc;

use crate::check::invariants::tests::busy;
use crate::ids::{CPU0, TaskId};
use crate::kernel::config::{Beside, Kernel, Reader, Row, Version};
use crate::kernel::core::task::TaskState;
use crate::kernel::fair::{Enqueue, SchedEntity};
use crate::machine::topology::{CpuMask, Topology};
use crate::named::Named;
use crate::setup::Policy;
use crate::sim::Sim;
use crate::trace::columns::Log;

const US: i64 = 1_000;
const SLEEPER: u32 = 1;

/// The rules of 7.0, and this one.
struct Rules {
    never_grows: bool,
}

impl Reader for Rules {
    type Fault = Infallible;

    fn named<T: Named>(&mut self, row: &Row<T>, _: Beside<T>) -> Result<T, Infallible> {
        unreachable!("{} is no rule", row.name)
    }

    fn flag(&mut self, row: &Row<bool>, _: Beside<bool>) -> Result<bool, Infallible> {
        let is_it = row.name == "delayed_lag_never_grows";
        Ok(if is_it { self.never_grows } else { row.value(Version::parse("7.0").unwrap()) })
    }

    fn time(&mut self, row: &Row<u32>, _: Beside<u32>) -> Result<u32, Infallible> {
        unreachable!("{} is no rule", row.name)
    }
}

/// Task 0 runs at 0. Task 1, at 4 ms, goes to sleep: the average is 2 ms, its lag -2 ms, and it
/// stays queued. Then task 2 joins at `other_us`.
fn sim(never_grows: bool, other_us: i64) -> Sim {
    let mut setup = (*busy().setup).clone();
    setup.machine.topology = Topology::new(6, 6);
    setup.kernel = Kernel::of_version(Version::parse("7.0").unwrap(), 6);
    let Ok(()) = setup.kernel.read_rules(&mut Rules { never_grows });
    let mut spec = setup.tasks[0].clone();
    (spec.policy, spec.cpus) = (Policy::Fair { nice: 0 }, CpuMask::first(1));
    setup.tasks = vec![spec; 3];
    let mut sim = Sim::new(Arc::new(setup), Log::new(None, 6, 0));
    for (task, us) in sim.tasks.ids().zip([0, 4_000, other_us]) {
        sim.enqueue_task(CPU0, task, Enqueue::Moved);
        sim.tasks[task].state = TaskState::Runnable;
        let ((id, group), placed) = (sim.level_of(task), sim.tasks[task].se);
        let set = SchedEntity { vruntime: us * US, ..placed };
        sim.tasks[task].se = set;
        let cfs = sim.cfs_rq_mut(CPU0, group);
        assert!(cfs.remove(id, placed.vruntime));
        cfs.insert(id, &set);
        if task.raw() == SLEEPER {
            sim.task_mut(task).state = TaskState::Sleeping;
            sim.block_task(CPU0, task);
            assert!(sim.task(task).se.delayed);
        }
    }
    sim
}

fn sleeper(sim: &Sim) -> (i64, i64) {
    let se = &sim.task(TaskId::new(SLEEPER)).se;
    (se.vruntime / US, se.vlag / US)
}

/// A task joins at -4 ms: the average falls to 0, and the sleeper, at 4 ms, is 4 ms ahead of it.
/// That is cut to 3.1 ms, a slice and a tick. From 7.1 on it owes the 2 ms it went to sleep with.
#[test]
fn what_a_sleeper_owes_grows_as_others_join_before_7_1_and_not_since() {
    for (never_grows, lag_us) in [(false, -3_100), (true, -2_000)] {
        let mut sim = sim(never_grows, -4_000);
        sim.finish_delayed_dequeue(CPU0, sim.level_of(TaskId::new(SLEEPER)));
        assert_eq!(sleeper(&sim).1, lag_us);
    }
}

/// The sleeper wakes instead: to 7.0 it stays at 4 ms. From 7.1 on it is placed for a lag of -2 ms:
/// the others, at 0 and -4 ms, have their average at -2, and the lag grows by 3/2 to -3, because
/// its own coming moves the average by 1. So it comes to 1 ms, 2 ms ahead of the new average.
#[test]
fn a_sleeper_that_wakes_is_placed_for_the_lag_it_went_to_sleep_with_from_7_1_on() {
    for (never_grows, vruntime_us) in [(false, 4_000), (true, 1_000)] {
        let mut sim = sim(never_grows, -4_000);
        sim.enqueue_fair(CPU0, TaskId::new(SLEEPER), Enqueue::Wakeup);
        assert_eq!(sleeper(&sim).0, vruntime_us);
        assert!(!sim.task(TaskId::new(SLEEPER)).se.delayed);
    }
}

/// A task joins at 5 ms: the average rises to 3, and the sleeper is 1 ms ahead of it. It keeps what
/// it has paid off, and stays where it is, in every release.
#[test]
fn what_a_sleeper_has_paid_off_stays_paid() {
    for never_grows in [false, true] {
        let mut woken = sim(never_grows, 5_000);
        woken.enqueue_fair(CPU0, TaskId::new(SLEEPER), Enqueue::Wakeup);
        assert_eq!(sleeper(&woken).0, 4_000);
        let mut gone = sim(never_grows, 5_000);
        gone.finish_delayed_dequeue(CPU0, gone.level_of(TaskId::new(SLEEPER)));
        assert_eq!(sleeper(&gone).1, -1_000);
    }
}
