//! The switches: one enum each, with the names that scenario files use and the meaning of each
//! value.

use crate::named_enum;

named_enum! {
    /// The fair class's rule.
    pub enum Fair {
        Cfs = "cfs", "CFS: least virtual run time first (up to 6.5)";
        Eevdf = "eevdf", "EEVDF: earliest deadline first, among tasks that are not ahead of their \
            share (6.6 on, commit 147f3efaa241)";
    }
}

named_enum! {
    /// How long the running entity of EEVDF keeps the CPU while another one is due
    /// (RUN_TO_PARITY).
    pub enum Protection {
        UntilDeadline = "until_deadline", "until its request is used up (6.6 to 6.16)";
        LeastSlice = "least_slice", "for the shortest slice queued, at most until its deadline; \
            the end of the protection asks for a reschedule (6.17 on, commits 052c3d87c82e and \
            0b9ca2dcabc3)";
        LeastSliceAtPick = "least_slice_at_pick", "as least_slice, but only a pick sets the \
            protection, and the protection moves with the entity's weight (7.0 on, commits \
            bcd74b2ffdd0 and ff38424030f9)";
        ShortSlices = "short_slices", "as least_slice_at_pick, but beside a shorter slice it ends \
            where the task has had its share, and a woken task with a shorter slice preempts as \
            soon as it is eligible (7.3 on)";
    }
}

named_enum! {
    /// What a group's shares (cpu.weight) are worth on one CPU (debugfs sched/cgroup_mode). Above
    /// them comes the part of the group's load that lies on the CPU.
    pub enum CgroupMode {
        Up = "up", "its shares on every CPU, whatever it runs elsewhere";
        Smp = "smp", "its shares, divided among the CPUs by its load on each (to 7.2)";
        Concur = "concur", "its shares times the CPUs it keeps busy, divided so (7.3 on)";
        Max = "max", "its shares times all its CPUs, divided so, at most the weight of nice -20";
        Tasks = "tasks", "its shares times its runnable tasks, divided so";
    }
}

named_enum! {
    /// How a CPU that holds its own rq lock takes a second one (double_lock_balance()).
    pub enum DoubleLock {
        Fair = "fair", "release the own lock, then take both, the lower-numbered CPU's first: a \
            CPU below its target waits with its own lock held, a CPU above with none \
            (CONFIG_PREEMPTION)";
        Unfair = "unfair", "keep the own lock and try the second; if another CPU has it, a CPU \
            below its target waits on, a CPU above releases its own lock and takes both in order \
            (!CONFIG_PREEMPTION)";
    }
}

named_enum! {
    /// The generation of RT balancing code compiled in
    /// (docs/model/rt-balancing.md#rt_push_ipi-default). The bit inside it is `rt_push_ipi`.
    pub enum RtBalance {
        Passive2624 = "passive_2624", "2.6.24: RT tasks move only by load weight, at busy ticks \
            and when a CPU goes idle";
        Active2007First = "active_2007_first", "commit 4642dafdf93d (the series of October 2007): \
            push and pull, no routing at wake-up, the second entry of the best list only";
        Active2008Routed = "active_2008_routed", "commit 318e0893ce3f: as active_2007_first, and \
            a waking task first looks for a CPU that runs a lower priority";
        ActivePlist = "active_plist", "2.6.30 to 4.0: a CPU about to run a lower priority pulls; \
            no RT_PUSH_IPI bit";
        IpiV1 = "ipi_v1_2015", "S. Rostedt's patch of 4 Feb 2015: one reschedule IPI to every \
            overloaded CPU";
        Ipi41 = "ipi_4_1", "commit b6366f048e0c: every CPU about to run a lower priority sends \
            its own IPI around the overloaded CPUs";
        Ipi415 = "ipi_4_15", "commit 4bdced5c9a29 alone, before 4.15 was released: one IPI at a \
            time walks the root domain's rto_mask";
        Ipi416Skip1 = "ipi_4_16_skip1", "commit f73c52a5bcd1, 4.15 on: as ipi_4_15, but a CPU \
            that alone is overloaded sends no IPI";
        Ipi2026Noself = "ipi_2026_noself", "commit 94894c9c477e (January 2026): one IPI at a time \
            walks the root domain and skips the CPU that it is on";
    }
}

named_enum! {
    /// The values of the RT_PUSH_IPI bit in scenarios; it resolves to on or off at start.
    pub enum RtPushIpi {
        Off = "off", "a CPU pulls from overloaded CPUs, under their locks";
        On = "on", "a CPU asks overloaded CPUs by IPI to push";
        AutoGt16 = "auto_gt16", "S. Rostedt's patch of 4 Feb 2015: on only with more than 16 \
            possible CPUs";
        RtOnly = "rt_only", "commit dd29c017aed6 (May 2026): on only under PREEMPT_RT";
    }
}

