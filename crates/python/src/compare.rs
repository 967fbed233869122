//! Two runs with the same draws.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use schedscope_engine::trace::catalogue::kind_name;
use schedscope_runs::compare::{Delta, Row, deltas, execute_both};
use serde_json::{Value, json};

use crate::errors::raised;
use crate::outcome::{Outcome, Pieces};
use crate::prepared::Prepared;
use crate::stream::{Stream, batch, wrong};
use crate::watch::watched;

/// Both runs, the figures of either, and as JSON the first rows in which their traces differ.
type Compared = (Outcome, Outcome, Stream, String);

/// Runs two sides in step.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    a: &Prepared,
    b: &Prepared,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Compared> {
    let duration = |side: &Prepared| side.side.prepared.meta.duration_ns;
    let total = duration(a).max(duration(b));
    let both = watched(py, progress, total, |watcher| {
        execute_both([&a.side, &b.side], a.limits, &mut |now| watcher.at(now.min(total)))
    })?;
    let (ended, divergence) = both.map_err(|failure| raised(py, failure, ""))?;
    let table = Stream::of(vec![table(&deltas(&ended)).map_err(wrong)?])?;
    let first = divergence.map(|(a, b)| json!({ "a": told(a), "b": told(b) }));
    let [of_a, of_b] = ended;
    let outcome =
        |side: &Prepared, ended| Outcome::new(py, &side.side.prepared, &ended, Pieces::default());
    Ok((outcome(a, of_a)?, outcome(b, of_b)?, table, json!(first).to_string()))
}

fn table(deltas: &[Delta]) -> Result<RecordBatch, ArrowError> {
    let column = |figure: fn(&Delta) -> Option<i64>| -> ArrayRef {
        Arc::new(deltas.iter().map(figure).collect::<Int64Array>())
    };
    let paths = StringArray::from_iter_values(deltas.iter().map(|(path, ..)| path));
    batch(vec![
        ("figure".to_owned(), Arc::new(paths), false),
        ("a".to_owned(), column(|(_, a, _)| *a), true),
        ("b".to_owned(), column(|(_, _, b)| *b), true),
        ("delta".to_owned(), column(|(_, a, b)| a.zip(*b).map(|(a, b)| b - a)), true),
    ])
}

fn told(row: Option<Row>) -> Option<Value> {
    row.map(|(time, kind, cpu, a, b)| {
        json!({ "time_ns": time, "cpu": cpu, "event": kind_name(kind), "a": a, "b": b })
    })
}
