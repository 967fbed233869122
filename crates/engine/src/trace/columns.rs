//! The output of a run: trace rows and finished wake-ups, handed out as they come; samples and
//! activations, kept.
//!
//! A snapshot leaves out the rows and wake-ups not yet taken and shares the kept lists.

use super::catalogue::Kind;
use super::history::History;

/// Most activations kept per task (docs/model/accounting.md#report).
pub const ACTIVATIONS_MAX: usize = 1000;

/// Trace rows as columns; the catalogue has their meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// ns.
    pub time: Vec<u64>,
    /// Number of a [`Kind`].
    pub kind: Vec<u8>,
    pub cpu: Vec<u16>,
    /// By kind.
    pub a: Vec<u32>,
    /// By kind.
    pub b: Vec<u32>,
}

impl Columns {
    /// No rows yet, with room for `rows`.
    fn with_capacity(rows: usize) -> Self {
        Self {
            time: Vec::with_capacity(rows),
            kind: Vec::with_capacity(rows),
            cpu: Vec::with_capacity(rows),
            a: Vec::with_capacity(rows),
            b: Vec::with_capacity(rows),
        }
    }
}

/// Finished wake-ups as columns. Laid end to end from `due`, a row's segments end at its first user
/// instruction. The segments between two of 0 ns are sums by cause and in no order: see
/// [`Stretches`](crate::account::stretches::Stretches).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wakes {
    pub task: Vec<u32>,
    /// Counts the task's samples from 0.
    pub nth: Vec<u32>,
    /// CPU it ran on.
    pub cpu: Vec<u16>,
    /// When the task should have run, ns.
    pub due: Vec<u64>,
    /// ns from then to its first user instruction.
    pub latency: Vec<u64>,
    /// End of the row's segments, counted from the run's first segment.
    pub segments_end: Vec<u32>,
    /// Index into the catalogue's causes.
    pub segment_cause: Vec<u8>,
    /// Length in ns; a longer stretch takes several segments, and 0 is a mark.
    pub segment_ns: Vec<u32>,
}

/// The time from one wake-up of a task to its next sleep, for the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Activation {
    /// When the task should have run.
    pub due_ns: u64,
    /// First user instruction.
    pub start_ns: u64,
    /// When the task went back to sleep.
    pub end_ns: u64,
    /// Program rounds in between.
    pub loops: u64,
}

/// Bytes of a trace row, of a wake-up without its segments, and of a segment.
const ROW_BYTES: u64 = 8 + 1 + 2 + 4 + 4;
const WAKE_BYTES: u64 = 4 + 4 + 2 + 8 + 8 + 4;
const SEGMENT_BYTES: u64 = 1 + 4;
/// Bytes of a sample: itself, and its place while a report sorts it.
const SAMPLE_BYTES: u64 = 8 + 8;
/// Bytes of an activation: the entry, its copy in a report, and its text there.
const ACTIVATION_BYTES: u64 = 2 * 32 + 128;

/// A trace row on its way into the columns.
#[derive(Clone, Copy, Debug)]
struct Row {
    time: u64,
    a: u32,
    b: u32,
    cpu: u16,
    kind: u8,
}

/// Rows that go into the columns in one go.
const BLOCK_ROWS: usize = 256;

/// Everything a run writes down.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// Rows of this span are kept; none of an empty one.
    window: (u64, u64),
    /// Wake-ups that end in this span are kept.
    wakes_window: (u64, u64),
    /// The caller keeps the rows and wake-ups that it takes.
    rows_stay: bool,
    /// Bytes of samples, of activations, and of rows and wake-ups taken that stay.
    kept_bytes: u64,
    /// Rows not yet taken, except the last ones.
    pub(crate) trace: Columns,
    /// The last ones.
    block: Vec<Row>,
    /// Wake-ups of the window not yet taken, whether or not its rows are kept.
    pub wakes: Wakes,
    /// Segments of all wake-ups so far, taken or not.
    segments: u32,
    /// Latencies by task kind, ns, in order of finishing.
    samples: Vec<History<u64>>,
    /// The samples that tools take themselves, by series, ns.
    tool_samples: Vec<History<u64>>,
    /// With their tasks, at most [`ACTIVATIONS_MAX`] of each. One list for all tasks: a snapshot
    /// copies the end of each list.
    activations: History<(u32, Activation)>,
}

impl Log {
    /// A log that keeps trace rows and wake-ups with `window.0 <= time < window.1`; none without a
    /// window.
    pub fn new(window: Option<(u64, u64)>, kinds: usize, series: usize) -> Self {
        Self {
            window: window.unwrap_or_default(),
            wakes_window: window.unwrap_or_default(),
            samples: vec![History::default(); kinds],
            tool_samples: vec![History::default(); series],
            ..Self::default()
        }
    }

    /// More kinds of tasks, behind the others.
    pub(crate) fn take_in_kinds(&mut self, kinds: usize) {
        self.samples.resize_with(kinds, History::default);
    }

    /// Sets whether the caller keeps the rows that it takes.
    pub fn rows_stay(self, rows_stay: bool) -> Self {
        Self { rows_stay, ..self }
    }

    /// Keeps the rows of the window, or with `rows` false only its wake-ups.
    pub fn rows(self, rows: bool) -> Self {
        Self { window: if rows { self.window } else { (0, 0) }, ..self }
    }

