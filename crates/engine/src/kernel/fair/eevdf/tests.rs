//! A second reading of EEVDF, written from `fair.c` of 6.12.117, 6.18.15, 7.0.7 and 7.1.13 and not
//! from the engine: random charges, wake-ups, forks, sleeps and yields on one queue. After each of
//! them both agree on every clock, and on whether a reschedule is asked for; at each schedule(), on
//! the pick.

use std::convert::Infallible;
use std::sync::Arc;

use crate::check::invariants::tests::busy;
use crate::ids::{CPU0, Id, TaskId};
use crate::kernel::config::{
    Beside, Kernel, Preempt, Protection, Reader, Row, RtThrottle, Version,
};
use crate::kernel::core::task::TaskState;
use crate::kernel::fair::Enqueue;
use crate::kernel::fair::SchedEntity;
use crate::machine::topology::{CpuMask, Topology};
use crate::named::Named;
use crate::setup::Policy;
use crate::sim::Sim;
use crate::trace::columns::Log;

const TICK: i64 = 1_000_000;
const BASE_SLICE: i64 = 700_000;
const TASKS: usize = 6;
const STEPS: u32 = 400;
const CASES: u64 = 300;

/// What the releases differ by.
#[derive(Clone, Copy, Debug)]
struct Form {
    protection: Protection,
    short: bool,
    yield_ends_request: bool,
    greatest_slice: bool,
    actions: bool,
    delayed_floor: bool,
}

/// One sched_entity.
#[derive(Clone, Copy, Debug, Default)]
struct Entity {
    weight: i64,
    slice: i64,
    vruntime: i64,
    deadline: i64,
    vlag: i64,
    /// `vlag` of the running entity to 6.16, which holds a deadline; `vprot` since.
    protection: i64,
    queued: bool,
    delayed: bool,
}

impl Entity {
    /// calc_delta_fair().
    fn scaled(&self, ns: i64) -> i64 {
        ns * 1024 / self.weight
    }
}

/// One cfs_rq.
struct Reading {
    form: Form,
    entities: Vec<Entity>,
    curr: usize,
    need_resched: bool,
}

