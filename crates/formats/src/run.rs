//! What a writer is given of a run: names and priorities at the start, then rows as they come.

use std::io::{Result, Write};

use schedscope_engine::setup::Policy;
use schedscope_engine::trace::columns::Columns;

/// What is known of a run before its first row.
#[derive(Clone, Debug)]
pub struct Run {
    /// Number of CPUs.
    pub cpus: u32,
    /// Index = task in the columns.
    pub tasks: Vec<Task>,
    /// The span of machine time to write, ns, without its end. A writer is given the rows before
    /// the span too, from 0 on: they say who runs where when the span begins.
    pub window: (u64, u64),
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Instance name: `cyclictest.12`.
    pub name: String,
    /// The kernel's `prio` at the start, 0..=139: 99 - rt_priority for RT tasks, 120 + nice for
    /// fair ones, 120 for SCHED_IDLE; lower is stronger.
    pub prio: u8,
}

impl Task {
    /// The task of that name that starts with this policy.
    pub fn of(name: &str, policy: Policy) -> Self {
        Self { name: name.to_owned(), prio: policy.prio() }
    }
}

impl Run {
    /// Whether an instant lies in the window.
    pub fn shows(&self, time: u64) -> bool {
        (self.window.0..self.window.1).contains(&time)
    }
}

/// Writes one run. The bytes depend on the rows alone, not on where one call's rows end.
pub trait RunWriter {
    /// Writes what comes before the first row.
    fn begin(&mut self, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }

    /// Takes the next rows, in order of time.
    fn rows(&mut self, rows: &Columns, out: &mut dyn Write) -> Result<()>;

    /// Writes what is left after the last row.
    fn end(&mut self, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }
}
