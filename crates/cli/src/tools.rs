//! What the tools a scenario stands for would have printed: one block per tool, in that tool's own form.
//!
//! The numbers are the model's. The forms are facts about the programs; each printer names where it is from and takes
//! plain figures, so that it can be held against the program's real output.

mod cyclictest;
mod rt_migrate;

use clap::ValueEnum;
use schedscope_engine::run::Report;
use schedscope_engine::setup::Program;
use schedscope_engine::trace::columns::Wakes;
use schedscope_scenario::Prepared;
use schedscope_scenario::units::parse_time;
use serde_json::Value;

/// What `run` prints for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// The report, then each tool's own output
    #[default]
    All,
    /// The report alone
    Report,
    /// The tools' own output alone
    Tool,
}

/// Latencies by task, as a program that keeps them itself would have them.
#[derive(Debug, Default)]
pub struct Latencies {
    by_task: Vec<Vec<u64>>,
}

impl Latencies {
    /// Whether any tool of this scenario prints single latencies; only then are they collected.
    pub fn wanted(prepared: &Prepared) -> bool {
        prepared.setup.tasks.iter().any(|task| matches!(task.program, Program::Cyclictest { .. }))
    }

    /// Adds finished wake-ups.
    pub fn add(&mut self, wakes: &Wakes) {
        for (task, latency) in wakes.task.iter().zip(&wakes.latency) {
            let at = *task as usize;
            if self.by_task.len() <= at {
                self.by_task.resize(at + 1, Vec::new());
            }
            self.by_task[at].push(*latency);
        }
    }

    fn of(&self, task: usize) -> Vec<u64> {
        self.by_task.get(task).cloned().unwrap_or_default()
    }
}

/// A finished run, for the printers.
#[derive(Debug)]
pub struct Ran<'r> {
    /// What ran.
    pub prepared: &'r Prepared,
    /// What it says.
    pub report: &'r Report,
    /// Single latencies, if wanted.
    pub latencies: &'r Latencies,
    /// Microseconds of cyclictest's histogram; 0 for none.
    pub histogram: usize,
}

/// The blocks of every tool in the scenario; empty if it has none.
pub fn blocks(ran: &Ran<'_>) -> String {
    let blocks = [("cyclictest", cyclictest_block(ran)), ("rt-migrate-test", rt_migrate_block(ran))];
    let framed = |(tool, text): (&str, Option<String>)| {
        text.map(|text| format!("---- {tool}: the model's figures in the tool's own form ----\n{text}\n"))
    };
    blocks.into_iter().filter_map(framed).collect()
}

impl Ran<'_> {
    /// Ids of the tasks of a kind, in order.
    fn tasks(&self, kind: &str) -> Vec<usize> {
        let tasks = self.prepared.setup.tasks.iter().enumerate();
        tasks.filter(|(_, task)| task.kind == kind).map(|(id, _)| id).collect()
    }

    /// A knob as resolved.
    fn knob(&self, path: &str) -> Option<&Value> {
        self.prepared.meta.knobs.iter().find(|knob| knob.path == path).map(|knob| &knob.value)
    }

    /// A time knob in ns.
    fn time_ns(&self, path: &str) -> u64 {
        self.knob(path).and_then(Value::as_str).and_then(parse_time).unwrap_or(0)
    }

    /// A true or false knob.
    fn flag(&self, path: &str) -> bool {
        self.knob(path).and_then(Value::as_bool).unwrap_or(false)
    }
}

fn cyclictest_block(ran: &Ran<'_>) -> Option<String> {
    let thread = |(id, task): (usize, &schedscope_engine::setup::TaskSpec)| match task.program {
        Program::Cyclictest { interval_ns, .. } => Some(cyclictest::Thread {
            id,
            priority: ran.prepared.meta.tasks[id].priority,
            interval_us: interval_ns / 1_000,
            latencies_ns: ran.latencies.of(id),
        }),
        _ => None,
    };
    let threads: Vec<_> = ran.prepared.setup.tasks.iter().enumerate().filter_map(thread).collect();
    (!threads.is_empty()).then(|| cyclictest::text(&threads, ran.histogram))
}

fn rt_migrate_block(ran: &Ran<'_>) -> Option<String> {
    let tasks = ran.tasks("rt_migrate_test");
    if tasks.is_empty() {
        return None;
    }
    let specs = &ran.prepared.setup.tasks;
    let rows: Vec<_> =
        tasks.iter().filter_map(|task| ran.report.metrics.tasks.get(&specs[*task].name)).map(|task| &task.activations).collect();
    let complete = rows.iter().map(|rows| rows.len()).min().unwrap_or(0);
    let iterations: Vec<Vec<rt_migrate::Record>> =
        (0..complete).map(|index| rows.iter().map(|rows| rt_migrate::Record::of(&rows[index])).collect()).collect();
    let options = rt_migrate::Options {
        priorities: tasks.iter().map(|task| ran.prepared.meta.tasks[*task].priority).collect(),
        max_err_us: ran.time_ns("workload.rt_migrate_test.max_err") / 1_000,
        check: ran.flag("workload.rt_migrate_test.check"),
    };
    Some(rt_migrate::text(&iterations, &options))
}
