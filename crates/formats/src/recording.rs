//! What a real machine's scheduler did, as a file of its events has it: the rows of a simulated
//! run where they mean the same, the tasks, and how much of it there is. True of what was
//! recorded; nothing here is simulated, and no cause is named that no event shows.

mod build;
mod coverage;
mod row;
mod stats;
mod tasks;
mod waits;
mod words;
mod worst;

pub use build::{Builder, Event, Full, Named, Stamp};
pub use coverage::{Coverage, Damage, Unread};
pub use row::{Left, Row};
pub use stats::{Sums, sums};
pub use tasks::{Prio, Task};
pub use waits::{Missed, Part, Segment, Wait, waits};
pub use worst::worst;

/// Most events of a recording.
pub const EVENTS_MAX: usize = 40_000_000;
/// Most CPUs.
pub const CPUS_MAX: u32 = 4_096;

/// A recording, in order of time.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Events, by time; those of one instant in the order of the file.
    pub rows: Vec<Row>,
    /// Tasks, in the order in which the file names them; rows name them by index. The idle task is
    /// none of them.
    pub tasks: Vec<Task>,
    /// CPUs with a number up to the greatest that any event names.
    pub cpus: u32,
    /// What is in it and what is not.
    pub coverage: Coverage,
}

impl Recording {
    /// From its first event to its last, ns.
    pub fn span_ns(&self) -> u64 {
        match (self.rows.first(), self.rows.last()) {
            (Some(first), Some(last)) => last.ns - first.ns,
            _ => 0,
        }
    }
}
