//! A second reading of EEVDF beside the engine: random charges, wake-ups, forks, sleeps and yields
//! of tasks on one queue, some of them alone in a group. After each of them both agree on every
//! clock, and on whether a reschedule is asked for; at each schedule(), on the pick.

mod reading;

use std::convert::Infallible;
use std::sync::Arc;

use reading::{Entity, Form, Reading};

use crate::check::invariants::tests::busy;
use crate::ids::{CPU0, Id, TaskId};
use crate::kernel::config::{
    Beside, Kernel, Preempt, Protection, Reader, Row, RtThrottle, Version,
};
use crate::kernel::core::task::TaskState;
use crate::kernel::fair::{Enqueue, SchedEntity};
use crate::machine::topology::{CpuMask, Topology};
use crate::named::Named;
use crate::setup::{GroupSpec, Policy};
use crate::sim::Sim;
use crate::trace::columns::Log;

const BASE_SLICE: i64 = 700_000;
const TASKS: usize = 6;
const STEPS: u32 = 400;
const CASES: u64 = 300;

/// A stream of random numbers (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ (bits >> 31)) % bound
    }

    fn yes(&mut self) -> bool {
        self.below(2) == 1
    }
}

impl Reader for Form {
    type Fault = Infallible;

    fn named<T: Named>(&mut self, row: &Row<T>, _: Beside<T>) -> Result<T, Infallible> {
        unreachable!("{} is no rule", row.name)
    }

    fn flag(&mut self, row: &Row<bool>, _: Beside<bool>) -> Result<bool, Infallible> {
        Ok(match row.name {
            "has_preempt_short" => true,
            "yield_gives_up_request" => self.yield_ends_request,
            "lag_clamp_by_greatest_slice" => self.greatest_slice,
            "has_wakeup_actions" => self.actions,
            "delayed_lag_never_grows" => self.delayed_floor,
            "delays_groups" => self.delayed_groups,
            "flat_queue" => self.flat,
            _ => row.value(Version::parse("7.0").unwrap()),
        })
    }

    fn time(&mut self, row: &Row<u32>, _: Beside<u32>) -> Result<u32, Infallible> {
        unreachable!("{} is no rule", row.name)
    }
}

/// The engine and the reading, side by side.
struct Pair {
    sim: Sim,
    reading: Reading,
    charged: u64,
}

impl Pair {
    /// Task 0 runs alone, all others sleep off their queue.
    fn new(dice: &mut Dice) -> Self {
        let mut form = Form {
            protection: Protection::ALL[dice.below(4) as usize],
            short: dice.yes(),
            yield_ends_request: dice.yes(),
            greatest_slice: dice.yes(),
            actions: dice.yes(),
            delayed_floor: dice.yes(),
            delayed_groups: dice.yes(),
            run_to_parity: dice.yes(),
            place_lag: dice.yes(),
            flat: dice.yes(),
        };
        let mut setup = (*busy().setup).clone();
        setup.machine.topology = Topology::new(1, 1);
        setup.kernel = Kernel::of_version(Version::parse("7.0").unwrap(), 1);
        setup.kernel.preempt = Preempt::Full;
        setup.kernel.rt_throttle = RtThrottle::Off;
        setup.kernel.protection = form.protection;
        setup.kernel.preempt_short = form.short;
        setup.kernel.run_to_parity = form.run_to_parity;
        setup.kernel.place_lag = form.place_lag;
        let Ok(()) = setup.kernel.read_rules(&mut form);
        let mut entities = Vec::new();
        let spec = setup.tasks[0].clone();
        setup.tasks.clear();
        setup.groups = vec![GroupSpec::root()];
        for _ in 0..TASKS {
            let mut task = spec.clone();
            let (nice, weight) =
                [(0, 1024), (0, 1024), (5, 335), (-5, 3121)][dice.below(4) as usize];
            let own = [None, Some(100_000), Some(3_000_000), Some(20_000_000)];
            task.slice_ns = own[dice.below(4) as usize];
            (task.policy, task.cpus) = (Policy::Fair { nice }, CpuMask::first(1));
            let is_group = dice.yes();
            if is_group {
                task.group = setup.groups.len() as u32;
                let (path, weight) = (format!("g{}", task.group), weight as u32);
                setup.groups.push(GroupSpec { path, parent: 0, weight, bandwidth: None });
            }
            let slice = task.slice_ns.map_or(BASE_SLICE, |ns| ns as i64);
            entities.push(Entity { is_group, weight, slice, ..Entity::default() });
            setup.tasks.push(task);
        }
        let mut sim = Sim::new(Arc::new(setup), Log::new(None, 1, 0));
        let first = TaskId::new(0);
        sim.enqueue_task(CPU0, first, Enqueue::Wakeup);
        sim.tasks[first].state = TaskState::Runnable;
        sim.rqs[CPU0].curr = Some(first);
        sim.set_next_fair(CPU0, first, true);
        let deadline = entities[0].scaled(entities[0].slice);
        let own = &mut entities[0];
        let at_base = form.protection.is_by_least_slice() && !form.run_to_parity;
        let protected = if at_base { deadline.min(own.scaled(BASE_SLICE)) } else { deadline };
        (own.deadline, own.protection, own.queued) = (deadline, protected, true);
        Self {
            sim,
            reading: Reading { form, entities, curr: 0, next: None, need_resched: false },
            charged: 0,
        }
    }

    /// The entity on the root's queue: the task's own, or its group's.
    fn se(&self, task: TaskId) -> &SchedEntity {
        let (id, group) = self.sim.queued_level(task);
        self.sim.se(CPU0, self.sim.level_above(group).map_or(id, |(above, _)| above))
    }

