//! Which preemption models a version can be built or booted with
//! (docs/develop/decisions/0008-rt-balancing.md).

use super::row::Offers;
use super::rules::Release;
use super::switches::Preempt;
use super::table::PREEMPT;
use super::version::Version;
use crate::named::Named;

pub(super) static PREEMPT_OFFERS: Offers<Preempt> =
    Offers { check: offers, nearest: nearest_offered, note: offer_note };

/// The preemption model of a version when a scenario states none.
pub fn default_preempt(version: Version) -> Preempt {
    PREEMPT.value(version)
}

/// Whether `version` can have `preempt`; why not.
pub fn offers(version: Version, preempt: Preempt) -> Result<(), &'static str> {
    use Preempt::{
        Auto2024Full, Auto2024None, Auto2024Voluntary, DynamicFull, DynamicLazy, DynamicNone,
        DynamicVoluntary, Full, Lazy, None, Rfc2023Full, Rfc2023None, Rfc2023Voluntary, Rt,
        Voluntary,
    };
    let release = Release::of(version);
    let needs = |holds: bool, why| if holds { Ok(()) } else { Err(why) };
    match preempt {
        Full | Rt => Ok(()),
        None | Voluntary => needs(
            release.has_none_and_voluntary(),
            "7.0 dropped none and voluntary where lazy exists (commit 7dadeaa6e851)",
        ),
        DynamicNone | DynamicVoluntary if !release.has_none_and_voluntary() => {
            Err("7.0 dropped none and voluntary where lazy exists (commit 7dadeaa6e851)")
        }
        DynamicNone | DynamicVoluntary | DynamicFull => {
            needs(release.has_preempt_dynamic(), "PREEMPT_DYNAMIC came with 5.12 (not in 5.11)")
        }
        Lazy | DynamicLazy => needs(
            release.has_lazy_preemption(),
            "lazy preemption came with 6.13 (commit 7c70cb94d29c)",
        ),
        Rfc2023None | Rfc2023Voluntary | Rfc2023Full => needs(
            release.is_base_of_rfc2023(),
            "A. Arora's series of November 2023 was written for 6.6",
        ),
        Auto2024None | Auto2024Voluntary | Auto2024Full => needs(
            release.is_base_of_auto2024(),
            "the series of May 2024 was written for 6.9; here it is on 6.6",
        ),
    }
}

/// A remark on a model that `version` has only in some way.
pub fn offer_note(version: Version, preempt: Preempt) -> Option<&'static str> {
    let patched = preempt.is_rt() && !Release::of(version).has_preempt_rt_merged();
    patched.then_some("PREEMPT_RT is in the kernel from 6.12 on; before, it needs the RT patch set")
}

/// The models `version` offers, in the order a person should see them.
pub fn offered(version: Version) -> impl Iterator<Item = Preempt> {
    Preempt::ALL.iter().copied().filter(move |preempt| offers(version, *preempt).is_ok())
}

/// The offered model that comes closest to `preempt`.
pub fn nearest_offered(version: Version, preempt: Preempt) -> Preempt {
    use Preempt::{
        Auto2024Full, Auto2024None, Auto2024Voluntary, DynamicFull, DynamicLazy, DynamicNone,
        DynamicVoluntary, Full, Lazy, None, Rfc2023Full, Rfc2023None, Rfc2023Voluntary, Rt,
        Voluntary,
    };
    let near: &[Preempt] = match preempt {
        None | DynamicNone => &[None, Lazy],
        Voluntary | DynamicVoluntary => &[Voluntary, Lazy],
        Full | DynamicFull | Rt | Rfc2023Full | Auto2024Full => &[Full],
        Lazy | DynamicLazy | Rfc2023None | Auto2024None | Rfc2023Voluntary | Auto2024Voluntary => {
            &[Lazy, Full]
        }
    };
    near.iter().copied().find(|preempt| offers(version, *preempt).is_ok()).unwrap_or(Full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_version_offers_its_default_and_full() {
        for version in Version::LADDER {
            assert_eq!(offers(*version, default_preempt(*version)), Ok(()), "{version:?}");
            assert_eq!(offers(*version, Preempt::Full), Ok(()), "{version:?}");
            for preempt in Preempt::ALL {
                assert_eq!(
                    offers(*version, nearest_offered(*version, *preempt)),
                    Ok(()),
                    "{version:?} {preempt:?}"
                );
            }
        }
    }

    #[test]
    fn seven_has_only_full_lazy_and_rt() {
        use Preempt::{DynamicFull, DynamicLazy, Full, Lazy, None, Rt, Voluntary};
        assert_eq!(
            offered(Version::V7_0).collect::<Vec<_>>(),
            [Full, Lazy, Rt, DynamicFull, DynamicLazy]
        );
        assert_eq!(offered(Version::V3_19).collect::<Vec<_>>(), [None, Voluntary, Full, Rt]);
        assert!(offers(Version::V6_12, Lazy).is_err() && offers(Version::V6_13, Lazy).is_ok());
        assert!(
            offers(Version::V5_10, DynamicFull).is_err()
                && offers(Version::V5_14, DynamicFull).is_ok()
        );
        let posted =
            offered(Version::V6_6).filter(|preempt| offers(Version::V6_12, *preempt).is_err());
        assert_eq!(posted.count(), 6, "A. Arora's two series");
        assert!(
            offer_note(Version::V6_6, Rt).is_some() && offer_note(Version::V6_12, Rt).is_none()
        );
    }
}
