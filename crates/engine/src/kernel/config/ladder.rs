//! Kernel versions as presets over the switches: one rung per version.
//!
//! A value that a version's sources state is `known`, one taken over from the rung below is `carried`; the page marks
//! the difference. A stable release is carried from its own base, and the next release from that base too.

use super::row::Preset;
use super::switches::{
    CpupriGen, Fair, IdleStop, IpiPollingElide, LowestPick, NohzIlb, OverloadDef, RtBalance, RtPushIpi, RtThrottle, RtoScope, SpinlockKind,
    TtwuOnCpu, TtwuQueue,
};
use super::version::Version;

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
    /// `kernel.rto_scope`.
    pub rto_scope: Preset<RtoScope>,
    /// `kernel.lowest_pick`.
    pub lowest_pick: Preset<LowestPick>,
    /// `kernel.cpupri`.
    pub cpupri: Preset<CpupriGen>,
    /// `kernel.ttwu_queue`.
    pub ttwu_queue: Preset<TtwuQueue>,
    /// What `kernel.ttwu_queue` leaves open: a task that is still being switched out. No knob.
    pub ttwu_on_cpu: Preset<TtwuOnCpu>,
    /// `kernel.ipi_polling_elide`.
    pub ipi_polling_elide: Preset<IpiPollingElide>,
    /// `kernel.rt_throttle`.
    pub rt_throttle: Preset<RtThrottle>,
    /// `kernel.push_running`.
    pub push_running: Preset<bool>,
    /// `kernel.ksoftirqd_defers`.
    pub ksoftirqd_defers: Preset<bool>,
    /// `kernel.fair`.
    pub fair: Preset<Fair>,
    /// `kernel.base_slice` on one CPU, ns: EEVDF only.
    pub base_slice_ns: Preset<u32>,
    /// `kernel.delay_dequeue`: EEVDF only.
    pub delay_dequeue: Preset<bool>,
    /// `kernel.load_balance`.
    pub load_balance: Preset<bool>,
    /// `kernel.ni_random`.
    pub ni_random: Preset<bool>,
    /// `kernel.hrtimer_hang_guard`.
    pub hrtimer_hang_guard: Preset<bool>,
    /// `kernel.nohz_ilb`.
    pub nohz_ilb: Preset<NohzIlb>,
    /// `kernel.idle_stop_policy`.
    pub idle_stop: Preset<IdleStop>,
}

const V2_6_24: Rung = Rung {
    version: Version::V2_6_24,
    spinlock: known(
        SpinlockKind::Ticket,
        "x86 had test-and-set locks before commit 314cdbefd1fd (2.6.25), which are not modelled: ticket locks stand in",
    ),
    rt_balance: known(RtBalance::Passive2624, "read in 2.6.24: sched.c and sched_rt.c"),
    rt_push_ipi: known(RtPushIpi::Off, "no such feature before commit b6366f048e0c (4.1)"),
    overload_def: known(
        OverloadDef::CountGt1,
        "not used before the series of October 2007, whose first definition this is (commit 4642dafdf93d)",
    ),
    rto_scope: known(RtoScope::Global, "not used before the 2007 series, which began with one mask (commit 4642dafdf93d)"),
    lowest_pick: known(LowestPick::FirstScan, "not used before the 2007 series, which began with a scan (commit 4642dafdf93d)"),
    cpupri: known(CpupriGen::Off, "cpupri came with 2.6.27; not in 2.6.26"),
    ttwu_queue: known(TtwuQueue::Off, "no wake-list before commit 317f394160e9 (3.0)"),
    ttwu_on_cpu: known(TtwuOnCpu::OldLock, "task_rq_lock() until commit e4a52bcb9a18 (3.0)"),
    ipi_polling_elide: known(IpiPollingElide::ReschedOnly, "resched_task() tests polling: read in 2.6.24"),
    push_running: known(false, "before commit a7c81556ec4d (5.11; not in 5.10.262) a migration-disabled task was bound to its CPU"),
    ksoftirqd_defers: known(false, "before commit 4cd13c21b207 (4.9; not in 4.6.2) interrupt exit ran softirqs whatever ksoftirqd did"),
    rt_throttle: known(RtThrottle::Off, "RT throttling came with 2.6.25; not in 2.6.24"),
    fair: known(Fair::Cfs, "read in 2.6.24"),
    base_slice_ns: known(750_000, "not used before EEVDF, whose first value this is (read in 6.6)"),
    delay_dequeue: known(false, "before commit 152e11f6df29 (6.12)"),
    load_balance: known(true, "in every kernel that has CFS; 2.6.24 has its own form (passive_2624), later ones have that of 5.5 here"),
    ni_random: known(false, "before commit 33cf66d88306 (6.19) every newly idle CPU that passed the gate looked"),
    hrtimer_hang_guard: known(false, "before commit 41d2e4949377 (2.6.33, recalled; not in 2.6.32)"),
    nohz_ilb: known(
        NohzIlb::Pre516,
        "not used in 2.6.24, which balances in its own way; up to 5.12 the rules of 5.13 stand in for older ones",
    ),
    idle_stop: known(
        IdleStop::Always,
        "the idle loop stops the tick before it asks anybody (to 4.16: read in 4.16.13); since then always where there is no cpuidle driver",
    ),
};

