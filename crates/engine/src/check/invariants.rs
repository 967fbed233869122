//! Full scans of the state against the laws of the model (docs/model/README.md).
//!
//! The laws hold between events. Locks, order, waterfalls and releases are checked at each
//! operation; laws on the whole state are checked here, as often as `Options::check_every` says:
//! every 8 192 events, every 1 024 in builds with debug assertions, every one in the tests of the
//! laws. Above 64 CPUs the scans come more rarely in proportion.

use crate::ids::{GroupId, Id, TaskId};
use crate::kernel::core::task::TaskState;
use crate::kernel::frame::Frame;
use crate::kernel::rt::cpupri::NO_RT_PRIO;
use crate::machine::ipi::LOCAL_TIMER;
use crate::machine::topology::FULL_SPEED;
use crate::sim::{Sim, Slot};

impl Sim {
    /// The first law that does not hold.
    pub fn check_laws(&self) -> Result<(), String> {
        self.check_locks()?;
        self.check_tasks()?;
        self.check_rt()?;
        self.check_fair()?;
        self.check_bandwidth()?;
        self.check_quota()?;
        self.check_objects()?;
        self.check_wakeups()?;
        self.check_cyclictest()?;
        self.check_stoppers()?;
        self.check_balancing()?;
        self.check_nohz()?;
        self.check_ipis()?;
        self.check_preemption()?;
        self.check_time()?;
        self.check_waits()
    }

    /// docs/model/locks-and-ipis.md#lock-laws: owners and waiters have interrupts off; a waiter is
    /// where its CPU says it waits.
    fn check_locks(&self) -> Result<(), String> {
        for (id, lock) in self.locks.iter_enumerated() {
            if let Some(owner) = lock.owner() {
                let cpu = &self.cpus[owner];
                ensure(cpu.hw.irqs_off(), || {
                    format!("cpu {owner} owns lock {id} with interrupts on")
                })?;
                let waits = cpu.hw.spinning().is_some_and(|(wanted, _)| wanted == id);
                ensure(waits == lock.handing_over(), || {
                    format!("lock {id} and cpu {owner} disagree about the hand-off")
                })?;
                ensure(waits != cpu.hw.held().contains(&id), || {
                    format!("cpu {owner} does not know it owns lock {id}")
                })?;
            } else {
                ensure(lock.depth() == 0, || format!("lock {id} is free but awaited"))?;
            }
            for waiter in lock.waiters() {
                let cpu = &self.cpus[waiter];
                ensure(cpu.hw.spinning().is_some_and(|(wanted, _)| wanted == id), || {
                    format!("cpu {waiter} queues for lock {id} but does not spin")
                })?;
                ensure(cpu.hw.irqs_off() && cpu.hw.busy_until().is_none(), || {
                    format!("cpu {waiter} works while it spins")
                })?;
            }
        }
        Ok(())
    }

    /// docs/model/locks-and-ipis.md#lock-laws: each task is in one place, and runs on at most one
    /// CPU.
    fn check_tasks(&self) -> Result<(), String> {
        let mut queued = vec![0_u32; self.tasks.len()];
        let mut running = vec![0_u32; self.tasks.len()];
        let mut listed = vec![0_u32; self.tasks.len()];
        let mut moved = vec![0_u32; self.tasks.len()];
        for (cpu, rq) in self.rqs.iter_enumerated() {
            let fair = rq.cfs.iter().flat_map(|cfs| self.queued_tasks(cfs));
            rq.cfs
                .iter()
                .flat_map(|cfs| cfs.bandwidth.limbo())
                .for_each(|task| queued[task.place()] += 1);
            let mut count = rq.cfs[GroupId::ROOT].h_nr_running()
                + rq.rt.active().len() as u32
                + u32::from(rq.stop.queued.is_some())
                + u32::from(rq.server.queued && self.kernel().server_is_running());
            for task in rq.rt.active().iter().copied().chain(fair).chain(rq.stop.queued) {
                queued[task.place()] += 1;
                ensure(self.task(task).cpu == cpu, || {
                    format!("task {task} is queued on cpu {cpu}, not its own")
                })?;
            }
            if rq.rt_time.is_throttled() {
                count -= rq.rt.active().len() as u32;
            }
            ensure(count == rq.nr_running(), || {
                format!("cpu {cpu} counts {} tasks and queues {count}", rq.nr_running())
            })?;
            if let Some(curr) = rq.curr {
                running[curr.place()] += 1;
                ensure(self.task(curr).on_cpu, || {
                    format!("task {curr} runs on cpu {cpu} without on_cpu")
                })?;
            }
            self.cpus[cpu].detached.iter().for_each(|task| moved[task.place()] += 1);
            self.cpus[cpu]
                .wakelist
                .iter()
                .chain(&self.cpus[cpu].draining)
                .for_each(|task| listed[task.place()] += 1);
        }
        for (id, task) in self.tasks.iter().enumerate() {
            ensure(queued[id] == u32::from(task.on_rq), || {
                format!("task {id} is queued {} times", queued[id])
            })?;
            ensure(running[id] <= 1, || format!("task {id} runs on {} CPUs", running[id]))?;
            ensure(listed[id] == 0 || task.state == TaskState::Waking, || {
                format!("task {id} is on a wake-list but not waking")
            })?;
            let lists = moved[id];
            ensure(lists == u32::from(task.migrating.is_some()), || {
                format!("task {id} is on {lists} CPUs' way to another queue")
            })?;
            ensure(task.migrating.is_none() || !(task.on_rq || task.on_cpu), || {
                format!("task {id} is on its way and on a queue")
            })?;
            ensure(
                task.state != TaskState::Runnable || task.on_rq || task.migrating.is_some(),
                || format!("task {id} is runnable but queued nowhere"),
            )?;
            let allowed = &task.cpus;
            let running = self.rqs[task.cpu].curr == Some(TaskId::at(id));
            // A task that has changed its affinity stays until the stopper takes it off its CPU.
            ensure(!task.on_rq || allowed.has(task.cpu) || running || task.sync.moving, || {
                format!("task {id} is on cpu {}, which it may not use", task.cpu)
            })?;
        }
        Ok(())
    }