named_enum! {
    /// Which CPUs share one overload mask. `machine.partitions` states the partitions.
    pub enum RtoScope {
        Global = "global", "one mask for the whole machine; only affinity keeps partitions apart \
            (commit 4642dafdf93d)";
        Cpuset = "cpuset", "a mask per cpuset (as the text of the October 2007 series has it); \
            with exclusive cpusets the same as a root domain";
        RootDomain = "root_domain", "a mask per root domain, that is per exclusive cpuset \
            partition (commit 637f50851b57)";
    }
}

named_enum! {
    /// When a run queue counts as RT-overloaded.
    pub enum OverloadDef {
        CountGt1 = "count_gt1", "more than one RT task (commit 4642dafdf93d)";
        Migratory = "migratory", "at least one migratable RT task and more than one RT task \
            (commit 318e0893ce3f, to 6.6)";
        PushableNonempty = "pushable_nonempty", "a waiting RT task that may run elsewhere (commit \
            612f769edd06, 6.7 on)";
    }
}

named_enum! {
    /// How find_lowest_rq picks among the weakest CPUs.
    pub enum LowestPick {
        FirstScan = "first_scan", "the first allowed CPU without RT tasks, else one of lowest \
            priority, in the order of CPU numbers (commit 4642dafdf93d)";
        DomainFirst = "domain_first", "smallest domain first, executing CPU if in it, else the \
            lowest id (commit 6e1254d2c412, to 5.10)";
        DomainDistribute = "domain_distribute", "smallest domain first, executing CPU if in it, \
            else round robin (commit 14e292f8d453, 5.11 on)";
    }
}

named_enum! {
    /// Generation of the cpupri map.
    pub enum CpupriGen {
        Off = "off", "no map: every search looks at all CPUs (to 2.6.26)";
        V102 = "v102", "102 levels (2.6.27 to 5.10); its level for idle CPUs was never filled, so \
            it picks as v101 does";
        V101 = "v101", "101 levels: idle CPUs and those running a fair task share level 0 (commit \
            934fc3314b39, 5.11 on)";
    }
}

named_enum! {
    /// When a remote wake-up goes to the target's wake-list instead of taking its rq lock
    /// (ttwu_queue()).
    pub enum TtwuQueue {
        Off = "off", "always take the remote run queue's lock";
        AllRemote = "all_remote", "any remote CPU, by reschedule IPI (commit 317f394160e9, 3.0 to \
            3.2)";
        CrossLlc = "cross_llc", "only across last-level caches, by reschedule IPI (commit \
            518cd6234178, 3.3 to 5.7)";
        CrossLlcCall = "cross_llc_call", "only across last-level caches, by function call; and \
            for a task that is still being switched out (5.8 to 5.19)";
        CrossLlcOrIdle = "cross_llc_or_idle", "across last-level caches, or to a CPU with nothing \
            to run, by function call (commit f3dd3f674555, 6.0 on)";
    }
}

named_enum! {
    /// The way of a waker whose task is still being switched out on its CPU (try_to_wake_up(),
    /// p->on_cpu). Follows the version.
    pub enum TtwuOnCpu {
        OldLock = "old_lock", "the lock of that CPU's run queue is taken before anything else, and \
            held while a CPU is chosen (to 2.6.39)";
        Spin = "spin", "spin until it has left (commit e4a52bcb9a18, 3.0 to 5.7)";
        WfOnCpu = "wf_on_cpu", "to the wake-list across caches, or where at most one other task is \
            (WF_ON_CPU, commit 2ebb17717550, 5.8 to 5.19)";
        AnyRule = "any_rule", "to the wake-list by the rule of any wake-up (commit f3dd3f674555, \
            6.0 on)";
    }
}

named_enum! {
    /// Which IPIs are replaced by a flag when the target polls need_resched in its idle loop.
    pub enum IpiPollingElide {
        Off = "off", "always send";
        ReschedOnly = "resched_only", "reschedule IPIs only (to 3.15)";
        ReschedAndCallfunc = "resched_and_callfunc", "reschedule and wake-list IPIs (commit \
            e3baac47f0e8, 3.16 on)";
    }
}