impl Reading {
    fn queued(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.entities.len()).filter(|at| self.entities[*at].queued)
    }

    fn load(&self) -> i64 {
        self.queued().map(|at| self.entities[at].weight).sum()
    }

    fn avg_vruntime(&self) -> i64 {
        let sum: i64 =
            self.queued().map(|at| self.entities[at].weight * self.entities[at].vruntime).sum();
        sum.div_euclid(self.load())
    }

    fn eligible(&self, at: usize) -> bool {
        let own = self.entities[at].vruntime;
        let ahead =
            |other: usize| self.entities[other].weight * (self.entities[other].vruntime - own);
        self.queued().map(ahead).sum::<i64>() >= 0
    }

    fn least_slice(&self) -> i64 {
        self.queued().map(|at| self.entities[at].slice).min().unwrap()
    }

    fn update_entity_lag(&mut self, at: usize) -> bool {
        let (se, average) = (self.entities[at], self.avg_vruntime());
        let limit = if self.form.greatest_slice {
            self.queued().map(|at| self.entities[at].slice).max().unwrap() + TICK
        } else {
            TICK.max(2 * se.slice)
        };
        let limit = se.scaled(limit);
        let mut lag = (average - se.vruntime).max(-limit).min(limit);
        if se.delayed && self.form.delayed_floor {
            lag = lag.max(se.vlag).min(0);
        }
        self.entities[at].vlag = lag;
        average - lag != se.vruntime
    }

    fn place_entity(&mut self, at: usize, initial: bool) {
        let (average, load) = (self.avg_vruntime(), self.load());
        let se = &mut self.entities[at];
        let lag = se.vlag * (load + se.weight) / load;
        se.vruntime = average - lag;
        let request = se.scaled(se.slice);
        se.deadline = se.vruntime + if initial { request / 2 } else { request };
    }

    fn protected(&self, at: usize) -> bool {
        let se = &self.entities[at];
        match self.form.protection {
            Protection::UntilDeadline => se.protection == se.deadline,
            Protection::LeastSlice | Protection::LeastSliceAtPick => se.vruntime < se.protection,
        }
    }

    fn by_slice(&self) -> bool {
        !matches!(self.form.protection, Protection::UntilDeadline)
    }

    fn cancel_protection(&mut self) {
        if self.protected(self.curr) {
            let by_slice = self.by_slice();
            let se = &mut self.entities[self.curr];
            se.protection = if by_slice { se.vruntime } else { se.deadline + 1 };
        }
    }

    fn update_curr(&mut self, ns: i64) {
        let curr = self.curr;
        if ns == 0 {
            return;
        }
        let se = &mut self.entities[curr];
        se.vruntime += se.scaled(ns);
        let used_up = se.vruntime >= se.deadline;
        if used_up {
            se.deadline = se.vruntime + se.scaled(se.slice);
        }
        if self.queued().count() == 1 {
            return;
        }
        let lost = if self.by_slice() {
            !self.protected(curr)
        } else {
            self.form.short && !self.protected(curr) && !self.eligible(curr)
        };
        self.need_resched |= used_up || lost;
    }

    fn pick(&self, protect: bool) -> usize {
        let mut best: Option<usize> = None;
        let mut waiting: Vec<usize> = self.queued().filter(|at| *at != self.curr).collect();
        waiting.sort_by_key(|at| (self.entities[*at].vruntime, *at));
        if waiting.is_empty() {
            return self.curr;
        }
        let curr = Some(self.curr).filter(|at| self.entities[*at].queued && self.eligible(*at));
        if let Some(curr) = curr.filter(|curr| protect && self.protected(*curr)) {
            return curr;
        }
        for at in waiting.into_iter().filter(|at| self.eligible(*at)).chain(curr) {
            if best.is_none_or(|best| self.entities[at].deadline < self.entities[best].deadline) {
                best = Some(at);
            }
        }
        best.expect("one is eligible")
    }

    fn wakeup_preempt(&mut self, woken: usize, forked: bool) {
        let (form, curr) = (self.form, self.curr);
        if self.need_resched {
            return;
        }
        let shorter = form.short && self.entities[woken].slice < self.entities[curr].slice;
        if !self.by_slice() {
            let first = self.entities[woken].deadline < self.entities[curr].deadline;
            let sound = !(form.actions && forked) || shorter;
            if shorter && self.eligible(woken) && (first || !self.eligible(curr)) {
                self.cancel_protection();
            }
            self.need_resched = sound && self.pick(true) == woken;
            return;
        }
        if form.actions && forked && !shorter {
            return;
        }
        if self.pick(!shorter) == woken {
            if shorter {
                self.cancel_protection();
            }
            self.need_resched = true;
        } else if shorter || form.actions {
            let least = self.least_slice();
            let se = &mut self.entities[curr];
            se.protection = se.protection.min(se.vruntime + se.scaled(least));
        }
    }

    fn wake(&mut self, at: usize, (ns, forked): (i64, bool)) {
        if self.entities[at].delayed {
            let off = self.update_entity_lag(at);
            let replaced = if self.form.delayed_floor { off } else { self.entities[at].vlag > 0 };
            self.entities[at].delayed = false;
            if replaced {
                self.entities[at].vlag = self.entities[at].vlag.min(0);
                self.entities[at].queued = false;
                self.place_entity(at, false);
                self.entities[at].queued = true;
            }
            self.update_curr(ns);
        } else {
            self.update_curr(ns);
            self.place_entity(at, forked);
            self.entities[at].queued = true;
        }
        self.wakeup_preempt(at, forked);
    }

    fn sleep(&mut self) {
        let at = self.curr;
        if self.eligible(at) {
            self.update_entity_lag(at);
            self.entities[at].queued = false;
        } else {
            if self.form.delayed_floor {
                self.update_entity_lag(at);
            }
            self.entities[at].delayed = true;
        }
    }

    fn yields(&mut self) {
        if self.queued().count() == 1 {
            return;
        }
        let eligible = self.eligible(self.curr);
        let se = &mut self.entities[self.curr];
        if !self.form.yield_ends_request {
            se.deadline += se.scaled(se.slice);
        } else if eligible {
            se.vruntime = se.deadline;
            se.deadline = se.vruntime + se.scaled(se.slice);
        }
    }

    fn schedule(&mut self) -> usize {
        self.need_resched = false;
        let next = loop {
            let at = self.pick(true);
            if !self.entities[at].delayed {
                break at;
            }
            self.update_entity_lag(at);
            let se = &mut self.entities[at];
            se.vlag = se.vlag.min(0);
            (se.queued, se.delayed) = (false, false);
        };
        if next != self.curr {
            let least = self.least_slice();
            let by_slice = self.by_slice();
            let se = &mut self.entities[next];
            se.protection = se.deadline;
            if by_slice && least < se.slice {
                se.protection = se.deadline.min(se.vruntime + se.scaled(least));
            }
            self.curr = next;
        }
        next
    }
}

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
            "has_preempt_short" => self.short,
            "yield_gives_up_request" => self.yield_ends_request,
            "lag_clamp_by_greatest_slice" => self.greatest_slice,
            "has_wakeup_actions" => self.actions,
            "delayed_lag_never_grows" => self.delayed_floor,
            _ => row.value(Version::V7_0),
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
            protection: Protection::ALL[dice.below(3) as usize],
            short: dice.yes(),
            yield_ends_request: dice.yes(),
            greatest_slice: dice.yes(),
            actions: dice.yes(),
            delayed_floor: dice.yes(),
        };
        let mut setup = (*busy().setup).clone();
        setup.machine.topology = Topology::new(1, 1);
        setup.kernel = Kernel::of_version(Version::V7_0, 1);
        setup.kernel.preempt = Preempt::Full;
        setup.kernel.rt_throttle = RtThrottle::Off;
        setup.kernel.protection = form.protection;
        let Ok(()) = setup.kernel.read_rules(&mut form);
        let mut entities = Vec::new();
        let spec = setup.tasks[0].clone();
        setup.tasks.clear();
        for _ in 0..TASKS {
            let mut task = spec.clone();
            let (nice, weight) =
                [(0, 1024), (0, 1024), (5, 335), (-5, 3121)][dice.below(4) as usize];
            let own = [None, Some(100_000), Some(3_000_000), Some(20_000_000)];
            task.slice_ns = own[dice.below(4) as usize];
            (task.policy, task.cpus) = (Policy::Fair { nice }, CpuMask::first(1));
            let slice = task.slice_ns.map_or(BASE_SLICE, |ns| ns as i64);
            entities.push(Entity { weight, slice, ..Entity::default() });
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
        (own.deadline, own.protection, own.queued) = (deadline, deadline, true);
        Self { sim, reading: Reading { form, entities, curr: 0, need_resched: false }, charged: 0 }
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
            self.reading.entities[at].vlag = 0;
        }
        if !self.sim.tasks[task].se.delayed {
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
            let se = self.sim.tasks[TaskId::new(at as u32)].se;
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
    let changes: [fn(&mut Form); 7] = [
        |form| form.short ^= true,
        |form| form.yield_ends_request ^= true,
        |form| form.greatest_slice ^= true,
        |form| form.actions ^= true,
        |form| form.delayed_floor ^= true,
        |form| form.protection = Protection::UntilDeadline,
        |form| form.protection = Protection::LeastSlice,
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let noticed = (0..CASES).filter(|seed| case(*seed, change).is_err()).count();
        assert!(noticed > 10, "change {at}: {noticed}");
    }
}