    /// docs/model/rt-balancing.md#rt-queues, docs/model/rt-balancing.md#overload,
    /// docs/model/rt-balancing.md#cpupri.
    fn check_rt(&self) -> Result<(), String> {
        for (cpu, rq) in self.rqs.iter_enumerated() {
            let rt = &rq.rt;
            let sorted = |list: &[TaskId]| {
                list.windows(2).all(|pair| self.task(pair[0]).prio <= self.task(pair[1]).prio)
            };
            ensure(sorted(rt.active()) && sorted(rt.pushable()), || {
                format!("cpu {cpu}: RT lists out of order")
            })?;
            for task in rt.pushable() {
                ensure(rt.active().contains(task), || {
                    format!("cpu {cpu}: pushable task {task} is not queued")
                })?;
                ensure(rq.curr != Some(*task), || {
                    format!("cpu {cpu}: the running task {task} is pushable")
                })?;
                ensure(self.task(*task).migratory, || {
                    format!("cpu {cpu}: pinned task {task} is pushable")
                })?;
            }
            let migratory =
                rt.active().iter().filter(|task| self.task(**task).migratory).count() as u32;
            ensure(migratory == rt.migratory(), || {
                format!("cpu {cpu}: {migratory} migratable tasks, counted {}", rt.migratory())
            })?;
            let rd = self.rd(cpu);
            let expected = self.overload_due(cpu);
            ensure(rt.is_overloaded() == expected, || {
                format!(
                    "cpu {cpu}: overloaded is {}, its definition says {expected}",
                    rt.is_overloaded()
                )
            })?;
            let (bit, slips) = (rd.rto_mask().has(cpu), self.kernel().has_bugs_2007());
            // The finder of a stale bit may have cleared its own (Rostedt 2007's first code);
            // nothing sets one too many.
            ensure(bit == rt.is_overloaded() || (slips && !bit), || {
                format!("cpu {cpu}: rto_mask disagrees with overloaded")
            })?;
            let first_prio =
                |list: &[TaskId]| list.first().map_or(NO_RT_PRIO, |task| self.task(*task).prio);
            let firsts = (first_prio(rt.active()), first_prio(rt.pushable()));
            ensure((rt.highest_curr(), rt.highest_next()) == firsts, || {
                format!("cpu {cpu}: highest_prio is not {firsts:?}")
            })?;
            let level = rd.cpupri.level(rt.highest_curr());
            let higher = rq.server.is_queued() && rd.cpupri.level_of(cpu) == rd.cpupri.higher();
            ensure(rd.cpupri.level_of(cpu) == level || higher, || {
                format!("cpu {cpu}: cpupri is stale")
            })?;
            ensure(rt.chain.queued <= 1, || {
                format!("cpu {cpu}: its push work is queued {} times", rt.chain.queued)
            })?;
            let executing = rt.chain.executing;
            ensure(executing || (rt.chain.queued == 0 && !rt.chain.restart), || {
                format!("cpu {cpu}: a push chain that is over goes on")
            })?;
        }
        self.check_domains()
    }

    /// docs/model/rt-balancing.md#overload-mask, docs/model/rt-balancing.md#push-ipi-bounds: each
    /// root domain counts its overloaded CPUs, has only its own, and one IPI under way at most.
    fn check_domains(&self) -> Result<(), String> {
        for (id, rd) in self.rds.iter_enumerated() {
            ensure(rd.rto_mask().and(&rd.span) == *rd.rto_mask(), || {
                format!("root domain {id}: a CPU of another one in rto_mask")
            })?;
            let (count, bits) = (rd.rto_count(), i64::from(rd.rto_mask().count()));
            let drifts = self.kernel().has_bugs_2007();
            ensure(count == bits || drifts, || {
                format!("root domain {id}: rto_count is {count}, {bits} CPUs are overloaded")
            })?;
            let most = if self.kernel().rt_balance().walks_domain() { 1 } else { rd.span.count() };
            ensure(rd.rto.in_flight <= most, || {
                format!("{} IPIs of the RT push chain are under way", rd.rto.in_flight)
            })?;
        }
        Ok(())
    }

