//! Changes of the scheduler that are known and that the model does not have. A change that the
//! model learns moves from here into the table of kernels and the texts beside it. A module for
//! each part of the scheduler.

use schedscope_engine::kernel::config::Since;

use super::rows::TableRow;
use super::texts::Text;

/// `part; "name": "what it does" { "release" ["stable", …] { source "…" seen "…" back "…" } }`. A
/// second entry takes the change back and has `says`; the first one says what the change does.
macro_rules! unmodelled {
    ($part:ident; $($name:literal: $doc:literal {
        $first:literal $([$($stable:literal),+])? {
            source $source:literal $(seen $seen:literal)? $(back $back:literal)?
        }
        $($later:literal $([$($ported:literal),+])? {
            source $after:literal says $says:literal $(seen $saw:literal)?
        })?
    })+) => {
        use schedscope_engine::kernel::config::{Since, Version};

        use crate::versions::texts::{Part, Text};
        use crate::versions::unmodelled::Unmodelled;

        pub(super) const ROWS: &[Unmodelled] = &[$(Unmodelled {
            name: $name,
            since: const { &[
                Since { release: Version::V2_6_24, stable: &[] },
                Since {
                    release: Version::of($first),
                    stable: &[$($(Version::of($stable)),+)?],
                },
                $(Since {
                    release: Version::of($later),
                    stable: &[$($(Version::of($ported)),+)?],
                })?
            ] },
            sources: &["before", $source, $($after)?],
            texts: &[
                Text {
                    part: Part::$part,
                    says: $doc,
                    seen: concat!($($seen)?),
                    back: concat!($($back)?),
                },
                $(Text { part: Part::$part, says: $says, seen: concat!($($saw)?), back: "" })?
            ],
        }),+];
    };
}

mod balancing;
mod fair;
mod quota;
mod rt;

struct Unmodelled {
    name: &'static str,
    since: &'static [Since],
    sources: &'static [&'static str],
    /// The texts of each change: of all entries except the first, which is before the change.
    texts: &'static [Text],
}

/// All of them, as rows whose values are no and yes.
pub(super) fn unmodelled_rows() -> impl Iterator<Item = TableRow> {
    let parts = [rt::ROWS, fair::ROWS, quota::ROWS, balancing::ROWS];
    parts.into_iter().flatten().map(|row| TableRow {
        name: row.name.to_owned(),
        label: "",
        doc: row.texts[0].says,
        is_stated: false,
        modelled: false,
        since: row.since,
        values: (0..row.since.len())
            .map(|place| (if place % 2 == 0 { "no" } else { "yes" }.to_owned(), ""))
            .collect(),
        sources: row.sources,
        texts: std::iter::once(None).chain(row.texts.iter().copied().map(Some)).collect(),
    })
}
