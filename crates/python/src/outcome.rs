//! A run that has ended.

use pyo3::prelude::*;
use schedscope_engine::trace::columns::{Columns, Wakes};
use schedscope_runs::Failure;
use schedscope_runs::execute::Outcome as Ended;
use schedscope_runs::figures::figures;
use schedscope_scenario::{Prepared, is_metric, nearest_metric, report_json, sampled_at};
use serde_json::Value;

use crate::errors::raised;
use crate::stream::{Stream, wrong};
use crate::tables;

/// What a run left behind.
#[pyclass(frozen, module = "schedscope._native")]
pub struct Outcome {
    /// The `schedscope.run/1` object as JSON.
    #[pyo3(get)]
    report: String,
    /// Fingerprint of the schedule.
    #[pyo3(get)]
    digest: String,
    /// Why the run ended before its end; none if it did not.
    #[pyo3(get)]
    limit: Option<String>,
    /// The rows of the trace, if they were kept.
    #[pyo3(get)]
    rows: Option<Py<Stream>>,
    /// The finished wake-ups, if they were kept.
    #[pyo3(get)]
    wakes: Option<Py<Stream>>,
    /// Every task with its figures.
    #[pyo3(get)]
    tasks: Py<Stream>,
    /// The latency of each kind of task.
    #[pyo3(get)]
    latency: Py<Stream>,
    metrics: Value,
}

/// Pieces of a run, as the engine handed them out; none that was not asked for.
#[derive(Debug, Default)]
pub struct Pieces {
    /// Rows of the trace.
    pub rows: Option<Vec<Columns>>,
    /// Wake-ups.
    pub wakes: Option<Vec<Wakes>>,
}

impl Pieces {
    /// Keeps what is asked for.
    pub fn new(rows: bool, wakes: bool) -> Self {
        // An empty piece says the columns of a run without rows.
        Self {
            rows: rows.then(|| vec![Columns::default()]),
            wakes: wakes.then(|| vec![Wakes::default()]),
        }
    }

    /// Takes the next piece of each.
    pub fn take(&mut self, rows: Columns, wakes: Wakes) {
        if let Some(pieces) = self.rows.as_mut().filter(|_| !rows.time.is_empty()) {
            pieces.push(rows);
        }
        if let Some(pieces) = self.wakes.as_mut().filter(|_| !wakes.task.is_empty()) {
            pieces.push(wakes);
        }
    }
}

#[pymethods]
impl Outcome {
    /// One figure by its path; none if the run has no such thing, or no sample of it.
    fn figure(&self, py: Python<'_>, path: &str) -> PyResult<Option<i64>> {
        if is_metric(path) {
            return Ok(sampled_at(&self.metrics, path).and_then(|figure| figure.as_i64()));
        }
        let near =
            nearest_metric(path).map_or_else(String::new, |near| format!("; did you mean {near}?"));
        let message = format!("there is no metric \"{path}\": no report has it{near}");
        Err(raised(py, Failure::usage(message), ""))
    }
}

impl Outcome {
    /// The run of `prepared` that has ended, with the pieces that were kept.
    pub fn new(py: Python<'_>, prepared: &Prepared, ended: &Ended, kept: Pieces) -> PyResult<Self> {
        let figures = figures(&ended.report.metrics);
        let one = |piece| Py::new(py, Stream::of(vec![piece])?);
        let rows = kept.rows.map(|pieces| {
            let pieces = pieces.into_iter().map(tables::rows).collect::<Result<_, _>>();
            Py::new(py, Stream::of(pieces.map_err(wrong)?)?)
        });
        let wakes = kept.wakes.map(|pieces| {
            let names = tables::task_names(&prepared.meta);
            let mut before = 0;
            let piece = |wakes: Wakes| {
                let from = before;
                before = wakes.segments_end.last().copied().unwrap_or(before);
                tables::wakes(wakes, from, &names)
            };
            let pieces = pieces.into_iter().map(piece).collect::<Result<_, _>>();
            Py::new(py, Stream::of(pieces.map_err(wrong)?)?)
        });
        Ok(Self {
            report: report_json(prepared, &ended.report).to_string(),
            digest: ended.report.digest.clone(),
            limit: ended.limit.clone(),
            rows: rows.transpose()?,
            wakes: wakes.transpose()?,
            tasks: one(tables::tasks(&prepared.meta, &figures).map_err(wrong)?)?,
            latency: one(tables::latency(&figures).map_err(wrong)?)?,
            metrics: figures,
        })
    }
}