const V2_6_25: Rung = Rung {
    spinlock: known(SpinlockKind::Ticket, "commit 314cdbefd1fd (2.6.25); x86 has them up to 4.1"),
    rt_balance: known(RtBalance::Active2008Routed, "commit 318e0893ce3f"),
    overload_def: known(OverloadDef::Migratory, "commit 318e0893ce3f"),
    rto_scope: known(RtoScope::RootDomain, "commit 637f50851b57"),
    lowest_pick: known(LowestPick::DomainFirst, "commit 6e1254d2c412"),
    rt_throttle: known(RtThrottle::NoShare, "RT throttling since 2.6.25; borrowing came with commit ac086bc22997 (2.6.26)"),
    ..carry(V2_6_24, Version::V2_6_25)
};

const V3_2: Rung = Rung {
    rt_balance: known(RtBalance::ActivePlist, "pushable list: commit 917b627d4d98 (2.6.30); read in 2.6.30, not in 2.6.27"),
    overload_def: known(OverloadDef::Migratory, "commit 318e0893ce3f"),
    rt_throttle: known(RtThrottle::Share, "commit ac086bc22997 (2.6.26); RT_RUNTIME_SHARE is on in 3.2"),
    cpupri: known(CpupriGen::V102, "2.6.27 to 5.10: 102 levels read in 2.6.30, 3.16, 4.19 and 5.10"),
    ttwu_queue: known(TtwuQueue::AllRemote, "commit 317f394160e9 (3.0); its limit to other caches came with 3.3"),
    ttwu_on_cpu: known(TtwuOnCpu::Spin, "commit e4a52bcb9a18 (3.0)"),
    hrtimer_hang_guard: known(true, "commit 41d2e4949377 (2.6.33, recalled; read in 2.6.34)"),
    ..carry(V2_6_25, Version::V3_2)
};

const V3_16: Rung = Rung {
    ttwu_queue: known(TtwuQueue::CrossLlc, "commit 518cd6234178 (3.3)"),
    ipi_polling_elide: known(
        IpiPollingElide::ReschedAndCallfunc,
        "the wake-list tests polling since commit e3baac47f0e8 (3.16); read in 3.16",
    ),
    ..carry(V3_2, Version::V3_16)
};

const V4_1: Rung = Rung {
    rt_balance: known(RtBalance::Ipi41, "commit b6366f048e0c (4.1)"),
    rt_push_ipi: known(RtPushIpi::On, "on by default from 4.1 to May 2026 (commit dd29c017aed6)"),
    ..carry(V3_16, Version::V4_1)
};

const V4_2: Rung = Rung {
    spinlock: known(SpinlockKind::Qspinlock, "commit d73a33973f16 (4.2); ARCH_USE_QUEUED_SPINLOCKS of x86 read in 4.2, not in 4.1"),
    ..carry(V4_1, Version::V4_2)
};

const V4_15: Rung = Rung {
    rt_balance: known(RtBalance::Ipi416Skip1, "commits 4bdced5c9a29 and f73c52a5bcd1 (4.15, this hash recalled); read in 4.15.0"),
    rt_push_ipi: known(RtPushIpi::On, "on by default from 4.1 to May 2026 (commit dd29c017aed6)"),
    ksoftirqd_defers: known(true, "commit 4cd13c21b207 (4.9); read in 4.9"),
    ..carry(V4_2, Version::V4_15)
};

