//! Spinlocks: FIFO queues of spinning CPUs, with the time a hand-off takes.
//!
//! ```text
//!   owner cpu7 ──release──► hand-off ──► cpu3     waiters [12, 9, 31]      depth = 3 + 1 in hand-off
//! ```
//! The lock passes at the release; the next owner notices after the hand-off and spins until then.

use std::collections::VecDeque;

use super::costs::Costs;
use super::topology::{Distance, Topology};
use crate::ids::CpuId;
use crate::{named_enum, questions};

named_enum! {
    /// How CPUs queue for a spinlock.
    pub enum SpinlockKind {
        Ticket = "ticket", "FIFO; all waiters spin on one cache line, so each hand-off costs more \
            per waiter (commit 314cdbefd1fd, 2.6.25 to 4.1)";
        Qspinlock = "qspinlock", "FIFO; each waiter spins on its own node, so the hand-off cost is \
            flat (commit d73a33973f16, 4.2 on)";
    }
}

questions! { SpinlockKind {
    /// Whether waiters slow the holder of the lock, and the CPU that takes it over.
    slows_holder: Ticket, not Qspinlock;
} }

crate::id! {
    /// A lock, and its place in the order of locks: a run queue's is its CPU's number, then come
    /// one `rto_lock` per root domain, under `ipi_4_1` one `push_lock` per run queue, and one lock
    /// per group below the root.
    LockId
}

impl LockId {
    /// The lock of run queue `cpu`.
    #[inline]
    pub const fn rq(cpu: CpuId) -> Self {
        Self::new(cpu.raw())
    }
}

#[derive(Clone, Debug, Default)]
pub struct Spinlock {
    owner: Option<CpuId>,
    /// The owner has been chosen but has not noticed yet.
    handing_over: bool,
    waiters: VecDeque<CpuId>,
    /// CPU whose cache holds the lock's line.
    line: CpuId,
}

/// The result of an attempt to take a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// The caller owns it, after paying this many ns.
    Free(u64),
    /// The caller queues behind this many CPUs, itself included.
    Queued(u32),
}

impl Spinlock {
    /// The CPU that owns the lock or is being handed it.
    pub fn owner(&self) -> Option<CpuId> {
        self.owner
    }
    /// Whether a CPU that asks for the lock gets it at once.
    #[inline]
    pub fn is_free(&self) -> bool {
        self.owner.is_none()
    }
    /// Says which CPU's cache the lock's line starts in: a run queue's is its own CPU's.
    pub fn place_line(&mut self, cpu: CpuId) {
        self.line = cpu;
    }
    /// CPUs that spin for it, the one being handed the lock included.
    #[inline]
    pub fn depth(&self) -> u32 {
        self.waiters.len() as u32 + u32::from(self.handing_over)
    }
    /// Waiting CPUs in the order they will get the lock, without the one in hand-over.
    pub fn waiters(&self) -> impl Iterator<Item = CpuId> + '_ {
        self.waiters.iter().copied()
    }
    /// Whether the owner is still being handed the lock.
    pub fn handing_over(&self) -> bool {
        self.handing_over
    }

    /// `cpu` wants the lock: takes it if free, else joins the queue.
    #[inline]
    pub fn acquire(&mut self, cpu: CpuId, costs: &Costs, topology: &Topology) -> Taken {
        if self.owner.is_none() {
            self.owner = Some(cpu);
            return Taken::Free(uncontended_ns(topology.distance(self.line, cpu), costs));
        }
        self.waiters.push_back(cpu);
        Taken::Queued(self.depth())
    }

    /// Takes the lock only if it is free; the cost in ns.
    #[inline]
    pub fn try_acquire(&mut self, cpu: CpuId, costs: &Costs, topology: &Topology) -> Option<u64> {
        if self.owner.is_some() {
            return None;
        }
        self.owner = Some(cpu);
        Some(uncontended_ns(topology.distance(self.line, cpu), costs))
    }

    /// The owner releases the lock. Returns the next CPU in line and the ns until it notices, if
    /// any CPU waits.
    #[inline]
    pub fn release(
        &mut self,
        costs: &Costs,
        topology: &Topology,
        kind: SpinlockKind,
    ) -> Option<(CpuId, u64)> {
        let from = self.owner.take().expect("only the owner releases; the caller's law checks it");
        self.line = from;
        let next = self.waiters.pop_front()?;
        self.owner = Some(next);
        self.handing_over = true;
        let distance = topology.distance(from, next);
        Some((next, handoff_ns(distance, self.waiters.len() as u64, costs, kind)))
    }

    /// The chosen CPU has noticed.
    pub fn handed_over(&mut self) {
        self.handing_over = false;
    }
}

