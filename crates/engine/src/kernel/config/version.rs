//! Kernel releases, as `kernel.version` takes them: any from 2.6.24 to 7.3, stable ones included,
//! and the patch posted on 3.19.

use std::fmt;

/// A release, or the patch posted on 3.19. Releases compare by their numbers.
///
/// ```text
/// bits 31..16 the branch (6.12 is 0x060c, 2.6.24 is 0x0218), 15..1 the stable release, 0 posted
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(u32);

/// Lists the releases that are offered by name, each with a constant and a sentence.
macro_rules! ladder {
    ($($name:ident = $text:literal, $doc:literal;)+) => {
        impl Version {
            $(#[doc = $doc] pub const $name: Self = Self::of($text);)+

            /// The releases that are offered by name, oldest first: those between which the
            /// mechanisms that scenarios are about changed.
            pub const LADDER: &'static [Self] = &[$(Self::$name),+];
        }

        /// A sentence for each of [`Version::LADDER`].
        const DOCS: &[&str] = &[$($doc),+];
    };
}

ladder! {
    V2_6_24 = "2.6.24", "2.6.24 as released: RT tasks are balanced by load weight only";
    V2_6_25 = "2.6.25", "2.6.25 as released: RT push and pull, root domains";
    V3_2 = "3.2", "3.2 as released";
    V3_16 = "3.16", "3.16 as released";
    V3_17 = "3.17", "3.17 as released";
    V3_19 = "3.19", "3.19 as released";
    V3_19_PUSH_IPI = "3.19-push-ipi", "3.19 with S. Rostedt's patch of 4 Feb 2015 (RT_PUSH_IPI on \
        iff more than 16 CPUs)";
    V4_1 = "4.1", "4.1 as released: an RT push IPI per CPU about to run a lower priority";
    V4_2 = "4.2", "4.2 as released: queued spinlocks";
    V4_15 = "4.15", "4.15 as released: the RT push IPI walks the root domain";
    V4_18 = "4.18", "4.18 as released";
    V4_19 = "4.19", "4.19 as released";
    V5_4 = "5.4", "5.4 as released";
    V5_7 = "5.7", "5.7 as released";
    V5_8 = "5.8", "5.8 as released: wake-lists by function call";
    V5_10 = "5.10", "5.10 as released";
    V5_14 = "5.14", "5.14 as released: PREEMPT_DYNAMIC";
    V5_16 = "5.16", "5.16 as released";
    V6_1 = "6.1", "6.1 as released";
    V6_1_192 = "6.1.192", "6.1.192: the stable branch with the RT push fixes of 2026";
    V6_3 = "6.3", "6.3 as released";
    V6_6 = "6.6", "6.6 as released";
    V6_12 = "6.12", "6.12 as released: PREEMPT_RT is in";
    V6_12_117 = "6.12.117", "6.12.117: the stable branch with the RT push fixes of 2026";
    V6_13 = "6.13", "6.13 as released: lazy preemption";
    V6_18 = "6.18", "6.18 as released";
    V7_0 = "7.0", "7.0 as released: full and lazy preemption only";
    V7_1 = "7.1", "7.1 as released: slices end by a timer of their own";
    V7_2 = "7.2", "7.2 as released: quota is enforced as it is charged, threads gather in a cache";
    V7_3 = "7.3", "7.3 as released: one queue for the tasks of all groups";
}

/// The last release of each major number; the last one is the newest that is known.
pub const LAST: &[(u32, u32)] = &[(2, 39), (3, 19), (4, 20), (5, 19), (6, 19), (7, 3)];
/// Before 3.0 the third number named a mainline release: 2.6.24 is the first with this scheduler.
const FIRST_OF_2: u32 = 24;
/// Stable releases count up to this at most.
const STABLE_MAX: u32 = 999;
/// How a posted patch is named behind its release.
const POSTED: &str = "-push-ipi";

/// A release's numbers, and what follows them in `uname -r`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelling<'t> {
    pub version: Version,
    /// `-45-generic` of `6.8.0-45-generic`; empty for a release alone.
    pub rest: &'t str,
}

impl Version {
    /// The release spelt `text`, for tables: a build with another text fails.
    pub const fn of(text: &str) -> Self {
        match numbers(text.as_bytes()) {
            Some((version, end)) if end == text.len() => version,
            Some((version, end)) if text.len() - end == POSTED.len() => Self(version.0 | 1),
            _ => panic!("no such release"),
        }
    }

