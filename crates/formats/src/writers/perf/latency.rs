//! `perf sched latency`: a line for each task.
//!
//! Since March 2023 perf begins a delay at sched_waking here too; perf of Linux 6.1 ignores it in
//! this table, and counts only delays after a preemption.

use std::cmp::{Ordering, Reverse};
use std::io::{Result, Write};

use schedscope_engine::trace::columns::Columns;

use super::recorded::{Sched, Stamp, recorded};
use crate::events::{Event, Events, pid};
use crate::figures::Figures;
use crate::format::{Content, Format};
use crate::names::comm;
use crate::run::{End, Run, RunWriter};

pub(in super::super) const FORMAT: Format = Format {
    name: "perf-latency",
    title: "perf sched latency",
    extension: "txt",
    media_type: "text/plain",
    contents: &[Content::printout(|run| Box::new(Latency::new(run)))
        .opens_in("scripts that read what perf sched latency prints")],
    carries: "What perf sched latency of Linux 6.12 prints, without its options: of each task its \
        time on CPUs, how often it got one, and its delays from sched_waking or from a preemption \
        to the switch to it: mean, longest, and when the longest was; longest mean first. The \
        time on CPUs is the sum_exec_runtime of the run's figures. A task's pid is 1000 plus its \
        number; names are whole, not cut to 15 characters.",
    loses: "A task that never came to a CPU has no line, as in perf. Perf joins tasks of one name; \
        here every task has its own. Perf before 6.10 heads the column Count with Switches. No \
        tool reads this text; what perf itself reads, perf.data, is not written.",
};

/// One run as a table.
struct Latency {
    run: Run,
    events: Events,
}

/// What perf keeps of a task (`struct work_atoms`).
#[derive(Clone, Copy, Default)]
struct Atoms {
    /// The last of them; none before a task's first event.
    last: Option<Atom>,
    count: u64,
    delays: u64,
    max: u64,
    /// When the longest delay begins and ends.
    at: (u64, u64),
}

/// What a task does since its last switch or wake-up (`enum thread_state`).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Atom {
    Sleeps,
    Waits { since: u64 },
    Runs,
}

/// A line.
struct Line<'r> {
    comm: &'r str,
    task: u32,
    runtime: u64,
    atoms: Atoms,
}

impl Latency {
    fn new(run: Run) -> Self {
        let events = Events::new(&run);
        Self { run, events }
    }

    /// In the order in which perf prints them.
    fn lines(&self, figures: &Figures) -> Vec<Line<'_>> {
        let mut tasks = vec![Atoms::default(); self.run.setup.tasks.len()];
        self.events.kept().iter().for_each(|event| count(event, &mut tasks));
        let line = |(task, atoms): (u32, Atoms)| {
            let comm = self.run.name(task).filter(|_| atoms.count > 0)?;
            let runtime = figures.count(&["tasks", comm, "run_ns"]);
            Some(Line { comm, task, runtime, atoms })
        };
        let mut lines: Vec<Line<'_>> = (0..).zip(tasks).filter_map(line).collect();
        // perf sorts by what comes first here; names decide because its first tree is sorted so.
        lines.sort_by_key(|Line { comm, runtime, atoms, .. }| {
            Reverse((atoms.mean(), atoms.max, atoms.count, *runtime, *comm))
        });
        lines
    }
}

impl RunWriter for Latency {
    fn rows(&mut self, rows: &Columns, _out: &mut dyn Write) -> Result<()> {
        self.events.rows(rows, &self.run);
        Ok(())
    }

    fn end(&mut self, end: &End, out: &mut dyn Write) -> Result<()> {
        let rule = |width: usize| "-".repeat(width);
        writeln!(out, "\n {}\n{COLUMNS}\n {}", rule(139), rule(139))?;
        self.events.end(end, &self.run);
        let lines = self.lines(&end.figures);
        lines.iter().try_for_each(|line| line.write(&self.run, out))?;
        let runtime = lines.iter().map(|line| line.runtime).sum();
        let count: u64 = lines.iter().map(|line| line.atoms.count).sum();
        writeln!(out, " {}", rule(113))?;
        writeln!(out, "  TOTAL:                |{:>11} ms |{count:9} |", ms(runtime))?;
        writeln!(out, " {}\n", rule(51))
    }
}

