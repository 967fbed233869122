//! Full scans of the state against the numbered invariants of the spec.
//!
//! They hold between events. Locks, order, waterfalls and releases are judged at each operation; what needs a look
//! at everything is judged here, at every event in native tests and every 1 024 events in the browser.

use crate::kernel::config::OverloadDef;
use crate::kernel::task::TaskState;
use crate::machine::ipi::{CALL_FUNCTION_SINGLE, RESCHEDULE};
use crate::sim::Sim;

impl Sim {
    /// The first law that does not hold.
    pub fn check_laws(&self) -> Result<(), String> {
        self.check_locks()?;
        self.check_tasks()?;
        self.check_rt()?;
        self.check_ipis()?;
        self.check_time()
    }

    /// Spec A.8 1-3: owners and waiters have interrupts off; a waiter is where its CPU says it waits.
    fn check_locks(&self) -> Result<(), String> {
        for (id, lock) in self.locks.iter().enumerate() {
            let id = id as u32;
            if let Some(owner) = lock.owner() {
                let cpu = &self.cpus[owner as usize];
                ensure(cpu.irq_off > 0, || format!("cpu {owner} owns lock {id} with interrupts on"))?;
                let waits = cpu.spinning.is_some_and(|(wanted, _)| wanted == id);
                ensure(waits == lock.handing_over(), || format!("lock {id} and cpu {owner} disagree about the hand-off"))?;
                ensure(waits != cpu.held.contains(&id), || format!("cpu {owner} does not know it owns lock {id}"))?;
            } else {
                ensure(lock.depth() == 0, || format!("lock {id} is free but awaited"))?;
            }
            for waiter in lock.waiters() {
                let cpu = &self.cpus[waiter as usize];
                ensure(cpu.spinning.is_some_and(|(wanted, _)| wanted == id), || {
                    format!("cpu {waiter} queues for lock {id} but does not spin")
                })?;
                ensure(cpu.irq_off > 0 && cpu.busy_until.is_none(), || format!("cpu {waiter} works while it spins"))?;
            }
        }
        Ok(())
    }

    /// Spec A.8 4-5, D.7: each task is in one place, and runs on at most one CPU.
    fn check_tasks(&self) -> Result<(), String> {
        let mut queued = vec![0_u32; self.tasks.len()];
        let mut running = vec![0_u32; self.tasks.len()];
        let mut listed = vec![0_u32; self.tasks.len()];
        for (cpu, rq) in self.rqs.iter().enumerate() {
            let fair_curr = rq.curr.filter(|curr| !self.task(*curr).is_rt() && self.task(*curr).on_rq);
            let waiting_fair = rq.fair.queue.iter().filter(|task| rq.curr != Some(**task));
            let all = rq.rt.active.iter().chain(waiting_fair).copied().chain(fair_curr);
            let mut count = 0;
            for task in all {
                queued[task as usize] += 1;
                count += 1;
                ensure(self.task(task).cpu == cpu as u32, || format!("task {task} is queued on cpu {cpu}, not its own"))?;
            }
            ensure(count == rq.nr_running, || format!("cpu {cpu} counts {} tasks and queues {count}", rq.nr_running))?;
            if let Some(curr) = rq.curr {
                running[curr as usize] += 1;
                ensure(self.task(curr).on_cpu, || format!("task {curr} runs on cpu {cpu} without on_cpu"))?;
            }
            self.cpus[cpu].wakelist.iter().chain(&self.cpus[cpu].draining).for_each(|task| listed[*task as usize] += 1);
        }
        for (id, task) in self.tasks.iter().enumerate() {
            ensure(queued[id] == u32::from(task.on_rq), || format!("task {id} is queued {} times", queued[id]))?;
            ensure(running[id] <= 1, || format!("task {id} runs on {} CPUs", running[id]))?;
            ensure(listed[id] == 0 || task.state == TaskState::Waking, || format!("task {id} is on a wake-list but not waking"))?;
            ensure(task.state != TaskState::Runnable || task.on_rq, || format!("task {id} is runnable but queued nowhere"))?;
            let allowed = &self.setup.tasks[id].cpus;
            ensure(!task.on_rq || allowed.has(task.cpu), || format!("task {id} is on cpu {}, which it may not use", task.cpu))?;
        }
        Ok(())
    }

