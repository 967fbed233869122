//! The table of kernels: a row for every switch that a version sets and a scenario may state, and
//! the kernel that they form. `rules/rows.rs` has the rules of yes or no.
//!
//! A row has the name of the switch, its path in scenarios, and the value of each version with its
//! source. The kernel's field, the knob with its words, the schema and the reader of scenarios all
//! follow from the row (docs/develop/recipes.md).

mod form;
mod write;

use form::kernel;

use super::asked::{RowSet, noted};
use super::bandwidth::Bandwidth;
use super::generation_default;
use super::offers::PREEMPT_OFFERS;
use super::row::{BY_VERSION, Reader, Row, Since, knob, row};
use super::rules::{RULES, Release};
use super::switches::{
    CgroupMode, CpupriGen, DoubleLock, Fair, IdleStop, IpiPollingElide, LowestPick, NohzIlb,
    OverloadDef, Preempt, Protection, RtBalance, RtPushIpi, RtThrottle, RtoScope, TtwuOnCpu,
    TtwuQueue,
};
use super::version::Version;
use crate::machine::spinlock::SpinlockKind;
use crate::machine::topology::CpuMask;

kernel! {
    besides |version| {
        /// The version that the switches started from, and its rules.
        release: Release = Release::of(version);
        /// Ticks per second of a busy CPU.
        hz: u32 = 1000;
        /// Whether the CPUs' ticks are spread over half a period, CPU 0 first (boot option
        /// `skew_tick`).
        tick_skew: bool = false;
        /// First tick after time 0, in ns; taken modulo the tick period, see
        /// [`Kernel::tick_grid_ns`].
        tick_phase_ns: u64 = 0;
    }
    settled {
        /// The RT_PUSH_IPI bit as settled; false where the generation has no bit.
        rt_push_ipi: bool = false;
    }
    besides {
        /// The slips of the first 2007 code: `rto_count` drifts, a stale bit found elsewhere clears
        /// the finder's own (commit 4642dafdf93d). Only the 2007 generations look at it.
        bugs_2007: bool = false;
        /// sched_rt_runtime_us in ns; `None` for -1, no limit. A live value.
        rt_runtime_ns: Option<u64> = Some(950_000_000);
        /// sched_rt_period_us in ns. A live value.
        rt_period_ns: u64 = 1_000_000_000;
        /// sched_rr_timeslice_ms in ns.
        rr_timeslice_ns: u64 = 100_000_000;
        /// CFS bandwidth control, see [`Bandwidth`].
        bandwidth: Bandwidth = Bandwidth::of_version(version);
        /// sched_cfs_bandwidth_slice_us in ns: a CPU fills its silo up to this. A live value.
        bandwidth_slice_ns: u64 = 5_000_000;
        /// CPUs that stop their tick while one task runs alone, and that no kick asks to balance
        /// (boot option `nohz_full`).
        nohz_full: CpuMask = CpuMask::EMPTY;
    }
    rows {
        /// See [`Preempt`].
        named PREEMPT => preempt: Preempt {
            [Some(knob(
                "kernel.preempt",
                "preemption",
                "Preemption model: where need_resched is honoured. A running kernel switches among \
                    the dynamic modes.",
                "PREEMPT_NONE, PREEMPT_VOLUNTARY, PREEMPT, PREEMPT_LAZY, PREEMPT_RT; full where \
                    nothing is stated, lazy from 7.0 on",
            ).live().chosen("full; lazy from 7.0 on"))].offers(&PREEMPT_OFFERS)
            "2.6.24": Preempt::Full, "full where nothing is stated";
            "7.0": Preempt::Lazy, "commit 7dadeaa6e851 (7.0)";
        }
        /// See [`DoubleLock`].
        named DOUBLE_LOCK => double_lock: DoubleLock {
            [Some(knob(
                "kernel.double_lock",
                "double_lock_balance",
                "How a CPU that holds its own run-queue lock takes a second one.",
                "CONFIG_PREEMPTION: fair unless kernel.preempt is none or voluntary",
            ))].beside(|kernel| {
                let without = !kernel.preempt.config_preemption();
                without.then_some((DoubleLock::Unfair, "no CONFIG_PREEMPTION, from kernel.preempt"))
            })
            "2.6.24": DoubleLock::Unfair, "before commit 8f45e2b51620 (2.6.30)";
            "2.6.30": DoubleLock::Fair, "commit 8f45e2b51620 (2.6.30)";
        }
        /// See [`SpinlockKind`].
        named SPINLOCK => spinlock: SpinlockKind {
            [Some(knob("kernel.spinlock", "spinlock", "How CPUs queue for a \
                spinlock.", BY_VERSION))]
            "2.6.24": SpinlockKind::Ticket,
                "x86 had test-and-set locks before commit 314cdbefd1fd (2.6.25), which are not \
                    modelled: ticket locks stand in";
            "2.6.25": SpinlockKind::Ticket, "commit 314cdbefd1fd (2.6.25); x86 has them up to 4.1";
            "4.2": SpinlockKind::Qspinlock, "commit d73a33973f16 (4.2); ARCH_USE_QUEUED_SPINLOCKS \
                of x86 read in 4.2, not in 4.1";
        }
        /// See [`RtBalance`].
        named RT_BALANCE => rt_balance: RtBalance {
            [Some(knob("kernel.rt_balance", "RT balancing", "The generation of RT balancing code \
                compiled in.", BY_VERSION))]
            "2.6.24": RtBalance::Passive2624, "read in 2.6.24: sched.c and sched_rt.c";
            "2.6.25": RtBalance::Active2008Routed, "commit 318e0893ce3f";
            "2.6.30": RtBalance::ActivePlist,
                "pushable list: commit 917b627d4d98 (2.6.30); read in 2.6.30, not in 2.6.27";
            "3.19-push-ipi": RtBalance::IpiV1, "S. Rostedt's patch of 4 Feb 2015";
            "4.1": RtBalance::Ipi41, "commit b6366f048e0c (4.1)";
            "4.15": RtBalance::Ipi416Skip1, "commits 4bdced5c9a29 and f73c52a5bcd1 (4.15); read in \
                4.15.0";
            "7.0" ["6.1.165", "6.12.75", "6.18.14", "6.19.10"]: RtBalance::Ipi2026Noself,
                "commit 94894c9c477e (7.0, January 2026)";
        }
        // The bit as a version or a scenario states it; the kernel's own field is on or off.
        named RT_PUSH_IPI -> push_ipi: RtPushIpi {
            [Some(knob(
                "kernel.rt_push_ipi",
                "RT_PUSH_IPI",
                "Ask an overloaded CPU by IPI to push, instead of taking its run-queue lock to \
                    pull.",
                "sched_features RT_PUSH_IPI, commit b6366f048e0c",
            ).live())].beside(|kernel| {
                let own = kernel.rt_balance == RT_BALANCE.value(kernel.version());
                let default = generation_default(kernel.rt_balance);
                (!own).then_some((default, "the default of the stated kernel.rt_balance"))
            })
            "2.6.24": RtPushIpi::Off, "no such feature before commit b6366f048e0c (4.1)";
            "3.19-push-ipi": RtPushIpi::AutoGt16, "S. Rostedt's patch of 4 Feb 2015";
            "4.1": RtPushIpi::On, "on by default from 4.1 to May 2026 (commit dd29c017aed6)";
            "7.2" ["6.1.178", "6.12.96", "7.1.4"]: RtPushIpi::RtOnly,
                "commit dd29c017aed6 (7.2, May 2026)";
        }
        /// See [`CpupriGen`].
        named CPUPRI => cpupri: CpupriGen {
            [Some(knob("kernel.cpupri", "cpupri", "Levels of the map from priorities to \
                CPUs.", BY_VERSION))]
            "2.6.24": CpupriGen::Off, "cpupri came with 2.6.27; not in 2.6.26";
            "2.6.27": CpupriGen::V102,
                "2.6.27 to 5.10: 102 levels read in 2.6.30, 3.16, 4.19 and 5.10";
            "5.11": CpupriGen::V101, "commit 934fc3314b39 (5.11): 101 levels; read in 5.11";
        }
        /// See [`TtwuQueue`].
        named TTWU_QUEUE => ttwu_queue: TtwuQueue {
            [Some(knob(
                "kernel.ttwu_queue",
                "TTWU_QUEUE",
                "When a remote wake-up goes to the target's wake-list instead of taking its \
                    run-queue lock. A running kernel can turn this off and on.",
                BY_VERSION,
            ).live())].beside(|kernel| {
                let source = "PREEMPT_RT: TTWU_QUEUE is off by default (read in 5.17, 6.1 and \
                    6.12)";
                kernel.preempt.is_rt().then_some((TtwuQueue::Off, source))
            })
            "2.6.24": TtwuQueue::Off, "no wake-list before commit 317f394160e9 (3.0)";
            "3.0": TtwuQueue::AllRemote,
                "commit 317f394160e9 (3.0); its limit to other caches came with 3.3";
            "3.3": TtwuQueue::CrossLlc, "commit 518cd6234178 (3.3)";
            "5.8": TtwuQueue::CrossLlcCall, "commits a148866489fb and 2ebb17717550 (5.8); read in \
                5.10.262";
            "6.0": TtwuQueue::CrossLlcOrIdle, "commit f3dd3f674555 (6.0); read in 6.1.192";
        }
        /// How a waker treats a task that is still on a CPU, together with `kernel.ttwu_queue`.
        named TTWU_ON_CPU => ttwu_on_cpu: TtwuOnCpu {
            [None]
            "2.6.24": TtwuOnCpu::OldLock, "task_rq_lock() until commit e4a52bcb9a18 (3.0)";
            "3.0": TtwuOnCpu::Spin, "commit e4a52bcb9a18 (3.0)";
            "5.8": TtwuOnCpu::WfOnCpu, "commit 2ebb17717550 (5.8); read in 5.10.262";
            "6.0": TtwuOnCpu::AnyRule, "commit f3dd3f674555 (6.0); read in 6.1.192";
        }
        /// See [`IpiPollingElide`].
        named IPI_POLLING_ELIDE => ipi_polling_elide: IpiPollingElide {
            [Some(knob(
                "kernel.ipi_polling_elide",
                "polling idle",
                "Which IPIs become a flag when the target polls need_resched in its idle loop.",
                BY_VERSION,
            ))]
            "2.6.24": IpiPollingElide::ReschedOnly, "resched_task() tests polling: read in 2.6.24";
            "3.16": IpiPollingElide::ReschedAndCallfunc, "the wake-list tests polling since commit \
                e3baac47f0e8 (3.16); read in 3.16";
        }
        /// Hardirq exit leaves softirqs to a ksoftirqd that is runnable.
        flag KSOFTIRQD_DEFERS => ksoftirqd_defers: bool {
            [Some(knob(
                "kernel.ksoftirqd_defers",
                "ksoftirqd first",
                "Interrupt exit leaves softirqs to a ksoftirqd that is already runnable.",
                "commit 4cd13c21b207 (4.9) to d15121be7485 (6.5); follows kernel.version unless \
                    stated",
            ))]
            "2.6.24": false, "before commit 4cd13c21b207 (4.9; not in 4.6.2) interrupt exit ran \
                softirqs whatever ksoftirqd did";
            "4.9": true, "commit 4cd13c21b207 (4.9); read in 4.9";
            "6.5": false, "commit d15121be7485 (6.5); ksoftirqd_running() is in 6.4 and not in 6.5";
        }
        /// hrtimer_interrupt gives up after three rounds.
        flag HRTIMER_HANG_GUARD => hrtimer_hang_guard: bool {
            [None]
            "2.6.24": false, "before commit 41d2e4949377 (2.6.33; not in 2.6.32)";
            "2.6.33": true, "commit 41d2e4949377 (2.6.33; read in 2.6.34)";
        }
        /// See [`Fair`].
        named FAIR => fair: Fair {
            [Some(knob("kernel.fair", "fair class", "How the fair class shares a \
                CPU.", BY_VERSION))]
            "2.6.24": Fair::Cfs, "read in 2.6.24";
            "6.6": Fair::Eevdf, "commit 147f3efaa241 (6.6)";
        }
        /// A thread that is about to be preempted on its way back to user code gets a few us more
        /// if it asks for them.
        flag RSEQ_SLICE_EXTENSION => rseq_slice_extension: bool {
            [Some(knob(
                "kernel.rseq_slice_extension",
                "slice extension",
                "A thread inside a critical section may ask for a few µs more before it is \
                    preempted.",
                "CONFIG_RSEQ_SLICE_EXTENSION, commits d7a5da7a0f7f and dfb630f548a7 (7.0), which \
                    Kconfig leaves off; off unless stated",
            ))]
            "2.6.24": false, "no slice extension before commit dfb630f548a7 (7.0)";
            "7.0": false, "commit d7a5da7a0f7f (7.0): the option has no default and advises N";
        }
        /// How long a slice extension lasts, ns.
        time RSEQ_SLICE_EXTENSION_LENGTH => rseq_slice_extension_length_ns: u32 {
            [Some(knob(
                "kernel.rseq_slice_extension_length",
                "extension length",
                "How long a slice extension lasts at most. 5 µs is the least the kernel takes, 50 \
                    µs the most.",
                "debugfs rseq/slice_ext_nsec, commits e1d7f54900f1 and 21c0e92d0681 (7.0)",
            ).range(5_000, 50_000))]
            "2.6.24": 5_000, "not used before slice extensions, whose default this is";
            "7.0": 5_000, "commit 21c0e92d0681 (7.0); 30 us in the first patches, 10 us until then";
        }
        /// EEVDF's sysctl_sched_base_slice on one CPU, ns; scaled by 1 + log2(CPUs), 8 counted at
        /// most.
        time BASE_SLICE => base_slice_ns: u32 {
            [Some(knob(
                "kernel.base_slice",
                "base slice",
                "EEVDF: a task's slice on one CPU; 2, 3 or 4 times that on 2, 4 or at least 8 \
                    CPUs.",
                "sysctl_sched_base_slice: 0.75 ms in 6.6, 0.70 ms from 6.15 on; follows \
                    kernel.version unless stated",
            ).range(100_000, 1_000_000_000))]
            "2.6.24": 750_000, "not used before EEVDF, whose first value this is (read in 6.6)";
            "6.6": 750_000, "6.6 to 6.14: read in 6.6, 6.12 and 6.14";
            "6.15" ["6.12.31"]: 700_000, "commit 2ae891b82695 (6.15)";
        }
        /// EEVDF: a task that sleeps ahead of its share stays queued until it has run off its lag.
        flag DELAY_DEQUEUE => delay_dequeue: bool {
            [Some(knob(
                "kernel.delay_dequeue",
                "delayed dequeue",
                "EEVDF: a task that goes to sleep ahead of its share stays queued until the \
                    others have caught up.",
                "commit 152e11f6df29 (6.12); follows kernel.version unless stated",
            ).live())]
            "2.6.24": false, "before commit 152e11f6df29 (6.12)";
            "6.12": true, "commit 152e11f6df29 (6.12)";
        }
        /// EEVDF: a timer ends a task's request, and no longer the next tick.
        flag HRTICK => hrtick: bool {
            [Some(knob(
                "kernel.hrtick",
                "HRTICK",
                "EEVDF: a timer ends a task's slice; off, the next tick does.",
                "sched_features HRTICK, on where CONFIG_HRTIMER_REARM_DEFERRED is (7.1, x86)",
            ).live())]
            "2.6.24": false, "off by default (recalled before 6.1); read in 6.1.170 to 7.0.10";
            "7.1": true, "commit 9213aa4784cf (7.1); read in 7.1.3, not in 7.0.10";
        }
        /// EEVDF: the running task keeps the CPU while another one is due, see [`Protection`].
        flag RUN_TO_PARITY => run_to_parity: bool {
            [Some(knob(
                "kernel.run_to_parity",
                "RUN_TO_PARITY bit",
                "EEVDF: the running task is protected. Off: to 6.16 not at all, from 6.17 on for \
                    the base slice of one CPU.",
                "sched_features RUN_TO_PARITY, on by default",
            ).live())]
            "2.6.24": true, "on since EEVDF (6.6): kernel/sched/features.h, read in 6.12.57 to \
                7.3.4; not used before";
        }
        /// EEVDF: a task that joins a queue has the lag that it left with.
        flag PLACE_LAG => place_lag: bool {
            [Some(knob(
                "kernel.place_lag",
                "PLACE_LAG",
                "EEVDF: a task that joins keeps its lag. Off: each task joins at the average.",
                "sched_features PLACE_LAG, on by default",
            ).live())]
            "2.6.24": true, "on since EEVDF (6.6): kernel/sched/features.h, read in 6.12.57 to \
                7.3.4; not used before";
        }
        /// EEVDF: the bit of the rule `has_preempt_short`.
        flag PREEMPT_SHORT => preempt_short: bool {
            [Some(knob(
                "kernel.preempt_short",
                "PREEMPT_SHORT bit",
                "EEVDF: a woken task with a shorter slice may preempt a protected one.",
                "sched_features PREEMPT_SHORT (6.12), on by default",
            ).live())]
            "2.6.24": true, "on since commit 85e511df3cec (6.12): kernel/sched/features.h, read \
                in 6.12.57 to 7.3.4; not used before";
        }
        /// A woken task is marked as next buddy.
        flag NEXT_BUDDY => next_buddy: bool {
            [Some(knob(
                "kernel.next_buddy",
                "NEXT_BUDDY",
                "Each task that wakes beside a running one is marked as next buddy, and is picked \
                    first if it is eligible (CFS: near).",
                "sched_features NEXT_BUDDY, off by default",
            ).live())]
            "2.6.24": false, "off: kernel/sched/features.h, read in 6.1.170 to 7.3.4";
        }
        /// See [`Protection`].
        named PROTECTION => protection: Protection {
            [Some(knob(
                "kernel.protection",
                "RUN_TO_PARITY",
                "EEVDF: how long the running task keeps the CPU while another one is due.",
                BY_VERSION,
            ))]
            "2.6.24": Protection::UntilDeadline,
                "not used before EEVDF, whose first form this is (6.6, recalled)";
            "6.17": Protection::LeastSlice,
                "commits 052c3d87c82e, 9de74a9850b9, 74eec63661d4 and 0b9ca2dcabc3 (6.17)";
            "7.0" ["6.18.17", "6.19.7"]: Protection::LeastSliceAtPick,
                "commits bcd74b2ffdd0 and ff38424030f9 (7.0); 6.18.17 by a merge log";
            "7.3": Protection::ShortSlices,
                "commits 8f97b627ff1c, 49f87b4d0be8, 7ad0ec7890b3, ba0d3bf5f97b, 7cd2ef17de5e, \
                0d1e7a2bab35 (7.3); read in 7.3.4";
        }
        /// See [`CgroupMode`].
        named CGROUP_MODE => cgroup_mode: CgroupMode {
            [Some(knob(
                "kernel.cgroup_mode",
                "cgroup_mode",
                "What a group's cpu.weight is worth on each CPU where the group has tasks.",
                "debugfs sched/cgroup_mode (7.3); follows kernel.version unless stated",
            ).live())]
            "2.6.24": CgroupMode::Smp,
                "calc_group_shares() or its forerunner (to 6.0 recalled); read in 6.1.192, 7.2.13";
            "7.3": CgroupMode::Concur, "commits 4161cb2d867b to fb1050ac8e40 (7.3); read in 7.3.4";
        }
        /// Waiting fair tasks are balanced between CPUs. Off takes all CPUs out, as cpusets take
        /// out some. 2.6.24 has a balancing of its own.
        flag LOAD_BALANCE => load_balance: bool {
            [Some(knob(
                "kernel.load_balance",
                "load balancing",
                "Waiting fair tasks move to CPUs with less work: at ticks, when a CPU goes idle, \
                    for idle CPUs, and by stoppers.",
                "every kernel balances load by default; isolcpus= and cpusets take CPUs out, off \
                    takes out all CPUs, to show the effect; 2.6.24 keeps its own form",
            ))]
            "2.6.24": true, "in every kernel that has CFS; 2.6.24 has its own form (passive_2624), \
                later ones have that of 5.5 here";
            "5.5": true, "groups by class since commit 0b0695f2b34a (5.5)";
        }
        /// Load balancing gathers the threads of a process in one last-level cache. It acts where a
        /// machine has several caches of more than one CPU.
        flag LLC_BALANCING => llc_balancing: bool {
            [Some(knob(
                "kernel.llc_balancing",
                "cache-aware balancing",
                "Load balancing gathers the threads of a process in one last-level cache, while \
                    that cache has room.",
                "CONFIG_SCHED_CACHE, debugfs sched/llc_balancing/enabled (7.2 on)",
            ).live())]
            "2.6.24": false, "before commit 067a31358143 (7.2); read in 7.1.13";
            "7.2": true, "commit 067a31358143 (7.2); read in 7.2.13";
        }
        /// A newly idle CPU looks at a domain about as often as that succeeds (NI_RANDOM).
        flag NI_RANDOM => ni_random: bool {
            [Some(knob(
                "kernel.ni_random",
                "NI_RANDOM",
                "A CPU about to go idle searches a domain with a probability equal to its recent \
                    success rate there (50 % at the start).",
                "sched_features NI_RANDOM, commit 33cf66d88306 (6.19; in 6.1.192 and 6.12.117 \
                    too); follows kernel.version unless stated",
            ).live())]
            "2.6.24": false, "before commit 33cf66d88306 (6.19) every newly idle CPU that passed \
                the gate looked";
            "6.19" ["6.1.160", "6.12.65", "6.18.5"]: true, "commit 33cf66d88306 (6.19); its rate \
                (NI_RATE, commit 9fe89f022c05) came with 7.1";
        }
        /// See [`OverloadDef`].
        named OVERLOAD_DEF => overload_def: OverloadDef {
            [Some(knob("kernel.overload_def", "RT overload", "When a run queue counts as \
                RT-overloaded.", BY_VERSION))]
            "2.6.24": OverloadDef::CountGt1,
                "not used before the series of October 2007, whose first definition this is \
                    (commit 4642dafdf93d)";
            "2.6.25": OverloadDef::Migratory, "commit 318e0893ce3f";
            "6.7": OverloadDef::PushableNonempty, "commit 612f769edd06 (6.7); read in 6.12";
        }
        /// See [`RtoScope`].
        named RTO_SCOPE => rto_scope: RtoScope {
            [Some(knob("kernel.rto_scope", "RT overload scope", "Which CPUs share one mask of \
                overloaded CPUs.", BY_VERSION))]
            "2.6.24": RtoScope::Global,
                "not used before the 2007 series, which began with one mask (commit 4642dafdf93d)";
            "2.6.25": RtoScope::RootDomain, "commit 637f50851b57";
        }
        /// See [`LowestPick`].
        named LOWEST_PICK => lowest_pick: LowestPick {
            [Some(knob("kernel.lowest_pick", "find_lowest_rq", "Which CPU a pushed task goes to, \
                of those that run the lowest priority.", BY_VERSION))]
            "2.6.24": LowestPick::FirstScan, "not used before the 2007 series, which began with a \
                scan (commit 4642dafdf93d)";
            "2.6.25": LowestPick::DomainFirst, "commit 6e1254d2c412";
            "5.11": LowestPick::DomainDistribute, "commit 14e292f8d453 (5.11): \
                cpumask_any_and_distribute(); read in 5.11";
        }
        /// A waiting task that may not migrate makes the task that runs there move instead, by the
        /// CPU's stopper. See [`Kernel::pushes_running`].
        flag PUSH_RUNNING => push_running: bool {
            [Some(knob(
                "kernel.push_running",
                "push the running task",
                "If the waiting task has migration disabled, the CPU's stopper moves the running \
                    task instead.",
                "commit a7c81556ec4d (5.11); follows kernel.version unless stated",
            ))]
            "2.6.24": false, "before commit a7c81556ec4d (5.11; not in 5.10.262) a \
                migration-disabled task was bound to its CPU";
            "5.11": true, "commit a7c81556ec4d (5.11); read in 5.11";
        }
        /// See [`RtThrottle`].
        named RT_THROTTLE => rt_throttle: RtThrottle {
            [Some(knob("kernel.rt_throttle", "RT throttling", "What keeps RT tasks from taking all \
                of a CPU.", BY_VERSION))]
            "2.6.24": RtThrottle::Off, "RT throttling came with 2.6.25; not in 2.6.24";
            "2.6.25": RtThrottle::NoShare, "RT throttling since 2.6.25; borrowing came with commit \
                ac086bc22997 (2.6.26)";
            "2.6.26": RtThrottle::Share,
                "commit ac086bc22997 (2.6.26); RT_RUNTIME_SHARE is on in 3.2";
            "5.10": RtThrottle::NoShare, "RT_RUNTIME_SHARE is off by default since commit \
                2586af1ac187 (5.10); on in 5.9, off in 5.10.262";
            "6.12": RtThrottle::DlServer, "commit 5f6bd380c7bd (6.12): without RT_GROUP_SCHED the \
                throttle is gone, a fair server came";
        }
        /// See [`NohzIlb`]; without effect under `passive_2624`.
        named NOHZ_ILB => nohz_ilb: NohzIlb {
            [Some(knob("kernel.nohz_ilb", "idle balancing", "How CPUs with a stopped tick get \
                another CPU to balance load for them.", BY_VERSION))]
            "2.6.24": NohzIlb::Pre516,
                "not used in 2.6.24, which balances in its own way; up to 5.12 the rules of 5.13 \
                    stand in for older ones";
            "5.13": NohzIlb::Pre516, "5.13 to 5.15: no needs_update in 5.15";
            "5.16": NohzIlb::NeedsUpdate, "commit 7fd7a9e0caba (5.16)";
            "6.11": NohzIlb::EarlyOut, "commit f90cc919f9e5 (6.11); read in 6.12";
        }
        /// See [`IdleStop`].
        named IDLE_STOP => idle_stop: IdleStop {
            [Some(knob("kernel.idle_stop_policy", "idle tick", "When an idle CPU stops its \
                tick.", BY_VERSION))]
            "2.6.24": IdleStop::Always,
                "the idle loop stops the tick before it asks anybody (to 4.16: read in 4.16.13); \
                    since then always where there is no cpuidle driver";
            "7.0" ["6.1.167", "6.12.78", "6.19.9"]: IdleStop::AfterOneIdleTick,
                "commit f4c31b07b136 (7.0): without a cpuidle driver, or with one idle state";
        }
    }
}
