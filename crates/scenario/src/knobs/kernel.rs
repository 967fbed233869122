//! Knobs of the kernel: what a version does not imply, then the switches that follow it.

use schedscope_engine::kernel::config::{DoubleLock, Rung, default_preempt};

use super::{Knob, KnobType};

pub(super) fn kernel_knobs(newest: &Rung) -> Vec<Knob> {
    vec![
        Knob::named(
            "kernel.version",
            "kernel version",
            newest.version,
            "Which kernel's switches are the starting point.",
            "release tags; each switch says whether its value is known or carried over",
        ),
        Knob::new(
            "kernel.hz",
            "CONFIG_HZ",
            KnobType::Enum,
            1000,
            "Ticks per second; never implied by a version.",
            "the kernel's CONFIG_HZ choices",
        )
        .words([(100, "10 ms tick"), (250, "4 ms tick"), (300, "3.33 ms tick"), (1000, "1 ms tick")]),
        Knob::new(
            "kernel.tick_skew",
            "skew_tick",
            KnobType::Boolean,
            false,
            "Spread the CPUs' ticks over half a tick period, CPU 0 first, instead of all at once.",
            "boot option skew_tick, off by default",
        ),
        Knob::new(
            "kernel.tick_phase",
            "tick phase",
            KnobType::Time,
            "0us",
            "Time from 0 to the first tick, modulo the tick period.",
            "schedscope",
        )
        .range(0, 100_000_000),
        Knob::named(
            "kernel.preempt",
            "preemption",
            default_preempt(newest.version),
            "Preemption model: where need_resched is honoured. A running kernel switches among the dynamic modes.",
            "PREEMPT_NONE, PREEMPT_VOLUNTARY, PREEMPT, PREEMPT_LAZY, PREEMPT_RT; full where nothing is stated, lazy from 7.0 on",
        )
        .live(),
        Knob::named(
            "kernel.double_lock",
            "double_lock_balance",
            DoubleLock::Fair,
            "How a CPU that holds its own run-queue lock takes a second one.",
            "CONFIG_PREEMPTION: fair if kernel.preempt is full",
        ),
    ]
}

pub(super) const BY_VERSION: &str = "follows kernel.version unless stated";

/// Switches that follow the version.
pub(super) fn switch_knobs(newest: &Rung) -> Vec<Knob> {
    vec![
        Knob::named("kernel.spinlock", "spinlock", newest.spinlock.value, "How CPUs queue for a spinlock.", BY_VERSION),
        Knob::named(
            "kernel.rt_balance",
            "RT balancing",
            newest.rt_balance.value,
            "The generation of RT balancing code compiled in.",
            BY_VERSION,
        ),
        Knob::named(
            "kernel.rt_push_ipi",
            "RT_PUSH_IPI",
            newest.rt_push_ipi.value,
            "Ask an overloaded CPU by IPI to push, instead of taking its run-queue lock to pull.",
            "sched_features RT_PUSH_IPI, commit b6366f048e0c",
        )
        .live(),
        Knob::named("kernel.cpupri", "cpupri", newest.cpupri.value, "Levels of the map from priorities to CPUs.", BY_VERSION),
        Knob::named(
            "kernel.ttwu_queue",
            "TTWU_QUEUE",
            newest.ttwu_queue.value,
            "When a remote wake-up goes to the target's wake-list instead of taking its run-queue lock. A running kernel turns its rule off and on.",
            BY_VERSION,
        )
        .live(),
        Knob::named(
            "kernel.ipi_polling_elide",
            "polling idle",
            newest.ipi_polling_elide.value,
            "Which IPIs become a flag when the target polls need_resched in its idle loop.",
            BY_VERSION,
        ),
        Knob::new(
            "kernel.ksoftirqd_defers",
            "ksoftirqd first",
            KnobType::Boolean,
            newest.ksoftirqd_defers.value,
            "Interrupt exit leaves softirqs to a ksoftirqd that is already runnable.",
            "commit 4cd13c21b207 (4.9) to d15121be7485 (6.5); follows kernel.version unless stated",
        ),
    ]
}

/// Switches of the fair class that follow the version.
pub(super) fn fair_knobs(newest: &Rung) -> Vec<Knob> {
    vec![
        Knob::named("kernel.fair", "fair class", newest.fair.value, "How the fair class shares a CPU.", BY_VERSION),
        Knob::new(
            "kernel.base_slice",
            "base slice",
            KnobType::Time,
            format!("{}us", newest.base_slice_ns.value / 1_000),
            "EEVDF: the slice a task asks for on one CPU; times 2, 3 or 4 on 2, 4 or 8 CPUs.",
            "sysctl_sched_base_slice: 0.75 ms in 6.6, 0.70 ms from 6.15 on; follows kernel.version unless stated",
        )
        .range(100_000, 1_000_000_000),
        Knob::new(
            "kernel.delay_dequeue",
            "delayed dequeue",
            KnobType::Boolean,
            newest.delay_dequeue.value,
            "EEVDF: a task that sleeps ahead of its share stays queued until the others have caught up.",
            "commit 152e11f6df29 (6.12); follows kernel.version unless stated",
        ),
        Knob::new(
            "kernel.load_balance",
            "load balancing",
            KnobType::Boolean,
            newest.load_balance.value,
            "Waiting fair tasks move to CPUs that have less to do: at ticks, when a CPU runs dry, for idle CPUs, by stoppers.",
            "every kernel has it, no kernel's switch: off shows what it does; 2.6.24's own form stays",
        ),
        Knob::new(
            "kernel.ni_random",
            "NI_RANDOM",
            KnobType::Boolean,
            newest.ni_random.value,
            "A CPU that runs dry looks at a domain about as often as that has succeeded, by dice; half the time at first.",
            "sched_features NI_RANDOM, commit 33cf66d88306 (6.19; in 6.1.192 and 6.12.117 too); follows kernel.version unless stated",
        ),
    ]
}

/// Switches of RT balancing that follow the version, besides its generation.
pub(super) fn balance_knobs(newest: &Rung) -> Vec<Knob> {
    vec![
        Knob::named(
            "kernel.overload_def",
            "RT overload",
            newest.overload_def.value,
            "When a run queue counts as RT-overloaded.",
            BY_VERSION,
        ),
        Knob::named(
            "kernel.rto_scope",
            "RT overload scope",
            newest.rto_scope.value,
            "Which CPUs share one mask of overloaded ones.",
            BY_VERSION,
        ),
        Knob::new(
            "kernel.bugs_2007",
            "slips of 2007",
            KnobType::Boolean,
            false,
            "The first code's slips: its count of overloaded CPUs drifts, and who finds a stale bit clears its own.",
            "commits 4642dafdf93d and 318e0893ce3f; only their generations have them",
        ),
        Knob::named(
            "kernel.lowest_pick",
            "find_lowest_rq",
            newest.lowest_pick.value,
            "Which of the weakest CPUs a pushed task goes to.",
            BY_VERSION,
        ),
        Knob::new(
            "kernel.push_running",
            "push the running task",
            KnobType::Boolean,
            newest.push_running.value,
            "Where a waiting task has migration disabled, the CPU's stopper moves the running one instead.",
            "commit a7c81556ec4d (5.11); follows kernel.version unless stated",
        ),
    ]
}
