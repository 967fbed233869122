//! Tab-separated text: the rows of a trace.

use std::io::{Result, Write};

use schedscope_engine::trace::catalogue::{NONE, kind_name};
use schedscope_engine::trace::columns::Columns;

use crate::format::{Content, Format};
use crate::run::{Run, RunWriter};

pub(super) const FORMAT: Format = Format {
    name: "tsv",
    title: "tab-separated text",
    extension: "tsv",
    media_type: "text/tab-separated-values",
    contents: &[Content::rows(|run| Box::new(Lines(run)))],
    carries: "Every row of the trace: time in ns, CPU, event's name, and two numbers whose \
        meaning depends on the event (the catalogue of the trace); a header names the columns.",
    loses: "The names of tasks, locks and groups: rows hold their numbers. Wake-ups and their \
        causes are not in it.",
};

/// The rows of a trace.
struct Lines(Run);

impl RunWriter for Lines {
    fn begin(&mut self, out: &mut dyn Write) -> Result<()> {
        writeln!(out, "time_ns\tcpu\tevent\ta\tb")
    }

    fn rows(&mut self, rows: &Columns, out: &mut dyn Write) -> Result<()> {
        (0..rows.time.len())
            .filter(|row| self.0.shows(rows.time[*row]))
            .try_for_each(|row| line(rows, row, out))
    }
}

fn line(rows: &Columns, row: usize, out: &mut dyn Write) -> Result<()> {
    let or_dash = |value: u32| if value == NONE { "-".to_owned() } else { value.to_string() };
    let cpu = rows.cpu[row];
    let cpu = if cpu == u16::MAX { "-".to_owned() } else { cpu.to_string() };
    writeln!(
        out,
        "{}\t{cpu}\t{}\t{}\t{}",
        rows.time[row],
        kind_name(rows.kind[row]),
        or_dash(rows.a[row]),
        or_dash(rows.b[row])
    )
}
