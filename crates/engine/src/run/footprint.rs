//! The size of a snapshot: the bytes that a clone of the simulation copies, by the sizes of its
//! parts.
//!
//! | what | how often |
//! | --- | --- |
//! | a queue of the fair class | once per group and CPU: on large machines with many groups nearly
//! all of it |
//! | a CPU, its run queue, its slots | once per CPU |
//! | a task with its stack and its places in queues | once per task |
//! | a map of RT priorities | once per root domain |
//!
//! Samples and activations that fill a chunk are shared. Small lists count with their present
//! length.

use crate::ids::GroupId;
use crate::kernel::core::rq::Rq;
use crate::kernel::core::task::Task;
use crate::kernel::cpu::Cpu;
use crate::kernel::fair::{CfsRq, Queued};
use crate::kernel::frame::Entry;
use crate::kernel::rcu::Callbacks;
use crate::kernel::rt::root_domain::RootDomain;
use crate::kernel::syscall::objects::ObjectState;
use crate::machine::spinlock::Spinlock;
use crate::sim::Sim;

/// Bytes of one `T`.
const fn size<T>() -> u64 {
    size_of::<T>() as u64
}

/// Bytes of the entries of a list.
const fn list<T>(entries: &[T]) -> u64 {
    size_of_val(entries) as u64
}

impl Sim {
    /// Bytes that a snapshot of the present state takes, to a few per cent.
    pub(crate) fn snapshot_bytes(&self) -> u64 {
        self.cpus_bytes() + self.tasks_bytes() + self.shared_bytes() + self.log.snapshot_bytes()
    }

    fn cpus_bytes(&self) -> u64 {
        let groups = self.setup.groups.len() as u64;
        let lists = |cpu: &Cpu| list(&cpu.stack) + cpu.timers.bytes() + cpu.crowd.bytes();
        let stacks: u64 = self.cpus.iter().map(lists).sum();
        let rqs = self.rqs.len() as u64 * (size::<Rq>() + groups * size::<CfsRq>());
        list(self.cpus.as_slice()) + stacks + rqs + self.queue.bytes()
    }

    /// A task's entity is on one queue, and so is that of each group above it; a group's only while
    /// a task is queued below.
    fn tasks_bytes(&self) -> u64 {
        let setup = &self.setup;
        let above = |group: GroupId| {
            std::iter::successors(Some(group), |group| {
                self.level_above(*group).map(|level| level.1)
            })
            .count() as u64
        };
        let depths: Vec<u64> = self.groups.ids().map(above).collect();
        let places: u64 =
            setup.tasks.iter().map(|spec| depths[spec.group as usize] * size::<Queued>()).sum();
        list(self.tasks.as_slice()) + places + self.tasks.iter().map(Task::bytes).sum::<u64>()
    }

    fn shared_bytes(&self) -> u64 {
        let objects: u64 = self.objects.iter().map(ObjectState::bytes).sum();
        let domains: u64 = self.rds.iter().map(|rd| size::<RootDomain>() + rd.cpupri.bytes()).sum();
        let ledger =
            list(&self.ledger.kinds) + list(&self.ledger.series) + list(&self.ledger.kind_of);
        let groups = list(self.bandwidths.as_slice()) + list(self.groups.as_slice());
        list(self.objects.as_slice())
            + objects
            + domains
            + ledger
            + groups
            + self.running.bytes()
            + self.pressure.as_ref().map_or(0, |pressure| pressure.bytes())
            + self.locks.len() as u64 * size::<Spinlock>()
            + list(self.rd_of.as_slice())
            + list(self.ledger.interrupts.as_slice())
            + list(self.hw_noise.as_slice())
            + self.devices.bytes()
            + self.rcu.iter().map(Callbacks::bytes).sum::<u64>()
    }
}

impl Task {
    /// Bytes of its lists.
    fn bytes(&self) -> u64 {
        let wake = self.wake.as_ref().map_or(0, |wake| list(wake.stretches.entries()));
        self.stack.len() as u64 * size::<Entry>() + wake
    }
}

impl ObjectState {
    /// Bytes of its lists.
    fn bytes(&self) -> u64 {
        self.written.as_ref().map_or(0, |written| written.len() as u64 * size::<u64>())
            + list(self.spins.as_slice())
            + list(&self.list)
    }
}
