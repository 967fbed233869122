//! Every switch of the simulated kernel, and the kernel versions as presets over those switches.
//!
//! A switch is one enum; a version is one row of [`LADDER`]. A value that a version's sources state is `known`,
//! one taken over from the rung below is `carried`; the page marks the difference.

use crate::named_enum;

named_enum! {
    /// How CPUs queue for a spinlock (spec A.1).
    pub enum SpinlockKind {
        Ticket = "ticket", "FIFO; all waiters spin on one cache line, so each hand-off costs more per waiter (2.6.25 to 4.1)";
        Qspinlock = "qspinlock", "FIFO; each waiter spins on its own node, so the hand-off cost is flat (4.2 on)";
    }
}

named_enum! {
    /// How a CPU that holds its own rq lock takes a second one (spec A.4).
    pub enum DoubleLock {
        Fair = "fair", "drop the own lock, then take both in order (CONFIG_PREEMPTION)";
        Unfair = "unfair", "try the second lock first; drop the own one only when the order demands it (!CONFIG_PREEMPTION)";
    }
}

named_enum! {
    /// The generation of RT balancing code compiled in (contracts 3.1). The bit inside it is `rt_push_ipi`.
    pub enum RtBalance {
        ActivePlist = "active_plist", "2.6.30 to 4.0: a CPU that lowers its priority pulls; no RT_PUSH_IPI bit";
        IpiV1 = "ipi_v1_2015", "thread 000, the patch of 4 Feb 2015: one reschedule IPI to every overloaded CPU";
        Ipi415 = "ipi_4_15", "commit 4bdced5c9a29: one IPI at a time walks the root domain's rto_mask";
    }
}

impl RtBalance {
    /// Whether this generation has the RT_PUSH_IPI feature bit.
    pub fn has_push_ipi_bit(self) -> bool {
        !matches!(self, Self::ActivePlist)
    }
}

named_enum! {
    /// What a scenario may say about the RT_PUSH_IPI bit; it resolves to on or off at start.
    pub enum RtPushIpi {
        Off = "off", "overloaded CPUs are pulled from";
        On = "on", "overloaded CPUs are asked by IPI to push";
        AutoGt16 = "auto_gt16", "thread 000: on only with more than 16 possible CPUs";
    }
}

named_enum! {
    /// When a run queue counts as RT-overloaded (spec B.3).
    pub enum OverloadDef {
        CountGt1 = "count_gt1", "more than one RT task (thread 001, commit 4642dafdf93d)";
        Migratory = "migratory", "at least one migratable RT task and more than one RT task (commit 318e0893ce3f to 6.1)";
        PushableNonempty = "pushable_nonempty", "a waiting RT task that may run elsewhere (6.12)";
    }
}

named_enum! {
    /// How find_lowest_rq picks among the weakest CPUs (spec C.2, C.3).
    pub enum LowestPick {
        DomainFirst = "domain_first", "smallest domain first, executing CPU if in it, else the lowest id (to 4.x)";
        DomainDistribute = "domain_distribute", "smallest domain first, executing CPU if in it, else round robin (6.1)";
    }
}

named_enum! {
    /// Generation of the cpupri map (spec B.6).
    pub enum CpupriGen {
        V102 = "v102", "102 levels (2.6.27 to 5.10); its level for idle CPUs was never filled, so it picks as v101 does";
        V101 = "v101", "101 levels: idle CPUs and those running a fair task share level 0 (6.1)";
    }
}

named_enum! {
    /// When a remote wake-up goes to the target's wake-list instead of taking its rq lock (spec D.2).
    pub enum TtwuQueue {
        Off = "off", "always lock the remote rq";
        AllRemote = "all_remote", "any remote CPU (2.6.39 to 3.1)";
        CrossLlc = "cross_llc", "only across last-level caches (3.2 to 5.7)";
        CrossLlcOrIdle = "cross_llc_or_idle", "across last-level caches, or to a CPU with nothing to run (5.8 on)";
    }
}

named_enum! {
    /// Which IPIs are replaced by a flag when the target polls need_resched in its idle loop (spec D.3, D.4).
    pub enum IpiPollingElide {
        Off = "off", "always send";
        ReschedOnly = "resched_only", "reschedule IPIs only";
        ReschedAndCallfunc = "resched_and_callfunc", "reschedule and wake-list IPIs";
    }
}

