//! The output of the tools that a scenario models: one block per tool, in that tool's own form.
//!
//! The numbers are the model's. The forms are facts about the programs: each printer names the
//! source of its form and takes plain figures, so that its output can be compared with the
//! program's real output.

mod blocks;
mod burst_sleep;
mod fibtest;
mod hackbench;
mod kernbench;
mod pipe;
mod rt_migrate;
mod schbench;

use clap::ValueEnum;
use schedscope_engine::account::report::{TaskMetrics, ToolSamples};
use schedscope_engine::run::Report;
use schedscope_engine::setup::{Program, TaskSpec};
use schedscope_engine::trace::columns::Wakes;
use schedscope_formats::cyclictest;
use schedscope_scenario::Prepared;
use schedscope_scenario::units::parse_time;
use serde_json::Value;

/// The output of `run` for people.
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
    /// By task: the whole us of cyclictest's `-b`.
    limits_us: Vec<Option<u64>>,
    /// The task that passed its limit first, and its latency in us.
    broken: Option<(usize, u64)>,
}

impl Latencies {
    /// Nothing yet; cyclictest's `-b` is watched.
    pub fn new(prepared: &Prepared) -> Self {
        let limit = |task: &TaskSpec| match task.program {
            Program::Cyclictest { until, .. } => Some(until.break_us).filter(|us| *us > 0),
            _ => None,
        };
        Self { limits_us: prepared.setup.tasks.iter().map(limit).collect(), ..Self::default() }
    }

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
            let us = latency / 1_000;
            if self.broken.is_none() && self.limits_us[at].is_some_and(|limit| us > limit) {
                self.broken = Some((at, us));
            }
        }
    }

    fn of(&self, task: usize) -> Vec<u64> {
        self.by_task.get(task).cloned().unwrap_or_default()
    }
}

/// A finished run, for the printers.
#[derive(Debug)]
pub struct Ran<'r> {
    /// The scenario that ran.
    pub prepared: &'r Prepared,
    /// The report of the run.
    pub report: &'r Report,
    /// Single latencies, if wanted.
    pub latencies: &'r Latencies,
    /// schbench's samples of its requests per second.
    pub rps: &'r [u64],
    /// How cyclictest prints.
    pub cyclictest: cyclictest::Options,
}

/// The last line where the run ended before the tool would print.
const UNFINISHED: &str = "(the run ended before the tool did)\n";

/// A program with an output of its own: the generator that models it, its name, and its output.
type Tool = (&'static str, &'static str, fn(&Ran<'_>) -> Option<String>);

const TOOLS: [Tool; 8] = [
    ("cyclictest", "cyclictest", blocks::cyclictest),
    ("rt_migrate_test", "rt-migrate-test", blocks::rt_migrate),
    ("hackbench", "hackbench", blocks::hackbench),
    ("schbench", "schbench", blocks::schbench),
    ("pipe", "perf bench sched pipe", blocks::pipe),
    ("kernbench", "kernbench", blocks::kernbench),
    ("fibtest", "fibtest", blocks::fibtest),
    ("burst_sleep", "burst-sleep probe", blocks::burst_sleep),
];

/// Whether the scenario models any tool; only then are there blocks.
pub fn any(prepared: &Prepared) -> bool {
    let knobs = prepared.meta.knobs.iter();
    let mut generators =
        knobs.filter_map(|knob| knob.path.strip_prefix("workload.")?.split('.').next());
    generators.any(|generator| TOOLS.iter().any(|tool| tool.0 == generator))
}

/// The blocks of every tool in the scenario; empty if it has none.
pub fn blocks(ran: &Ran<'_>) -> String {
    let framed = |(_, tool, text): Tool| {
        let text = text(ran)?;
        Some(format!("---- {tool}: the model's figures in the tool's own form ----\n{text}\n"))
    };
    TOOLS.into_iter().filter_map(framed).collect()
}

impl Ran<'_> {
    /// Ids of the tasks of a kind, in order.
    fn tasks(&self, kind: &str) -> Vec<usize> {
        let tasks = self.prepared.setup.tasks.iter().enumerate();
        tasks.filter(|(_, task)| task.kind == kind).map(|(id, _)| id).collect()
    }

    /// The report's counters of these tasks.
    fn metrics(&self, kind: &str) -> Vec<&TaskMetrics> {
        let names = self.tasks(kind).into_iter().map(|id| &self.prepared.setup.tasks[id].name);
        names.filter_map(|name| self.report.metrics.tasks.get(name)).collect()
    }

    /// Samples a tool took itself, of a task kind, since stamps of this name.
    fn samples(&self, kind: &str, since: &str) -> Option<&ToolSamples> {
        self.report.metrics.tool_samples.get(&format!("{kind}.{since}"))
    }

    /// A time that was taken once: the whole of a benchmark.
    fn elapsed_ns(&self, kind: &str) -> Option<u64> {
        self.samples(kind, "elapsed").map(|samples| samples.max_ns)
    }

    /// A knob as resolved.
    fn knob(&self, path: &str) -> Option<&Value> {
        self.prepared.meta.knobs.iter().find(|knob| knob.path == path).map(|knob| &knob.value)
    }

    fn time_ns(&self, path: &str) -> u64 {
        self.knob(path).and_then(Value::as_str).and_then(parse_time).unwrap_or(0)
    }

    fn number(&self, path: &str) -> u64 {
        self.knob(path).and_then(Value::as_u64).unwrap_or(0)
    }

    /// A true or false knob.
    fn flag(&self, path: &str) -> bool {
        self.knob(path).and_then(Value::as_bool).unwrap_or(false)
    }
}
