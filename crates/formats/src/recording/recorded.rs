//! A recording, as it is held.

use super::coverage::Coverage;
use super::row::Row;
use super::tasks::Task;

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
