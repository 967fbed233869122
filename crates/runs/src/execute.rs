//! Runs a prepared scenario to its end, and hands trace and wake-ups to the caller.

use schedscope_engine::account::unfinished::OpenWait;
use schedscope_engine::run::{Limit, Options, Progress, Report, Run};
use schedscope_engine::trace::columns::{Columns, Wakes};
use schedscope_scenario::Prepared;
use schedscope_scenario::units::time_text;

use crate::failure::Failure;
use crate::live::Writes;
use crate::numbers::{counted, grouped};

/// Records between two looks at the clock and two takes of the trace, and steps between them:
/// programs that write little must not keep a signal waiting.
pub const SLICE: (u64, u64) = (200_000, 4_000_000);
/// Steps that count as much as one permitted record.
const STEPS_PER_RECORD: u64 = 64;
/// Default limit when a trace is kept; without one the engine's own default holds.
pub const MAX_RECORDS_TRACED: u64 = 50_000_000;

/// Takes the rows and wake-ups since the last call.
pub type Sink<'s> = &'s mut dyn FnMut(Columns, Wakes) -> Result<(), Failure>;

/// How a run is watched.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    /// Span of machine time to keep, ns; `None` keeps nothing.
    pub window: Option<(u64, u64)>,
    /// Every wake-up is handed out on the way, with any span.
    pub wakes: bool,
    /// The limits that may stop the run before its end.
    pub limits: Limits,
    /// Whether the report explains waits that are not over at the end: the engine then keeps their
    /// causes.
    pub waits: bool,
}

/// The limits of a run; `None` is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub records: Option<u64>,
    /// Bytes that it holds.
    pub bytes: Option<u64>,
}

impl Limits {
    /// The flags as they were given; they are no knobs, and without them a replay would stop
    /// elsewhere.
    pub fn flags(self) -> String {
        let records = self.records.map(|records| format!(" --max-records {records}"));
        let bytes = self.bytes.map(|bytes| format!(" --max-memory {bytes}"));
        records.into_iter().chain(bytes).collect()
    }

    /// The options of a run that keeps `window`.
    pub fn options(self, window: Option<(u64, u64)>) -> Options {
        let default = Options::default();
        let records = if window.is_some() { MAX_RECORDS_TRACED } else { default.max_records };
        let (max_records, max_bytes) =
            (self.records.unwrap_or(records), self.bytes.unwrap_or(default.max_bytes));
        // A limit of records, if stated, sets the limit of steps too.
        let max_silent_steps = self.records.map_or(default.max_silent_steps, |_| u64::MAX);
        Options { window, max_records, max_silent_steps, max_bytes, ..default }
    }
}

/// Why a run ended before its end, and which flag moves the limit, if a limit ended it.
pub fn limit_text(run: &Run) -> String {
    let at = time_text(run.now());
    match run.limit() {
        None => format!("by Ctrl-C or another signal to end, at {at} of machine time"),
        Some(Limit::Memory) => {
            let mib = grouped(run.options().max_bytes >> 20);
            format!(
                "holding {mib} MiB, the limit of memory, at {at} of machine time (--max-memory)"
            )
        }
        Some(Limit::Steps) => {
            let options = run.options();
            let most =
                options.max_silent_steps.min(options.max_records.saturating_mul(STEPS_PER_RECORD));
            let records = (most / STEPS_PER_RECORD + run.records()).saturating_mul(2);
            format!(
                "after {} steps that write little, the limit, at {at} of machine time (a task \
                    loops or sleeps in slivers; --max-records {records} \
                 permits twice as many steps, {STEPS_PER_RECORD} for each record)",
                grouped(most)
            )
        }
        Some(Limit::Records) => {
            format!(
                "after {}, the limit, at {at} of machine time (--max-records)",
                counted(run.records(), "record")
            )
        }
    }
}

impl Watch {
    /// These limits, with every wake-up handed out on the way.
    pub fn with_wakes(self) -> Self {
        Self { wakes: true, ..self }
    }
    /// The engine's options.
    pub fn options(self) -> Options {
        let options = Options { charge_preempted: self.waits, ..self.limits.options(self.window) };
        if self.wakes {
            Options { window: Options::EVERYTHING, rows: self.window.is_some(), ..options }
        } else {
            options
        }
    }
}

/// A run's report, and whether it stopped at a limit.
#[derive(Debug)]
pub struct Outcome {
    pub report: Report,
    /// Why the run ended before its end: a limit, or a signal.
    pub limit: Option<String>,
    /// Tasks that were waiting for a CPU at the end.
    pub open: Vec<OpenWait>,
    /// Requests per second as schbench's main thread takes them; empty without one.
    pub rps: Vec<u64>,
}

const SECOND_NS: u64 = 1_000_000_000;

