//! The file of a sweep, in a format of the registry: a row for every run, written in order as soon
//! as it is known, so that an interrupt keeps the rows before it.

use std::path::Path;

use schedscope_formats::{Maker, SweepColumn, SweepWriter, What, writing};
use schedscope_runs::Failure;
use schedscope_runs::sweep::Plan;
use schedscope_runs::sweep::jobs::RunRow;
use schedscope_runs::sweep::rows;

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
        let columns = rows::columns(plan);
        let mut this = Self { file: NewFile::create(path, "--out")?, name, writer, columns };
        let begun = this.writer.begin(&this.columns, &mut this.file);
        this.check(begun)?;
        Ok(this)
    }

    pub fn row(&mut self, plan: &Plan, row: &RunRow) -> Result<(), Failure> {
        let Self { columns, writer, file, .. } = self;
        let written = rows::write(plan, row, columns, &mut **writer, file);
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
