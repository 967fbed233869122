//! The public interface of the simulator: start a run, advance it within limits, take its rows,
//! report.

mod checkpoints;
mod footprint;
mod live;

pub use checkpoints::Checkpoints;

use std::sync::Arc;

use serde::Serialize;

use crate::account::report::{Finding, Metrics};
use crate::account::unfinished::OpenWait;
#[cfg(feature = "asked")]
use crate::kernel::config::{Kernel, RowSet};
use crate::setup::Setup;
use crate::sim::Sim;
use crate::trace::columns::{Columns, Log, Wakes};

/// Steps of frames and ops of programs per permitted record before a run counts as stuck: a program
/// that works in slivers writes nothing.
const STEPS_PER_RECORD: u64 = 64;

/// Events between two full looks at the laws: in tests, whose builds check their arithmetic too,
/// and elsewhere.
const CHECK_EVERY: u32 = if cfg!(debug_assertions) { 1024 } else { 8192 };

/// How a run is observed. No option changes the simulation.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Keep trace rows and wake-ups in this span of machine time, ns.
    pub window: Option<(u64, u64)>,
    /// Keep the rows; without them only the wake-ups of the span are kept.
    pub rows: bool,
    /// The run stops, incomplete, after this many records, or after 64 steps for each of them.
    pub max_records: u64,
    /// The run also stops after this many steps beyond 64 for each record written, if that is
    /// fewer.
    pub max_silent_steps: u64,
    /// The run stops, incomplete, once it holds this many bytes: see [`Log::held_bytes`].
    pub max_bytes: u64,
    /// The caller keeps the rows that it takes, so they count towards `max_bytes`.
    pub rows_stay: bool,
    /// Check every law on the whole state once in this many events; 0 = never. Values above 1 hold
    /// for up to 64 CPUs: a scan takes time in proportion to the CPUs, so larger machines are
    /// scanned more rarely in proportion, and the share of time stays constant.
    pub check_every: u32,
    /// Each step of a CPU is an event, and so is each wait. Otherwise steps whose boundaries have
    /// no effect are done at once. Slower; for the test that both ways give the same rows.
    pub in_pieces: bool,
    /// Charge the causes of a preempted task's wait from its switch on, like a wake-up's time;
    /// otherwise [`Run::open_waits`] knows only the present cause. Slower where many tasks wait for
    /// each CPU.
    pub charge_preempted: bool,
}

impl Options {
    pub const EVERYTHING: Option<(u64, u64)> = Some((0, u64::MAX));
}

impl Default for Options {
    /// Keeps nothing, checks now and then, stops at a thousand million records, as many silent
    /// steps, or 2 GiB.
    fn default() -> Self {
        let max = 1_000_000_000;
        Self {
            window: None,
            rows: true,
            max_records: max,
            max_silent_steps: max,
            max_bytes: 2 << 30,
            rows_stay: false,
            check_every: CHECK_EVERY,
            in_pieces: false,
            charge_preempted: false,
        }
    }
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Paused at the asked time, or with a budget of records or steps used up.
    Running,
    /// The whole duration has been simulated.
    Finished,
    /// A limit was reached, which [`Run::limit`] names; the partial result is valid.
    Limit,
    /// The simulator broke one of its own laws: the message says which.
    Fault(String),
}

crate::named_enum! {
    /// The limit that ended a run before its duration was over.
    pub enum Limit {
        Records = "records", "As many trace records as the run may write.";
        Memory = "memory", "As many bytes as the run may hold: rows, wake-ups, samples, \
            activations.";
        Steps = "steps", "64 frame steps for each permitted record: programs that work in slivers, \
            or for hours, write little.";
    }
}

/// The report of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// Fingerprint of the schedule.
    pub digest: String,
    /// Machine time simulated.
    pub simulated_ns: u64,
    /// Trace records, kept or not.
    pub records: u64,
    /// Whether the whole duration was simulated.
    pub complete: bool,
    /// The limit that ended the run before; absent where none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// See [`Metrics`].
    pub metrics: Metrics,
    /// In time order.
    pub findings: Vec<Finding>,
}

/// A run in progress.
#[derive(Debug)]
pub struct Run {
    sim: Sim,
    options: Options,
    since_check: u32,
    /// The limit that ended it: taking rows afterwards frees memory, and changes nothing in that.
    reached: Option<Limit>,
}

/// The state of a run at one instant; restoring it replays the same future.
#[derive(Clone, Debug)]
pub struct Snapshot {
    sim: Sim,
}

impl Run {
    /// Boots the machine of `setup`; refuses a setup the engine cannot run.
    pub fn new(setup: &Setup, options: Options) -> Result<Self, String> {
        Self::of(setup.clone(), options)
    }