const V4_18: Rung = carry(V4_15, Version::V4_18);

const V5_8: Rung = Rung {
    ttwu_queue: known(TtwuQueue::CrossLlcCall, "commits a148866489fb and 2ebb17717550 (5.8); read in 5.10.262"),
    ttwu_on_cpu: known(TtwuOnCpu::WfOnCpu, "commit 2ebb17717550 (5.8); read in 5.10.262"),
    load_balance: known(true, "groups by class since commit 0b0695f2b34a (5.5)"),
    ..carry(V4_18, Version::V5_8)
};

const V5_10: Rung = Rung {
    rt_throttle: known(
        RtThrottle::NoShare,
        "RT_RUNTIME_SHARE is off by default since commit 2586af1ac187 (5.10); on in 5.9, off in 5.10.262",
    ),
    ..carry(V5_8, Version::V5_10)
};

const V5_14: Rung = Rung {
    lowest_pick: known(LowestPick::DomainDistribute, "commit 14e292f8d453 (5.11): cpumask_any_and_distribute(); read in 5.11"),
    cpupri: known(CpupriGen::V101, "commit 934fc3314b39 (5.11): 101 levels; read in 5.11"),
    push_running: known(true, "commit a7c81556ec4d (5.11); read in 5.11"),
    nohz_ilb: known(NohzIlb::Pre516, "5.13 to 5.15: no needs_update in 5.15"),
    ..carry(V5_10, Version::V5_14)
};

const V5_16: Rung = Rung { nohz_ilb: known(NohzIlb::NeedsUpdate, "commit 7fd7a9e0caba (5.16)"), ..carry(V5_14, Version::V5_16) };

const V6_1: Rung = Rung {
    rt_balance: known(RtBalance::Ipi416Skip1, "read in 6.1"),
    overload_def: known(OverloadDef::Migratory, "read in 6.1"),
    lowest_pick: known(LowestPick::DomainDistribute, "read in 6.1"),
    cpupri: known(CpupriGen::V101, "read in 6.1"),
    ttwu_queue: known(TtwuQueue::CrossLlcOrIdle, "commit f3dd3f674555 (6.0); read in 6.1.192"),
    ttwu_on_cpu: known(TtwuOnCpu::AnyRule, "commit f3dd3f674555 (6.0); read in 6.1.192"),
    ksoftirqd_defers: known(true, "read in 6.1"),
    hrtimer_hang_guard: known(true, "read in 6.1"),
    nohz_ilb: known(NohzIlb::NeedsUpdate, "read in 6.1"),
    load_balance: known(true, "read in 6.1"),
    ..carry(V5_16, Version::V6_1)
};

const V6_6: Rung = Rung {
    ksoftirqd_defers: known(false, "commit d15121be7485 (6.5); ksoftirqd_running() is in 6.4 and not in 6.5"),
    fair: known(Fair::Eevdf, "commit 147f3efaa241 (6.6)"),
    base_slice_ns: known(750_000, "6.6 to 6.14: read in 6.6, 6.12 and 6.14"),
    ..carry(V6_1, Version::V6_6)
};

const V6_12: Rung = Rung {
    overload_def: known(OverloadDef::PushableNonempty, "commit 612f769edd06 (6.7); read in 6.12"),
    delay_dequeue: known(true, "commit 152e11f6df29 (6.12)"),
    nohz_ilb: known(NohzIlb::EarlyOut, "commit f90cc919f9e5 (6.11); read in 6.12"),
    rt_throttle: known(RtThrottle::DlServer, "commit 5f6bd380c7bd (6.12): without RT_GROUP_SCHED the throttle is gone, a fair server came"),
    ..carry(V6_6, Version::V6_12)
};

const RT_ONLY: Preset<RtPushIpi> = known(
    RtPushIpi::RtOnly,
    "commit dd29c017aed6 (May 2026), back-ported to 6.1.178 and 6.12.96; not in 6.12.95, read in 6.1.192 and 6.12.117",
);
const NO_SELF: Preset<RtBalance> =
    known(RtBalance::Ipi2026Noself, "commit 94894c9c477e (January 2026), back-ported to 6.12.75; read in 6.1.192 and 6.12.117");

