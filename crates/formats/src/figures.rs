//! The figures of a run's report by their paths.

use std::collections::BTreeMap;

/// Between the parts of a path: no name of a task or group contains it.
pub const BETWEEN: char = '\u{1f}';

/// `metrics` of `schedscope.run/1` (docs/model/accounting.md#report), flat: whole numbers by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures(BTreeMap<String, i64>);

impl Figures {
    /// The figure at a path, `["groups", "web", "nr_periods"]`; none if the run has no such thing.
    pub fn at(&self, path: &[&str]) -> Option<i64> {
        self.0.get(&path.join(&BETWEEN.to_string())).copied()
    }

    /// A count at a path; 0 if the run has no such thing.
    pub fn count(&self, path: &[&str]) -> u64 {
        self.at(path).and_then(|figure| u64::try_from(figure).ok()).unwrap_or(0)
    }
}

/// From paths whose parts have [`BETWEEN`] in between.
impl FromIterator<(String, i64)> for Figures {
    fn from_iter<I: IntoIterator<Item = (String, i64)>>(figures: I) -> Self {
        Self(figures.into_iter().collect())
    }
}
