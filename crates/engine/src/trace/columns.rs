//! What a run writes down: trace rows and finished wake-ups, handed out as they come; samples and activations, kept.
//!
//! A snapshot leaves out the rows not yet taken and shares what is kept.

use super::catalogue::Kind;
use super::history::History;

/// Most activations kept per task (contracts 2.1).
pub const ACTIVATIONS_MAX: usize = 1000;

/// Trace rows as columns; see the catalogue for what they mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// ns.
    pub time: Vec<u64>,
    /// Number of a [`Kind`].
    pub kind: Vec<u8>,
    /// CPU.
    pub cpu: Vec<u16>,
    /// By kind.
    pub a: Vec<u32>,
    /// By kind.
    pub b: Vec<u32>,
}

/// Finished wake-ups as columns. Laid end to end from `due`, a row's segments end at its first user instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wakes {
    /// Task id.
    pub task: Vec<u32>,
    /// Counts the task's wake-ups from 0.
    pub nth: Vec<u32>,
    /// CPU it ran on.
    pub cpu: Vec<u16>,
    /// When it should have run, ns.
    pub due: Vec<u64>,
    /// ns from then to its first user instruction.
    pub latency: Vec<u64>,
    /// End of the row's segments, counted from the run's first segment.
    pub segments_end: Vec<u32>,
    /// Index into the catalogue's causes.
    pub segment_cause: Vec<u8>,
    /// Length in ns; a longer stretch takes several segments.
    pub segment_ns: Vec<u32>,
}

/// One stay of a task awake, for the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Activation {
    /// When it should have run.
    pub due_ns: u64,
    /// First user instruction.
    pub start_ns: u64,
    /// When it went back to sleep.
    pub end_ns: u64,
    /// Program rounds in between.
    pub loops: u64,
}

/// Everything a run writes down.
#[derive(Clone, Debug, Default)]
pub struct Log {
    window: Option<(u64, u64)>,
    /// Rows not yet taken.
    pub trace: Columns,
    /// Wake-ups not yet taken; empty when no trace is kept.
    pub wakes: Wakes,
    segments: u32,
    /// Latencies by task kind, ns, in order of finishing.
    pub samples: Vec<History<u64>>,
    /// What the tools measured themselves, by series, ns.
    pub tool_samples: Vec<History<u64>>,
    /// By task, at most [`ACTIVATIONS_MAX`].
    pub activations: Vec<History<Activation>>,
}

impl Log {
    /// A log that keeps trace rows and wake-ups with `window.0 <= time < window.1`; none without a window.
    pub fn new(window: Option<(u64, u64)>, kinds: usize, series: usize, tasks: usize) -> Self {
        Self {
            window,
            samples: vec![History::default(); kinds],
            tool_samples: vec![History::default(); series],
            activations: vec![History::default(); tasks],
            ..Self::default()
        }
    }

    fn keeps(&self, time: u64) -> bool {
        self.window.is_some_and(|(from, to)| from <= time && time < to)
    }

    /// Adds a row if it is kept.
    pub fn row(&mut self, time: u64, kind: Kind, cpu: u32, a: u32, b: u32) {
        if self.keeps(time) {
            self.trace.time.push(time);
            self.trace.kind.push(kind as u8);
            self.trace.cpu.push(cpu as u16);
            self.trace.a.push(a);
            self.trace.b.push(b);
        }
    }

    /// Adds a finished wake-up if it is kept.
    pub fn wake(&mut self, task: u32, nth: u32, cpu: u32, due: u64, latency: u64, segments: &[(u8, u64)]) {
        if !self.keeps(due + latency) {
            return;
        }
        for (cause, ns) in segments {
            let mut left = *ns;
            while left > 0 {
                let part = left.min(u64::from(u32::MAX));
                self.wakes.segment_cause.push(*cause);
                self.wakes.segment_ns.push(part as u32);
                self.segments += 1;
                left -= part;
            }
        }
        self.wakes.task.push(task);
        self.wakes.nth.push(nth);
        self.wakes.cpu.push(cpu as u16);
        self.wakes.due.push(due);
        self.wakes.latency.push(latency);
        self.wakes.segments_end.push(self.segments);
    }

    /// The rows since the last take.
    pub fn take_trace(&mut self) -> Columns {
        std::mem::take(&mut self.trace)
    }
    /// The wake-ups since the last take.
    pub fn take_wakes(&mut self) -> Wakes {
        std::mem::take(&mut self.wakes)
    }
}
