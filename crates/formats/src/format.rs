//! A row of the registry: the facts of one format, and who writes it.

use std::fmt::Display;
use std::io::{Result, Write};

use crate::run::{Run, RunWriter};

/// One format of files.
#[derive(Debug)]
pub struct Format {
    /// The name that a person types, and the key of the row: `ftrace`.
    pub name: &'static str,
    /// The name that a person reads: `ftrace text`.
    pub title: &'static str,
    /// The ending of a file's name, without its dot.
    pub extension: &'static str,
    /// The media type.
    pub media_type: &'static str,
    /// What it can hold, and who writes that.
    pub contents: &'static [Content],
    /// What a reader finds in the file: sentences.
    pub carries: &'static str,
    /// What the run, table or picture has and the file has not: sentences.
    pub loses: &'static str,
}

/// One kind of content of a format.
#[derive(Debug)]
pub struct Content {
    /// What is written.
    pub what: What,
    /// How.
    pub maker: Maker,
    /// Whether the file of a run as side A and that of a run as side B, laid end to end, are one
    /// file of both.
    pub joins: bool,
    /// The programs that open the file, for people to choose by; those that no test tries are named
    /// as such: `trace-cmd report; not tried in KernelShark`.
    pub opens_in: Option<&'static str>,
}

/// What a file is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The figures of one run, `schedscope.run/1`.
    Report,
    /// The rows of one run's trace, column by column as the engine writes them.
    Rows,
    /// One run as a trace that other tools read. It is made of every row except `sim_cpu_state`,
    /// which the page does not keep as rows.
    Trace,
    /// What a tool or a file of the kernel prints of a whole run.
    Printout,
    /// The tasks of one run as a workload that another tool plays. It is made of the setup alone:
    /// the writer needs neither rows nor figures.
    Workload,
    /// A row for each run of a sweep.
    Sweep,
    /// A table of the page.
    Table,
    /// What the page has in view at one instant.
    Picture,
    /// What the page has in view while the playhead crosses it.
    Film,
}

/// Who can write a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// `schedscope`.
    Command,
    /// The page.
    Page,
}

/// How a content becomes bytes.
#[derive(Clone, Copy)]
pub enum Maker {
    /// From a value that prints itself as JSON.
    Report(fn(&dyn Display, &mut dyn Write) -> Result<()>),
    /// From the rows of a run.
    Run(fn(Run) -> Box<dyn RunWriter>),
    /// From the rows of a sweep.
    Sweep(fn() -> Box<dyn SweepWriter>),
    /// From a canvas or a table: the code is the page's, in TypeScript.
    Page,
    /// By code that only the command has: this build leaves it out.
    #[cfg(not(feature = "parquet"))]
    Absent,
}

/// Writes the runs of a sweep, one after the other.
pub trait SweepWriter {
    /// Writes what comes before the first row.
    fn begin(&mut self, _columns: &[SweepColumn], _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }

    /// Takes one row.
    fn row(&mut self, row: &SweepRow<'_>, out: &mut dyn Write) -> Result<()>;

    /// Writes what is left after the last row.
    fn end(&mut self, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }
}

/// A column of a sweep: its name and what its cells are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepColumn {
    /// A knob's path, `seed`, a figure's path.
    pub name: String,
    /// The variant of its cells.
    pub kind: CellKind,
}

/// The variants of [`Cell`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// [`Cell::Text`].
    Text,
    /// [`Cell::Count`].
    Count,
    /// [`Cell::Flag`].
    Flag,
    /// [`Cell::Figure`].
    Figure,
}

/// One field of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A name, or a knob's value as it was written.
    Text(String),
    /// A whole number from 0.
    Count(u64),
    /// Yes or no.
    Flag(bool),
    /// A figure; none where the run has no such thing.
    Figure(Option<i64>),
}

/// One run of a sweep, in two shapes; a writer takes the one that it needs.
#[expect(missing_debug_implementations, reason = "any value that prints itself as JSON")]
pub struct SweepRow<'r> {
    /// A cell for each column, of its kind.
    pub cells: &'r [Cell],
    /// A JSON object.
    pub object: &'r dyn Display,
}

/// The text of a cell; empty for a figure that the run does not have.
impl Display for Cell {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => formatter.write_str(text),
            Self::Count(count) => count.fmt(formatter),
            Self::Flag(flag) => flag.fmt(formatter),
            Self::Figure(figure) => figure.map_or(Ok(()), |figure| figure.fmt(formatter)),
        }
    }
}

