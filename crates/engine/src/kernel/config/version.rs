//! The kernel versions of the ladder, and the base of each: the version whose values apply where a
//! version's own sources are silent.

use crate::named::Named;
use crate::named_enum;

named_enum! {
    /// The kernel versions of the ladder (docs/model/versions.md).
    #[allow(non_camel_case_types, reason = "version numbers read best as they are printed")]
    #[derive(PartialOrd, Ord)]
    pub enum Version {
        V2_6_24 = "2.6.24", "2.6.24 as released: RT tasks are balanced by load weight only";
        V2_6_25 = "2.6.25", "2.6.25 as released: RT push and pull, root domains";
        V3_2 = "3.2", "3.2 as released";
        V3_16 = "3.16", "3.16 as released";
        V3_17 = "3.17", "3.17 as released";
        V3_19 = "3.19", "3.19 as released";
        V3_19PushIpi = "3.19-push-ipi", "3.19 with S. Rostedt's patch of 4 Feb 2015 (RT_PUSH_IPI \
            on iff more than 16 CPUs)";
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
    }
}

impl Version {
    /// The version whose values this one inherits: the one before it in the ladder. A stable
    /// release and a posted patch are base of no other version.
    pub const fn base(self) -> Option<Self> {
        let mut place = self as usize;
        while place > 0 {
            place -= 1;
            let below = Self::ALL[place];
            if !matches!(below, Self::V3_19PushIpi | Self::V6_1_192 | Self::V6_12_117) {
                return Some(below);
            }
        }
        None
    }
}

/// Every version, oldest first.
pub const fn versions() -> &'static [Version] {
    Version::ALL
}

/// The version at the top of the ladder.
pub const fn newest_version() -> Version {
    Version::ALL[Version::ALL.len() - 1]
}

/// The newest version of the ladder that is not above the release at the beginning of `text`, as
/// people and `uname -r` write it (`6.8`, `6.8.0-45-generic`). A stable release is of its own
/// branch alone, a posted patch of none. None for a text without a release, and for a release below
/// the ladder.
pub fn newest_up_to(text: &str) -> Option<Version> {
    let wanted = release(text);
    let is_below = |version: &&Version| {
        let own = release(version.name());
        let is_stable = own > FIRST_STABLE && own & PATCH != 0;
        let is_patched = **version == Version::V3_19PushIpi;
        own <= wanted && !is_patched && (!is_stable || own | PATCH == wanted | PATCH)
    };
    Version::ALL.iter().rfind(is_below).copied()
}

/// The part of a release's number that a stable branch counts up.
const PATCH: u64 = 0xffff;
/// Before 3.0 the third number was part of a mainline release's name.
const FIRST_STABLE: u64 = 3 << 32;

/// Major, minor and patch of a release, 16 bits each; what is missing is 0.
fn release(text: &str) -> u64 {
    let mut parts = [0_u64; 3];
    let mut part = 0;
    for sign in text.bytes() {
        match sign {
            b'0'..=b'9' => {
                parts[part] = (parts[part] * 10 + u64::from(sign - b'0')).min(PATCH);
            }
            b'.' if part < 2 => part += 1,
            _ => break,
        }
    }
    (parts[0] << 32) | (parts[1] << 16) | parts[2]
}

/// The version spelt `text`, if any.
pub fn version_named(text: &str) -> Option<Version> {
    Version::parse(text)
}

#[cfg(test)]
mod tests {
    use super::newest_up_to;
    use crate::named::Named;

    #[test]
    fn the_newest_version_not_above_a_release_is_found_however_the_release_is_spelt() {
        for (release, known) in [
            ("6.8", Some("6.6")),
            ("6.8.0-45-generic", Some("6.6")),
            ("6.12.57+deb13-amd64", Some("6.12")),
            ("6.12.200", Some("6.12.117")),
            ("6.2", Some("6.1")),
            ("6.1.200-0.a", Some("6.1.192")),
            ("5.15", Some("5.14")),
            ("4.14.336", Some("4.2")),
            ("2.6.32", Some("2.6.25")),
            ("7.3-rc4", Some("7.0")),
            ("3.19", Some("3.19")),
            ("2.6.10", None),
            ("none", None),
        ] {
            assert_eq!(newest_up_to(release).map(Named::name), known, "{release}");
        }
    }
}
