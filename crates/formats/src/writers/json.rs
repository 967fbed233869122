//! JSON: the figures of one run.

use std::fmt::Display;
use std::io::{Result, Write};

use crate::format::{Content, Format};

pub(super) const FORMAT: Format = Format {
    name: "json",
    title: "JSON",
    extension: "json",
    media_type: "application/json",
    contents: &[Content::report(write)],
    carries: "The schedscope.run/1 object, as `run --json` prints it: the resolved configuration, \
        every figure as a whole number, the findings, the digest of the schedule.",
    loses: "The trace: an instant is in it only where a finding or an activation names one.",
};

fn write(report: &dyn Display, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{report:#}")
}