    /// The release at the beginning of `text`, as people and `uname -r` write it. None for a text
    /// that begins with no release there is.
    pub fn read(text: &str) -> Option<Spelling<'_>> {
        let (version, end) = numbers(text.as_bytes())?;
        let rest = &text[end..];
        if rest == POSTED && version == Self::V3_19 {
            return Some(Spelling { version: Self::V3_19_PUSH_IPI, rest: "" });
        }
        let is_of_a_name = |sign: char| sign.is_ascii_alphanumeric() || "-+._~".contains(sign);
        // 6.6.y is a branch, no release; the fourth number of 5.15.167.4 is the builder's.
        let is_branch =
            rest.starts_with('.') && !rest[1..].starts_with(|sign: char| sign.is_ascii_digit());
        let is_rest = rest.is_empty() || rest.starts_with(['-', '+', '.', '_', '~']) && !is_branch;
        (is_rest && rest.len() <= 64 && rest.chars().all(is_of_a_name) && version.is_known())
            .then_some(Spelling { version, rest })
    }

    /// The release spelt `text` and nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        Self::read(text).filter(|spelling| spelling.rest.is_empty()).map(|read| read.version)
    }

    const fn new(branch: u32, stable: u32) -> Self {
        Self(branch << 16 | stable << 1)
    }

    /// What releases compare by, for tables that are made as this crate is built.
    pub(super) const fn code(self) -> u32 {
        self.0
    }

    const fn branch(self) -> u32 {
        self.0 >> 16
    }

    /// The number that a stable branch counts up; 0 for a mainline release.
    pub const fn stable(self) -> u32 {
        (self.0 & 0xffff) >> 1
    }

    /// Whether it is a patch posted on a release: base of no other version.
    pub const fn is_posted(self) -> bool {
        self.0 & 1 != 0
    }

    /// The mainline release that a stable one is of.
    pub const fn mainline(self) -> Self {
        Self::new(self.branch(), 0)
    }

    /// Whether both are of one stable branch, which a mainline release begins.
    pub const fn is_of_branch(self, other: Self) -> bool {
        self.branch() == other.branch() && !self.is_posted() && !other.is_posted()
    }

    /// Whether there is such a mainline release.
    fn is_known(self) -> bool {
        let (major, minor) = (self.branch() >> 8, self.branch() & 0xff);
        let first = if major == 2 { FIRST_OF_2 } else { 0 };
        LAST.iter().any(|(known, last)| *known == major && (first..=*last).contains(&minor))
    }

    /// One sentence about a release of the ladder; empty for another one.
    pub fn doc(self) -> &'static str {
        let place = Self::LADDER.iter().position(|version| *version == self);
        place.map_or("", |place| DOCS[place])
    }
}

/// The release at the beginning of a text, and where it ends. Two numbers at least, three in 2.6.
const fn numbers(text: &[u8]) -> Option<(Version, usize)> {
    let Some((major, mut end)) = number(text, 0) else { return None };
    let mut minor = 0;
    let mut parts = if major == 2 { 2 } else { 1 };
    while parts > 0 {
        if end >= text.len() || text[end] != b'.' {
            return None;
        }
        let Some((next, after)) = number(text, end + 1) else { return None };
        if major == 2 && parts == 2 && next != 6 {
            return None;
        }
        (minor, end, parts) = (next, after, parts - 1);
    }
    if minor > 0xff {
        return None;
    }
    let branch = major << 8 | minor;
    if end < text.len()
        && text[end] == b'.'
        && let Some((stable, after)) = number(text, end + 1)
        && stable <= STABLE_MAX
    {
        return Some((Version::new(branch, stable), after));
    }
    Some((Version::new(branch, 0), end))
}

/// The number at `place`, and where it ends.
const fn number(text: &[u8], place: usize) -> Option<(u32, usize)> {
    let (mut end, mut value) = (place, 0);
    while end < text.len() && text[end].is_ascii_digit() && end - place < 6 {
        value = value * 10 + (text[end] - b'0') as u32;
        end += 1;
    }
    let padded = end > place + 1 && text[place] == b'0';
    if end == place || padded || value > 0xffff { None } else { Some((value, end)) }
}

