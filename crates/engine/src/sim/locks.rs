//! Spinlocks: taking, waiting for and handing on, with their order enforced.

use crate::ids::CpuId;
use crate::kernel::irq::clip;
use crate::machine::spinlock::{LockId, Taken, slowed_ns};
use crate::sim::{Sim, Slot};
use crate::trace::catalogue::Kind;

impl Sim {
    #[inline(never)]
    pub(super) fn take_lock(&mut self, cpu: CpuId, lock: LockId) -> bool {
        let ordered = self.cpus[cpu].hw.held().iter().all(|held| *held < lock);
        self.law(ordered, || format!("cpu {cpu} waits for lock {lock} while it holds a later one"));
        self.law(self.cpus[cpu].hw.irqs_off(), || {
            format!("cpu {cpu} takes lock {lock} with interrupts on")
        });
        let setup = &*self.setup;
        match self.locks[lock].acquire(cpu, &setup.machine.costs, &setup.machine.topology) {
            Taken::Free(ns) => {
                self.own_lock(cpu, lock, 0);
                let ns = self.cost(cpu, ns);
                self.cpu(cpu).owe(ns);
                true
            }
            Taken::Queued(depth) => {
                let now = self.now;
                self.cpu(cpu).hw.spin_for(lock, now);
                self.emit(Kind::LockWait, cpu, lock.raw(), depth);
                if self.is_rq_lock(lock) {
                    self.ledger.contended += 1;
                    self.ledger.max_waiters = self.ledger.max_waiters.max(depth);
                }
                self.slow_holder(lock, depth);
                false
            }
        }
    }

    /// Takes a lock only if it is free.
    pub(crate) fn try_lock(&mut self, cpu: CpuId, lock: LockId) -> bool {
        let setup = &*self.setup;
        let Some(ns) =
            self.locks[lock].try_acquire(cpu, &setup.machine.costs, &setup.machine.topology)
        else {
            return false;
        };
        self.own_lock(cpu, lock, 0);
        let ns = self.cost(cpu, ns);
        self.cpu(cpu).owe(ns);
        true
    }

    #[inline]
    fn own_lock(&mut self, cpu: CpuId, lock: LockId, waited: u64) {
        self.cpu(cpu).hw.hold(lock);
        if self.is_rq_lock(lock) {
            self.ledger.acquisitions += 1;
        } else if let Some(group) = self.group_of_lock(lock) {
            self.bw_mut(group).count_lock();
        }
        self.emit(Kind::LockAcq, cpu, lock.raw(), clip(waited));
    }

    /// One more waiter hammers the line of a lock whose holder is at work: the rest of its work
    /// stretches.
    fn slow_holder(&mut self, lock: LockId, depth: u32) {
        let Some(owner) = self.locks[lock].owner() else { return };
        let kind = self.setup.kernel.spinlock();
        if kind.slows_holder() {
            self.take_apart(owner);
        }
        let Some(until) = self.cpu(owner).hw.busy_until() else { return };
        let costs = &self.setup.machine.costs;
        let others = self.waiters_on(owner) - 1;
        let scale = 10_000;
        let (before, after) =
            (slowed_ns(scale, others, costs, kind), slowed_ns(scale, others + 1, costs, kind));
        debug_assert!(depth > 0, "the new waiter is counted");
        let from = self.cpus[owner].hw.resumes_at(self.now);
        let until = from + (until - from) * after / before;
        self.end_work_at(owner, until);
    }

    /// Whether `cpu` owns `lock`.
    pub(crate) fn holds(&self, cpu: CpuId, lock: LockId) -> bool {
        self.cpus[cpu].hw.held().contains(&lock)
    }

    /// Releases `lock`; the next in line notices after the hand-off. A run queue with work left for
    /// a group's lock is released once that is done, before the executing frame's next step.
    #[inline]
    pub(crate) fn unlock(&mut self, cpu: CpuId, lock: LockId) {
        let owned = self.holds(cpu, lock) && self.locks[lock].owner() == Some(cpu);
        self.law(owned, || format!("cpu {cpu} releases lock {lock}, which it does not own"));
        if !owned {
            return;
        }
        if let Some(rq) = self.rq_of_lock(lock).map(|rq| &mut self.rqs[rq])
            && !rq.bw_pending.is_empty()
        {
            rq.bw_unlock = true;
            return self.irq_disable(cpu);
        }
        self.cpu(cpu).hw.let_go(lock);
        let setup = &*self.setup;
        let next = self.locks[lock].release(
            &setup.machine.costs,
            &setup.machine.topology,
            setup.kernel.spinlock(),
        );
        let left = self.locks[lock].depth();
        self.emit(Kind::LockRel, cpu, lock.raw(), left);
        if let Some((next, ns)) = next {
            let slot = Slot::Lock(next).number();
            self.queue.set(slot, self.now + self.cost(next, ns));
        }
    }

    pub(super) fn lock_granted(&mut self, cpu: CpuId) {
        let notices = self.cpus[cpu].hw.resumes_at(self.now);
        if self.cpus[cpu].hw.is_stopped() {
            let slot = Slot::Lock(cpu).number();
            return self.queue.set(slot, notices);
        }
        let Some((lock, since)) = self.cpu(cpu).hw.stop_spinning() else {
            self.law(false, || format!("cpu {cpu} is handed a lock it does not wait for"));
            return;
        };
        self.locks[lock].handed_over();
        let waited = self.now - since;
        if self.is_rq_lock(lock) {
            self.ledger.wait_ns += waited;
        }
        self.own_lock(cpu, lock, waited);
        self.run_cpu(cpu);
    }
}

#[cfg(test)]
mod tests {
    use crate::check::invariants::tests::busy;
    use crate::ids::{CPU0, CPU1};
    use crate::machine::spinlock::LockId;

    #[test]
    fn a_lock_is_taken_in_order_and_with_interrupts_off_and_granted_to_who_waits() {
        let mut sim = busy();
        sim.cpus[CPU0].hw.hold(LockId::rq(CPU1));
        sim.irq_disable(CPU0);
        sim.take_lock(CPU0, LockId::rq(CPU0));
        let fault = sim.fault.expect("lock 0 comes before lock 1");
        assert!(fault.contains("cpu 0 waits for lock 0 while it holds a later one"), "{fault}");

        let mut sim = busy();
        sim.take_lock(CPU0, LockId::rq(CPU0));
        let fault = sim.fault.expect("interrupts are on");
        assert!(fault.contains("cpu 0 takes lock 0 with interrupts on"), "{fault}");

        let mut sim = busy();
        sim.lock_granted(CPU0);
        let fault = sim.fault.expect("it waits for none");
        assert!(fault.contains("cpu 0 is handed a lock it does not wait for"), "{fault}");
    }
}
