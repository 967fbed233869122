//! The kernel of a run: every switch resolved. The switches are in `switches.rs`, the versions in `ladder.rs`.

pub mod bandwidth;
pub mod generation;
pub mod ladder;
pub mod offers;
pub mod row;
pub mod rules;
pub mod switches;
pub mod version;

pub use bandwidth::{
    Bandwidth, BandwidthPreset, BwDistribution, Expiry, ListInsert, Refill, SiloReturn, SlackSubtract, SlackThreshold, bandwidth_era,
    bandwidth_source, bandwidth_versions,
};
pub use generation::{Code2007, PushIpi, Woken};
pub use ladder::{LADDER, Rung, rung};
pub use offers::{default_preempt, nearest_offered, offer_note, offered, offers};
pub use row::{Preset, Row};
pub use rules::{RULES, Release};
pub use switches::{
    CpupriGen, DoubleLock, Fair, IdleStop, IpiPollingElide, LowestPick, NohzIlb, OverloadDef, Preempt, RtBalance, RtPushIpi, RtThrottle,
    RtoScope, SpinlockKind, TtwuOnCpu, TtwuQueue,
};

pub use version::{Version, newest_version, version_named, versions};

use crate::machine::topology::CpuMask;

/// The kernel a run boots, every switch resolved.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Kernel {
    /// The version that the switches started from, and what goes by it alone.
    pub release: Release,
    /// Ticks per second of a busy CPU.
    pub hz: u32,
    /// Whether the CPUs' ticks are spread over half a period, CPU 0 first (boot option `skew_tick`).
    pub tick_skew: bool,
    /// First tick after time 0, in ns; taken modulo the tick period, see [`Kernel::tick_grid_ns`].
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
    /// See [`RtoScope`].
    pub rto_scope: RtoScope,
    /// The slips of the first 2007 code: `rto_count` drifts, a stale bit found elsewhere clears the finder's own
    /// (commit 4642dafdf93d). Only the 2007 generations look at it.
    pub bugs_2007: bool,
    /// See [`LowestPick`].
    pub lowest_pick: LowestPick,
    /// See [`CpupriGen`].
    pub cpupri: CpupriGen,
    /// See [`TtwuQueue`].
    pub ttwu_queue: TtwuQueue,
    /// See [`TtwuOnCpu`]; follows the version.
    pub ttwu_on_cpu: TtwuOnCpu,
    /// See [`IpiPollingElide`].
    pub ipi_polling_elide: IpiPollingElide,
    /// See [`Preempt`].
    pub preempt: Preempt,
    /// See [`RtThrottle`].
    pub rt_throttle: RtThrottle,
    /// sched_rt_runtime_us in ns; `None` for -1, no limit. A live value.
    pub rt_runtime_ns: Option<u64>,
    /// sched_rt_period_us in ns. A live value.
    pub rt_period_ns: u64,
    /// sched_rr_timeslice_ms in ns.
    pub rr_timeslice_ns: u64,
    /// A waiting task that may not migrate makes the task that runs there move instead, by the CPU's stopper (5.11 on, commit
    /// a7c81556ec4d). See [`Kernel::pushes_running`].
    pub push_running: bool,
    /// CFS bandwidth control, see [`Bandwidth`].
    pub bandwidth: Bandwidth,
    /// sched_cfs_bandwidth_slice_us in ns: what a CPU fills its silo up to. A live value.
    pub bandwidth_slice_ns: u64,
    /// Hardirq exit leaves softirqs to a ksoftirqd that is runnable (4.9 to 6.4; commit d15121be7485 removed it).
    pub ksoftirqd_defers: bool,
    /// See [`Fair`].
    pub fair: Fair,
    /// EEVDF's sysctl_sched_base_slice on one CPU, ns; scaled by 1 + log2(CPUs), 8 counted at most.
    pub base_slice_ns: u32,
    /// EEVDF: a task that sleeps ahead of its share stays queued until it has run off its lag (6.12 on, commit 152e11f6df29).
    pub delay_dequeue: bool,
    /// Waiting fair tasks are balanced between CPUs. Off is no kernel's: to see what it does. 2.6.24 has a balancing of
    /// its own.
    pub load_balance: bool,
    /// A newly idle CPU looks at a domain about as often as that succeeds (NI_RANDOM; 6.19 on, commit 33cf66d88306).
    pub ni_random: bool,
    /// hrtimer_interrupt gives up after three rounds; follows the version.
    pub hrtimer_hang_guard: bool,
    /// See [`NohzIlb`]; without effect under `passive_2624`.
    pub nohz_ilb: NohzIlb,
    /// See [`IdleStop`].
    pub idle_stop: IdleStop,
    /// CPUs that stop their tick while one task runs alone, and that nobody asks to balance (boot option `nohz_full`).
    pub nohz_full: CpuMask,
}

