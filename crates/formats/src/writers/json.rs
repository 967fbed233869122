//! JSON: the figures of one run, and the tables of the page.

use std::fmt::Display;
use std::io::{Result, Write};

use crate::format::{Content, Format, What};

pub(super) const FORMAT: Format = Format {
    name: "json",
    title: "JSON",
    extension: "json",
    media_type: "application/json",
    contents: &[Content::report(write), Content::of_page(What::Table)],
    carries: "Of a run: the schedscope.run/1 object, as `run --json` prints it: the resolved \
        configuration, every figure as a whole number, the findings, the digest of the schedule. \
        Of a table: a list with an object for each row.",
    loses: "The trace: an instant is in it only where a finding or an activation names one.",
};

fn write(report: &dyn Display, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{report:#}")
}
