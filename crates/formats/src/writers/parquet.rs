//! Parquet: the rows of a trace, or the runs of a sweep, as typed columns.
//!
//! The code is in the command only (feature `parquet`): the page has no use for it.

#[cfg(feature = "parquet")]
mod column;
#[cfg(feature = "parquet")]
mod file;
#[cfg(feature = "parquet")]
mod read;
#[cfg(feature = "parquet")]
mod rows;
#[cfg(feature = "parquet")]
mod sweep;

#[cfg(feature = "parquet")]
pub use read::read_runs;

use crate::format::{Content, Format};

pub(super) const FORMAT: Format = Format {
    name: "parquet",
    title: "Parquet",
    extension: "parquet",
    media_type: "application/vnd.apache.parquet",
    contents: CONTENTS,
    carries: "Of a run: every row of the trace as the columns time_ns (u64), cpu (u16, null where \
        an event has none), event (string, in a dictionary), a and b (u32, null for none), in \
        groups of 1048576 rows; the names of its tasks, in the order of their numbers, are in the \
        file's metadata under schedscope.tasks, a JSON list, beside schedscope.replay. Of a sweep: \
        a row for each run; knobs of whole numbers and figures are i64, null for a figure that a \
        run does not have; seed and records are u64, complete is a boolean, the rest strings.",
    loses: "Wake-ups and their causes, and names of locks and groups: rows hold their numbers. A \
        reader needs the end of the file: a sweep that Ctrl-C ends has one, a sweep that is killed \
        leaves a file that cannot be read.",
};

#[cfg(feature = "parquet")]
const CONTENTS: &[Content] = &[
    Content::rows(|run| Box::new(rows::Rows::new(run))),
    Content::sweep(|| Box::new(sweep::Runs::default())),
];
#[cfg(not(feature = "parquet"))]
const CONTENTS: &[Content] =
    &[Content::absent(crate::format::What::Rows), Content::absent(crate::format::What::Sweep)];
