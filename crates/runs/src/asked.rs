//! Runs of the engine's build that notes which rules of the kernel they ask.

use schedscope_asked::kernel::config::rules::asked;
use schedscope_asked::run as asking;
use schedscope_engine::kernel::config::{Release, RuleSet};
use schedscope_engine::run::{Options, Progress};
use schedscope_engine::setup::Setup;
use schedscope_scenario::{LiveWrite, Prepared};
use serde_json::Value;

use crate::execute::{SLICE, guarded};
use crate::live::{Writes, Written};

/// What a whole run came to, and which rules it asked.
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
    release: Release,
    live: Vec<LiveWrite>,
    asked: RuleSet,
}

impl Origin {
    /// Whether the run of `prepared` is the run from here: all that differs are answers to rules
    /// that this one never asked.
    pub fn is_of(&self, prepared: &Prepared) -> bool {
        let mut setup: Setup = prepared.setup.clone();
        setup.kernel.release.take_unasked(self.release, self.asked);
        prepared.live == self.live && setup.to_bytes() == self.setup
    }
}

/// Runs `prepared` to its end, as the engine does. None for a run that does not come to its end,
/// for whatever reason, and where `go_on` says no: an ordinary run says why.
pub fn recorded(
    prepared: &Prepared,
    options: Options,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Recorded> {
    let bytes = prepared.setup.to_bytes();
    let report = guarded("", || {
        asked::take();
        let setup = schedscope_asked::setup::Setup::from_bytes(&bytes).ok()?;
        let mut run = asking::Run::of(setup, options_of(options)).ok()?;
        let mut writes = Writes::new(&prepared.live);
        while writes.advance(&mut run, u64::MAX, SLICE).ok()? != Progress::Finished {
            if run.limit().is_some() || !go_on() {
                return None;
            }
        }
        Some(run.report())
    });
    let mut report = report.ok().flatten().filter(|report| report.complete)?;
    let asked = RuleSet(asked::take());
    report.metrics.tasks.values_mut().for_each(|task| task.activations.clear());
    let metrics = serde_json::to_value(&report.metrics).ok()?;
    let (release, live) = (prepared.setup.kernel.release, prepared.live.clone());
    let origin = Origin { setup: bytes, release, live, asked };
    Some(Recorded { digest: report.digest, records: report.records, metrics, origin })
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
