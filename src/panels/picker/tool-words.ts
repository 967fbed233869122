// Names that kernel engineers and operators type: options of a kernel's build, files of /proc and
// cgroups, columns of tools, tools. Each has the words that scenarios and lessons use for the same
// thing, or the name of the scenario about it.

/** Pairs like those of MEANT. A name after = must match the whole word. */
export const TOOL_WORDS: readonly (readonly [
  typed: readonly string[],
  means: readonly string[],
])[] = [
  // Preemption.
  [
    ["preempt_lazy", "need_resched_lazy", "tif_need_resched_lazy", "resched_curr_lazy"],
    ["lazy-or-now", "lazy"],
  ],
  [
    [
      "preempt_dynamic",
      "preempt_none",
      "preempt_voluntary",
      "preempt_full",
      "preempt_build",
      "preempt_count",
      "preempt__ll",
      "preemption",
    ],
    ["preemption model", "preempt"],
  ],
  [["preempt="], ["lazy-or-now", "preemption model", "preempt"]],
  [
    ["preempt_rt", "=prt", "rt_kernel"],
    ["preemption model", "real-time", "priority-inheritance"],
  ],
  [["tif_need_resched", "need_resched"], ["need_resched"]],
  // The fair class.
  [
    [
      "latency_nice",
      "vruntime",
      "min_vruntime",
      "vlag",
      "place_lag",
      "place_deadline",
      "run_to_parity",
      "eligib",
      "base_slice",
      "min_base_slice",
    ],
    ["eevdf-slices"],
  ],
  [
    [
      "sched_base_slice",
      "sched_min_granularity",
      "sched_latency_ns",
      "sched_wakeup_granularity",
      "min_granularity",
      "wakeup_granularity",
    ],
    ["eevdf-slices"],
  ],
  [["gentle_fair_sleepers", "next_buddy", "preempt_short", "sched_attr"], ["eevdf-slices"]],
  [
    [
      "nice",
      "renice",
      "schedtool",
      "cpu.shares",
      "cpu_shares",
      "cpuweight",
      "cpushares",
      "requests.cpu",
      "cpu_request",
    ],
    ["cpu.weight", "cpu_weight"],
  ],
  [
    ["sched_idle", "sched_batch"],
    ["beside-idle", "beside"],
  ],
  [
    ["pelt", "util_avg", "load_avg", "blocked_load"],
    ["blocked load", "nohz-kick"],
  ],
  // Real-time tasks.
  [
    ["sched_rr", "sched_fifo"],
    ["fifo", "real-time"],
  ],
  [
    [
      "fair_server",
      "dl_server",
      "sched_rt_period",
      "sched_rt_runtime",
      "rt_bandwidth",
      "rt_throttl",
      "rtkit",
      "rt_runtime_share",
    ],
    ["rt-throttling"],
  ],
  [
    ["priority_inversion", "inversion", "rt_mutex", "rtmutex", "pi_futex", "=pi"],
    ["priority-inheritance"],
  ],
  [["migration/", "stopper", "stop_machine", "cpu_stop"], ["rt-migrate"]],
  // Placing and balancing.
  [
    [
      "select_task_rq",
      "wake_affine",
      "find_idlest",
      "select_idle",
      "sis_util",
      "=llc",
      "sched_nr_migrate",
      "sched_migration_cost",
    ],
    ["beside-idle"],
  ],
  [
    ["find_busiest", "sched_domain", "wasted_cores", "idle_balance", "load_balanc", "ni_random"],
    ["beside-idle", "balanc"],
  ],
  [
    ["nr_migrations", "sched_migrate_task", "cpu-migrations", "cpu_migrations"],
    ["moves", "migrat"],
  ],
  [
    [
      "taskset",
      "numactl",
      "sched_setaffinity",
      "affinity",
      "pinning",
      "cpu_manager",
      "cpuaffinity",
      "allowedcpus",
      "cpuset",
    ],
    ["pinned", "pins", "quiet"],
  ],
  [["migration"], ["migrat", "moves"]],
  [["ttwu"], ["ttwu_queue", "lazy-or-now"]],
  // Waiting, as tools count it.
  [
    [
      "runqlen",
      "runqslower",
      "offcputime",
      "perf_sched",
      "sched_stat_wait",
      "sched_stat_runtime",
      "sched_wakeup",
      "wait_sum",
      "sched_debug",
    ],
    ["schbench", "waits for a cpu", "wait for a cpu", "waited for a cpu"],
  ],
  [
    [
      "bpftrace",
      "bcc",
      "trace-cmd",
      "kernelshark",
      "trace_cmd",
      "sched_process",
      "=psi",
      "cpu.pressure",
      "=avg10",
    ],
    ["schbench", "waits for a cpu", "wait for a cpu", "waited for a cpu"],
  ],
  [
    ["loadavg", "load_average", "nr_running", "runnable", "procs_running"],
    ["schbench", "waits for a cpu", "wait for a cpu", "waiting for"],
  ],
  [
    [
      "cswch",
      "nvcswch",
      "nr_voluntary",
      "nr_involuntary",
      "nr_switches",
      "voluntary_ctxt",
      "nonvoluntary_ctxt",
      "sched_switch",
      "ctxt",
      "context_switch",
    ],
    ["context switch"],
  ],
  [
    [
      "mpstat",
      "pidstat",
      "htop",
      "=sar",
      "node_cpu_seconds",
      "process_cpu_seconds",
      "cpu_usage",
      "%cpu",
      "%usr",
      "%us",
      "%user",
    ],
    ["average", "of its limit"],
  ],
  // Quota.
  [["burst_usec", "burst_time", "cfs_burst"], ["quota-burst"]],
  [
    ["cfs_bandwidth", "cpu_limit", "cpu-limit", "cpulimit", "bandwidth"],
    ["quota", "cpu.max"],
  ],
  [["noisy"], ["cron-burst", "disturb"]],
  // Interrupts, ticks and idle CPUs.
  [
    ["=kvm", "virtio", "firecracker", "qemu", "vcpu", "hypervisor"],
    ["virtual", "guest", "halt"],
  ],
  [
    ["%st", "steal", "=st"],
    ["steal", "hypervisor"],
  ],
  [["%soft", "%si", "softnet", "time_squeeze", "net_rx", "napi", "ksoftirqd"], ["softirq"]],
  [["%irq", "%hi", "threadirqs", "irq/", "hardirq"], ["interrupt"]],
  [["%sys", "%sy"], ["system call"]],
  [
    [
      "%idle",
      "%id",
      "turbostat",
      "cpupower",
      "c-state",
      "cstate",
      "intel_idle",
      "idle_state",
      "haltpoll",
      "max_cstate",
      "poll_idle",
    ],
    ["polling-or-halt", "idle state", "halts"],
  ],
  [["idle="], ["polling-or-halt"]],
  [["=res", "=cal", "smp_call_function", "reschedule_interrupt", "resched_ipi"], ["ipi"]],
  [
    ["hz_full", "nohz_full"],
    ["nohz_full", "quiet"],
  ],
  [
    ["hz_idle", "hz_common", "=no_hz", "=hz"],
    ["nohz", "hz"],
  ],
  [["hz_", "skew_tick", "jiffies"], ["tick"]],
  [["rcu_nocb", "rcuop", "rcu_callback"], ["quiet-core"]],
  [
    ["stress-ng", "stress"],
    ["cyclictest", "build", "kernbench"],
  ],
  [["timer_slack", "timerslack"], ["cyclictest"]],
  // Locks and lockups.
  [
    [
      "qspinlock",
      "ticket_lock",
      "rq->",
      "raw_spin",
      "native_queued_spin",
      "queued_spin",
      "double_lock",
    ],
    ["lock"],
  ],
  [
    [
      "softlockup",
      "soft_lockup",
      "hardlockup",
      "hard_lockup",
      "rcu_stall",
      "rcu_sched",
      "nmi_watchdog",
      "watchdog_thresh",
    ],
    ["lock up", "locked up", "for ever", "live-lock"],
  ],
];