    /// docs/model/locks-and-ipis.md#interrupt-delivery: sent = delivered + coalesced + in flight;
    /// no handler while interrupts are on.
    fn check_ipis(&self) -> Result<(), String> {
        for vector in crate::sim::IPI_VECTORS {
            let counts = self.ledger.ipi[vector];
            let in_flight: u64 =
                self.cpus.iter().map(|cpu| cpu.hw.lines.in_flight(vector) as u64).sum();
            let sum = counts.delivered + counts.coalesced + in_flight;
            ensure(counts.sent == sum, || {
                format!("vector {vector}: {} sent, {sum} accounted for", counts.sent)
            })?;
        }
        for (id, cpu) in self.cpus.iter_enumerated() {
            ensure(cpu.hw.hardirq().is_none() || cpu.hw.irqs_off(), || {
                format!("cpu {id} handles an interrupt with interrupts on")
            })?;
            let seen = cpu.hw.lines.is_pending(LOCAL_TIMER)
                || cpu.hw.hardirq() == Some(LOCAL_TIMER)
                || cpu.hrtimer_hang.is_some();
            ensure(seen || !cpu.timers.any_fired(), || {
                format!("cpu {id}: nobody will run its expired timers")
            })?;
            // At the instant the guard ends, other CPUs may act before the device does.
            let device = self.queue.get(Slot::Timer(id).number());
            let ends = |until: u64| {
                device.is_some_and(|at| at <= until) && self.kernel().hrtimer_hang_guard()
            };
            let guarded = cpu.hrtimer_hang.is_none_or(ends);
            ensure(guarded, || format!("cpu {id}: the hang guard holds its timers for ever"))?;
            let waits = !cpu.hw.irqs_off() && cpu.hw.lines.any_pending() && !cpu.hw.is_stopped();
            ensure(!waits, || format!("cpu {id} leaves an interrupt pending with interrupts on"))?;
        }
        Ok(())
    }

    /// docs/model/locks-and-ipis.md#lock-laws: the states of a CPU add up to the time that has
    /// passed.
    fn check_time(&self) -> Result<(), String> {
        for (id, cpu) in self.cpus.iter_enumerated() {
            let sum = cpu.times().iter().sum::<u64>() + (self.now - cpu.shown().1);
            ensure(sum == self.now, || format!("cpu {id} accounts for {sum} ns of {}", self.now))?;
            let user = cpu.stack.last().is_some_and(|top| top.frame == Frame::User);
            let pace = if user { self.pace_of(id) } else { FULL_SPEED };
            ensure(cpu.hw.busy_until().is_none() || cpu.hw.pace() == pace, || {
                format!("cpu {id} works at a pace of {} %, not {pace}", cpu.hw.pace())
            })?;
            ensure(cpu.timers.sleepers().all(|task| self.task(task).timer_on == id), || {
                format!("cpu {id} has a timer of a task that looks for it elsewhere")
            })?;
        }
        Ok(())
    }

    /// docs/model/rt-balancing.md#highest-priority-tasks-run,
    /// docs/model/wake-ups.md#no-lost-wake-up: with no work under way, no task waits while an idle
    /// CPU could take it, and (with full affinities) the RT tasks of highest priority run. For
    /// tests that let a machine come to rest.
    pub fn check_quiescent(&self) -> Result<(), String> {
        self.check_objects_at_rest()?;
        for (cpu, rq) in self.rqs.iter_enumerated() {
            let flagged = self.cpus[cpu].need_resched.is_some();
            ensure(rq.curr.is_some() || rq.nr_running() == 0 || flagged, || {
                format!("cpu {cpu} idles, unflagged, with work queued")
            })?;
            // Without active balancing a task may wait, and the slips of 2007 lose pulls.
            let moves = self.kernel().rt_balance().is_active() && !self.kernel().has_bugs_2007();
            // A throttled queue pushes nothing until its period timer
            // (docs/model/rt-balancing.md#highest-priority-tasks-run excepts it). A push ends at a
            // task that may not migrate, however many could behind it.
            let free = rq.rt.pushable().iter().take_while(|task| self.task(**task).movable);
            for waiting in free.filter(|_| moves && !rq.rt_time.is_throttled()) {
                let prio = self.task(*waiting).prio;
                let home = self
                    .task(*waiting)
                    .cpus
                    .iter()
                    .find(|other| self.rqs[*other].rt.highest_curr() > prio);
                ensure(home.is_none(), || {
                    format!(
                        "task {waiting} waits on cpu {cpu} while cpu {home:?} runs something weaker"
                    )
                })?;
            }
        }
        Ok(())
    }
}

pub(super) fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

#[cfg(test)]
pub(crate) mod tests;
