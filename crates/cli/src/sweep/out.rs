//! The file of a sweep, in a format of the registry: a row for every run, written in order as soon
//! as it is known, so that an interrupt keeps the rows before it.

use std::path::Path;

use schedscope_formats::{Maker, SweepRow, SweepWriter, What, writing};
use schedscope_runs::Failure;
use schedscope_runs::sweep::Plan;
use schedscope_runs::sweep::grid::shown;
use schedscope_runs::sweep::jobs::RunRow;
use schedscope_scenario::ENGINE_BEHAVIOUR;
use serde_json::{Map, Value, json};

use crate::new_file::NewFile;

/// A file being written.
pub struct OutFile {
    name: String,
    file: NewFile,
    writer: SweepWriter,
}

impl OutFile {
    /// Starts the file; its ending says its format.
    pub fn create(path: &Path, plan: &Plan) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let writer = writer_of(path, &name)?;
        let mut this = Self { file: NewFile::create(path, "--out")?, name, writer };
        let begun = (writer.begin)(&columns(plan), &mut this.file);
        this.check(begun)?;
        Ok(this)
    }

    pub fn row(&mut self, plan: &Plan, row: &RunRow) -> Result<(), Failure> {
        let (fields, object) = (fields(plan, row), object(plan, row));
        let row = SweepRow { fields: &fields, object: &object };
        let written = (self.writer.row)(&row, &mut self.file);
        self.check(written)
    }

    /// Puts the file in its place after a sweep that ended well or was stopped; after any other it
    /// stays beside it.
    pub fn finish(self, end: &Result<(), Failure>) -> Result<(), Failure> {
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

fn writer_of(path: &Path, name: &str) -> Result<SweepWriter, Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let format = writing(What::Sweep).find(|format| format.extension == ending);
    match format.and_then(|format| format.maker(What::Sweep)) {
        Some(Maker::Sweep(writer)) => Ok(writer),
        Some(Maker::Report(_) | Maker::Run(_) | Maker::Page) | None => {
            let endings: Vec<String> =
                writing(What::Sweep).map(|format| format!(".{}", format.extension)).collect();
            Err(Failure::usage(format!("--out {name}: a sweep writes {}", endings.join(" or "))))
        }
    }
}

/// The names of the fields: what is swept, which run it is, its figures.
fn columns(plan: &Plan) -> Vec<String> {
    let knobs = swept(plan).map(|(_, path)| path.to_owned());
    let fixed = ["seed", "digest", "complete", "records", "kernel", "engine_behaviour"];
    knobs.chain(fixed.map(str::to_owned)).chain(plan.metrics.iter().cloned()).collect()
}

/// A field for each column.
fn fields(plan: &Plan, row: &RunRow) -> Vec<String> {
    let point = plan.grid.point(row.run / plan.grid.runs_of_point());
    let values = swept(plan).map(|(at, _)| shown(point[at]));
    let fixed = [
        row.seed.to_string(),
        row.digest.clone(),
        row.complete.to_string(),
        row.records.to_string(),
        kernel(plan, row),
        ENGINE_BEHAVIOUR.to_owned(),
    ];
    let figures = row
        .figures
        .iter()
        .map(|figure| figure.map_or_else(String::new, |figure| figure.to_string()));
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