const ONE_IDLE_TICK: Preset<IdleStop> =
    known(IdleStop::AfterOneIdleTick, "commit f4c31b07b136 (7.0; back-ported, 6.12.78): without a cpuidle driver, or with one idle state");

const SLICE_700: Preset<u32> = known(700_000, "commit 2ae891b82695 (6.15), back-ported to 6.12 in May 2025");

const V6_18: Rung = Rung { base_slice_ns: SLICE_700, ..carry(V6_12, Version::V6_18) };

/// Every version, oldest first.
pub const LADDER: &[Rung] = &[
    V2_6_24,
    V2_6_25,
    V3_2,
    V3_16,
    carry(V3_16, Version::V3_17),
    carry(V3_16, Version::V3_19),
    Rung {
        rt_balance: known(RtBalance::IpiV1, "S. Rostedt's patch of 4 Feb 2015"),
        rt_push_ipi: known(RtPushIpi::AutoGt16, "S. Rostedt's patch of 4 Feb 2015"),
        ..carry(V3_16, Version::V3_19PushIpi)
    },
    V4_1,
    V4_2,
    V4_15,
    V4_18,
    carry(V4_18, Version::V4_19),
    carry(V4_18, Version::V5_4),
    carry(V4_18, Version::V5_7),
    V5_8,
    V5_10,
    V5_14,
    V5_16,
    V6_1,
    Rung {
        rt_balance: NO_SELF,
        rt_push_ipi: RT_ONLY,
        ni_random: known(true, "read in 6.1.192, where commit 33cf66d88306 is back-ported"),
        idle_stop: ONE_IDLE_TICK,
        ..carry(V6_1, Version::V6_1_192)
    },
    carry(V6_1, Version::V6_3),
    V6_6,
    V6_12,
    Rung {
        rt_balance: NO_SELF,
        rt_push_ipi: RT_ONLY,
        base_slice_ns: SLICE_700,
        ni_random: known(true, "read in 6.12.117, where commit 33cf66d88306 is back-ported"),
        idle_stop: ONE_IDLE_TICK,
        ..carry(V6_12, Version::V6_12_117)
    },
    carry(V6_12, Version::V6_13),
    V6_18,
    Rung {
        rt_balance: known(RtBalance::Ipi2026Noself, "commit 94894c9c477e (January 2026) came before 7.0's release in April"),
        ni_random: known(true, "commit 33cf66d88306 (6.19); its rate (NI_RATE, commit 9fe89f022c05) came after 7.0's merge window"),
        rt_push_ipi: known(RtPushIpi::On, "7.0 was released in April 2026, commit dd29c017aed6 is of May"),
        idle_stop: ONE_IDLE_TICK,
        ..carry(V6_18, Version::V7_0)
    },
];

const fn carry(below: Rung, version: Version) -> Rung {
    Rung {
        version,
        spinlock: carried(below.spinlock.value),
        rt_balance: carried(below.rt_balance.value),
        rt_push_ipi: carried(below.rt_push_ipi.value),
        overload_def: carried(below.overload_def.value),
        rto_scope: carried(below.rto_scope.value),
        lowest_pick: carried(below.lowest_pick.value),
        cpupri: carried(below.cpupri.value),
        ttwu_queue: carried(below.ttwu_queue.value),
        ttwu_on_cpu: carried(below.ttwu_on_cpu.value),
        ipi_polling_elide: carried(below.ipi_polling_elide.value),
        rt_throttle: carried(below.rt_throttle.value),
        push_running: carried(below.push_running.value),
        ksoftirqd_defers: carried(below.ksoftirqd_defers.value),
        fair: carried(below.fair.value),
        base_slice_ns: carried(below.base_slice_ns.value),
        delay_dequeue: carried(below.delay_dequeue.value),
        load_balance: carried(below.load_balance.value),
        ni_random: carried(below.ni_random.value),
        hrtimer_hang_guard: carried(below.hrtimer_hang_guard.value),
        nohz_ilb: carried(below.nohz_ilb.value),
        idle_stop: carried(below.idle_stop.value),
    }
}

/// The rung of `version`.
pub fn rung(version: Version) -> &'static Rung {
    LADDER.iter().find(|rung| rung.version == version).expect("every Version has a rung; a test checks it")
}