    /// [`Self::new`] without a copy of the setup.
    pub fn of(setup: Setup, mut options: Options) -> Result<Self, String> {
        setup.check()?;
        if options.check_every > 1 {
            options.check_every =
                options.check_every.saturating_mul(setup.machine.topology.cpus().div_ceil(64));
        }
        let setup = setup.with_stoppers();
        let ledger = crate::account::metrics::Ledger::new(&setup);
        let log = Log::new(options.window, ledger.kinds.len(), ledger.series.len())
            .rows(options.rows)
            .rows_stay(options.rows_stay);
        let mut sim = Sim::new(Arc::new(setup), log);
        sim.in_pieces = options.in_pieces;
        sim.charge_preempted = options.charge_preempted;
        Ok(Self { sim, options, since_check: 0, reached: None })
    }

    /// The setup of the run, the stoppers included.
    pub fn setup(&self) -> &Setup {
        &self.sim.setup
    }

    /// Simulates up to `until_ns` (or the duration), at most `max_new_records` further records.
    pub fn advance(&mut self, until_ns: u64, max_new_records: u64) -> Progress {
        self.advance_within(until_ns, max_new_records, u64::MAX)
    }

    /// [`Self::advance`] that pauses after `max_new_steps` frame steps and events too, for a caller
    /// that must answer others in between: an idle machine writes no records, so a limit of records
    /// alone would not pause. The places of the pauses change nothing in the run.
    pub fn advance_within(
        &mut self,
        until_ns: u64,
        max_new_records: u64,
        max_new_steps: u64,
    ) -> Progress {
        let duration = self.sim.setup.duration_ns;
        let until = until_ns.min(duration);
        let pause_at = self.sim.records.saturating_add(max_new_records);
        let (pause_at_step, mut events) = (self.sim.steps.saturating_add(max_new_steps), 0u64);
        loop {
            if let Some(fault) = &self.sim.fault {
                return Progress::Fault(fault.clone());
            }
            self.reached = self.limit();
            if self.reached.is_some() {
                return Progress::Limit;
            }
            if self.sim.records >= pause_at || self.sim.steps + events >= pause_at_step {
                return Progress::Running;
            }
            let (free_records, free_steps) = self.free_of_limits();
            let free_records = free_records.min(pause_at);
            while self.sim.records < free_records
                && self.sim.steps < free_steps
                && self.sim.steps + events < pause_at_step
                && self.held_bytes() < self.options.max_bytes
                && self.sim.fault.is_none()
            {
                if !self.sim.step(until) {
                    self.sim.now = self.sim.now.max(until);
                    return if until == duration { Progress::Finished } else { Progress::Running };
                }
                events += 1;
                self.check();
            }
        }
    }

    /// Records and steps below which no limit except that of memory can be reached: the run does
    /// not check the limits after each event until then.
    fn free_of_limits(&self) -> (u64, u64) {
        let Options { max_records, max_silent_steps, .. } = self.options;
        let stood_for = self.sim.records.saturating_mul(STEPS_PER_RECORD);
        let silent = max_silent_steps.saturating_add(stood_for);
        (max_records, silent.min(max_records.saturating_mul(STEPS_PER_RECORD)))
    }

    /// Whether all that happens up to `until_ns` and at it has happened: a pause within an instant
    /// leaves part of it to be done.
    pub fn has_reached(&self, until_ns: u64) -> bool {
        self.sim.now >= until_ns && self.sim.queue.peek().is_none_or(|(time, _)| time > until_ns)
    }

    /// How far the run is from its end, whichever comes first, its duration or a limit: 0 at the
    /// start, 10 000 where it stops.
    pub fn share_done(&self) -> u32 {
        let Options { max_records, max_bytes, max_silent_steps, .. } = self.options;
        let of = |part: u64, whole: u64| u128::from(part) * 10_000 / u128::from(whole.max(1));
        let shares = [
            of(self.sim.now, self.sim.setup.duration_ns),
            of(self.sim.records, max_records),
            of(self.sim.steps, max_records.saturating_mul(STEPS_PER_RECORD)),
            of(self.silent_steps(), max_silent_steps),
            of(self.held_bytes(), max_bytes),
        ];
        shares.into_iter().max().unwrap_or(0).min(10_000) as u32
    }

    /// Steps beyond those that the written records allow.
    fn silent_steps(&self) -> u64 {
        self.sim.steps.saturating_sub(self.sim.records.saturating_mul(STEPS_PER_RECORD))
    }

    /// The limit the run is at; it goes no further, also once its rows have been taken.
    pub fn limit(&self) -> Option<Limit> {
        self.reached.or_else(|| self.limit_now())
    }