    fn charge(&mut self) {
        let curr = TaskId::new(self.reading.curr as u32);
        self.sim.update_curr_fair(CPU0, CPU0, curr);
    }

    fn since_charge(&mut self) -> i64 {
        let clock = self.sim.rqs[CPU0].clock;
        (clock - std::mem::replace(&mut self.charged, clock)) as i64
    }

    fn wake(&mut self, at: usize, forked: bool) {
        let (task, ns) = (TaskId::new(at as u32), self.since_charge());
        let how = if forked { Enqueue::New } else { Enqueue::Wakeup };
        if forked {
            self.sim.tasks[task].se = SchedEntity::default();
            if self.reading.form.flat || !self.reading.entities[at].is_group {
                self.reading.entities[at].vlag = 0;
            }
        }
        if !self.se(task).delayed {
            self.charge();
        }
        self.sim.enqueue_task(CPU0, task, how);
        self.sim.tasks[task].state = TaskState::Runnable;
        self.charge();
        let curr = TaskId::new(self.reading.curr as u32);
        self.sim.check_preempt_fair(CPU0, CPU0, (task, how), curr);
        self.reading.wake(at, (ns, forked));
    }

    fn schedule(&mut self) -> Result<(), String> {
        let curr = TaskId::new(self.reading.curr as u32);
        self.sim.cpus[CPU0].need_resched = None;
        let next = self.sim.pick_fair(CPU0).expect("task 0 never sleeps");
        let read = self.reading.schedule();
        if next.place() != read {
            return Err(format!("the engine picks {next}, the reading {read}"));
        }
        if next == curr {
            self.sim.set_next_fair(CPU0, next, false);
            return Ok(());
        }
        self.sim.note_prev_fair(CPU0, curr, true);
        self.sim.put_prev_fair(CPU0, curr);
        self.sim.rqs[CPU0].curr = Some(next);
        self.sim.set_next_fair(CPU0, next, true);
        self.sim.note_prev_fair(CPU0, curr, false);
        Ok(())
    }

    /// Lets time pass, then does one thing.
    fn step(&mut self, dice: &mut Dice) -> Result<(), String> {
        let ns = [0, 37_003, 411_001, 1_000_000, 2_300_017][dice.below(5) as usize];
        self.sim.now += ns;
        self.sim.rqs[CPU0].clock = self.sim.now;
        let at = dice.below(TASKS as u64) as usize;
        let se = self.reading.entities[at];
        let curr = self.reading.curr;
        let mut schedules = false;
        match dice.below(8) {
            0..=2 if !se.queued || se.delayed => self.wake(at, !se.queued && dice.below(3) == 0),
            3 | 4 if curr != 0 => {
                let ns = self.since_charge();
                self.charge();
                self.reading.update_curr(ns);
                self.sim.tasks[TaskId::new(curr as u32)].state = TaskState::Sleeping;
                self.sim.block_task(CPU0, TaskId::new(curr as u32));
                self.reading.sleep();
                schedules = true;
            }
            5 => {
                let ns = self.since_charge();
                self.charge();
                self.reading.update_curr(ns);
                self.sim.yield_fair(CPU0, TaskId::new(curr as u32));
                self.reading.yields();
                schedules = true;
            }
            _ => {
                let ns = self.since_charge();
                self.charge();
                self.reading.update_curr(ns);
            }
        }
        if self.sim.cpus[CPU0].need_resched.is_some() != self.reading.need_resched {
            return Err(format!("the reading says {} of need_resched", self.reading.need_resched));
        }
        if schedules || self.reading.need_resched {
            self.schedule()?;
        }
        self.compare()
    }

    fn compare(&self) -> Result<(), String> {
        for (at, read) in self.reading.entities.iter().enumerate() {
            let se = self.se(TaskId::new(at as u32));
            let clock = if se.on_rq { (se.vruntime, se.deadline) } else { (se.vlag, 0) };
            let of = if read.queued { (read.vruntime, read.deadline) } else { (read.vlag, 0) };
            if (se.on_rq, se.delayed, clock) != (read.queued, read.delayed, of) {
                return Err(format!("task {at} is {se:?}, by the reading {read:?}"));
            }
        }
        Ok(())
    }
}

/// Runs a case, with `change` made to the form that the reading has.
fn case(seed: u64, change: fn(&mut Form)) -> Result<(), String> {
    let mut dice = Dice(seed);
    let mut pair = Pair::new(&mut dice);
    change(&mut pair.reading.form);
    (0..STEPS).try_for_each(|step| {
        pair.step(&mut dice)
            .map_err(|why| format!("seed {seed}, step {step}, {:?}: {why}", pair.reading.form))
    })
}

#[test]
fn a_second_reading_of_eevdf_agrees_with_the_engine_step_for_step() {
    for seed in 0..CASES {
        assert_eq!(case(seed, |_| ()), Ok(()));
    }
}

#[test]
fn the_second_reading_notices_every_form_that_the_engine_would_get_wrong() {
    let changes: [fn(&mut Form); 12] = [
        |form| form.short ^= true,
        |form| form.yield_ends_request ^= true,
        |form| form.greatest_slice ^= true,
        |form| form.actions ^= true,
        |form| form.delayed_floor ^= true,
        |form| form.delayed_groups ^= true,
        |form| form.flat ^= true,
        |form| form.run_to_parity ^= true,
        |form| form.place_lag ^= true,
        |form| form.protection = Protection::UntilDeadline,
        |form| form.protection = Protection::LeastSlice,
        |form| form.protection = Protection::ShortSlices,
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let noticed = (0..CASES).filter(|seed| case(*seed, change).is_err()).count();
        assert!(noticed > 10, "change {at}: {noticed}");
    }
}
