//! ftrace text: a run's scheduling events as the kernel's file `trace` prints them.
//!
//! ```text
//!   cyclictest.12-1012    [003] dNh..     0.010503: sched_waking: comm=… pid=… prio=…
//!   who runs there        CPU   |||||     seconds
//!                               ||||migrate_disable
//!                               |||preempt_count
//!                               ||interrupt handler
//!                               |need_resched
//!                               interrupts off
//! ```
//!
//! Formats: kernel/trace/trace_output.c (`trace_print_context`, `trace_print_lat_fmt`) and
//! include/trace/events/sched.h. Whether a task that leaves its CPU sleeps is known only from its
//! next event, and the header counts the lines; so lines are kept as numbers, 40 bytes each, and
//! become text at the end.

mod lines;
mod machine;

use std::io::{Result, Write};

use schedscope_engine::trace::columns::Columns;

use crate::format::{Content, Format};
use crate::run::{Run, RunWriter};
use machine::Machine;

pub(super) const FORMAT: Format = Format {
    name: "ftrace",
    title: "ftrace text",
    extension: "txt",
    media_type: "text/plain",
    contents: &[Content::trace(|run| Box::new(Ftrace::new(run)))],
    carries: "sched_switch, sched_waking, sched_wakeup and sched_wakeup_new of every CPU, with \
        names, kernel priorities, prev_state and the flags of the kernel's second column: \
        interrupts off, need_resched (N, n, l, b, B), hard and soft interrupts, migration \
        disabled. A task's pid is 1000 plus its number; names are whole, not cut to 15 characters. \
        prev_state is R+ after a preemption in the kernel, R after one on the way back to user \
        code and after sched_yield(), as the kernel prints them.",
    loses: "Times are rounded to 1 us, as the kernel prints them. The flag of preempt_count is \
        always a dot: the model does not count as the kernel does. A task that sleeps or ends has \
        S: D, X and Z are not known. A priority that a task or a write changes in mid-run is not \
        followed; one that is inherited is. All other events, wake-ups' causes, locks, IPIs and \
        quotas are not in it.",
};

/// One run as ftrace text.
struct Ftrace {
    run: Run,
    machine: Machine,
    lines: Vec<lines::Line>,
}

impl Ftrace {
    fn new(run: Run) -> Self {
        let machine = Machine::new(&run);
        Self { run, machine, lines: Vec::new() }
    }
}

impl RunWriter for Ftrace {
    fn rows(&mut self, rows: &Columns, _out: &mut dyn Write) -> Result<()> {
        for row in 0..rows.time.len() {
            self.machine.row(rows, row, &self.run, &mut self.lines);
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write) -> Result<()> {
        lines::header(self.lines.len(), self.run.cpus, out)?;
        self.lines.iter().try_for_each(|line| line.write(&self.run.tasks, out))
    }
}