    /// Whether rows of that time are kept.
    #[inline]
    pub fn keeps(&self, time: u64) -> bool {
        self.window.0 <= time && time < self.window.1
    }

    /// Adds a row; the caller has asked whether it is kept.
    #[inline]
    pub(crate) fn row(&mut self, time: u64, kind: Kind, cpu: u32, a: u32, b: u32) {
        self.block.push(Row { time, a, b, cpu: cpu as u16, kind: kind as u8 });
        if self.block.len() == BLOCK_ROWS {
            self.complete_trace();
        }
    }

    /// Brings the last rows into the columns.
    pub(crate) fn complete_trace(&mut self) {
        let Self { trace, block, .. } = self;
        trace.time.extend(block.iter().map(|row| row.time));
        trace.kind.extend(block.iter().map(|row| row.kind));
        trace.cpu.extend(block.iter().map(|row| row.cpu));
        trace.a.extend(block.iter().map(|row| row.a));
        trace.b.extend(block.iter().map(|row| row.b));
        block.clear();
    }

    /// Adds a finished wake-up if it is kept.
    pub fn wake(
        &mut self,
        task: u32,
        nth: u32,
        cpu: u32,
        due: u64,
        latency: u64,
        stretches: &[(u8, u64)],
    ) {
        let end = due + latency;
        if end < self.wakes_window.0 || self.wakes_window.1 <= end {
            return;
        }
        for (cause, ns) in stretches {
            let mut left = *ns;
            // A mark is an entry, too.
            loop {
                let part = left.min(u64::from(u32::MAX));
                self.wakes.segment_cause.push(*cause);
                self.wakes.segment_ns.push(part as u32);
                self.segments += 1;
                left -= part;
                if left == 0 {
                    break;
                }
            }
        }
        self.wakes.task.push(task);
        self.wakes.nth.push(nth);
        self.wakes.cpu.push(cpu as u16);
        self.wakes.due.push(due);
        self.wakes.latency.push(latency);
        self.wakes.segments_end.push(self.segments);
    }

    /// A latency of a task of this kind, ns.
    pub fn sample(&mut self, kind: usize, ns: u64) {
        self.samples[kind].push(ns);
        self.kept_bytes += SAMPLE_BYTES;
    }

    /// A time of this series that a tool took itself, ns.
    pub fn tool_sample(&mut self, series: usize, ns: u64) {
        self.tool_samples[series].push(ns);
        self.kept_bytes += SAMPLE_BYTES;
    }

    pub fn activation(&mut self, task: u32, row: Activation) {
        self.activations.push((task, row));
        self.kept_bytes += ACTIVATION_BYTES;
    }

    /// Latencies of a task kind, ns, in order of finishing.
    pub fn samples(&self, kind: usize) -> Vec<u64> {
        self.samples[kind].iter().collect()
    }
    /// The samples that tools take themselves, in one series, ns.
    pub fn tool_samples(&self, series: usize) -> Vec<u64> {
        self.tool_samples[series].iter().collect()
    }
    /// The activations that are kept, for each of `tasks` tasks.
    pub fn activations(&self, tasks: usize) -> Vec<Vec<Activation>> {
        let mut of = vec![Vec::new(); tasks];
        for (task, row) in self.activations.iter() {
            of[task as usize].push(row);
        }
        of
    }

    /// Bytes that grow with the length of the run: rows and wake-ups not yet taken, or all if the
    /// caller keeps them; samples; activations. Counted by their sizes; while columns grow, a
    /// process may hold twice that.
    #[inline]
    pub fn held_bytes(&self) -> u64 {
        self.kept_bytes + self.waiting_bytes()
    }

    /// Bytes that a clone of the kept lists takes: the lists themselves, without their shared
    /// parts.
    pub(crate) fn snapshot_bytes(&self) -> u64 {
        let samples = self.samples.iter().chain(&self.tool_samples);
        let lists = (self.samples.len() + self.tool_samples.len()) * size_of::<History<u64>>();
        lists as u64 + samples.map(History::bytes).sum::<u64>() + self.activations.bytes()
    }

    /// Sets the held bytes to `bytes`, if the caller keeps the rows that it takes: the log has lost
    /// count of them.
    pub(crate) fn hold(&mut self, bytes: u64) {
        if self.rows_stay {
            self.kept_bytes = bytes - self.waiting_bytes();
        }
    }

    #[inline]
    fn waiting_bytes(&self) -> u64 {
        let wakes = self.wakes.task.len() as u64 * WAKE_BYTES
            + self.wakes.segment_ns.len() as u64 * SEGMENT_BYTES;
        (self.trace.time.len() + self.block.len()) as u64 * ROW_BYTES + wakes
    }

    fn taking<T: Default>(&mut self, part: impl Fn(&mut Self) -> &mut T) -> T {
        let before = self.waiting_bytes();
        let taken = std::mem::take(part(self));
        if self.rows_stay {
            self.kept_bytes += before - self.waiting_bytes();
        }
        taken
    }

    /// The rows since the last take.
    pub fn take_trace(&mut self) -> Columns {
        self.complete_trace();
        let taken = self.taking(|log| &mut log.trace);
        // The next take is about as large: no column has to grow on the way there.
        self.trace = Columns::with_capacity(taken.time.len());
        taken
    }
    /// The wake-ups since the last take.
    pub fn take_wakes(&mut self) -> Wakes {
        self.taking(|log| &mut log.wakes)
    }
}