    /// Spec B.9 1-6.
    fn check_rt(&self) -> Result<(), String> {
        let mut overloaded = 0;
        for (cpu, rq) in self.rqs.iter().enumerate() {
            let rt = &rq.rt;
            let sorted = |list: &[u32]| list.windows(2).all(|pair| self.task(pair[0]).prio <= self.task(pair[1]).prio);
            ensure(sorted(&rt.active) && sorted(&rt.pushable), || format!("cpu {cpu}: RT lists out of order"))?;
            for task in &rt.pushable {
                ensure(rt.active.contains(task), || format!("cpu {cpu}: pushable task {task} is not queued"))?;
                ensure(rq.curr != Some(*task), || format!("cpu {cpu}: the running task {task} is pushable"))?;
                ensure(self.task(*task).movable, || format!("cpu {cpu}: pinned task {task} is pushable"))?;
            }
            let migratory = rt.active.iter().filter(|task| self.task(**task).movable).count() as u32;
            ensure(migratory == rt.migratory, || format!("cpu {cpu}: {migratory} migratable tasks, counted {}", rt.migratory))?;
            let expected = match self.kernel().overload_def {
                OverloadDef::CountGt1 => rt.active.len() > 1,
                OverloadDef::Migratory => migratory >= 1 && rt.active.len() > 1,
                OverloadDef::PushableNonempty => !rt.pushable.is_empty(),
            };
            ensure(rt.overloaded == expected, || format!("cpu {cpu}: overloaded is {}, its definition says {expected}", rt.overloaded))?;
            ensure(self.rd.rto_mask.has(cpu as u32) == rt.overloaded, || format!("cpu {cpu}: rto_mask disagrees with overloaded"))?;
            overloaded += u32::from(rt.overloaded);
            ensure(rt.highest_next >= rt.highest_curr, || format!("cpu {cpu}: highest_prio.next beats highest_prio.curr"))?;
            let level = self.rd.cpupri.level(rt.highest_curr);
            ensure(self.rd.cpupri.level_of(cpu as u32) == level, || format!("cpu {cpu}: cpupri is stale"))?;
        }
        ensure(self.rd.rto_count == overloaded, || format!("rto_count is {}, {overloaded} CPUs are overloaded", self.rd.rto_count))?;
        ensure(self.rd.rto.in_flight <= 1, || format!("{} IPIs of the RT push chain are under way", self.rd.rto.in_flight))
    }

    /// Spec F.6: sent = delivered + coalesced + in flight; no handler while interrupts are on.
    fn check_ipis(&self) -> Result<(), String> {
        for vector in [RESCHEDULE, CALL_FUNCTION_SINGLE] {
            let counts = self.ledger.ipi[vector];
            let in_flight: u64 = self.cpus.iter().map(|cpu| cpu.lines.in_flight(vector) as u64).sum();
            let sum = counts.delivered + counts.coalesced + in_flight;
            ensure(counts.sent == sum, || format!("vector {vector}: {} sent, {sum} accounted for", counts.sent))?;
        }
        for (id, cpu) in self.cpus.iter().enumerate() {
            ensure(cpu.hardirq.is_none() || cpu.irq_off > 0, || format!("cpu {id} handles an interrupt with interrupts on"))?;
            let waits = cpu.irq_off == 0 && cpu.lines.any_pending();
            ensure(!waits, || format!("cpu {id} leaves an interrupt pending with interrupts on"))?;
        }
        Ok(())
    }

    /// Spec A.8 6: the states of a CPU add up to the time that has passed.
    fn check_time(&self) -> Result<(), String> {
        for (id, cpu) in self.cpus.iter().enumerate() {
            let sum = cpu.time.iter().sum::<u64>() + (self.now - cpu.shown_since);
            ensure(sum == self.now, || format!("cpu {id} accounts for {sum} ns of {}", self.now))?;
        }
        Ok(())
    }

    /// Spec C.8, D.7 4: with nothing under way, no task waits behind an idle CPU that could be told about it, and
    /// (with full affinities) the strongest RT tasks run. For tests that bring a machine to rest.
    pub fn check_quiescent(&self) -> Result<(), String> {
        for (cpu, rq) in self.rqs.iter().enumerate() {
            let flagged = self.cpus[cpu].need_resched.is_some();
            ensure(rq.curr.is_some() || rq.nr_running == 0 || flagged, || format!("cpu {cpu} idles, unflagged, with work queued"))?;
            for waiting in rq.rt.pushable.iter() {
                let prio = self.task(*waiting).prio;
                let home = self.setup.tasks[*waiting as usize].cpus.iter().find(|other| self.rqs[*other as usize].rt.highest_curr > prio);
                ensure(home.is_none(), || format!("task {waiting} waits on cpu {cpu} while cpu {home:?} runs something weaker"))?;
            }
        }
        Ok(())
    }
}

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}
