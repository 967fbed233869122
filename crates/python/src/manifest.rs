//! A sweep planned as a manifest, and its parts (docs/use/clusters.md).

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use schedscope_runs::Failure;
use schedscope_runs::sweep::Checked;
use schedscope_runs::sweep::cost::{BATCH, costs};
use schedscope_runs::sweep::jobs::{self, Event, RunRow};
use schedscope_runs::sweep::manifest::{self, MANIFEST_RUNS_MAX};
use schedscope_runs::sweep::parts::{Parts, bytes};

use crate::changes::Asked;
use crate::errors::raised;
use crate::stream::{Stream, wrong};
use crate::sweep::{plan, table};
use crate::watch::watched;

/// The plan of a sweep, cut into batches.
#[pyclass(frozen, module = "schedscope._native")]
pub struct Manifest(manifest::Manifest);

/// Checks every point and tries some: the manifest, and remarks on the points.
#[pyfunction]
#[pyo3(signature = (asked, over, seeds, metrics, batch, progress))]
pub fn plan_manifest(
    py: Python<'_>,
    asked: Asked,
    over: Vec<String>,
    seeds: Option<String>,
    metrics: Vec<String>,
    batch: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Manifest, Vec<String>)> {
    let target = asked.target().map_err(|failure| raised(py, failure, ""))?;
    let text = target.text().to_owned();
    let raise = |failure| raised(py, failure, &text);
    let mut notes = target.notes.clone();
    notes.extend(target.note_of_one_run().map(str::to_owned));
    let mut plan = plan(target, &asked, &over, seeds.as_deref(), &metrics, MANIFEST_RUNS_MAX)
        .map_err(raise)?;
    let total = 2 * plan.grid.points() as u64;
    let made = watched(py, progress, total, |watcher| {
        plan.check(&metrics, &mut |event| match event {
            Checked::Note(note) => notes.push(note),
            Checked::Point(_) => watcher.step(),
        })?;
        let costs = costs(&plan, &mut |_| watcher.step())?;
        Ok(manifest::Manifest::new(&plan, &costs, batch.unwrap_or(BATCH)))
    })?;
    Ok((Manifest(made.map_err(raise)?), notes))
}

#[pymethods]
impl Manifest {
    /// Reads the text of a manifest.
    #[new]
    fn read(py: Python<'_>, text: &str) -> PyResult<Self> {
        manifest::Manifest::read(text).map(Self).map_err(|failure| raised(py, failure, ""))
    }

    /// The text of its file.
    #[getter]
    fn text(&self) -> String {
        self.0.text()
    }

    /// Number of runs.
    #[getter]
    fn runs(&self) -> usize {
        self.0.runs()
    }

    /// Number of runs of each batch.
    #[getter]
    fn batches(&self) -> Vec<usize> {
        (0..self.0.batches()).map(|batch| self.0.batch(batch).len()).collect()
    }

    /// The bytes of the part of one batch, `jobs` runs at once.
    fn run_batch<'py>(
        &self,
        py: Python<'py>,
        batch: usize,
        jobs: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        if batch >= self.0.batches() {
            let message = format!("there is no batch {batch}: there are {}", self.0.batches());
            return Err(raised(py, Failure::usage(message), ""));
        }
        let done = watched(py, None, 0, |watcher| {
            let plan = self.0.plan()?;
            let runs: Vec<usize> = self.0.batch(batch).collect();
            let mut rows: Vec<RunRow> = Vec::new();
            let end = jobs::run(&plan, &runs, jobs, &|| watcher.is_over(), &mut |event| {
                if let Event::Row(row) = event {
                    rows.push(row.clone());
                }
                Ok(())
            })
            .end;
            match end {
                // A run that met its own limit is a row that says so.
                Err(Failure::Limit(_)) if rows.len() == runs.len() => bytes(&plan, &rows),
                Err(failure) => Err(failure),
                Ok(()) => bytes(&plan, &rows),
            }
        })?;
        Ok(PyBytes::new(py, &done.map_err(|failure| raised(py, failure, ""))?))
    }

    /// The batches that are not in the folder yet.
    fn missing(&self, py: Python<'_>, folder: PathBuf) -> PyResult<Vec<usize>> {
        let parts = Parts::open(&folder, &self.0).map_err(|failure| raised(py, failure, ""))?;
        Ok(parts.missing())
    }

    /// Puts the bytes of a batch that was done elsewhere into the folder.
    fn take(&self, py: Python<'_>, folder: PathBuf, batch: usize, bytes: &[u8]) -> PyResult<()> {
        py.detach(|| Parts::open(&folder, &self.0)?.take(batch, bytes))
            .map_err(|failure| raised(py, failure, ""))
    }

    /// Runs these batches into the folder, `jobs` runs at once; why it ended before its end.
    fn run(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        batches: Vec<usize>,
        jobs: usize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<String>> {
        let total = batches.iter().map(|batch| self.0.batch(*batch).len() as u64).sum();
        let end = watched(py, progress, total, |watcher| {
            let parts = Parts::open(&folder, &self.0)?;
            parts.run(&batches, jobs, &|| watcher.is_over(), &mut || watcher.step())
        })?;
        match end {
            Ok(()) => Ok(None),
            Err(Failure::Limit(message)) => Ok(Some(message)),
            Err(failure) => Err(raised(py, failure, "")),
        }
    }

    /// The rows of these batches as a table, with the paths of its figures.
    fn table(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        batches: Vec<usize>,
    ) -> PyResult<(Stream, Vec<String>)> {
        let read = py.detach(|| {
            let parts = Parts::open(&folder, &self.0)?;
            let rows = batches.iter().map(|batch| parts.read(*batch));
            let rows: Vec<Vec<RunRow>> = rows.collect::<Result<_, Failure>>()?;
            Ok((table(parts.plan(), &rows.concat()), parts.plan().metrics.clone()))
        });
        let (table, metrics) = read.map_err(|failure| raised(py, failure, ""))?;
        Ok((Stream::of(vec![table.map_err(wrong)?])?, metrics))
    }
}
