//! `perf sched timehist`: a line for each time that a task leaves a CPU.

use std::io::{Result, Write};

use schedscope_engine::trace::columns::Columns;

use super::recorded::{Sched, Stamp, recorded};
use crate::events::{Event, Events, Who, pid};
use crate::format::{Content, Format};
use crate::names::comm;
use crate::run::{End, Run, RunWriter};

pub(in super::super) const FORMAT: Format = Format {
    name: "perf-timehist",
    title: "perf sched timehist",
    extension: "txt",
    media_type: "text/plain",
    contents: &[Content::trace(|run| Box::new(Timehist::new(run)))
        .opens_in("scripts that read what perf sched timehist prints")],
    carries: "What perf sched timehist of Linux 6.12 prints, without its options: a line for each \
        switch, with the task that leaves, its wait before it ran, the part of the wait after the \
        wake-up or the preemption (sch delay), and how long it ran, in ms. As in perf, the first \
        switch of a CPU has zeros, sch delay begins at sched_waking, and an idle CPU has lines of \
        its own. A task's pid is 1000 plus its number; names are whole, not cut to 15 characters.",
    loses: "Times are cut to 1 us, as perf cuts them. Perf before 6.11 gives a preempted task no \
        sch delay. Call chains, wake-ups, migrations, states and the summary are options of perf \
        and not in it. No tool reads this text; what perf itself reads, perf.data, is not written.",
};

/// The width of the column of names.
const COMM: usize = 30;

/// One run, line by line.
struct Timehist {
    run: Run,
    events: Events,
}

/// What is known of a task, or of a CPU's idle task.
#[derive(Clone, Copy, Default)]
struct Known {
    /// When it left its CPU last.
    left: Option<u64>,
    /// Since when it could run: its wake-up, or its preemption.
    ready: Option<u64>,
}

/// The columns of a line, ns.
#[derive(Default)]
struct Times {
    wait: u64,
    delay: u64,
    run: u64,
}

impl Timehist {
    fn new(run: Run) -> Self {
        let events = Events::new(&run);
        Self { run, events }
    }

    fn line(&self, event: &Event, prev: Who, times: &Times, out: &mut dyn Write) -> Result<()> {
        let named = match comm(&self.run, prev.task) {
            Some(comm) => format!("{comm}[{}]", pid(prev.task)),
            None => "<idle>".to_owned(),
        };
        write!(out, "{:>15} [{:04}]  {named:<COMM$} ", Stamp(event.time), event.cpu)?;
        for time in [times.wait, times.delay, times.run] {
            let us = time / 1000;
            write!(out, "{:6}.{:03} ", us / 1000, us % 1000)?;
        }
        writeln!(out)
    }
}

impl RunWriter for Timehist {
    fn rows(&mut self, rows: &Columns, _out: &mut dyn Write) -> Result<()> {
        self.events.rows(rows, &self.run);
        Ok(())
    }

    fn end(&mut self, end: &End, out: &mut dyn Write) -> Result<()> {
        self.events.end(end, &self.run);
        header(out)?;
        let cpus = self.run.cpus() as usize;
        let mut switched: Vec<Option<u64>> = vec![None; cpus];
        let mut idle = vec![Known::default(); cpus];
        let mut tasks = vec![Known::default(); self.run.setup.tasks.len()];
        for event in self.events.kept() {
            match recorded(event) {
                Some(Sched::Wake { task }) => {
                    if let Some(known) = tasks.get_mut(task.task as usize) {
                        known.ready.get_or_insert(event.time);
                    }
                }
                Some(Sched::Switch { prev, stays, .. }) => {
                    let cpu = usize::from(event.cpu);
                    let known = tasks.get_mut(prev.task as usize).unwrap_or(&mut idle[cpu]);
                    let since = switched[cpu].replace(event.time);
                    let times = since.map(|since| known.times(since, event.time));
                    *known = Known { left: Some(event.time), ready: stays.then_some(event.time) };
                    self.line(event, prev, &times.unwrap_or_default(), out)?;
                }
                None => {}
            }
        }
        Ok(())
    }
}

impl Known {
    /// The times of a task that ran from `since` to `until` (`timehist_update_runtime_stats`). It
    /// can be woken while it runs; that is no delay.
    fn times(self, since: u64, until: u64) -> Times {
        let before = |from: Option<u64>| from.map_or(0, |from| since.saturating_sub(from));
        Times { wait: before(self.left), delay: before(self.ready), run: until - since }
    }
}

fn header(out: &mut dyn Write) -> Result<()> {
    let columns = |[time, cpu, name, wait, delay, run]: [&str; 6]| {
        format!("{time:>15} {cpu:>6}  {name:<COMM$}  {wait:>9}  {delay:>9}  {run:>9}\n")
    };
    let dashes = |width: usize| "-".repeat(width);
    let (nine, line) = (dashes(9), [dashes(15), dashes(6), dashes(COMM)]);
    let [time, cpu, name] = &line;
    out.write_all(
        [
            columns(["time", "cpu", "task name", "wait time", "sch delay", "run time"]),
            columns(["", "", "[tid/pid]", "(msec)", "(msec)", "(msec)"]),
            columns([time, cpu, name, &nine, &nine, &nine]),
        ]
        .concat()
        .as_bytes(),
    )
}