const COLUMNS: &str = "  Task                  |   Runtime ms  |  Count   | Avg delay ms    \
    | Max delay ms    | Max delay start           | Max delay end          |";

fn count(event: &Event, tasks: &mut [Atoms]) {
    let at = event.time;
    match recorded(event) {
        Some(Sched::Wake { task }) => {
            if let Some(task) = tasks.get_mut(task.task as usize) {
                task.wake(at);
            }
        }
        Some(Sched::Switch { prev, stays, next }) => {
            if let Some(prev) = tasks.get_mut(prev.task as usize) {
                prev.last = Some(if stays { Atom::Waits { since: at } } else { Atom::Sleeps });
            }
            if let Some(next) = tasks.get_mut(next.task as usize) {
                next.come(at);
            }
        }
        None => {}
    }
}

impl Atoms {
    /// A task that waits already does not begin to wait anew (`latency_wakeup_event`).
    fn wake(&mut self, at: u64) {
        if matches!(self.last, None | Some(Atom::Sleeps)) {
            self.last = Some(Atom::Waits { since: at });
        }
    }

    /// A task of which nothing was seen waits from now on (`latency_switch_event`).
    fn come(&mut self, at: u64) {
        let Atom::Waits { since } = self.last.unwrap_or(Atom::Waits { since: at }) else { return };
        self.last = Some(Atom::Runs);
        let delay = at - since;
        self.delays += delay;
        self.count += 1;
        if delay > self.max {
            (self.max, self.at) = (delay, (since, at));
        }
    }

    fn mean(&self) -> u64 {
        self.delays / self.count.max(1)
    }
}

impl Line<'_> {
    fn write(&self, run: &Run, out: &mut dyn Write) -> Result<()> {
        let comm = comm(run, self.task).map(|comm| comm.to_string()).unwrap_or_default();
        let who = format!("  {comm}:{} ", pid(self.task));
        let Atoms { count, max, at: (start, end), .. } = self.atoms;
        let (runtime, mean, max) = (ms(self.runtime), ms(self.atoms.mean()), ms(max));
        write!(out, "{who:<24}|{runtime:>11} ms |{count:9} | avg:{mean:>8} ms | max:{max:>8} ms")?;
        let (start, end) = (Stamp(start), Stamp(end));
        writeln!(out, " | max start: {start:>12} s | max end: {end:>12} s")
    }
}

/// ns in ms with three decimals, rounded as `printf("%.3f", ns / 1e6)` rounds: half a us goes
/// where the nearest double lies, and to the even digit if that is half a us too.
fn ms(ns: u64) -> String {
    let (us, rest) = (ns / 1000, ns % 1000);
    let up = match rest.cmp(&500).then_with(|| above(ns)) {
        Ordering::Less => false,
        Ordering::Equal => us % 2 == 1,
        Ordering::Greater => true,
    };
    let us = us + u64::from(up);
    format!("{}.{:03}", us / 1000, us % 1000)
}

/// Whether the double nearest to `ns` / 10^6 is above it.
fn above(ns: u64) -> Ordering {
    let bits = (ns as f64 / 1e6).to_bits();
    let mantissa = u128::from(bits & ((1 << 52) - 1) | 1 << 52) * 1_000_000;
    // The double is mantissa * 2^-shift; a run is shorter than 2^52 ms.
    let shift = 1075 - (bits >> 52);
    mantissa.cmp(&(u128::from(ns) << shift))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_are_rounded_as_the_c_library_rounds_them() {
        for ns in (0..2_000_000).step_by(250).chain((0..1 << 45).step_by(99_999_999_500)) {
            assert_eq!(ms(ns), format!("{:.3}", ns as f64 / 1e6), "{ns}");
        }
        assert_eq!(
            (ms(1_500).as_str(), ms(4_500).as_str(), ms(62_500).as_str()),
            ("0.002", "0.004", "0.062")
        );
    }
}
