//! Texts that people paste, and the answers to what they ask of counters.

use pyo3::prelude::*;
use schedscope_fit::{Inquiry, Wish, object};
use schedscope_formats::words;
use schedscope_runs::execute::simulate;
use schedscope_runs::{Failure, pasted};
use schedscope_scenario::units::parse_time;

use crate::errors::raised;
use crate::watch::{Watcher, watched};

/// The `schedscope.read/1` object as text, and the `schedscope.answer/1` object where it was asked
/// for.
type Read = (String, Option<String>);

/// Reads a text, finds the program behind its counters by runs, and answers the questions about it
/// if `asks`. `within`: the longest that a burst may take; `burst`: what one takes without a limit,
/// where that was measured; times with their units.
#[pyfunction]
pub fn read(
    py: Python<'_>,
    text: &str,
    within: Option<&str>,
    burst: Option<&str>,
    asks: bool,
) -> PyResult<Read> {
    let raise = |failure| raised(py, failure, text);
    let usage = |why: String| raise(Failure::usage(why));
    let reading = words::read(text).map_err(|error| usage(error.to_string()))?;
    let us = |name: &str, text: Option<&str>| match text.map(parse_time) {
        None => Ok(None),
        Some(Some(ns)) if ns > 0 => Ok(Some(ns as f64 / 1e3)),
        Some(_) => Err(usage(format!("{name}: expected a time such as 50ms"))),
    };
    let wish = Wish { bound_us: us("within", within)?, burst_us: us("burst", burst)?, cpus: None };
    let mut inquiry = Inquiry::new(reading, wish);
    let found = watched(py, None, 0, |watcher| answered(&mut inquiry, asks, watcher))?;
    found.map_err(raise)?;
    if let Some(text) = inquiry.made().text {
        pasted::check(&text).map_err(raise)?;
    }
    let answer = object::answer(&inquiry).map(|answer| answer.to_string());
    Ok((object::read(&inquiry).to_string(), answer))
}

fn answered(inquiry: &mut Inquiry, asks: bool, watcher: &Watcher) -> Result<(), Failure> {
    make_runs(inquiry, watcher)?;
    if asks {
        inquiry.ask().map_err(Failure::usage)?;
        make_runs(inquiry, watcher)?;
    }
    Ok(())
}

fn make_runs(inquiry: &mut Inquiry, watcher: &Watcher) -> Result<(), Failure> {
    pasted::make_runs(inquiry, &mut |side, watch| {
        let go_on = &mut |_| !watcher.is_over();
        let run = simulate(&side.prepared, &side.replay, watch, &mut |_, _| Ok(()), go_on);
        let (outcome, went_on) = run?;
        // The exception that ended it is raised in place of this.
        if went_on { Ok(outcome) } else { Err(Failure::Limit("ended".to_owned())) }
    })
}
