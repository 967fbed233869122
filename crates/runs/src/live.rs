//! Writes to the running kernel during the run, `TIME=PATH=VALUE`, as in the `at.` part of a link.

use std::collections::VecDeque;

use schedscope_engine::run::{Progress, Run};
use schedscope_scenario::units::{parse_time, time_text};
use schedscope_scenario::{LiveWrite, ScenarioError};

use crate::failure::Failure;

/// Reads `TIME=PATH=VALUE`.
pub fn parse(argument: &str) -> Result<LiveWrite, String> {
    let expected = || {
        format!(
            "expected TIME=PATH=VALUE, such as 10ms=kernel.rt_push_ipi=on or \
                '2ms=tasks.\"web.0\".cpus=0-3', got \"{argument}\""
        )
    };
    let (time, rest) = argument.split_once('=').ok_or_else(expected)?;
    let at_ns = parse_time(time).ok_or_else(|| {
        if !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit()) {
            format!("expected a time with its unit, such as {time}ms or {time}us, got \"{time}\"")
        } else if rest.contains('=') {
            format!("expected a time from 0ns on with its unit (ns, us, ms, s), got \"{time}\"")
        } else {
            expected()
        }
    })?;
    let (path, value) =
        rest.split_once('=').filter(|(path, _)| !path.is_empty()).ok_or_else(expected)?;
    let (path, value) = (path.to_owned(), value.to_owned());
    Ok(LiveWrite { at_ns, path, value, origin: "--live" })
}

/// A run that can be written to: the engine's, and that of its build which notes what is asked.
pub trait Written {
    /// `Run::advance_within`.
    fn advance_within(&mut self, until_ns: u64, records: u64, steps: u64) -> Progress;
    /// `Run::now`.
    fn now(&self) -> u64;
    /// `Run::change`.
    fn change(&mut self, path: &str, value: &str) -> bool;
}

impl Written for Run {
    fn advance_within(&mut self, until_ns: u64, records: u64, steps: u64) -> Progress {
        self.advance_within(until_ns, records, steps)
    }

    fn now(&self) -> u64 {
        self.now()
    }

    fn change(&mut self, path: &str, value: &str) -> bool {
        self.change(path, value)
    }
}

/// The remaining writes, in order of time.
#[derive(Clone, Debug)]
pub struct Writes(VecDeque<LiveWrite>);

impl Writes {
    /// All of it.
    pub fn new(writes: &[LiveWrite]) -> Self {
        Self(writes.iter().cloned().collect())
    }

    /// Advances `run` as `Run::advance_within` does, and makes the writes that are due on the way.
    pub fn advance(
        &mut self,
        run: &mut impl Written,
        until: u64,
        (records, steps): (u64, u64),
    ) -> Result<Progress, Failure> {
        loop {
            let due = self.0.front().map_or(u64::MAX, |write| write.at_ns);
            let progress = run.advance_within(until.min(due), records, steps);
            match self.0.pop_front_if(|_| progress == Progress::Running && run.now() >= due) {
                Some(write) if !run.change(&write.path, &write.value) => {
                    return Err(failure(&write, write.refused()));
                }
                Some(_) if run.now() < until => {}
                _ => return Ok(progress),
            }
        }
    }
}

/// `error` of a write, named by who asks for it and when.
pub fn failure(write: &LiveWrite, error: ScenarioError) -> Failure {
    let name = format!("{} at {}", write.origin, time_text(write.at_ns));
    Failure::Scenario(name, Box::new(error))
}
