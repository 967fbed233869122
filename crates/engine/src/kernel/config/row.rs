//! A row of the table of kernels: one switch, its value in each version, and the source of each
//! value.
//!
//! A row contains only known values. A version that the row does not name has the value of the
//! version it is based on ([`Version::base`]), and the page marks the difference.

use super::table::Kernel;
use super::version::Version;
use crate::named::Named;

/// The value of one version, and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset<T> {
    pub value: T,
    /// The source where it is known, `None` where it is carried over.
    pub source: Option<&'static str>,
}

/// How a scenario states a switch, and the texts about the switch.
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
    /// The project's rule for a switch that no version implies, because the builder of a kernel
    /// chooses it.
    pub chosen: Option<&'static str>,
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

    /// A switch that the builder of a kernel chooses; `rule` says which value this project takes.
    pub(super) const fn chosen(self, rule: &'static str) -> Self {
        Self { chosen: Some(rule), ..self }
    }
}

/// The source of a switch whose value differs between versions.
pub(super) const BY_VERSION: &str = "follows kernel.version unless stated";

/// A switch that scenarios state at `path`.
pub(super) const fn knob(
    path: &'static str,
    label: &'static str,
    doc: &'static str,
    source: &'static str,
) -> Words {
    let (doc, source) = if cfg!(feature = "prose") { (doc, source) } else { ("", "") };
    Words { path, label, doc, source, live: false, range: None, chosen: None }
}

/// The value that earlier switches give to a switch which the scenario does not state, and the
/// rule; `None` leaves the version's value.
pub type Beside<T> = Option<(T, &'static str)>;

/// Which values of a switch a version can have.
#[derive(Debug)]
pub struct Offers<T: 'static> {
    /// Whether a version has a value; the error says why not.
    pub check: fn(Version, T) -> Result<(), &'static str>,
    /// The closest value that the version has.
    pub nearest: fn(Version, T) -> T,
    /// A note on a value that the version has only in part.
    pub note: fn(Version, T) -> Option<&'static str>,
}

/// One switch.
#[derive(Debug)]
pub struct Row<T: 'static> {
    /// The kernel's field or question.
    pub name: &'static str,
    /// The meaning or question, a sentence; empty where the values explain themselves, or in a
    /// crate without prose.
    pub doc: &'static str,
    /// How a scenario states it; `None` where it only follows the version.
    pub words: Option<Words>,
    /// The versions that set a value, oldest first.
    pub from: &'static [Version],
    /// The value that each of them sets.
    pub values: &'static [T],
    pub sources: &'static [&'static str],
    /// The value that other switches give to this one.
    pub beside: Option<fn(&Kernel) -> Beside<T>>,
    /// `None` where every version can have every value.
    pub offers: Option<&'static Offers<T>>,
}

/// Chooses the value of each row of the table, in order: the reader of a scenario takes the stated
/// value, or the version's. `beside` is the value that earlier rows give to an unstated one.
pub trait Reader {
    /// Why a row has no valid value.
    type Fault;
    /// A choice.
    fn named<T: Named>(&mut self, row: &Row<T>, beside: Beside<T>) -> Result<T, Self::Fault>;
    /// Yes or no.
    fn flag(&mut self, row: &Row<bool>, beside: Beside<bool>) -> Result<bool, Self::Fault>;
    /// A time in ns.
    fn time(&mut self, row: &Row<u32>, beside: Beside<u32>) -> Result<u32, Self::Fault>;
}

/// `row!(name, doc, words; version: value, source; …)`.
macro_rules! row {
    ($name:expr, $doc:expr, $words:expr; $($from:ident: $value:expr, $source:expr;)+) => {
        Row {
            name: $name,
            doc: if cfg!(feature = "prose") { $doc } else { "" },
            words: $words,
            from: &[$(Version::$from),+],
            values: &[$($value),+],
            sources: &[$($source),+],
            beside: None,
            offers: None,
        }
    };
}
pub(super) use row;

impl<T: Copy> Row<T> {
    /// Other switches choose the value where a scenario states none.
    pub(super) const fn beside(self, rule: fn(&Kernel) -> Beside<T>) -> Self {
        Self { beside: Some(rule), ..self }
    }

    /// Versions have only some of its values.
    pub(super) const fn offers(self, offers: &'static Offers<T>) -> Self {
        Self { offers: Some(offers), ..self }
    }

    /// The value that the earlier rows of `kernel` give to this one.
    pub fn by_others(&self, kernel: &Kernel) -> Beside<T> {
        self.beside.and_then(|rule| rule(kernel))
    }

    pub const fn value(&self, version: Version) -> T {
        self.values[place(self.from, version)]
    }

    /// The value of `version`, and its source if the version sets the value itself.
    pub fn at(&self, version: Version) -> Preset<T> {
        let place = place(self.from, version);
        Preset {
            value: self.values[place],
            source: (self.from[place] == version).then_some(self.sources[place]),
        }
    }
}

/// The entry that holds for `version`. A row begins with the oldest version; a build of one that
/// does not fails. One for all types of rows: the reader of scenarios counts its bytes.
#[inline(never)]
const fn place(from: &[Version], version: Version) -> usize {
    let mut asked = version;
    loop {
        let mut place = 0;
        while place < from.len() {
            if from[place] as u8 == asked as u8 {
                return place;
            }
            place += 1;
        }
        asked = asked.base().expect("a row begins with the oldest version");
    }
}

#[cfg(test)]
impl<T> Row<T> {
    /// A row begins with the oldest version, goes up, and names its sources.
    pub(super) fn judge(&self) {
        assert_eq!(self.from[0], Version::V2_6_24, "{}", self.name);
        assert!(self.from.windows(2).all(|pair| pair[0] < pair[1]), "{}", self.name);
        assert_eq!(
            (self.values.len(), self.sources.len()),
            (self.from.len(), self.from.len()),
            "{}",
            self.name
        );
        assert!(self.sources.iter().all(|source| !source.is_empty()), "{}", self.name);
    }
}
