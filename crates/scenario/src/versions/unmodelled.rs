//! Changes of the scheduler that are known and that the model does not have. A change that the model
//! learns moves from here into the table of kernels.

use schedscope_engine::kernel::config::{Since, Version};

use super::rows::TableRow;

/// `name: release [stable releases], source; …`: the first entry brings the change, a second one
/// takes it back.
macro_rules! unmodelled {
    ($($name:literal: $doc:literal {
        $($from:literal $([$($stable:literal),+])?, $source:literal;)+
    })+) => {
        const ROWS: &[Unmodelled] = &[$(Unmodelled {
            name: $name,
            doc: $doc,
            since: const { &[
                Since { release: Version::V2_6_24, stable: &[] },
                $(Since {
                    release: Version::of($from),
                    stable: &[$($(Version::of($stable)),+)?],
                },)+
            ] },
            sources: &["before", $($source),+],
        }),+];
    };
}

struct Unmodelled {
    name: &'static str,
    doc: &'static str,
    since: &'static [Since],
    sources: &'static [&'static str],
}

unmodelled! {
    "HRTICK by default": "A timer ends a fair task's slice to the microsecond, and no longer the \
        next tick." {
        "7.1", "commit 9213aa4784cf (7.1); read in 7.1.13";
    }
}

/// All of them, as rows whose values are no and yes.
pub(super) fn unmodelled_rows() -> impl Iterator<Item = TableRow> {
    ROWS.iter().map(|row| TableRow {
        name: row.name.to_owned(),
        label: "",
        doc: row.doc,
        is_stated: false,
        modelled: false,
        since: row.since,
        values: (0..row.since.len())
            .map(|place| (if place % 2 == 0 { "no" } else { "yes" }.to_owned(), ""))
            .collect(),
        sources: row.sources,
    })
}
