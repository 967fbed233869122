//! Runs of the engine's build that notes which rows of the kernel they ask: rules and values.

use schedscope_asked::kernel::config::{RowSet as Noted, asked};
use schedscope_asked::run as asking;
use schedscope_engine::kernel::config::{Kernel, RowSet};
use schedscope_engine::run::{Options, Progress};
use schedscope_engine::setup::Setup;
use schedscope_scenario::{LiveWrite, Prepared};
use serde_json::Value;

use crate::execute::{SLICE, guarded};
use crate::live::{Writes, Written};

/// What a whole run came to, and which rows it asked.
#[derive(Debug)]
pub struct Recorded {
    /// Fingerprint of the schedule.
    pub digest: String,
    /// Trace records.
    pub records: u64,
    /// The report's metrics, without the lists of activations.
    pub metrics: Value,
    /// What the run started from.
    pub origin: Origin,
}

/// What a run started from, and which of it the run looked at.
#[derive(Debug)]
pub struct Origin {
    setup: Vec<u8>,
    kernel: Kernel,
    live: Vec<LiveWrite>,
    asked: RowSet,
    marks: Vec<Mark>,
}

/// An instant of a run: its state, and the rows that it had asked by then.
#[derive(Debug)]
struct Mark {
    asked: RowSet,
    state: asking::Snapshot,
    writes: Writes,
}

impl Origin {
    /// Whether the run of `prepared` is the run from here: all that differs are rows that this
    /// one never asked.
    pub fn is_of(&self, prepared: &Prepared) -> bool {
        self.agrees(prepared, self.asked)
    }

    /// Whether all that differs are rows outside `asked`.
    fn agrees(&self, prepared: &Prepared, asked: RowSet) -> bool {
        let mut setup: Setup = prepared.setup.clone();
        setup.kernel.take_unasked(&self.kernel, asked);
        prepared.live == self.live && setup.to_bytes() == self.setup
    }

    /// The run of `prepared` from the last instant up to which it is the run from here; none where
    /// it is another one from the start, does not come to its end, or `go_on` says no.
    pub fn resumed(
        &self,
        prepared: &Prepared,
        options: Options,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Ended> {
        let mark = self.marks.iter().rev().find(|mark| self.agrees(prepared, mark.asked))?;
        let bytes = prepared.setup.to_bytes();
        let ended = guarded("", || {
            let setup = schedscope_asked::setup::Setup::from_bytes(&bytes).ok()?;
            let asked = Noted(mark.asked.0);
            let mut run = mark.state.run_as(&setup.kernel, asked, options_of(options));
            let mut writes = mark.writes.clone();
            to(&mut run, &mut writes, u64::MAX, go_on).then(|| run.report())
        });
        ended_of(ended.ok()??)
    }
}

/// What a whole run came to.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Fingerprint of the schedule.
    pub digest: String,
    /// Trace records.
    pub records: u64,
    /// The report's metrics, without the lists of activations.
    pub metrics: Value,
}

/// Instants at which a run's state is kept: so many, evenly over its time.
const MARKS: u64 = 4;
/// A larger state is not kept, bytes: there are several of each release and seed.
const STATE_MAX: u64 = 1 << 20;

/// Runs `prepared` to its end, as the engine does. None for a run that does not come to its end,
/// for whatever reason, and where `go_on` says no: an ordinary run says why.
pub fn recorded(
    prepared: &Prepared,
    options: Options,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Recorded> {
    let bytes = prepared.setup.to_bytes();
    let mut marks = Vec::new();
    let report = guarded("", || {
        asked::take();
        let setup = schedscope_asked::setup::Setup::from_bytes(&bytes).ok()?;
        let mut run = asking::Run::of(setup, options_of(options)).ok()?;
        let mut writes = Writes::new(&prepared.live);
        for part in 1..MARKS {
            let until = prepared.meta.duration_ns / MARKS * part;
            if !to(&mut run, &mut writes, until, go_on) {
                return None;
            }
            if run.held_bytes() <= STATE_MAX {
                let asked = RowSet(asked::so_far().0);
                marks.push(Mark { asked, state: run.snapshot(), writes: writes.clone() });
            }
        }
        to(&mut run, &mut writes, u64::MAX, go_on).then(|| run.report())
    });
    let asked = RowSet(asked::take().0);
    let Ended { digest, records, metrics } = ended_of(report.ok()??)?;
    let (kernel, live) = (prepared.setup.kernel.clone(), prepared.live.clone());
    let origin = Origin { setup: bytes, kernel, live, asked, marks };
    Some(Recorded { digest, records, metrics, origin })
}

/// Advances to an instant, or to the run's end; false where it does not get there.
fn to(
    run: &mut asking::Run,
    writes: &mut Writes,
    until: u64,
    go_on: &mut dyn FnMut() -> bool,
) -> bool {
    loop {
        match writes.advance(run, until, SLICE) {
            Ok(Progress::Finished) => return true,
            Ok(Progress::Running) if run.now() >= until => return true,
            Ok(Progress::Running) if run.limit().is_none() && go_on() => {}
            _ => return false,
        }
    }
}

/// None for a run that is not complete.
fn ended_of(mut report: asking::Report) -> Option<Ended> {
    if !report.complete {
        return None;
    }
    report.metrics.tasks.values_mut().for_each(|task| task.activations.clear());
    let metrics = serde_json::to_value(&report.metrics).ok()?;
    Some(Ended { digest: report.digest, records: report.records, metrics })
}

impl Written for asking::Run {
    fn advance_within(&mut self, until_ns: u64, records: u64, steps: u64) -> Progress {
        match self.advance_within(until_ns, records, steps) {
            asking::Progress::Running => Progress::Running,
            asking::Progress::Finished => Progress::Finished,
            asking::Progress::Limit => Progress::Limit,
            asking::Progress::Fault(what) => Progress::Fault(what),
        }
    }

    fn now(&self) -> u64 {
        self.now()
    }

    fn change(&mut self, path: &str, value: &str) -> bool {
        self.change(path, value)
    }
}

/// `options` in the other build's type.
fn options_of(options: Options) -> asking::Options {
    let Options {
        window,
        rows,
        max_records,
        max_silent_steps,
        max_bytes,
        rows_stay,
        check_every,
        in_pieces,
        charge_preempted,
    } = options;
    asking::Options {
        window,
        rows,
        max_records,
        max_silent_steps,
        max_bytes,
        rows_stay,
        check_every,
        in_pieces,
        charge_preempted,
    }
}

#[cfg(test)]
mod tests;
