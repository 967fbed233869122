//! One run as a file, in a format of the registry that is made of rows; without a name it goes to
//! stdout once it is whole, so that a run that fails prints nothing.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Seek, Write};
use std::path::Path;

use schedscope_engine::run::Report;
use schedscope_engine::trace::columns::Columns;
use schedscope_formats::{
    self as formats, End, FORMATS, Format, Run, RunWriter, Title, What, named, writing,
};
use schedscope_runs::figures::flat;
use schedscope_runs::{Failure, Side};
use schedscope_scenario::units::parse_time;

use crate::new_file::NewFile;
use crate::remarks;
use crate::results;

/// A file being written.
pub struct RunFile {
    name: String,
    out: BufWriter<Destination>,
    writer: Box<dyn RunWriter>,
}

enum Destination {
    Named(NewFile),
    Stdout(File),
}

/// The format of `run --trace-out`: that of rows whose ending the file has. A text, and a file with
/// an ending that no format has or none, such as a pipe, gets tab-separated text, as the flag's
/// help
/// says.
///
/// # Errors
/// The ending is that of a format which holds no rows.
pub fn format_of_rows(path: &Path) -> Result<&'static Format, Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let of_rows = || writing(What::Rows);
    if let Some(format) = of_rows().find(|format| format.extension == ending) {
        return Ok(format);
    }
    match FORMATS.iter().find(|format| format.extension == ending && ending != TEXT) {
        None => Ok(named("tsv").expect("the registry has tab-separated text")),
        Some(_) => {
            let endings: Vec<String> =
                of_rows().map(|format| format!(".{}", format.extension)).collect();
            Err(Failure::usage(format!(
                "--trace-out {}: rows are not written as .{ending}\n  expected: a name that ends \
                in {}; `schedscope \
                    export` writes other formats",
                path.display(),
                endings.join(", ")
            )))
        }
    }
}

/// The ending of any text.
const TEXT: &str = "txt";

/// A run as a writer takes it, as one of two in the file; the window is the span of machine time to
/// write, ns.
pub fn described(side: &Side, of_two: formats::Side, window: (u64, u64)) -> Run {
    let Side { prepared, .. } = side;
    let title = Title {
        scenario: prepared.meta.slug.clone(),
        kernel: prepared.meta.kernel.clone(),
        replay: prepared.meta.replay.clone(),
    };
    let writes = prepared.live.iter().map(|write| (write.path.clone(), write.value.clone()));
    Run { setup: prepared.setup.clone(), title, side: of_two, window, writes: writes.collect() }
}

/// A span of machine time, ns, such as `10ms..12ms`.
pub fn parse_window(text: &str) -> Result<(u64, u64), String> {
    let ends = text.split_once("..").and_then(|(from, to)| {
        Some((parse_time(from)?, parse_time(to)?)).filter(|(from, to)| from < to)
    });
    ends.ok_or_else(|| "expected FROM..TO with times such as 10ms..12ms".to_owned())
}

impl RunFile {
    /// Starts the file at `path`, which `flag` names.
    pub fn create(path: &Path, flag: &str, writer: Box<dyn RunWriter>) -> Result<Self, Failure> {
        let file = Destination::Named(NewFile::create(path, flag)?);
        Self::begin(path.display().to_string(), file, writer)
    }

    /// Starts a file that is printed at its end.
    pub fn to_stdout(writer: Box<dyn RunWriter>) -> Result<Self, Failure> {
        let file = tempfile::tempfile()
            .map_err(|error| Failure::usage(format!("cannot write a temporary file: {error}")))?;
        Self::begin("the result".to_owned(), Destination::Stdout(file), writer)
    }

    fn begin(name: String, file: Destination, writer: Box<dyn RunWriter>) -> Result<Self, Failure> {
        let mut this = Self { name, out: BufWriter::new(file), writer };
        let begun = this.writer.begin(&mut this.out);
        this.check(begun)?;
        Ok(this)
    }

    /// Takes the next rows.
    pub fn write(&mut self, rows: &Columns) -> Result<(), Failure> {
        let written = self.writer.rows(rows, &mut self.out);
        self.check(written)
    }

    /// Ends the run and says what its file has not, after the name of its side if it has one. A
    /// workload needs no report.
    pub fn end(&mut self, report: Option<&Report>, side: &str) -> Result<(), Failure> {
        let end =
            report.map(|report| End { ns: report.simulated_ns, figures: flat(&report.metrics) });
        let ended = self.writer.end(&end.unwrap_or_default(), &mut self.out);
        self.check(ended)?;
        for lost in self.writer.lost() {
            remarks::say(&format!("note: {side}{lost}"));
        }
        Ok(())
    }

    /// Begins another run in the same file.
    pub fn next(&mut self, writer: Box<dyn RunWriter>) -> Result<(), Failure> {
        self.writer = writer;
        let begun = self.writer.begin(&mut self.out);
        self.check(begun)
    }

    /// Ends the run and puts the file in its place.
    pub fn finish(mut self, report: &Report) -> Result<(), Failure> {
        self.end(Some(report), "")?;
        self.keep()
    }

    /// Puts the file in its place.
    pub fn keep(mut self) -> Result<(), Failure> {
        let flushed = self.out.flush();
        self.check(flushed)?;
        let Self { name, out, .. } = self;
        let file = out
            .into_inner()
            .map_err(|error| Failure::usage(format!("cannot write {name}: {}", error.error())))?;
        match file {
            Destination::Named(file) => file.keep(),
            Destination::Stdout(mut file) => {
                file.rewind().map_err(|error| {
                    Failure::usage(format!("cannot read a temporary file: {error}"))
                })?;
                results::copy(&mut file)
            }
        }
    }

    fn check(&self, result: std::io::Result<()>) -> Result<(), Failure> {
        result.map_err(|error| match error.kind() {
            ErrorKind::Unsupported => Failure::usage(error.to_string()),
            _ => Failure::usage(format!("cannot write {}: {error}", self.name)),
        })
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Self::Named(file) => file.write(bytes),
            Self::Stdout(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Self::Named(file) => file.flush(),
            Self::Stdout(file) => file.flush(),
        }
    }
}
