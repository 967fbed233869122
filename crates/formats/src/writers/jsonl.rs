//! JSON lines: the rows of a trace, or the runs of a sweep, one object a line.

use std::io::{Result, Write};

use schedscope_engine::trace::catalogue::{NONE, kind_name};
use schedscope_engine::trace::columns::Columns;

use crate::format::{Content, Format, SweepRow, SweepWriter};
use crate::run::{Run, RunWriter};

pub(super) const FORMAT: Format = Format {
    name: "jsonl",
    title: "JSON lines",
    extension: "jsonl",
    media_type: "application/jsonl",
    contents: &[
        Content::rows(|run| Box::new(JsonLines(run))),
        Content::sweep(|| Box::new(Objects)),
    ],
    carries: "Of a run: every row of the trace with its time in ns, CPU, event's name and two \
        numbers whose meaning depends on the event (the catalogue of the trace). Of a sweep: for \
        each run what was set, its seed, digest and figures.",
    loses: "The names of tasks, locks and groups: rows hold their numbers. Wake-ups and their \
        causes are not in it.",
};

/// The rows of a trace.
struct JsonLines(Run);

impl RunWriter for JsonLines {
    fn rows(&mut self, rows: &Columns, out: &mut dyn Write) -> Result<()> {
        (0..rows.time.len())
            .filter(|row| self.0.shows(rows.time[*row]))
            .try_for_each(|row| line(rows, row, out))
    }
}

fn line(rows: &Columns, row: usize, out: &mut dyn Write) -> Result<()> {
    let or_null = |value: u32| if value == NONE { "null".to_owned() } else { value.to_string() };
    let cpu = rows.cpu[row];
    let cpu = if cpu == u16::MAX { "null".to_owned() } else { cpu.to_string() };
    writeln!(
        out,
        "{{\"time_ns\":{},\"cpu\":{cpu},\"event\":\"{}\",\"a\":{},\"b\":{}}}",
        rows.time[row],
        kind_name(rows.kind[row]),
        or_null(rows.a[row]),
        or_null(rows.b[row])
    )
}

/// The runs of a sweep.
struct Objects;

impl SweepWriter for Objects {
    /// One write: a reader of the growing file sees whole lines.
    fn row(&mut self, row: &SweepRow<'_>, out: &mut dyn Write) -> Result<()> {
        out.write_all(format!("{}\n", row.object).as_bytes())
    }
}
