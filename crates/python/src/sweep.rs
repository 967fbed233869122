//! Many runs, and the table of them.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, DurationNanosecondArray, Int64Array, RecordBatch, StringArray,
    UInt64Array,
};
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use schedscope_runs::sweep::grid::{Grid, seeds, shown, written};
use schedscope_runs::sweep::jobs::{self, Done, Event, RunRow};
use schedscope_runs::sweep::spread::alike_words;
use schedscope_runs::sweep::{Checked, Plan, RUNS_MAX};
use schedscope_runs::{Failure, Target, Whose};
use schedscope_scenario::knobs::{Knob, KnobType, knob};
use schedscope_scenario::units::parse_time;
use serde_json::Value;

use crate::changes::Asked;
use crate::errors::raised;
use crate::stream::{Column, Stream, batch, wrong};
use crate::watch::watched;

/// A sweep: its table, the names of its figures, notes, and why it ended before its end.
type Swept = (Stream, Vec<String>, Vec<String>, Option<String>);

/// Runs every combination of `over` (`PATH=[values]`) and `seeds` (`1..20`), `jobs` at once.
#[pyfunction]
#[pyo3(signature = (asked, over, seeds, metrics, jobs, progress))]
pub fn sweep(
    py: Python<'_>,
    asked: Asked,
    over: Vec<String>,
    seeds: Option<String>,
    metrics: Vec<String>,
    jobs: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Swept> {
    let target = asked.target().map_err(|failure| raised(py, failure, ""))?;
    let text = target.text().to_owned();
    let raise = |failure| raised(py, failure, &text);
    let mut notes = target.notes.clone();
    notes.extend(target.note_of_one_run().map(str::to_owned));
    let mut plan =
        plan(target, &asked, &over, seeds.as_deref(), &metrics, RUNS_MAX).map_err(raise)?;
    let total = plan.runs() as u64;
    let swept = watched(py, progress, total, |watcher| {
        plan.check(&metrics, &mut |event| {
            if let Checked::Note(note) = event {
                notes.push(note);
            }
        })?;
        let runs: Vec<usize> = (0..plan.runs()).collect();
        let Done { rows, end } =
            jobs::run(&plan, &runs, jobs, &|| watcher.is_over(), &mut |event| {
                if let Event::Ended = event {
                    watcher.step();
                }
                Ok(())
            });
        Ok((rows, end))
    })?;
    let (rows, end) = swept.map_err(raise)?;
    let limit = match end {
        Ok(()) => None,
        Err(Failure::Limit(message)) => Some(message),
        Err(failure) => return Err(raised(py, failure, &text)),
    };
    notes.extend(alike_words(&plan, &rows));
    let table = Stream::of(vec![table(&plan, &rows).map_err(wrong)?])?;
    Ok((table, plan.metrics, notes, limit))
}

/// The plan of a sweep of at most `most` runs.
pub fn plan(
    target: Target,
    asked: &Asked,
    over: &[String],
    of_seeds: Option<&str>,
    metrics: &[String],
    most: usize,
) -> Result<Plan, Failure> {
    // A scenario that cannot be read is refused before the changes are.
    target.document()?;
    let changes = asked.changes()?;
    let (common, _) = target.sets(asked.variant(&target)?.as_deref(), changes.set)?;
    let axes = over.iter().map(|over| written(over, most)).collect::<Result<Vec<_>, Failure>>()?;
    let of_seeds = of_seeds.map(|text| seeds(text, most)).transpose()?;
    let grid = Grid::new(axes, of_seeds, &common, most)?;
    let live = target.live(Whose::Both, &changes.live);
    Plan::new(target, common, grid, live, changes.limits, metrics)
}

/// A row for each run: what was swept, which run it is, its figures.
pub fn table(plan: &Plan, rows: &[RunRow]) -> Result<RecordBatch, ArrowError> {
    let of_point = plan.grid.runs_of_point();
    let points: Vec<Vec<&Value>> =
        rows.iter().map(|row| plan.grid.point(row.run / of_point)).collect();
    let axes = plan.grid.axes.iter().enumerate().filter(|(_, axis)| axis.path != "seed");
    let mut columns: Vec<Column> = axes
        .map(|(at, axis)| {
            let values = points.iter().map(|point| point[at]).collect::<Vec<_>>();
            (axis.path.clone(), typed(&axis.path, &values), false)
        })
        .collect();
    let fixed: [(&str, ArrayRef); 5] = [
        ("seed", Arc::new(UInt64Array::from_iter_values(rows.iter().map(|row| row.seed)))),
        ("digest", Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.digest)))),
        ("complete", Arc::new(rows.iter().map(|row| Some(row.complete)).collect::<BooleanArray>())),
        ("records", Arc::new(UInt64Array::from_iter_values(rows.iter().map(|row| row.records)))),
        ("kernel", Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.kernel)))),
    ];
    columns.extend(fixed.map(|(name, array)| (name.to_owned(), array, false)));
    for (at, metric) in plan.metrics.iter().enumerate() {
        let figures = rows.iter().map(|row| row.figures[at]).collect::<Int64Array>();
        columns.push((metric.clone(), Arc::new(figures), true));
    }
    batch(columns)
}

/// A knob's values: whole numbers, times, truths, or texts where the knob takes words too.
fn typed(path: &str, values: &[&Value]) -> ArrayRef {
    let texts: Vec<String> = values.iter().map(|value| shown(value)).collect();
    let known = knob(path);
    let integers = || texts.iter().map(|text| text.parse::<i64>().ok()).collect::<Option<Vec<_>>>();
    let times = || {
        let ns = texts.iter().map(|text| parse_time(text).and_then(|ns| i64::try_from(ns).ok()));
        ns.collect::<Option<Vec<_>>>()
    };
    let truths = || texts.iter().map(|text| text.parse::<bool>().ok()).collect::<Option<Vec<_>>>();
    let array: Option<ArrayRef> = match known.map(|knob| knob.kind) {
        _ if known.is_some_and(Knob::is_whole) => {
            integers().map(|all| Arc::new(Int64Array::from(all)) as _)
        }
        Some(KnobType::Time) => {
            times().map(|all| Arc::new(DurationNanosecondArray::from(all)) as _)
        }
        Some(KnobType::Boolean) => truths().map(|all| Arc::new(BooleanArray::from(all)) as _),
        Some(KnobType::Integer | KnobType::Enum | KnobType::Text) | None => None,
    };
    array.unwrap_or_else(|| Arc::new(StringArray::from_iter_values(texts)))
}
