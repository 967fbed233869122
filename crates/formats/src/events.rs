//! The kernel's trace events of a run, made once from its rows for every format that has them.
//!
//! Whether a task that leaves its CPU sleeps is known only from its next event. So events are kept
//! as numbers, 40 bytes each, and become text or bytes at the run's end.

mod event;
mod machine;

use schedscope_engine::trace::columns::Columns;

use crate::run::Run;
pub use event::{Act, Event, FIRST_PID, Flags, Softirq, State, Wake, Who, pid};
use machine::Machine;
pub(crate) use machine::left_at;

/// Takes the rows of a run and keeps the events of its window.
#[derive(Clone, Debug)]
pub struct Events {
    machine: Machine,
    kept: Vec<Event>,
}

impl Events {
    /// Before the first row.
    pub fn new(run: &Run) -> Self {
        Self { machine: Machine::new(run), kept: Vec::new() }
    }

    /// Takes the next rows, in order of time from the run's first one on.
    pub fn rows(&mut self, rows: &Columns, run: &Run) {
        for row in 0..rows.time.len() {
            self.machine.row(rows, row, run, &mut self.kept);
        }
    }

    /// The events of the window so far, in the order of the rows. How a task left its CPU can
    /// change until the run's last row.
    pub fn kept(&self) -> &[Event] {
        &self.kept
    }
}
