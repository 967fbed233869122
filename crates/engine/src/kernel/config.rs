//! The kernel of a run, with a value for every switch. `table.rs` and `rules.rs` list the values of
//! each version, `switches.rs` their meanings.

pub mod asked;
pub mod bandwidth;
pub mod generation;
pub mod idle_balancing;
pub mod offers;
pub mod questions;
pub mod row;
pub mod rules;
pub mod switches;
pub mod table;
pub mod version;

pub use asked::{ROWS, RowSet};
pub use bandwidth::{
    Bandwidth, BandwidthPreset, BwDistribution, Expiry, ListInsert, Refill, SiloReturn,
    SlackSubtract, SlackThreshold, bandwidth_era, bandwidth_era_of, bandwidth_source,
    bandwidth_versions,
};
pub use generation::{Code2007, PushIpi, Woken};
pub use offers::{default_preempt, nearest_offered, offer_note, offered, offers};
pub use row::{Beside, Known, Offers, Preset, READ, Reader, Row, Since, Words};
pub use rules::{RULES, Release};
pub use switches::{
    CgroupMode, CpupriGen, DoubleLock, Fair, IdleStop, IpiPollingElide, LowestPick, NohzIlb,
    OverloadDef, Preempt, Protection, RtBalance, RtPushIpi, RtThrottle, RtoScope, TtwuOnCpu,
    TtwuQueue,
};

pub use crate::machine::spinlock::SpinlockKind;
pub use table::{Kernel, Unsettled};
pub use version::{LAST, Spelling, Version, default_version, newest_up_to};

impl Kernel {
    /// The kernel of `version` on a machine of `cpus`, with every other switch at its default.
    ///
    /// `double_lock` follows from `preempt` here: code that changes `preempt` sets it too
    /// (docs/model/locks-and-ipis.md#double-lock).
    pub fn of_version(version: Version, cpus: u32) -> Self {
        let mut kernel = Self::of_rows(version);
        kernel.settle(Unsettled::of_rows(version), cpus);
        kernel
    }

    /// The version that the switches started from.
    pub fn version(&self) -> Version {
        self.release.version()
    }

    /// Whether the slips of the first 2007 code are in force.
    pub fn has_bugs_2007(&self) -> bool {
        self.bugs_2007 && self.rt_balance().is_2007()
    }

    /// Whether running tasks are pushed in place of migration-disabled ones: only generations with
    /// a pushable list have a place to look for those.
    pub fn pushes_running(&self) -> bool {
        self.push_running() && self.rt_balance().has_pushable_list()
    }

    /// Whether a push asked for by the pick waits until the switch is done and the run-queue lock
    /// was released: post_schedule(), which the list of balance callbacks replaced in 4.2 (commit
    /// e3fca9e7cbfb). The generations of 2007 have a hook of their own.
    pub fn has_post_schedule(&self) -> bool {
        self.rt_balance().has_post_schedule() && self.has_post_schedule_hook()
    }

    /// Whether a push that released its lock asks if the task is still the first that could be
    /// pushed (commit 690e47d1403e, in 6.16; read in 6.1.192 and 6.12.117, which have it
    /// back-ported).
    pub fn rechecks_first_pushable(&self) -> bool {
        self.rt_balance().rechecks_after_lock()
            || (self.rt_balance().has_pushable_list() && self.rechecks_after_lock())
    }

    /// The rule of TTWU_QUEUE that is compiled in, which its bit turns on: as the run starts with
    /// it; if it starts off, the version's.
    pub fn ttwu_rule(&self) -> TtwuQueue {
        match self.ttwu_queue() {
            TtwuQueue::Off => self.release.ttwu_queue,
            rule @ (TtwuQueue::AllRemote
            | TtwuQueue::CrossLlc
            | TtwuQueue::CrossLlcCall
            | TtwuQueue::CrossLlcOrIdle) => rule,
        }
    }

    /// Length of one tick period in ns.
    pub fn tick_ns(&self) -> u64 {
        1_000_000_000 / u64::from(self.hz)
    }

    /// The offset of CPU 0's ticks within a tick period, ns. A scenario may state any time up to
    /// the first tick; the remainder counts.
    pub fn tick_grid_ns(&self) -> u64 {
        self.tick_phase_ns % self.tick_ns()
    }
}