impl What {
    /// In words, for lists and tables.
    pub fn words(self) -> &'static str {
        match self {
            Self::Report => "figures of a run",
            Self::Rows => "rows of a run's trace",
            Self::Trace => "a run as a trace of other tools",
            Self::Printout => "what a tool prints of a run",
            Self::Workload => "tasks of a run as another tool's workload",
            Self::Sweep => "runs of a sweep",
            Self::Table => "a table of the page",
            Self::Picture => "a picture",
            Self::Film => "a film",
        }
    }

    /// The name in the page's code.
    pub fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Rows => "rows",
            Self::Trace => "trace",
            Self::Printout => "printout",
            Self::Workload => "workload",
            Self::Sweep => "sweep",
            Self::Table => "table",
            Self::Picture => "picture",
            Self::Film => "film",
        }
    }

    /// Whether a span of a run is enough: a printout counts over all of it, a workload has no time.
    pub fn takes_window(self) -> bool {
        match self {
            Self::Rows | Self::Trace => true,
            Self::Report
            | Self::Printout
            | Self::Workload
            | Self::Sweep
            | Self::Table
            | Self::Picture
            | Self::Film => false,
        }
    }

    /// Whether one run is all that it takes.
    pub fn is_of_one_run(self) -> bool {
        match self {
            Self::Report | Self::Rows | Self::Trace | Self::Printout | Self::Workload => true,
            Self::Sweep | Self::Table | Self::Picture | Self::Film => false,
        }
    }
}

impl By {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Page => "page",
        }
    }
}

impl Content {
    const fn of(what: What, maker: Maker) -> Self {
        Self { what, maker, joins: false, opens_in: None }
    }

    /// This content of a format whose files of two sides [join](Self::joins).
    pub(crate) const fn joining(self) -> Self {
        Self { joins: true, ..self }
    }

    /// This content of a format that [these programs](Self::opens_in) open.
    pub(crate) const fn opens_in(self, programs: &'static str) -> Self {
        Self { opens_in: Some(programs), ..self }
    }

    pub(crate) const fn report(write: fn(&dyn Display, &mut dyn Write) -> Result<()>) -> Self {
        Self::of(What::Report, Maker::Report(write))
    }

    pub(crate) const fn rows(begin: fn(Run) -> Box<dyn RunWriter>) -> Self {
        Self::of(What::Rows, Maker::Run(begin))
    }

    pub(crate) const fn trace(begin: fn(Run) -> Box<dyn RunWriter>) -> Self {
        Self::of(What::Trace, Maker::Run(begin))
    }

    pub(crate) const fn printout(begin: fn(Run) -> Box<dyn RunWriter>) -> Self {
        Self::of(What::Printout, Maker::Run(begin))
    }

    pub(crate) const fn workload(begin: fn(Run) -> Box<dyn RunWriter>) -> Self {
        Self::of(What::Workload, Maker::Run(begin))
    }

    pub(crate) const fn sweep(begin: fn() -> Box<dyn SweepWriter>) -> Self {
        Self::of(What::Sweep, Maker::Sweep(begin))
    }

    /// A content whose code this build leaves out.
    #[cfg(not(feature = "parquet"))]
    pub(crate) const fn absent(what: What) -> Self {
        Self::of(what, Maker::Absent)
    }

    pub(crate) const fn of_page(what: What) -> Self {
        Self::of(what, Maker::Page)
    }

    /// Who can write it. Traces, printouts and workloads are written by one code for both: the page
    /// fetches it as wasm. The page does not keep every row as the engine wrote it.
    pub fn by(&self) -> &'static [By] {
        match self.what {
            What::Report | What::Rows | What::Sweep => &[By::Command],
            What::Trace | What::Printout | What::Workload => &[By::Command, By::Page],
            What::Table | What::Picture | What::Film => &[By::Page],
        }
    }
}

impl Format {
    /// How it makes a file of `what`; none if it cannot hold that.
    pub fn maker(&self, what: What) -> Option<Maker> {
        self.contents.iter().find(|content| content.what == what).map(|content| content.maker)
    }

    /// How the page writes one run; none if it does not.
    pub fn page_writer(&self) -> Option<fn(Run) -> Box<dyn RunWriter>> {
        let content = self.of_one_run().filter(|content| content.by().contains(&By::Page))?;
        match content.maker {
            Maker::Run(begin) => Some(begin),
            _ => None,
        }
    }

    /// What of one run the command writes in this format; none if nothing.
    pub fn of_one_run(&self) -> Option<&'static Content> {
        self.contents.iter().find(|content| content.what.is_of_one_run())
    }
}

impl std::fmt::Debug for Maker {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Report(_) => "Report",
            Self::Run(_) => "Run",
            Self::Sweep(_) => "Sweep",
            Self::Page => "Page",
            #[cfg(not(feature = "parquet"))]
            Self::Absent => "Absent",
        })
    }
}
