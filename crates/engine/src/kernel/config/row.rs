//! A row of the table of kernels: one switch, its value in each release, and the source of each
//! value.
//!
//! A value holds from a mainline release on, and in the stable releases that took its change in.
//! The last of a row's values that holds for a release is the release's own.
//!
//! ```text
//! "6.13": yes                            6.12.9  no   6.13 .. 6.19  yes   7.1 on      no
//! "7.1" ["6.18.45"]: no                  6.18.44 yes  6.18.45       no
//! ```

use super::table::Kernel;
use super::version::Version;
use crate::named::Named;

/// Since when a value holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since {
    /// The first mainline release that has it, or the one posted patch that does.
    pub release: Version,
    /// The first release that is known to have it, of each stable branch that took the change in.
    pub stable: &'static [Version],
}

impl Since {
    const fn holds(&self, version: Version) -> bool {
        if self.release.is_posted() {
            return self.release.code() == version.code();
        }
        let mut place = 0;
        while place < self.stable.len() {
            let first = self.stable[place];
            if first.is_of_branch(version) && first.code() <= version.code() {
                return true;
            }
            place += 1;
        }
        self.release.code() <= version.code()
    }
}

/// How well the value of a release is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// The release's source was read, or the releases of the commits around it are known.
    Read,
    /// The first release that has the value comes from memory, not from its source.
    Recalled,
    /// A later change may have been taken in: the value is that of another release of the branch,
    /// or of the newest release whose source was read.
    Neighbour(Version),
}

/// How many values are known in each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub read: usize,
    pub recalled: usize,
    pub neighbours: usize,
}

impl Counts {
    pub fn of(values: impl IntoIterator<Item = Known>) -> Self {
        values.into_iter().fold(Self::default(), |mut counts, known| {
            match known {
                Known::Read => counts.read += 1,
                Known::Recalled => counts.recalled += 1,
                Known::Neighbour(_) => counts.neighbours += 1,
            }
            counts
        })
    }
}

/// Releases of which the source was read for every row (`readings.rs` of the scenario crate's
/// tests has what was found).
pub const READ: &[Version] = &[
    Version::of("6.1.170"),
    Version::of("6.1.192"),
    Version::of("6.12.57"),
    Version::of("6.12.63"),
    Version::of("6.12.73"),
    Version::of("6.12.107"),
    Version::of("6.12.117"),
    Version::of("6.16.3"),
    Version::of("6.17.8"),
    Version::of("6.18.5"),
    Version::of("6.18.15"),
    Version::of("6.19.10"),
    Version::of("6.19.13"),
    Version::of("7.0.7"),
    Version::of("7.0.10"),
    Version::of("7.1.3"),
    Version::of("7.1.13"),
    Version::of("7.2.13"),
    Version::of("7.3.4"),
];

/// The value of one release, and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset<T> {
    pub value: T,
    /// Where the value comes from.
    pub source: &'static str,
    /// Whether the release itself brought the value.
    pub is_new: bool,
    pub known: Known,
}

/// How a scenario states a switch, and the texts about the switch.
#[derive(Clone, Copy, Debug)]
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
#[derive(Clone, Copy, Debug)]
pub struct Row<T: 'static> {
    /// The kernel's field or question.
    pub name: &'static str,
    /// The meaning or question, a sentence; empty where the values explain themselves, or in a
    /// crate without prose.
    pub doc: &'static str,
    /// How a scenario states it; `None` where it only follows the version.
    pub words: Option<Words>,
    /// Since when each value holds, oldest first.
    pub since: &'static [Since],
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

/// `row!(name, doc, words; release [stable releases]: value, source; …)`.
macro_rules! row {
    (
        $name:expr, $doc:expr, $words:expr;
        $($from:literal $([$($stable:literal),+])?: $value:expr, $source:literal;)+
    ) => {
        Row {
            name: $name,
            doc: if cfg!(feature = "prose") { $doc } else { "" },
            words: $words,
            since: const { &[$(Since {
                release: Version::of($from),
                stable: &[$($(Version::of($stable)),+)?],
            }),+] },
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

    pub fn value(&self, version: Version) -> T {
        self.values[place(self.since, version)]
    }

    /// The value of `version`, where it comes from and how well it is known.
    pub fn at(&self, version: Version) -> Preset<T> {
        let at = place(self.since, version);
        let Since { release, stable } = self.since[at];
        Preset {
            value: self.values[at],
            source: self.sources[at],
            is_new: release == version || stable.contains(&version),
            known: known(self.since, self.sources, version),
        }
    }
}

/// The entry that holds for `version`. One for all types of rows: the reader of scenarios counts
/// its bytes.
#[inline(never)]
pub fn place(since: &[Since], version: Version) -> usize {
    since.iter().rposition(|since| since.holds(version)).unwrap_or(0)
}

/// How well it is known which entry holds for `version`.
#[inline(never)]
pub fn known(since: &[Since], sources: &[&str], version: Version) -> Known {
    let at = place(since, version);
    let read = || READ.iter().copied().filter(|read| place(since, *read) == at);
    if read().any(|read| read == version) {
        return Known::Read;
    }
    let newest = READ.iter().copied().max().unwrap_or(version);
    if version.stable() == 0 || version.is_posted() {
        let was_read = read().any(|read| read < version);
        return match () {
            () if version > newest => Known::Neighbour(newest),
            () if sources[at].contains("recalled") && !was_read => Known::Recalled,
            () => Known::Read,
        };
    }
    let branch = |read: &Version| read.is_of_branch(version);
    let is_last = at + 1 == since.len();
    if is_last || read().filter(branch).any(|read| read > version) {
        let is_back_port = place(since, version.mainline()) != at;
        return if is_back_port { Known::Read } else { known(since, sources, version.mainline()) };
    }
    let below = read().filter(branch).filter(|read| *read < version).max();
    Known::Neighbour(below.unwrap_or(version.mainline()))
}

#[cfg(test)]
impl<T> Row<T> {
    /// A row begins with the oldest release, goes up, and names its sources.
    pub(super) fn judge(&self) {
        let name = self.name;
        assert_eq!(self.since[0].release, Version::V2_6_24, "{name}");
        let goes_up = |pair: &[Since]| pair[0].release < pair[1].release;
        assert!(self.since.windows(2).all(goes_up), "{name}");
        for Since { release, stable } in self.since {
            let is_back_port = |of: &Version| of.stable() > 0 && of < release;
            assert!(stable.iter().all(is_back_port), "{name}: {release}");
        }
        assert_eq!(
            (self.values.len(), self.sources.len()),
            (self.since.len(), self.since.len()),
            "{name}"
        );
        assert!(self.sources.iter().all(|source| !source.is_empty()), "{name}");
    }
}
