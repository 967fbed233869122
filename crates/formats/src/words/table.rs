//! A table that a tool printed, while its rows are read.

/// Which table it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// hackbench: how many tasks, and how much they send.
    Hackbench,
    /// /proc/interrupts: a column for each CPU.
    Interrupts,
    /// `ps` with the columns of scheduling.
    Processes,
    /// Percentiles of schbench.
    Percentiles,
    /// `perf sched latency`.
    PerfLatency,
    /// `perf sched timehist`.
    TimeHistory,
    /// runqslower.
    SlowQueues,
    /// `rtla timerlat`.
    Timerlat,
    /// `rtla osnoise`.
    Osnoise,
    /// Columns of cyclictest's histogram.
    Histogram,
    /// /proc/schedstat.
    Schedstat,
    /// /proc/PID/sched.
    ProcessSched,
    /// /sys/kernel/debug/sched/debug.
    SchedDebug,
}

/// A table, and what its rows say.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Which it is.
    pub kind: Kind,
    /// What is above the rows: names of columns, or the title.
    pub head: Vec<String>,
    /// The words of each row that is of interest.
    pub rows: Vec<Vec<String>>,
}

/// Most rows of a table that are kept.
const ROWS_MAX: usize = 20_000;

impl Table {
    /// A table without rows.
    pub fn new(kind: Kind, head: Vec<String>) -> Self {
        Self { kind, head, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, words: &[&str]) {
        if self.rows.len() < ROWS_MAX {
            self.rows.push(words.iter().map(|word| (*word).to_owned()).collect());
        }
    }
}
