//! /proc/schedstat: what each CPU counted, as kernel/sched/stats.c prints it (`show_schedstat`;
//! Documentation/scheduler/sched-stats.rst).

mod counters;

use std::fmt::Write as _;
use std::io::{Result, Write};

use schedscope_engine::kernel::config::Kernel;
use schedscope_engine::trace::columns::Columns;

use crate::format::{Content, Format};
use crate::run::{End, Run, RunWriter, refused};
use counters::Counters;

pub(super) const FORMAT: Format = Format {
    name: "schedstat",
    title: "/proc/schedstat",
    extension: "txt",
    media_type: "text/plain",
    contents: &[Content::printout(|run| Box::new(Schedstat::new(run)))
        .opens_in("scripts that read /proc/schedstat")],
    carries: "/proc/schedstat when the run ends, in the version of the run's kernel (15, from 6.10 \
        on 16, from 6.14 on 17): for each CPU the calls of schedule() and those that left it idle, \
        wake-ups that it began and those of them for itself, the run time and the waiting time of \
        its tasks in ns, and time slices. The time stamp counts ticks from the run's start.",
    loses: "Lines of domains: the model does not count by domain. yld_count is 0: the trace has no \
        record of sched_yield(), nor of the schedule() that lets the task go on. Run and wait \
        begin and end at sched_switch; the kernel takes the time at the start of that schedule(), \
        which is earlier, above all where schedule() waits for locks. \
        2.6.24 and 2.6.25 have other columns and are refused.",
};

struct Schedstat {
    run: Run,
    counters: Counters,
}

impl Schedstat {
    fn new(run: Run) -> Self {
        let counters = Counters::new(&run);
        Self { run, counters }
    }
}

impl RunWriter for Schedstat {
    fn begin(&mut self, _out: &mut dyn Write) -> Result<()> {
        if !self.run.setup.kernel.has_schedstat_15() {
            return Err(refused(
                "/proc/schedstat of 2.6.24 and 2.6.25 is version 14, which this format does not \
                 write",
            ));
        }
        Ok(())
    }

    fn rows(&mut self, rows: &Columns, _out: &mut dyn Write) -> Result<()> {
        self.counters.rows(rows);
        Ok(())
    }

    fn end(&mut self, end: &End, out: &mut dyn Write) -> Result<()> {
        let setup = &self.run.setup;
        let ticks = u128::from(end.ns) * u128::from(setup.kernel.hz) / 1_000_000_000;
        let mut text = format!("version {}\ntimestamp {ticks}\n", number(&setup.kernel));
        for (number, cpu) in self.counters.end().iter().enumerate() {
            let counts = [
                cpu.sched_count,
                cpu.sched_goidle,
                cpu.ttwu_count,
                cpu.ttwu_local,
                cpu.rq_cpu_time,
                cpu.run_delay,
                cpu.pcount,
            ];
            let _ = write!(text, "cpu{number} 0 0");
            counts.iter().for_each(|count| {
                let _ = write!(text, " {count}");
            });
            text.push('\n');
        }
        out.write_all(text.as_bytes())
    }
}

/// SCHEDSTAT_VERSION.
fn number(kernel: &Kernel) -> u32 {
    if kernel.has_schedstat_17() {
        17
    } else if kernel.has_schedstat_16() {
        16
    } else {
        15
    }
}