fn uncontended_ns(distance: Distance, costs: &Costs) -> u64 {
    u64::from(costs.lock_local_ns) + line_ns(distance, costs)
}

/// Moving one cache line over `distance`, in ns.
pub fn line_ns(distance: Distance, costs: &Costs) -> u64 {
    match distance {
        Distance::Same => 0,
        Distance::Llc => u64::from(costs.line_llc_ns),
        Distance::Cross => u64::from(costs.line_cross_ns),
    }
}

/// docs/model/locks-and-ipis.md#lock-costs: `base(distance) + per_waiter * others` for a ticket
/// lock, flat for a queued one.
fn handoff_ns(distance: Distance, others: u64, costs: &Costs, kind: SpinlockKind) -> u64 {
    let (base, per_waiter) = match distance {
        Distance::Same | Distance::Llc => (costs.handoff_llc_ns, costs.handoff_waiter_llc_ns),
        Distance::Cross => (costs.handoff_cross_ns, costs.handoff_waiter_cross_ns),
    };
    u64::from(base)
        + match kind {
            SpinlockKind::Ticket => u64::from(per_waiter) * others,
            SpinlockKind::Qspinlock => 0,
        }
}

/// How much longer `ns` of locked work takes with `waiters` on the held lines, in ns
/// (docs/model/locks-and-ipis.md#lock-costs: ticket only).
pub fn slowed_ns(ns: u64, waiters: u64, costs: &Costs, kind: SpinlockKind) -> u64 {
    match kind {
        SpinlockKind::Ticket => ns + ns * waiters * u64::from(costs.holder_slowdown_percent) / 100,
        SpinlockKind::Qspinlock => ns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::costs::CostsName;

    #[test]
    fn waiters_get_the_lock_in_the_order_they_came() {
        let costs = Costs::preset(CostsName::Ticket2012);
        let topology = Topology::new(20, 10);
        let mut lock = Spinlock::default();
        assert!(matches!(lock.acquire(CpuId::new(0), &costs, &topology), Taken::Free(20)));
        for (index, cpu) in [5, 12, 3].map(CpuId::new).into_iter().enumerate() {
            assert_eq!(lock.acquire(cpu, &costs, &topology), Taken::Queued(index as u32 + 1));
        }
        let mut order = Vec::new();
        while let Some((next, ns)) = lock.release(&costs, &topology, SpinlockKind::Ticket) {
            order.push((next.raw(), ns));
            lock.handed_over();
        }
        // 0 -> 5 in the package with two more waiting; 5 -> 12 across with one; 12 -> 3 across with
        // none.
        assert_eq!(order, [(5, 120 + 2 * 40), (12, 285 + 150), (3, 285)]);
        assert_eq!(lock.owner(), None);
    }

    #[test]
    fn a_queued_lock_hands_over_in_flat_time() {
        let costs = Costs::preset(CostsName::Ticket2012);
        assert_eq!(handoff_ns(Distance::Cross, 30, &costs, SpinlockKind::Qspinlock), 285);
        assert_eq!(slowed_ns(1000, 10, &costs, SpinlockKind::Qspinlock), 1000);
        assert_eq!(slowed_ns(1000, 10, &costs, SpinlockKind::Ticket), 1500);
    }
}
