//! Which changes between two releases made a figure differ.

use pyo3::prelude::*;
use schedscope_cli::bisect::as_json;
use schedscope_cli::versions::version;
use schedscope_runs::Failure;
use schedscope_runs::bisect::{Bisected, How, Seeds};

use crate::changes::Asked;
use crate::errors::raised;
use crate::watch::watched;

/// The `schedscope.bisect/1` object as text, remarks, and why it ended before its end.
type Answer = (String, Vec<String>, Option<String>);

/// What a bisection is of, and how many seeds it takes.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Question {
    from: String,
    to: String,
    metric: String,
    seeds: usize,
    max_seeds: usize,
    jobs: usize,
}

/// Finds the changes between two releases that made `metric` differ.
#[pyfunction]
pub fn bisect(py: Python<'_>, asked: Asked, question: Question) -> PyResult<Answer> {
    let target = asked.target().map_err(|failure| raised(py, failure, ""))?;
    let text = target.text().to_owned();
    let raise = |failure| raised(py, failure, &text);
    let mut notes = target.notes.clone();
    notes.extend(target.note_of_one_run().map(str::to_owned));
    let Question { from, to, metric, seeds: first, max_seeds: most, jobs } = question;
    let read = |text: &str| {
        version(text).map_err(|why| raise(Failure::usage(format!("\"{text}\": {why}"))))
    };
    let releases = [read(&from)?, read(&to)?];
    let changes = asked.changes().map_err(raise)?;
    let variant = asked.variant(&target).map_err(raise)?;
    let seeds = Seeds { first, most };
    let bisected = Bisected::new(target, variant.as_deref(), &changes, releases, &metric, seeds);
    let mut bisected = bisected.map_err(raise)?;
    notes.extend(bisected.bisection.plan.notes.clone());
    let end = watched(py, None, 0, |watcher| {
        let how = How { jobs, every_run: false, asked_to_end: &|| watcher.is_over() };
        bisected.run(&how, &mut |_| ())
    })?;
    let limit = match end {
        Ok(()) => None,
        Err(Failure::Limit(message)) => Some(message),
        Err(failure) => return Err(raise(failure)),
    };
    Ok((as_json(&bisected.bisection, limit.is_none()), notes, limit))
}
