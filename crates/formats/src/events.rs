//! The kernel's trace events of a run, made once from its rows for every format that has them.
//!
//! Whether a task that leaves its CPU sleeps is known only from its next event, or at the run's end
//! from its figures. So events are kept as numbers, 40 bytes each, and become text or bytes then.

mod event;
mod machine;

use schedscope_engine::trace::catalogue::Kind;
use schedscope_engine::trace::columns::Columns;

use crate::policies::Policies;
use crate::run::{End, Run};
pub use event::{Act, Event, FIRST_PID, Flags, Softirq, State, Wake, Who, pid};
use machine::Machine;
pub(crate) use machine::left_at;

/// Takes the rows of a run and keeps the events of its window.
#[derive(Clone, Debug)]
pub struct Events {
    machine: Machine,
    kept: Vec<Event>,
    policies: Policies,
}

impl Events {
    /// Before the first row.
    pub fn new(run: &Run) -> Self {
        Self { machine: Machine::new(run), kept: Vec::new(), policies: Policies::new(run) }
    }

    /// Takes the next rows, in order of time from the run's first one on.
    pub fn rows(&mut self, rows: &Columns, run: &Run) {
        for row in 0..rows.time.len() {
            self.machine.row(rows, row, run, &mut self.kept);
            if rows.kind[row] == Kind::LiveChange as u8 {
                let columns = (rows.a[row], rows.b[row]);
                if let Some(prio) = self.policies.row(rows.time[row], columns, run) {
                    self.machine.write(rows.a[row], prio);
                }
            }
        }
    }

    /// After the last row: says of each task that is off its CPU at the end how it left.
    pub fn end(&mut self, end: &End, run: &Run) {
        self.machine.end(end, run, &mut self.kept);
    }

    /// Whose priority in the events is not the task's own: a sentence, if it is so of any.
    pub fn lost(&self, run: &Run) -> Vec<String> {
        self.policies.lost(run)
    }

    /// The events of the window so far, in the order of the rows. How a task left its CPU can
    /// change until [`Events::end`].
    pub fn kept(&self) -> &[Event] {
        &self.kept
    }
}
