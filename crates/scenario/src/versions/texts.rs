//! What each change of the table of kernels means to a person: a sentence about the change, what
//! one sees of it, and the command that takes it back on a running kernel. A module for each part
//! of the scheduler.

use schedscope_engine::kernel::config::Version;
use serde::Serialize;

/// The part of the scheduler that a change belongs to, in the order of a list of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Preemption,
    Wakeups,
    RealTime,
    Fair,
    Quota,
    Balancing,
    Reports,
    /// What only this simulator has.
    Here,
}

impl Part {
    /// A heading.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Preemption => "Preemption models",
            Self::Wakeups => "Wake-ups, locks, IPIs and softirqs",
            Self::RealTime => "Real time",
            Self::Fair => "Fair class",
            Self::Quota => "CPU quotas",
            Self::Balancing => "Load balancing and ticks",
            Self::Reports => "Statistics",
            Self::Here => "Only in this simulator",
        }
    }
}

/// Written as its heading.
impl Serialize for Part {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.title())
    }
}

/// The texts of one change.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    pub part: Part,
    /// What changed, a sentence.
    pub says: &'static str,
    /// What one sees of it, a sentence; empty where nothing is to be seen.
    pub seen: &'static str,
    /// The command that takes it back on a running kernel from 5.13 on; empty where there is none.
    pub back: &'static str,
}

/// The change that a row got with a release.
pub(super) struct Change {
    pub row: &'static str,
    pub release: Version,
    pub text: Text,
}

/// `part; "row" "release" { says "…" seen "…" back "…" }`, the last two where there is something to
/// say.
macro_rules! texts {
    ($part:ident; $($row:literal $release:literal {
        says $says:literal $(seen $seen:literal)? $(back $back:literal)?
    })+) => {
        use schedscope_engine::kernel::config::Version;

        use crate::versions::texts::{Change, Part, Text};

        pub(super) const TEXTS: &[Change] = &[$(Change {
            row: $row,
            release: const { Version::of($release) },
            text: Text {
                part: Part::$part,
                says: $says,
                seen: concat!($($seen)?),
                back: concat!($($back)?),
            },
        }),+];
    };
}

mod balancing;
mod fair;
mod here;
mod preemption;
mod quota;
mod reports;
mod rt;
mod wakeups;

/// All of them.
pub(super) fn all_texts() -> impl Iterator<Item = &'static Change> {
    let parts = [
        preemption::TEXTS,
        wakeups::TEXTS,
        rt::TEXTS,
        fair::TEXTS,
        quota::TEXTS,
        balancing::TEXTS,
        reports::TEXTS,
        here::TEXTS,
    ];
    parts.into_iter().flatten()
}
