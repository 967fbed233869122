//! The file of a sweep, in a format of the registry: a row for every run, written in order as soon
//! as it is known, so that an interrupt keeps the rows before it.

use std::path::Path;

use schedscope_formats::{
    Cell, CellKind, Maker, SweepColumn, SweepRow, SweepWriter, What, writing,
};
use schedscope_runs::Failure;
use schedscope_runs::sweep::Plan;
use schedscope_runs::sweep::grid::shown;
use schedscope_runs::sweep::jobs::RunRow;
use schedscope_scenario::ENGINE_BEHAVIOUR;
use schedscope_scenario::knobs::{KnobType, knob};
use serde_json::{Map, Value, json};

use crate::new_file::NewFile;

/// A file being written.
pub struct OutFile {
    name: String,
    file: NewFile,
    writer: Box<dyn SweepWriter>,
    columns: Vec<SweepColumn>,
}

impl OutFile {
    /// Starts the file; its ending says its format.
    pub fn create(path: &Path, plan: &Plan) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let writer = writer_of(path, &name)?;
        let columns = columns(plan);
        let mut this = Self { file: NewFile::create(path, "--out")?, name, writer, columns };
        let begun = this.writer.begin(&this.columns, &mut this.file);
        this.check(begun)?;
        Ok(this)
    }

    pub fn row(&mut self, plan: &Plan, row: &RunRow) -> Result<(), Failure> {
        let (cells, object) = (cells(plan, row, &self.columns), object(plan, row));
        let row = SweepRow { cells: &cells, object: &object };
        let written = self.writer.row(&row, &mut self.file);
        self.check(written)
    }

    /// Puts the file in its place after a sweep that ended well or was stopped; after any other it
    /// stays beside it.
    pub fn finish(mut self, end: &Result<(), Failure>) -> Result<(), Failure> {
        let ended = self.writer.end(&mut self.file);
        self.check(ended)?;
        match end {
            Ok(()) | Err(Failure::Limit(_) | Failure::Limited) => self.file.keep(),
            Err(_) => {
                self.file.leave();
                Ok(())
            }
        }
    }

    fn check(&self, result: std::io::Result<()>) -> Result<(), Failure> {
        result.map_err(|error| Failure::usage(format!("cannot write {}: {error}", self.name)))
    }
}

fn writer_of(path: &Path, name: &str) -> Result<Box<dyn SweepWriter>, Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let format = writing(What::Sweep).find(|format| format.extension == ending);
    match format.and_then(|format| format.maker(What::Sweep)) {
        Some(Maker::Sweep(begin)) => Ok(begin()),
        _ => {
            let endings: Vec<String> =
                writing(What::Sweep).map(|format| format!(".{}", format.extension)).collect();
            Err(Failure::usage(format!("--out {name}: a sweep writes {}", endings.join(" or "))))
        }
    }
}

/// What is swept, which run it is, its figures.
fn columns(plan: &Plan) -> Vec<SweepColumn> {
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
    let whole = knob(path).is_some_and(|knob| knob.kind == KnobType::Integer);
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
        Cell::Text(kernel(plan, row)),
        Cell::Text(ENGINE_BEHAVIOUR.to_owned()),
    ];
    let figures = row.figures.iter().map(|figure| Cell::Figure(*figure));
    values.chain(fixed).chain(figures).collect()
}

fn kernel(plan: &Plan, row: &RunRow) -> String {
    plan.kernels
        .get(row.run / plan.grid.runs_of_point())
        .map(|kernel| kernel.whole.clone())
        .unwrap_or_default()
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
        "records": row.records, "kernel": kernel(plan, row), "engine_behaviour": ENGINE_BEHAVIOUR,
        "metrics": metrics })
}
