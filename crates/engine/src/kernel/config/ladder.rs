//! Kernel versions as presets over the switches: one rung per version.
//!
//! A value that a version's sources state is `known`, one taken over from the rung below is `carried`; the page marks the difference.

use super::switches::{CpupriGen, IpiPollingElide, LowestPick, OverloadDef, RtBalance, RtPushIpi, RtThrottle, SpinlockKind, TtwuQueue};
use crate::named_enum;

named_enum! {
    /// The kernel versions this engine can play; others are refused by name (see [`NOT_YET`]).
    #[allow(non_camel_case_types, reason = "version numbers read best as they are printed")]
    pub enum Version {
        V3_2 = "3.2", "3.2 as released";
        V3_16 = "3.16", "3.16 as released";
        V3_17 = "3.17", "3.17 as released";
        V3_19 = "3.19", "3.19 as released";
        V3_19PushIpi = "3.19-push-ipi", "3.19 with the patch of thread 000 (RT_PUSH_IPI on iff more than 16 CPUs)";
        V4_15 = "4.15", "4.15 as released: the RT push IPI walks the root domain";
    }
}

/// Versions of the ladder (contracts 3.1) that need a mechanism this engine does not have yet, with that mechanism.
pub const NOT_YET: &[(&str, &str)] = &[
    ("2.6.24", "rt_balance passive_2624"),
    ("2.6.25", "rt_balance active_2008_routed"),
    ("4.1", "rt_balance ipi_4_1"),
    ("4.2", "rt_balance ipi_4_1"),
    ("4.18", "rt_balance ipi_4_16_skip1"),
    ("4.19", "rt_balance ipi_4_16_skip1"),
    ("5.4", "rt_balance ipi_4_16_skip1"),
    ("5.7", "rt_balance ipi_4_16_skip1"),
    ("5.8", "rt_balance ipi_4_16_skip1"),
    ("5.10", "rt_balance ipi_4_16_skip1"),
    ("5.14", "rt_balance ipi_4_16_skip1"),
    ("5.16", "rt_balance ipi_4_16_skip1"),
    ("6.1", "rt_balance ipi_4_16_skip1"),
    ("6.1.192", "rt_balance ipi_2026_noself"),
    ("6.3", "rt_balance ipi_4_16_skip1"),
    ("6.6", "rt_balance ipi_4_16_skip1"),
    ("6.12", "rt_balance ipi_4_16_skip1"),
    ("6.12.117", "rt_balance ipi_2026_noself"),
    ("6.13", "rt_balance ipi_4_16_skip1"),
    ("6.18", "rt_balance ipi_4_16_skip1"),
    ("7.0", "rt_balance ipi_4_16_skip1"),
];

/// A preset value and where it comes from: `None` means carried over from the rung below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset<T> {
    /// The value.
    pub value: T,
    /// The source when known, `None` when carried.
    pub source: Option<&'static str>,
}

const fn known<T>(value: T, source: &'static str) -> Preset<T> {
    Preset { value, source: Some(source) }
}
const fn carried<T>(value: T) -> Preset<T> {
    Preset { value, source: None }
}

/// One rung: the value every version-dependent switch has there.
#[derive(Clone, Copy, Debug)]
pub struct Rung {
    /// The version.
    pub version: Version,
    /// `kernel.spinlock`.
    pub spinlock: Preset<SpinlockKind>,
    /// `kernel.rt_balance`.
    pub rt_balance: Preset<RtBalance>,
    /// `kernel.rt_push_ipi` (ignored by generations without the bit).
    pub rt_push_ipi: Preset<RtPushIpi>,
    /// `kernel.overload_def`.
    pub overload_def: Preset<OverloadDef>,
    /// `kernel.lowest_pick`.
    pub lowest_pick: Preset<LowestPick>,
    /// `kernel.cpupri`.
    pub cpupri: Preset<CpupriGen>,
    /// `kernel.ttwu_queue`.
    pub ttwu_queue: Preset<TtwuQueue>,
    /// `kernel.ipi_polling_elide`.
    pub ipi_polling_elide: Preset<IpiPollingElide>,
    /// `kernel.rt_throttle`.
    pub rt_throttle: Preset<RtThrottle>,
}

const V3_2: Rung = Rung {
    version: Version::V3_2,
    spinlock: known(SpinlockKind::Ticket, "ticket locks from 2.6.25 to 4.1 (spec A.1, recalled)"),
    rt_balance: known(RtBalance::ActivePlist, "pushable list since 2.6.30 (spec C.3)"),
    rt_push_ipi: known(RtPushIpi::Off, "no such feature before thread 000"),
    overload_def: known(OverloadDef::Migratory, "commit 318e0893ce3f"),
    lowest_pick: known(LowestPick::DomainFirst, "commit 6e1254d2c412"),
    cpupri: known(CpupriGen::V102, "2.6.27 to 5.10 (spec B.6)"),
    ttwu_queue: known(TtwuQueue::CrossLlc, "3.2 to 5.7 (spec D.2, recalled)"),
    ipi_polling_elide: known(IpiPollingElide::ReschedOnly, "resched_curr tests polling (spec D.3)"),
    rt_throttle: known(RtThrottle::Share, "RT throttling since 2.6.25, RT_RUNTIME_SHARE on (spec B.7, K)"),
};

const V3_16: Rung = Rung {
    ipi_polling_elide: known(IpiPollingElide::ReschedAndCallfunc, "the wake-list tests polling since commit e3baac47f0e8 (recalled)"),
    ..carry(V3_2, Version::V3_16)
};

/// Every playable version, oldest first.
pub const LADDER: &[Rung] = &[
    V3_2,
    V3_16,
    carry(V3_16, Version::V3_17),
    carry(V3_16, Version::V3_19),
    Rung {
        rt_balance: known(RtBalance::IpiV1, "thread 000"),
        rt_push_ipi: known(RtPushIpi::AutoGt16, "thread 000"),
        ..carry(V3_16, Version::V3_19PushIpi)
    },
    Rung {
        spinlock: known(SpinlockKind::Qspinlock, "queued spinlocks from 4.2 (spec A.1, recalled)"),
        rt_balance: known(RtBalance::Ipi415, "commit 4bdced5c9a29"),
        rt_push_ipi: known(RtPushIpi::On, "on by default from 4.1 to 2026 (spec C.6)"),
        ..carry(V3_16, Version::V4_15)
    },
];

const fn carry(below: Rung, version: Version) -> Rung {
    Rung {
        version,
        spinlock: carried(below.spinlock.value),
        rt_balance: carried(below.rt_balance.value),
        rt_push_ipi: carried(below.rt_push_ipi.value),
        overload_def: carried(below.overload_def.value),
        lowest_pick: carried(below.lowest_pick.value),
        cpupri: carried(below.cpupri.value),
        ttwu_queue: carried(below.ttwu_queue.value),
        ipi_polling_elide: carried(below.ipi_polling_elide.value),
        rt_throttle: carried(below.rt_throttle.value),
    }
}

/// The rung of `version`.
pub fn rung(version: Version) -> &'static Rung {
    LADDER.iter().find(|rung| rung.version == version).expect("every Version has a rung; a test checks it")
}
