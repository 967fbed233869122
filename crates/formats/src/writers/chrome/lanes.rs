//! Where a slice is drawn.

/// A process and one of its threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    pub pid: u32,
    pub tid: u32,
}

/// The processes, in the order in which a viewer shows them.
pub(super) const PROCESSES: [(u32, &str); 4] =
    [(CPUS, "CPUs"), (FLAGS, "need_resched"), (THROTTLED, "throttled"), (POOLS, "quota pools")];
const CPUS: u32 = 1;
const FLAGS: u32 = 2;
const THROTTLED: u32 = 3;
pub(super) const POOLS: u32 = 4;
/// Above the processes.
const FIRST_TID: u32 = 10;

impl Lane {
    /// What runs on a CPU.
    pub fn cpu(cpu: usize) -> Self {
        Self { pid: CPUS, tid: FIRST_TID + cpu as u32 }
    }

    /// The flags of a CPU, on a machine of `cpus`.
    pub fn flags(cpu: usize, cpus: u32) -> Self {
        Self { pid: FLAGS, tid: FIRST_TID + cpus + cpu as u32 }
    }

    /// The `nth` of the queues that have been throttled.
    pub fn throttled(nth: usize, cpus: u32) -> Self {
        Self { pid: THROTTLED, tid: FIRST_TID + 2 * cpus + nth as u32 }
    }
}