/// The bit at the start of a run: off in a generation without it. `auto_gt16` depends on the number
/// of CPUs, `rt_only` on the preemption model.
pub fn resolve_push_ipi(balance: RtBalance, bit: RtPushIpi, cpus: u32, preempt: Preempt) -> bool {
    balance.has_push_ipi_bit()
        && match bit {
            RtPushIpi::Off => false,
            RtPushIpi::On => true,
            RtPushIpi::AutoGt16 => cpus > 16,
            RtPushIpi::RtOnly => preempt.is_rt(),
        }
}

/// The bit a generation has when a scenario states the generation but not the bit
/// (docs/model/rt-balancing.md#rt_push_ipi-default).
fn generation_default(balance: RtBalance) -> RtPushIpi {
    match balance.push_ipi() {
        PushIpi::NoBit => RtPushIpi::Off,
        PushIpi::ToEach => RtPushIpi::AutoGt16,
        PushIpi::ChainOfEach | PushIpi::OneWalk => RtPushIpi::On,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named::Named;

    /// Looks at every row of the table.
    struct Rows(Vec<String>);

    impl Reader for Rows {
        type Fault = std::convert::Infallible;
        fn named<T: Named>(&mut self, row: &Row<T>, _: Beside<T>) -> Result<T, Self::Fault> {
            Ok(self.judge(row))
        }
        fn flag(&mut self, row: &Row<bool>, _: Beside<bool>) -> Result<bool, Self::Fault> {
            Ok(self.judge(row))
        }
        fn time(&mut self, row: &Row<u32>, _: Beside<u32>) -> Result<u32, Self::Fault> {
            Ok(self.judge(row))
        }
    }

    impl Rows {
        fn judge<T: Copy>(&mut self, row: &Row<T>) -> T {
            row.judge();
            self.0.extend(row.words.as_ref().map(|words| words.path.to_owned()));
            row.value(Version::V6_1)
        }
    }

    #[test]
    fn every_row_begins_with_the_oldest_version_goes_up_and_names_its_sources() {
        let mut rows = Rows(Vec::new());
        let mut kernel = Kernel::of_version(Version::V3_19, 4);
        kernel.read(&mut rows).unwrap();
        assert_eq!(kernel.nohz_ilb, NohzIlb::NeedsUpdate, "what the reader says is the kernel's");
        let paths: std::collections::BTreeSet<&String> = rows.0.iter().collect();
        assert_eq!(paths.len(), rows.0.len(), "each knob once");
        assert!(!paths.is_empty());
    }

    #[test]
    fn a_stable_release_hands_nothing_on() {
        let ni_random = [
            Version::V6_1,
            Version::V6_1_192,
            Version::V6_3,
            Version::V6_12_117,
            Version::V6_13,
            Version::V7_0,
        ];
        assert_eq!(
            ni_random.map(|version| Kernel::of_version(version, 1).ni_random),
            [false, true, false, true, false, true]
        );
        let [new, old] = [Version::V4_1, Version::V4_2].map(|of| table::RT_BALANCE.at(of));
        assert_eq!((new.value, new.is_new), (RtBalance::Ipi41, true));
        assert_eq!((old.source, old.is_new), ("commit b6366f048e0c (4.1)", false));
    }

    #[test]
    fn auto_gt16_is_off_at_16_cpus_and_on_at_17() {
        assert!(!Kernel::of_version(Version::V3_19_PUSH_IPI, 16).rt_push_ipi);
        assert!(Kernel::of_version(Version::V3_19_PUSH_IPI, 17).rt_push_ipi);
    }

    #[test]
    fn from_may_2026_the_bit_is_on_only_under_preempt_rt() {
        for (version, on) in [
            (Version::V6_1, true),
            (Version::V6_1_192, false),
            (Version::V6_12_117, false),
            (Version::V7_0, true),
            (Version::of("6.12.95"), true),
            (Version::of("6.12.96"), false),
            (Version::of("7.1.3"), true),
            (Version::of("7.1.4"), false),
        ] {
            assert_eq!(Kernel::of_version(version, 4).rt_push_ipi, on, "{version:?}");
        }
        assert!(resolve_push_ipi(RtBalance::Ipi2026Noself, RtPushIpi::RtOnly, 4, Preempt::Rt));
    }

    #[test]
    fn a_generation_without_the_bit_never_turns_it_on() {
        assert!(!resolve_push_ipi(RtBalance::ActivePlist, RtPushIpi::On, 40, Preempt::Rt));
    }
}
