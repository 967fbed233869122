//! A row of the table of kernels: one switch, what each version has there, and by which source.
//!
//! A row says only what is known. A version that it does not name has the value of the version it carries over from
//! ([`Version::base`]), and the page marks the difference.

use super::version::Version;

/// What one version has, and where that is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset<T> {
    /// The value.
    pub value: T,
    /// The source where it is known, `None` where it is carried over.
    pub source: Option<&'static str>,
}

/// How a scenario states a switch, and what people read of it.
#[derive(Debug)]
pub struct Words {
    /// Dotted path.
    pub path: &'static str,
    /// Short name, the kernel's own token where it has one.
    pub label: &'static str,
    /// One sentence; absent where the crate is built without prose.
    pub doc: &'static str,
    /// Where the switch comes from; likewise.
    pub source: &'static str,
    /// Whether a running kernel can change it; otherwise the run starts anew.
    pub live: bool,
    /// Least and greatest value of a time, ns.
    pub range: Option<(u64, u64)>,
}

impl Words {
    /// A running kernel can change it.
    pub(super) const fn live(self) -> Self {
        Self { live: true, ..self }
    }

    /// A time from `min` to `max` ns.
    pub(super) const fn range(self, min: u64, max: u64) -> Self {
        Self { range: Some((min, max)), ..self }
    }
}

/// A switch that scenarios state at `path`.
pub(super) const fn knob(path: &'static str, label: &'static str, doc: &'static str, source: &'static str) -> Words {
    let (doc, source) = if cfg!(feature = "prose") { (doc, source) } else { ("", "") };
    Words { path, label, doc, source, live: false, range: None }
}

/// One switch.
#[derive(Debug)]
pub struct Row<T: 'static> {
    /// The kernel's field or question.
    pub name: &'static str,
    /// How a scenario states it; `None` where it only follows the version.
    pub words: Option<Words>,
    /// What a version says itself, oldest first: the value and its source.
    pub known: &'static [(Version, T, &'static str)],
}

impl<T: Copy> Row<T> {
    /// What `version` has.
    pub const fn value(&self, version: Version) -> T {
        self.known[self.place(version)].1
    }

    /// What `version` has, and its source where the version says so itself.
    pub fn at(&self, version: Version) -> Preset<T> {
        let (from, value, source) = self.known[self.place(version)];
        Preset { value, source: (from == version).then_some(source) }
    }

    /// The entry that holds for `version`. A row begins with the oldest version; a build of one that does not fails.
    const fn place(&self, version: Version) -> usize {
        let mut asked = version;
        loop {
            let mut place = 0;
            while place < self.known.len() {
                if self.known[place].0 as u8 == asked as u8 {
                    return place;
                }
                place += 1;
            }
            asked = asked.base().expect("a row begins with the oldest version");
        }
    }
}