/// schbench's main thread: it counts its workers' rounds at the start, once a second, and at the
/// end.
struct Rps {
    /// When the main thread looks next; never without workers.
    next_ns: u64,
    last_ns: u64,
    rounds: u64,
    samples: Vec<u64>,
}

impl Rps {
    fn new(prepared: &Prepared) -> Self {
        let runs = prepared.setup.tasks.iter().any(|task| task.kind == SCHBENCH_WORKER);
        let (next_ns, samples) = if runs { (SECOND_NS, vec![0]) } else { (u64::MAX, Vec::new()) };
        Self { next_ns, last_ns: 0, rounds: 0, samples }
    }

    fn look(&mut self, run: &Run, ended: bool) {
        let now = run.now();
        if self.samples.is_empty() || now == self.last_ns || now < self.next_ns && !ended {
            return;
        }
        let metrics = run.report().metrics;
        let workers = run.setup().tasks.iter().filter(|task| task.kind == SCHBENCH_WORKER);
        let rounds: u64 = workers
            .filter_map(|worker| metrics.tasks.get(&worker.name))
            .map(|worker| worker.loops)
            .sum();
        self.samples.push((rounds - self.rounds) * SECOND_NS / (now - self.last_ns));
        (self.rounds, self.last_ns, self.next_ns) = (rounds, now, now + SECOND_NS);
    }
}

const SCHBENCH_WORKER: &str = "schbench_worker";

impl Outcome {
    /// Fine, or the failure of a run that stopped before its end, which has been said.
    pub fn end(&self) -> Result<(), Failure> {
        self.limit.as_ref().map_or(Ok(()), |_| Err(Failure::Limited))
    }
}

/// Simulates the whole duration, unless `go_on` returns false for an instant of machine time: then
/// there is no outcome.
pub fn execute_while(
    prepared: &Prepared,
    replay: &str,
    watch: Watch,
    sink: Sink<'_>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<Outcome>, Failure> {
    let (outcome, went_on) = simulate(prepared, replay, watch, sink, go_on)?;
    Ok(went_on.then_some(outcome))
}

/// Runs until `go_on`, which is asked now and then with the instant of machine time, says no; also
/// gives whether it never did.
///
/// # Errors
/// The simulator broke one of its laws, or a write to the running kernel is refused.
pub fn simulate(
    prepared: &Prepared,
    replay: &str,
    watch: Watch,
    sink: Sink<'_>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<(Outcome, bool), Failure> {
    let fault = |what: String| Failure::Fault { what, replay: replay.to_owned() };
    let mut run = guarded(replay, || Run::new(&prepared.setup, watch.options()))?.map_err(fault)?;
    let mut rps = Rps::new(prepared);
    let mut writes = Writes::new(&prepared.live);
    let (limit, went_on) = loop {
        let progress = guarded(replay, || writes.advance(&mut run, rps.next_ns, SLICE))??;
        rps.look(&run, progress == Progress::Finished);
        sink(run.take_trace(), run.take_wakes())?;
        match progress {
            Progress::Running if go_on(run.now()) => {}
            Progress::Running => break (Some(limit_text(&run)), false),
            Progress::Finished => break (None, true),
            Progress::Limit => break (Some(limit_text(&run)), true),
            Progress::Fault(what) => return Err(fault(what)),
        }
    };
    let report = guarded(replay, || run.report())?;
    Ok((Outcome { report, limit, open: run.open_waits(), rps: rps.samples }, went_on))
}

/// Turns a panic of the simulator into exit code 5 with its replay command.
pub fn guarded<T>(replay: &str, work: impl FnOnce() -> T) -> Result<T, Failure> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Failure::Fault {
            what: text.unwrap_or_else(|| "a panic".to_owned()),
            replay: replay.to_owned(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_simulator_becomes_a_fault_with_its_replay_command() {
        let outcome = guarded("schedscope run x", || -> u32 { panic!("a law was broken: {}", 7) });
        let Err(Failure::Fault { what, replay }) = outcome else { panic!("a fault") };
        assert_eq!((what.as_str(), replay.as_str()), ("a law was broken: 7", "schedscope run x"));
    }

    #[test]
    fn a_run_stops_where_it_would_whether_or_not_its_wake_ups_are_looked_at() {
        for window in [None, Options::EVERYTHING] {
            for records in [None, Some(5_000)] {
                let limits = Limits { records, bytes: None };
                let watch = Watch { window, wakes: false, limits, waits: true };
                let of = |watch: Watch| {
                    let Options { max_records, max_silent_steps, max_bytes, .. } = watch.options();
                    (max_records, max_silent_steps, max_bytes)
                };
                assert_eq!(of(watch.with_wakes()), of(watch), "{window:?} {records:?}");
            }
        }
    }
}