/** What is known, but not simulated: beginnings of words, with how it is called. */
const NOT_SIMULATED: readonly (readonly [typed: readonly string[], name: string])[] = [
  [["sched_ext", "scx"], "sched_ext"],
  [["core_sched", "core-sched", "sched_core"], "core scheduling"],
  [["sched_deadline"], "SCHED_DEADLINE"],
  [["uclamp", "cpu.uclamp", "sched_util_clamp"], "uclamp"],
  [["iowait", "%iowait", "nr_iowait", "%wa"], "waiting for a disk"],
  [["numa_balanc", "numabalanc"], "NUMA balancing"],
  [["autogroup", "sched_autogroup"], "autogroup"],
  [["rt_group_sched", "cpu.rt_"], "RT_GROUP_SCHED"],
  [["cpu.idle"], "cpu.idle of a group"],
  [["hrtick"], "HRTICK"],
  [["cpufreq", "schedutil", "scaling_governor", "intel_pstate"], "CPU frequency"],
  [["sched_smt", "smt", "hyperthread", "nosmt"], "a scheduler that knows SMT siblings"],
  [["tlb"], "TLB shootdowns"],
  [["mitigations", "spectre"], "mitigations"],
];

/** The names of what a query asks for and the page cannot show. */
export function notSimulated(words: readonly string[]): readonly string[] {
  const plain = words.flatMap((word) => [word.toLowerCase(), plainName(word.toLowerCase())]);
  return NOT_SIMULATED.flatMap(([typed, name]) =>
    typed.some((start) => plain.some((word) => word.startsWith(start))) ? [name] : [],
  );
}

/**
 * A name without what only says where it is set: CONFIG_ and =y of a build, the path of its file,
 * sysctl's `kernel.`. In small letters.
 */
export function plainName(word: string): string {
  return word
    .replace(/^config_/, "")
    .replace(/=.*$/, "")
    .replace(/^\/?(?:proc|sys)\/(?:.*\/)?/, "")
    .replace(/^kernel\.(?=.)/, "")
    .replace(/^no_(?=\p{L})/u, "");
}