named_enum! {
    /// Preemption model: where need_resched is honoured (spec E.2).
    pub enum Preempt {
        None = "none", "at return to user only";
        Voluntary = "voluntary", "at return to user and at might_sleep points; as `none` while no workload has such points";
        Full = "full", "at return to user, at interrupt exit to preemptible kernel code and at preempt_enable";
    }
}

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
    }
}

/// The rung of `version`.
pub fn rung(version: Version) -> &'static Rung {
    LADDER.iter().find(|rung| rung.version == version).expect("every Version has a rung; a test checks it")
}

/// The kernel a run boots, every switch resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The version preset the switches started from.
    pub version: Version,
    /// Ticks per second of a busy CPU.
    pub hz: u32,
    /// Whether each CPU's tick is offset from the others (boot option `skew_tick`).
    pub tick_skew: bool,
    /// First tick after time 0, in ns, less than one tick period.
    pub tick_phase_ns: u64,
    /// See [`SpinlockKind`].
    pub spinlock: SpinlockKind,
    /// See [`DoubleLock`].
    pub double_lock: DoubleLock,
    /// See [`RtBalance`].
    pub rt_balance: RtBalance,
    /// The RT_PUSH_IPI bit as resolved; false where the generation has no bit.
    pub rt_push_ipi: bool,
    /// See [`OverloadDef`].
    pub overload_def: OverloadDef,
    /// See [`LowestPick`].
    pub lowest_pick: LowestPick,
    /// See [`CpupriGen`].
    pub cpupri: CpupriGen,
    /// See [`TtwuQueue`].
    pub ttwu_queue: TtwuQueue,
    /// See [`IpiPollingElide`].
    pub ipi_polling_elide: IpiPollingElide,
    /// See [`Preempt`].
    pub preempt: Preempt,
}

impl Kernel {
    /// The kernel of `version` on a machine of `cpus`, with every other switch at its default.
    ///
    /// `double_lock` follows `preempt` as CONFIG_PREEMPTION does: fair under `full`.
    pub fn of_version(version: Version, cpus: u32) -> Self {
        let rung = rung(version);
        Self {
            version,
            hz: 1000,
            tick_skew: false,
            tick_phase_ns: 0,
            spinlock: rung.spinlock.value,
            double_lock: DoubleLock::Fair,
            rt_balance: rung.rt_balance.value,
            rt_push_ipi: resolve_push_ipi(rung.rt_balance.value, rung.rt_push_ipi.value, cpus),
            overload_def: rung.overload_def.value,
            lowest_pick: rung.lowest_pick.value,
            cpupri: rung.cpupri.value,
            ttwu_queue: rung.ttwu_queue.value,
            ipi_polling_elide: rung.ipi_polling_elide.value,
            preempt: Preempt::Full,
        }
    }

    /// Length of one tick period in ns.
    pub fn tick_ns(&self) -> u64 {
        1_000_000_000 / u64::from(self.hz)
    }
}

/// The bit as it stands at start: never on in a generation that lacks it; `auto_gt16` counts CPUs (thread 000).
pub fn resolve_push_ipi(balance: RtBalance, bit: RtPushIpi, cpus: u32) -> bool {
    balance.has_push_ipi_bit()
        && match bit {
            RtPushIpi::Off => false,
            RtPushIpi::On => true,
            RtPushIpi::AutoGt16 => cpus > 16,
        }
}

/// The bit a generation has when a scenario states the generation but not the bit (contracts 3.1).
pub fn generation_default(balance: RtBalance) -> RtPushIpi {
    match balance {
        RtBalance::ActivePlist => RtPushIpi::Off,
        RtBalance::IpiV1 => RtPushIpi::AutoGt16,
        RtBalance::Ipi415 => RtPushIpi::On,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named::Named;

    #[test]
    fn every_version_has_one_rung_in_order() {
        let rungs: Vec<Version> = LADDER.iter().map(|rung| rung.version).collect();
        assert_eq!(rungs, Version::ALL);
    }

    #[test]
    fn auto_gt16_is_off_at_16_cpus_and_on_at_17() {
        assert!(!Kernel::of_version(Version::V3_19PushIpi, 16).rt_push_ipi);
        assert!(Kernel::of_version(Version::V3_19PushIpi, 17).rt_push_ipi);
    }

    #[test]
    fn a_generation_without_the_bit_never_turns_it_on() {
        assert!(!resolve_push_ipi(RtBalance::ActivePlist, RtPushIpi::On, 40));
    }
}
