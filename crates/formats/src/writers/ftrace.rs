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
//! include/trace/events/{sched,irq}.h, arch/x86/include/asm/trace/irq_vectors.h. The header counts
//! the lines, so they are written at the end.

mod lines;

use std::io::{Result, Write};

use schedscope_engine::trace::columns::Columns;

use crate::events::Events;
use crate::format::{Content, Format};
use crate::run::{End, Run, RunWriter};

pub(super) const FORMAT: Format = Format {
    name: "ftrace",
    title: "ftrace text",
    extension: "txt",
    media_type: "text/plain",
    contents: &[Content::trace(|run| Box::new(Ftrace::new(run)))
        .opens_in("Perfetto, and scripts that read /sys/kernel/tracing/trace")],
    carries: "sched_switch, sched_waking, sched_wakeup, sched_wakeup_new, sched_migrate_task, \
        sched_pi_setprio, softirqs and interrupts of every CPU, with names, kernel priorities, \
        prev_state and the flags of the kernel's second column: interrupts off, need_resched \
        (N, n, l, b, B), hard and soft interrupts, migration disabled. The header \
        and the flags are those of Linux 6.13. Interrupts have the names \
        and vectors of x86; the model's one device is irq 24. A task's pid is 1000 plus its \
        number; names are whole, not cut to 15 characters. prev_state is R+ after a preemption in \
        the kernel, R after one on the way back to user code and after sched_yield(), as the \
        kernel prints them.",
    loses: "Times are rounded to 1 us, as the kernel prints them. The flag of preempt_count is \
        always a dot: the model does not count as the kernel does. A task that sleeps or ends has \
        S: D, X and Z are not known. A priority that a task changes itself in mid-run is not \
        followed; one that is \
        inherited or that a write changes is. Who sent an IPI, wake-ups' causes, locks and quotas \
        are not in it.",
};

/// One run as ftrace text.
struct Ftrace {
    run: Run,
    events: Events,
}

impl Ftrace {
    fn new(run: Run) -> Self {
        let events = Events::new(&run);
        Self { run, events }
    }
}

impl RunWriter for Ftrace {
    fn rows(&mut self, rows: &Columns, _out: &mut dyn Write) -> Result<()> {
        self.events.rows(rows, &self.run);
        Ok(())
    }

    fn end(&mut self, end: &End, out: &mut dyn Write) -> Result<()> {
        self.events.end(end, &self.run);
        let events = self.events.kept();
        let lines = events.iter().filter(|event| lines::has(event)).count();
        lines::header(lines, self.run.cpus(), out)?;
        events.iter().try_for_each(|event| match lines::text(event, &self.run) {
            Some(text) => lines::line(event, &text, &self.run, out),
            None => Ok(()),
        })
    }

    fn lost(&self) -> Vec<String> {
        self.events.lost(&self.run)
    }
}
