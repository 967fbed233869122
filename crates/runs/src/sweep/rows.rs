//! A row of a sweep's file: the cells of a run, and the run of the cells.

use std::io::{Result, Write};

use schedscope_formats::{Cell, CellKind, SweepColumn, SweepRow, SweepWriter};
use schedscope_scenario::ENGINE_BEHAVIOUR;
use schedscope_scenario::knobs::{Knob, knob};
use serde_json::{Map, Value, json};

use super::Plan;
use super::grid::shown;
use super::jobs::RunRow;

/// Writes one run.
///
/// # Errors
/// What the writer says.
pub fn write(
    plan: &Plan,
    row: &RunRow,
    columns: &[SweepColumn],
    writer: &mut dyn SweepWriter,
    out: &mut dyn Write,
) -> Result<()> {
    let (cells, object) = (cells(plan, row, columns), object(plan, row));
    writer.row(&SweepRow { cells: &cells, object: &object }, out)
}

/// The run of that number from its cells; none if they are not those of a run of the plan.
pub fn read(plan: &Plan, run: usize, cells: &[Cell]) -> Option<RunRow> {
    let point = plan.grid.point(run / plan.grid.runs_of_point());
    let (knobs, rest) = cells.split_at_checked(swept(plan).count())?;
    let as_planned =
        swept(plan).zip(knobs).all(|((at, _), cell)| cell.to_string() == shown(point[at]));
    let [
        Cell::Count(seed),
        Cell::Text(digest),
        Cell::Flag(complete),
        Cell::Count(records),
        Cell::Text(kernel),
        Cell::Text(_),
        figures @ ..,
    ] = rest
    else {
        return None;
    };
    let figure = |cell: &Cell| if let Cell::Figure(figure) = cell { Some(*figure) } else { None };
    let figures = figures.iter().map(figure).collect::<Option<Vec<_>>>()?;
    let (digest, kernel) = (digest.clone(), kernel.clone());
    let row = RunRow {
        run,
        seed: *seed,
        digest,
        records: *records,
        complete: *complete,
        kernel,
        figures,
    };
    (as_planned && row.figures.len() == plan.metrics.len()).then_some(row)
}

/// The columns of a sweep's file: what is swept, which run it is, its figures.
pub fn columns(plan: &Plan) -> Vec<SweepColumn> {
    let column = |name: &str, kind| SweepColumn { name: name.to_owned(), kind };
    let knobs =
        swept(plan).map(|(at, path)| column(path, kind_of(path, &plan.grid.axes[at].values)));
    let fixed = [
        ("seed", CellKind::Count),
        ("digest", CellKind::Text),
        ("complete", CellKind::Flag),
        ("records", CellKind::Count),
        ("kernel", CellKind::Text),
        ("engine_behaviour", CellKind::Text),
    ];
    let fixed = fixed.map(|(name, kind)| column(name, kind));
    let figures = plan.metrics.iter().map(|path| column(path, CellKind::Figure));
    knobs.chain(fixed).chain(figures).collect()
}

/// A knob of whole numbers is a column of numbers if every value is one; else values are text as
/// they were written.
fn kind_of(path: &str, values: &[Value]) -> CellKind {
    let whole = knob(path).is_some_and(Knob::is_whole);
    let all_numbers = || values.iter().all(|value| is_canonical(&shown(value)));
    if whole && all_numbers() { CellKind::Figure } else { CellKind::Text }
}

/// Whether a number is written as a number would be printed: `4`, not `04`.
fn is_canonical(text: &str) -> bool {
    text.parse::<i64>().is_ok_and(|number| number.to_string() == text)
}

/// A cell for each column.
fn cells(plan: &Plan, row: &RunRow, columns: &[SweepColumn]) -> Vec<Cell> {
    let point = plan.grid.point(row.run / plan.grid.runs_of_point());
    let values = swept(plan).zip(columns).map(|((at, _), column)| match column.kind {
        CellKind::Figure => Cell::Figure(shown(point[at]).parse().ok()),
        _ => Cell::Text(shown(point[at])),
    });
    let fixed = [
        Cell::Count(row.seed),
        Cell::Text(row.digest.clone()),
        Cell::Flag(row.complete),
        Cell::Count(row.records),
        Cell::Text(row.kernel.clone()),
        Cell::Text(ENGINE_BEHAVIOUR.to_owned()),
    ];
    let figures = row.figures.iter().map(|figure| Cell::Figure(*figure));
    values.chain(fixed).chain(figures).collect()
}

/// Swept knobs with their place; the seed has a column of its own in any case.
fn swept(plan: &Plan) -> impl Iterator<Item = (usize, &str)> {
    plan.grid
        .axes
        .iter()
        .enumerate()
        .map(|(at, axis)| (at, axis.path.as_str()))
        .filter(|(_, path)| *path != "seed")
}

/// A run as JSON: its settings and its figures.
pub fn object(plan: &Plan, row: &RunRow) -> Value {
    let point = plan.grid.point(row.run / plan.grid.runs_of_point());
    let set: Map<String, Value> =
        swept(plan).map(|(at, path)| (path.to_owned(), point[at].clone())).collect();
    let metrics: Map<String, Value> =
        plan.metrics.iter().cloned().zip(row.figures.iter().map(|figure| json!(figure))).collect();
    json!({ "set": set, "seed": row.seed, "digest": row.digest, "complete": row.complete,
        "records": row.records, "kernel": row.kernel, "engine_behaviour": ENGINE_BEHAVIOUR,
        "metrics": metrics })
}