named_enum! {
    /// The guard that keeps RT tasks from taking all of a CPU.
    pub enum RtThrottle {
        Off = "off", "nothing: a SCHED_FIFO hog starves the fair class (before 2.6.25)";
        Share = "950_1000_share", "RT runtime per period and CPU, with RT_RUNTIME_SHARE: a CPU \
            borrows what its peers leave, so one hog keeps 100 % (commit ac086bc22997, 2.6.26 to \
            5.9)";
        NoShare = "950_1000_noshare", "RT runtime per period and CPU, no borrowing (2.6.25, and \
            with RT_RUNTIME_SHARE off, commit 2586af1ac187, 5.10 to 6.11)";
        DlServer = "dl_server_6_12", "no throttle: a deadline server gives fair tasks 50 ms of \
            every 1 000 ms that RT tasks would take (commit 5f6bd380c7bd, 6.12 on)";
    }
}

named_enum! {
    /// How idle CPUs find a CPU that balances for them (nohz_balance_enter_idle(),
    /// nohz_balancer_kick()).
    pub enum NohzIlb {
        Pre516 = "pre516", "5.13 to 5.15: a CPU that stops its tick does not announce when it \
            needs balancing (log of 7fd7a9e0caba)";
        NeedsUpdate = "needs_update", "commit 7fd7a9e0caba, 5.16: a CPU that stops its tick sets \
            needs_update, and the next busy tick kicks an idle CPU by IPI";
        Rfc2023 = "rfc_2023_10", "the patch of V. Pillai and J. Fernandes, 5 October 2023: a \
            newly idle CPU updates next_balance itself, behind the avg_idle check; not merged";
        V2 = "v2_2023_10_20", "the second version of rfc_2023_10, 20 October 2023: a CPU that \
            stops its tick lowers next_balance itself; withdrawn, not merged";
        NewidleNext = "newidle_next", "commit 1c0482707c42: as needs_update, but a newly idle CPU \
            moves its own next_balance only if it really balanced; not in 6.12";
        EarlyOut = "early_out", "commit f90cc919f9e5, 6.11: as needs_update, but a kick that \
            would set no new bit ends early";
        V2NewidleNext = "v2_newidle_next", "the whole series of 20 October 2023: v2_2023_10_20 and \
            newidle_next together; not merged";
    }
}

named_enum! {
    /// When an idle CPU stops its tick.
    pub enum IdleStop {
        Always = "always", "at once, without asking a cpuidle driver";
        AfterOneIdleTick = "after_one_idle_tick", "after one tick in idle: commit f4c31b07b136 \
            (7.0, and 6.1.192 and 6.12.117), without a cpuidle driver";
        GovernorRetain = "governor_retain", "unless the cpuidle governor expects less than a tick \
            of idle time, or only polls";
    }
}

named_enum! {
    /// Preemption model: which flag a request sets and where it is honoured
    /// (`kernel/core/preempt.rs`).
    pub enum Preempt {
        None = "none", "at return to user and at cond_resched";
        Voluntary = "voluntary", "at return to user, at cond_resched and at might_sleep points";
        Full = "full", "at return to user, at interrupt exit to preemptible kernel code and at \
            preempt_enable";
        Lazy = "lazy", "6.13, commit 7c70cb94d29c: as full, but a fair task's request waits for \
            the return to user or the next tick";
        Rt = "rt", "PREEMPT_RT: as full; spinlock_t sections are preemptible, softirqs run in \
            threads";
        DynamicNone = "dynamic-none", "PREEMPT_DYNAMIC booted or switched to none";
        DynamicVoluntary = "dynamic-voluntary", "PREEMPT_DYNAMIC booted or switched to voluntary";
        DynamicFull = "dynamic-full", "PREEMPT_DYNAMIC booted or switched to full";
        DynamicLazy = "dynamic-lazy", "PREEMPT_DYNAMIC of 6.13 on, booted or switched to lazy";
        Rfc2023None = "rfc2023-none", "A. Arora's series of November 2023: no cond_resched; all \
            but idle asks lazily; the next tick upgrades";
        Rfc2023Voluntary = "rfc2023-voluntary", "A. Arora's series of November 2023: a higher \
            class asks at once, the rest lazily; the next tick upgrades";
        Rfc2023Full = "rfc2023-full", "A. Arora's series of November 2023: everything asks at once";
        Auto2024None = "auto2024-none", "the series' second version (May 2024): as rfc2023-none, \
            but only a fair tick that wants a resched upgrades";
        Auto2024Voluntary = "auto2024-voluntary", "the second version: a higher class asks at \
            once; a fair tick that wants a resched upgrades";
        Auto2024Full = "auto2024-full", "the second version: everything asks at once";
    }
}
