//! trace.dat: a run as `trace-cmd record` writes a recording, version 6 of its format.
//!
//! ```text
//! header       magic, version, byte order, page size
//! formats      how a ring buffer's page and each event are laid out, as the kernel describes them
//! names        pid and name of every task
//! options      CPUs, kernel
//! table        of each CPU: where its pages begin, and how long they are
//! clock        trace_clock
//! pages        4096 bytes each, CPU after CPU
//! ```
//!
//! Format: Documentation/trace-cmd/trace-cmd.dat.v6.5.txt and lib/trace-cmd/trace-input.c of
//! trace-cmd 3.4. Version 6 is what every trace-cmd since 2010 reads; version 7 came with 3.0.

mod events;
mod header;
mod pages;
mod records;

use std::io::{Result, Write};

use schedscope_engine::trace::columns::Columns;

use crate::events::{Event, Events};
use crate::format::{Content, Format};
use crate::run::{End, Run, RunWriter};
use pages::{PAGE, Pages};
use records::Records;

pub(super) const FORMAT: Format = Format {
    name: "trace.dat",
    title: "trace-cmd",
    extension: "dat",
    media_type: "application/octet-stream",
    contents: &[Content::trace(|run| Box::new(TraceDat::new(run)))
        .opens_in("trace-cmd report; not tried in KernelShark")],
    carries: "A recording of trace-cmd, version 6, for trace-cmd report: sched_switch, \
    sched_waking, sched_wakeup, sched_wakeup_new, \
        sched_migrate_task, sched_pi_setprio, softirqs and interrupts, in pages of each CPU, to \
        the nanosecond. The events are laid out as Linux 6.13 does on x86-64, and have its flags: \
        interrupts off, need_resched, need_resched_lazy, hard and soft interrupts, migration \
        disabled. A task's pid is 1000 plus its number; the list of tasks has whole names. \
        prev_state is R+ after a preemption in the kernel, R after one on the way back to user \
        code and after sched_yield(). The model's one device is irq 24.",
    loses: "A name inside an event has at most 15 bytes, as in the kernel: a longer one is cut, \
        but keeps the number behind its last dot. trace-cmd report shows cut names too, unless \
        it runs with -N. preempt_count is always 0: the model does not \
        count as the kernel does. A task that sleeps or ends has S: D, X and Z are not known. A \
        priority that a task changes itself in mid-run is not followed; one that is \
        inherited or that a write changes is. trace-cmd before 3.3 does not print \
        need_resched_lazy. Who sent an IPI, wake-ups' \
        causes, locks and quotas are not in it.",
};

/// One run as a recording.
struct TraceDat {
    run: Run,
    events: Events,
}

impl TraceDat {
    fn new(run: Run) -> Self {
        let events = Events::new(&run);
        Self { run, events }
    }
}

impl RunWriter for TraceDat {
    fn rows(&mut self, rows: &Columns, _out: &mut dyn Write) -> Result<()> {
        self.events.rows(rows, &self.run);
        Ok(())
    }

    fn end(&mut self, end: &End, out: &mut dyn Write) -> Result<()> {
        self.events.end(end, &self.run);
        let records = Records::new(&self.run);
        let of_cpus = by_cpu(self.events.kept(), self.run.cpus());
        let mut file = header::header(&self.run);
        // The table comes before the pages that it describes: they are made once to be counted.
        let sizes = of_cpus
            .iter()
            .map(|events| Ok(lay(events, &records, &mut std::io::sink())? * PAGE as u64))
            .collect::<Result<Vec<u64>>>()?;
        header::table(&sizes, &mut file);
        out.write_all(&file)?;
        of_cpus.iter().try_for_each(|events| lay(events, &records, out).map(|_| ()))
    }

    fn lost(&self) -> Vec<String> {
        self.events.lost(&self.run)
    }
}

/// The events of each CPU, in order of time.
fn by_cpu(events: &[Event], cpus: u32) -> Vec<Vec<&Event>> {
    let mut of_cpus = vec![Vec::new(); cpus as usize];
    for event in events {
        if let Some(of_cpu) = of_cpus.get_mut(usize::from(event.cpu)) {
            of_cpu.push(event);
        }
    }
    of_cpus
}

/// Writes the pages of one CPU; their number.
fn lay(events: &[&Event], records: &Records, out: &mut dyn Write) -> Result<u64> {
    let (mut pages, mut record) = (Pages::new(out), Vec::new());
    for event in events {
        record.clear();
        if records.write(event, &mut record) {
            pages.add(event.time, &record)?;
        }
    }
    pages.end()
}