    fn limit_now(&self) -> Option<Limit> {
        let Options { max_records, max_bytes, max_silent_steps, .. } = self.options;
        let steps_max = max_records.saturating_mul(STEPS_PER_RECORD);
        match () {
            () if self.sim.records >= max_records => Some(Limit::Records),
            () if self.sim.steps >= steps_max || self.silent_steps() >= max_silent_steps => {
                Some(Limit::Steps)
            }
            () if self.held_bytes() >= max_bytes => Some(Limit::Memory),
            () => None,
        }
    }

    #[inline]
    fn check(&mut self) {
        self.since_check += 1;
        if self.options.check_every > 0 && self.since_check >= self.options.check_every {
            self.since_check = 0;
            if let Err(broken) = self.sim.check_laws() {
                self.sim.law(false, || broken);
            }
        }
    }

    /// Machine time, ns.
    pub fn now(&self) -> u64 {
        self.sim.now
    }
    /// Records so far.
    pub fn records(&self) -> u64 {
        self.sim.records
    }
    /// The bytes that count towards [`Options::max_bytes`].
    pub fn held_bytes(&self) -> u64 {
        self.sim.log.held_bytes()
    }
    /// The options of this run.
    pub fn options(&self) -> &Options {
        &self.options
    }
    /// The simulation itself, to look at.
    pub fn sim(&self) -> &Sim {
        &self.sim
    }
    /// Trace rows since the last take.
    pub fn take_trace(&mut self) -> Columns {
        self.sim.log.take_trace()
    }
    /// Finished wake-ups since the last take.
    pub fn take_wakes(&mut self) -> Wakes {
        self.sim.log.take_wakes()
    }

    /// Tasks that wait for a CPU now.
    pub fn open_waits(&self) -> Vec<OpenWait> {
        self.sim.open_waits()
    }

    pub fn report(&self) -> Report {
        // A limit may be met within the last instant.
        let whole = self.reached.is_none() && self.has_reached(self.sim.setup.duration_ns);
        let complete = whole && self.sim.fault.is_none();
        Report {
            digest: self.sim.digest.hex(),
            simulated_ns: self.sim.now,
            records: self.sim.records,
            complete,
            limit: self.limit().filter(|_| !complete).map(crate::named::Named::name),
            metrics: self.sim.metrics(),
            findings: self.sim.findings(),
        }
    }

    /// The state at this instant, without the rows not yet taken; the snapshot assumes that the
    /// caller keeps the rows that it takes.
    pub fn snapshot(&mut self) -> Snapshot {
        let log = &mut self.sim.log;
        log.complete_trace();
        let held = log.held_bytes();
        let (trace, wakes) = (std::mem::take(&mut log.trace), std::mem::take(&mut log.wakes));
        let mut sim = self.sim.clone();
        (self.sim.log.trace, self.sim.log.wakes) = (trace, wakes);
        sim.log.hold(held);
        Snapshot { sim }
    }

    /// To the instant of a snapshot, earlier or later; rows not yet taken are dropped.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.sim = snapshot.sim.clone();
        self.reached = None;
    }

    /// A second run from a snapshot of this one, which may be given other live switches.
    pub fn fork(&self, snapshot: &Snapshot) -> Self {
        Self { sim: snapshot.sim.clone(), options: self.options, since_check: 0, reached: None }
    }
}

#[cfg(feature = "asked")]
impl Snapshot {
    /// The run of a setup with `kernel` from this instant, which is that of the snapshot's own run
    /// up to here: they differ in nothing but rows that it has not `asked` so far.
    pub fn run_as(&self, kernel: &Kernel, asked: RowSet, options: Options) -> Run {
        let mut sim = self.sim.clone();
        Arc::make_mut(&mut sim.setup).kernel.take_unasked(kernel, asked);
        Run { sim, options, since_check: 0, reached: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::invariants::tests::busy;
    use crate::ids::CPU1;

    #[test]
    fn a_run_ends_at_the_look_that_finds_a_law_broken_and_without_looks_it_goes_on() {
        let setup = (*busy().setup).clone();
        for (check_every, found) in [(1, true), (3, true), (0, false)] {
            let options = Options { check_every, ..Options::default() };
            let mut run = Run::new(&setup, options).expect("a sound machine");
            run.sim.rqs[CPU1].server.tasks = 7;
            match run.advance(u64::MAX, u64::MAX) {
                Progress::Fault(fault) => {
                    assert!(found && fault.contains("its server counts 7"), "{fault}");
                    assert!(!run.report().complete);
                }
                ended => assert!(!found, "{ended:?}"),
            }
        }
    }
}
