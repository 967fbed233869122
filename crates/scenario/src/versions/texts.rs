//! What each change of the table of kernels means to a person: a sentence about the change, what one
//! sees of it, and the command that takes it back on a running kernel.

use schedscope_engine::kernel::config::Version;

/// The texts of one change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text {
    pub says: &'static str,
    pub seen: &'static str,
    pub back: &'static str,
}

/// `row, release: says; seen; back`.
const TEXTS: &[(&str, &str, Text)] = &[];

/// The texts of the change that a row got with `release`; empty ones where none are written.
pub(super) fn text_of(row: &str, release: Version) -> Text {
    let is_its = |(name, since, _): &&(&str, &str, Text)| {
        *name == row && Version::parse(since) == Some(release)
    };
    TEXTS.iter().find(is_its).map_or_else(Text::default, |(_, _, text)| *text)
}
