//! A table of knobs, which the resolver looks knobs up in.

use super::knob::Knob;
use crate::cgroups::path::pattern;

/// Knobs by path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table(pub(crate) &'static [Knob]);

impl Table {
    /// The knob at `path`; of a control group's key, its pattern.
    pub(crate) fn knob(self, path: &str) -> Option<&'static Knob> {
        let pattern = pattern(path);
        let path = pattern.as_deref().unwrap_or(path);
        self.0.iter().find(|knob| knob.path == path)
    }
}