impl Kernel {
    /// The kernel of `version` on a machine of `cpus`, with every other switch at its default.
    ///
    /// `double_lock` follows `preempt` as CONFIG_PREEMPTION does: fair under `full`.
    pub fn of_version(version: Version, cpus: u32) -> Self {
        let rung = rung(version);
        let preempt = default_preempt(version);
        Self {
            release: Release::of(version),
            hz: 1000,
            tick_skew: false,
            tick_phase_ns: 0,
            spinlock: rung.spinlock.value,
            double_lock: DoubleLock::Fair,
            rt_balance: rung.rt_balance.value,
            rt_push_ipi: resolve_push_ipi(rung.rt_balance.value, rung.rt_push_ipi.value, cpus, preempt),
            overload_def: rung.overload_def.value,
            rto_scope: rung.rto_scope.value,
            bugs_2007: false,
            lowest_pick: rung.lowest_pick.value,
            cpupri: rung.cpupri.value,
            ttwu_queue: rung.ttwu_queue.value,
            ttwu_on_cpu: rung.ttwu_on_cpu.value,
            ipi_polling_elide: rung.ipi_polling_elide.value,
            preempt,
            rt_throttle: rung.rt_throttle.value,
            rt_runtime_ns: Some(950_000_000),
            rt_period_ns: 1_000_000_000,
            rr_timeslice_ns: 100_000_000,
            push_running: rung.push_running.value,
            bandwidth: Bandwidth::of_version(version),
            bandwidth_slice_ns: 5_000_000,
            ksoftirqd_defers: rung.ksoftirqd_defers.value,
            fair: rung.fair.value,
            base_slice_ns: rung.base_slice_ns.value,
            delay_dequeue: rung.delay_dequeue.value,
            load_balance: rung.load_balance.value,
            ni_random: rung.ni_random.value,
            hrtimer_hang_guard: rung.hrtimer_hang_guard.value,
            nohz_ilb: rung.nohz_ilb.value,
            idle_stop: rung.idle_stop.value,
            nohz_full: CpuMask::EMPTY,
        }
    }

    /// The version that the switches started from.
    pub fn version(&self) -> Version {
        self.release.version()
    }

    /// Whether the slips of the first 2007 code are in force.
    pub fn has_bugs_2007(&self) -> bool {
        self.bugs_2007 && self.rt_balance.is_2007()
    }

    /// Whether running tasks are pushed in place of migration-disabled ones: only generations with a pushable list have a place
    /// to look for those.
    pub fn pushes_running(&self) -> bool {
        self.push_running && self.rt_balance.has_pushable_list()
    }

    /// Whether a push asked for by the pick waits until the switch is done and the run-queue lock was let go of: post_schedule(),
    /// which the list of balance callbacks replaced in 4.2 (commit e3fca9e7cbfb). The generations of 2007 have a hook of their own.
    pub fn has_post_schedule(&self) -> bool {
        self.rt_balance.has_post_schedule() && self.has_post_schedule_hook()
    }

    /// Whether a push that let go of its lock asks if the task is still the first that could be pushed (commit 690e47d1403e, in
    /// 6.16; read in 6.1.192 and 6.12.117, which have it back-ported).
    pub fn rechecks_first_pushable(&self) -> bool {
        self.rt_balance.rechecks_after_lock() || (self.rt_balance.has_pushable_list() && self.rechecks_after_lock())
    }

    /// The rule of TTWU_QUEUE that is compiled in, which its bit turns on: as the run starts with it; if it starts off, the version's.
    pub fn ttwu_rule(&self) -> TtwuQueue {
        match self.ttwu_queue {
            TtwuQueue::Off => self.release.ttwu_queue,
            rule => rule,
        }
    }

    /// Length of one tick period in ns.
    pub fn tick_ns(&self) -> u64 {
        1_000_000_000 / u64::from(self.hz)
    }

    /// Where in a tick period CPU 0 ticks, ns: any time to the first tick stands for its place on the grid.
    pub fn tick_grid_ns(&self) -> u64 {
        self.tick_phase_ns % self.tick_ns()
    }
}

/// The bit as it stands at start: never on in a generation that lacks it; `auto_gt16` counts CPUs.
/// `rt_only` asks the preemption model.
pub fn resolve_push_ipi(balance: RtBalance, bit: RtPushIpi, cpus: u32, preempt: Preempt) -> bool {
    balance.has_push_ipi_bit()
        && match bit {
            RtPushIpi::Off => false,
            RtPushIpi::On => true,
            RtPushIpi::AutoGt16 => cpus > 16,
            RtPushIpi::RtOnly => preempt == Preempt::Rt,
        }
}

/// The bit a generation has when a scenario states the generation but not the bit (contracts 3.1).
pub fn generation_default(balance: RtBalance) -> RtPushIpi {
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
    fn from_may_2026_the_bit_is_on_only_under_preempt_rt() {
        for (version, on) in [(Version::V6_1, true), (Version::V6_1_192, false), (Version::V6_12_117, false), (Version::V7_0, true)] {
            assert_eq!(Kernel::of_version(version, 4).rt_push_ipi, on, "{version:?}");
        }
        assert!(resolve_push_ipi(RtBalance::Ipi2026Noself, RtPushIpi::RtOnly, 4, Preempt::Rt));
    }

    #[test]
    fn a_generation_without_the_bit_never_turns_it_on() {
        assert!(!resolve_push_ipi(RtBalance::ActivePlist, RtPushIpi::On, 40, Preempt::Rt));
    }
}
