//! CSV (RFC 4180): the runs of a sweep, and the tables of the page.

use std::io::{Result, Write};

use crate::format::{Content, Format, SweepColumn, SweepRow, SweepWriter, What};

pub(super) const FORMAT: Format = Format {
    name: "csv",
    title: "CSV",
    extension: "csv",
    media_type: "text/csv",
    contents: &[Content::sweep(|| Box::new(Csv)), Content::of_page(What::Table)],
    carries: "A header, then a row for each run of a sweep or each row of a table. Figures are \
        whole numbers; times are in ns.",
    loses: "Types and units: every field is text, and the unit is in the column's name. A figure \
        that a run does not have is an empty field.",
};

/// The runs of a sweep.
struct Csv;

impl SweepWriter for Csv {
    fn begin(&mut self, columns: &[SweepColumn], out: &mut dyn Write) -> Result<()> {
        record(columns.iter().map(|column| column.name.clone()), out)
    }

    fn row(&mut self, row: &SweepRow<'_>, out: &mut dyn Write) -> Result<()> {
        record(row.cells.iter().map(ToString::to_string), out)
    }
}

/// One line, in one write: a reader of the growing file sees whole lines.
fn record(fields: impl Iterator<Item = String>, out: &mut dyn Write) -> Result<()> {
    let fields: Vec<String> = fields.map(|field| quoted(&field)).collect();
    let line = fields.join(",");
    // A line of one empty field would be no line at all to a reader.
    let line = if line.is_empty() { "\"\"" } else { line.as_str() };
    out.write_all(format!("{line}\n").as_bytes())
}

fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_with_a_comma_a_quote_or_a_line_end_is_quoted() {
        let mut out = Vec::new();
        let fields = ["a", "0-1,4", "say \"x\"", "two\nlines", ""].map(str::to_owned);
        record(fields.into_iter(), &mut out).unwrap();
        record([String::new()].into_iter(), &mut out).unwrap();
        let expected = "a,\"0-1,4\",\"say \"\"x\"\"\",\"two\nlines\",\n\"\"\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
