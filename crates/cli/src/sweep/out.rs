//! The file of a sweep: a row for every run, written in order as soon as it is known, so that an
//! interrupt keeps the rows before it.

use std::io::Write;
use std::path::Path;

use schedscope_scenario::ENGINE_BEHAVIOUR;
use serde_json::{Map, Value, json};

use super::Plan;
use super::grid::shown;
use super::jobs::RunRow;
use crate::failure::Failure;
use crate::new_file::NewFile;

/// A file being written.
pub struct OutFile {
    name: String,
    form: Form,
}

enum Form {
    Csv(Box<csv::Writer<NewFile>>),
    JsonLines(NewFile),
}

impl OutFile {
    /// Starts the file; its ending says its form.
    pub fn create(path: &Path, plan: &Plan) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if !["csv", "jsonl"].contains(&ending) {
            return Err(Failure::usage(format!("--out {name}: a sweep writes .csv or .jsonl")));
        }
        let file = NewFile::create(path, "--out")?;
        if ending == "jsonl" {
            return Ok(Self { name, form: Form::JsonLines(file) });
        }
        let mut this = Self { name, form: Form::Csv(Box::new(csv::Writer::from_writer(file))) };
        let knobs = swept(plan).map(|(_, path)| path.to_owned());
        let fixed = ["seed", "digest", "complete", "records", "kernel", "engine_behaviour"]
            .map(str::to_owned);
        this.record(knobs.chain(fixed).chain(plan.metrics.iter().cloned()).collect())?;
        Ok(this)
    }

    pub fn row(&mut self, plan: &Plan, row: &RunRow) -> Result<(), Failure> {
        if let Form::JsonLines(file) = &mut self.form {
            let written = writeln!(file, "{}", object(plan, row));
            return written
                .map_err(|error| Failure::usage(format!("cannot write {}: {error}", self.name)));
        }
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
        self.record(values.chain(fixed).chain(figures).collect())
    }

    /// Puts the file in its place after a sweep that ended well or was stopped; after any other it
    /// stays beside it.
    pub fn finish(self, end: &Result<(), Failure>) -> Result<(), Failure> {
        let file = match self.form {
            Form::JsonLines(file) => file,
            Form::Csv(writer) => writer.into_inner().map_err(|error| {
                Failure::usage(format!("cannot write {}: {}", self.name, error.error()))
            })?,
        };
        match end {
            Ok(()) | Err(Failure::Limit(_) | Failure::Limited) => file.keep(),
            Err(_) => {
                file.leave();
                Ok(())
            }
        }
    }

    fn record(&mut self, fields: Vec<String>) -> Result<(), Failure> {
        let Form::Csv(writer) = &mut self.form else { return Ok(()) };
        let written =
            writer.write_record(fields).map_err(std::io::Error::from).and_then(|()| writer.flush());
        written.map_err(|error| Failure::usage(format!("cannot write {}: {error}", self.name)))
    }
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