impl fmt::Display for Version {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = (self.branch() >> 8, self.branch() & 0xff);
        if major == 2 {
            write!(text, "2.6.{minor}")?;
        } else {
            write!(text, "{major}.{minor}")?;
        }
        if self.stable() != 0 {
            write!(text, ".{}", self.stable())?;
        }
        text.write_str(if self.is_posted() { POSTED } else { "" })
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(text, "{self}")
    }
}

/// For people and reports the name; in the bytes of a setup the number.
impl serde::Serialize for Version {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_u32(self.0)
        }
    }
}

impl<'de> serde::Deserialize<'de> for Version {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u32::deserialize(deserializer).map(Self)
    }
}

/// The version of a run that states none. It stays what it is, so that old files and links give
/// what they gave.
pub const fn default_version() -> Version {
    Version::V7_0
}

/// The newest release not above the one at the beginning of `text`, where there is no such release:
/// 6.19 for 6.20, 6.8 for v6.8. None for a text without numbers, and for a release below all of
/// them.
pub fn newest_up_to(text: &str) -> Option<Version> {
    let text = text.trim_start_matches(|sign: char| !sign.is_ascii_digit());
    let (wanted, _) = numbers(text.as_bytes()).or_else(|| {
        let (major, _) = number(text.as_bytes(), 0)?;
        Some((Version::new(major.min(0xff) << 8, 0), 0))
    })?;
    let releases = LAST.iter().flat_map(|(major, last)| {
        let first = if *major == 2 { FIRST_OF_2 } else { 0 };
        (first..=*last).map(move |minor| Version::new(major << 8 | minor, 0))
    });
    releases.take_while(|release| *release <= wanted).last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_read_however_people_and_machines_write_it() {
        for (text, version, rest) in [
            ("6.8", "6.8", ""),
            ("6.8.0", "6.8", ""),
            ("6.8.0-45-generic", "6.8", "-45-generic"),
            ("6.12.57+deb13-amd64", "6.12.57", "+deb13-amd64"),
            ("5.15.167.4-microsoft-standard-WSL2", "5.15.167", ".4-microsoft-standard-WSL2"),
            ("4.18.0-553.el8_10.x86_64", "4.18", "-553.el8_10.x86_64"),
            ("2.6.32-754.el6.x86_64", "2.6.32", "-754.el6.x86_64"),
            ("2.6.24.7", "2.6.24.7", ""),
            ("7.3-rc4", "7.3", "-rc4"),
            ("3.19-push-ipi", "3.19-push-ipi", ""),
            ("3.19.8-push-ipi", "3.19.8", "-push-ipi"),
        ] {
            let read = Version::read(text).unwrap();
            assert_eq!((read.version.to_string().as_str(), read.rest), (version, rest), "{text}");
        }
        for text in [
            "6", "6.", "6.20", "7.4", "2.6.23", "2.4.31", "v6.8", "6.8 x", "6.8\n", "", ".",
            "6.08", "6.6.y",
        ] {
            assert_eq!(Version::read(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_newest_release_not_above_one_that_does_not_exist_is_found() {
        for (text, newest) in [
            ("6.20", Some("6.19")),
            ("6.100.3-generic", Some("6.19")),
            ("7.4", Some("7.3")),
            ("9", Some("7.3")),
            ("4.21", Some("4.20")),
            ("6", Some("6.0")),
            ("2.6.40", Some("2.6.39")),
            ("2.6.10", None),
            ("v6.8", Some("6.8")),
            ("linux-6.20", Some("6.19")),
            ("6.6.y", Some("6.6")),
            ("none", None),
        ] {
            assert_eq!(
                newest_up_to(text).map(|found| found.to_string()).as_deref(),
                newest,
                "{text}"
            );
        }
    }

    #[test]
    fn releases_compare_by_their_numbers_and_every_one_of_the_ladder_by_its_place() {
        assert!(Version::of("6.9") < Version::of("6.18") && Version::V6_12 < Version::of("6.12.5"));
        assert!(Version::LADDER.windows(2).all(|pair| pair[0] < pair[1]));
        for version in Version::LADDER {
            assert_eq!(Version::parse(&version.to_string()), Some(*version));
            assert!(version.doc().starts_with(&version.mainline().to_string()), "{version}");
        }
        assert!(Version::V6_12.is_of_branch(Version::V6_12_117));
        assert!(!Version::V3_19.is_of_branch(Version::V3_19_PUSH_IPI));
    }
}
