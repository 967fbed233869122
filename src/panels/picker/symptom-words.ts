// What people say when something is wrong, and the scenarios that show it: the one table of
// symptoms. It knows no search and no page.
//
// A row fires where a text has a word of each group. Groups are separated by spaces, the words of a
// group by |. A word is the beginning of a word in small letters; "=" before it: the whole word. A
// quantity is a word too: see `quantity-words.ts` for ~us, ~tick, ~period, ~percent, ~many and so
// on.

export interface Symptom {
  readonly said: string;
  /** Names of scenarios, the likeliest first. */
  readonly about: readonly string[];
}

const row = (said: string, ...about: readonly string[]): Symptom => ({ said, about });

const QUOTA: readonly Symptom[] = [
  row("throttl", "quota-average-lies", "quota-web-p95", "quota-stranded"),
  row("throttl ~percent|ratio|alert|dashboard|grafana", "quota-average-lies", "quota-web-p95"),
  row(
    "throttl below|under|although|despite|even|while|but|low|idle|only|average|utili",
    "quota-average-lies",
    "quota-web-p95",
    "quota-stranded",
  ),
  row("alert|prometheus|grafana cpu|throttl|limit", "quota-average-lies"),
  row("cputhrottl", "quota-average-lies"),
  row("nr_throttled|throttled_usec|throttled_time", "quota-average-lies", "quota-web-p95"),
  row(
    "container|pod|cgroup|docker|k8s|kubernetes slow|stall|lag|latenc|pause|late|p99|p95",
    "quota-web-p95",
    "quota-average-lies",
    "quota-gomaxprocs",
  ),
  row(
    "limit|quota|cpu.max slow|stall|latenc|p99|p95|tail|late|timeout|pause",
    "quota-web-p95",
    "quota-average-lies",
    "quota-period",
  ),
  row("container|pod|cgroup|docker|limit|quota ~period", "quota-average-lies", "quota-web-p95"),
  row(
    "half|unused|leftover|lost|lose|stranded|expire|expir|waste quota|limit|slice|runtime|bandwidth",
    "quota-stranded",
    "quota-five-fixes",
    "quota-web-p95",
  ),
  row("only|gets|cannot|reach|never ~percent|half limit|quota", "quota-stranded"),
  row(
    "more|exceed|over|above|beyond|overrun limit|quota|cpu.max",
    "quota-boundary",
    "quota-double-spend",
    "quota-tree",
  ),
  row("spent|spend|use|usage twice|double", "quota-double-spend"),
  row("golang|goroutine|gomaxprocs|automaxprocs|=go", "quota-gomaxprocs"),
  row("=go gc|garbage|p99|latenc|stall|pause", "quota-gomaxprocs"),
  row("java|jvm|g1|parallelgc|activeprocessorcount|openjdk", "jvm-gc-threads"),
  row("gc|garbage pause|long|stop|stall|world", "jvm-gc-threads", "quota-gomaxprocs"),
  row(
    "envoy|istio|sidecar|proxy|nginx|haproxy worker|concurrency|limit|thread|slow|latenc",
    "envoy-workers",
  ),
  row(
    "thread|worker limit|quota|container throttl|limit|stall|many",
    "quota-gomaxprocs",
    "quota-32-threads",
    "jvm-gc-threads",
  ),
  row(
    "node|machine|host cores|cpus|~many limit|container|pod",
    "quota-gomaxprocs",
    "jvm-gc-threads",
    "quota-32-threads",
  ),
  row(
    "period|cfs_period|quota-period shorter|short|~tick|10ms|reduce|lower|chang|help",
    "quota-period",
  ),
  row("cfs_period|quota-period|cpu-cfs-quota-period", "quota-period"),
  row("burst quota|limit|cpu.max|throttl|cfs|cgroup|container", "quota-burst", "quota-boundary"),
  row("static|pinned|guaranteed|exclusive|cpuset throttl", "quota-pinned"),
  row("one|single|1 core|cpu|cpus throttl", "quota-pinned"),
  row("parent|nested|hierarch|slice|child|sibling limit|quota|throttl", "quota-tree"),
  row(
    "unthrottle|distribute_cfs_runtime|sched_cfs_period_timer|tg_unthrottle",
    "quota-unthrottle-storm",
  ),
  row(
    "irq|interrupt|hrtimer|timer|lockup quota|cfs|unthrottle|bandwidth|cgroup|group",
    "quota-unthrottle-storm",
  ),
  row(
    "throttl|quota|limit holder|holding|holds|lock|mutex|rwsem|jbd2|inversion|semaphore",
    "quota-kernel-lock",
  ),
  row("hung|blocked task|for throttl|quota|cgroup|cfs", "quota-kernel-lock"),
  row("cron|batch|backup|neighbo|noisy|logrotate|job", "cron-burst"),
  row("neighbo|noisy|cron|batch|backup latenc|slow|spike|web|answer|pod|steal|hurt", "cron-burst"),
  row(
    "autoscal|rightsiz|size|big|high|raise|choos|enough limit|quota",
    "quota-average-lies",
    "quota-web-p95",
  ),
  row("4.18|4.19|5.4|512ac999d275|de53fd7aedb1", "quota-web-p95", "quota-stranded"),
];

const LATENCY: readonly Symptom[] = [
  row(
    "worst|max|maximum|peak|spike|outlier ~us",
    "rt-pull-herd",
    "cyclictest-anatomy",
    "softirq-live-lock",
  ),
  row(
    "worst|max|maximum|latenc ~us ~many|core|cpus|socket",
    "rt-pull-herd",
    "rt-pull-herd-sizes",
    "rt-push-chain",
  ),
  row(
    "cyclictest max|maximum|worst|spike|high|bad|~us|~tick|outlier|latenc",
    "cyclictest-anatomy",
    "rt-pull-herd",
    "softirq-live-lock",
  ),
  row("cyclictest ~many|socket|all|large|big|herd", "rt-pull-herd", "rt-pull-herd-sizes"),
  row(
    "c-state|cstate|c6|deep|idle|governor|cpu_dma_latency|intel_idle latenc|wake|exit|slow|late",
    "cyclictest-anatomy",
    "polling-or-halt",
  ),
  row("smi|bios|firmware|hwlat|steal|hypervisor", "cyclictest-anatomy"),
  row(
    "vm|guest|virtual|cloud latenc|wake|jitter|steal|slow|ipi",
    "polling-or-halt",
    "cyclictest-anatomy",
  ),
  row(
    "lock|spinlock|rq->|raw_spin|queued_spin contend|contention|spin|hot|top|perf|time|wait|all",
    "rt-pull-herd",
    "rt-pull-herd-sizes",
    "rt-push-chain",
  ),
  row("pull_rt_task|double_lock|_double_lock|find_lowest_rq", "rt-pull-herd", "rt-pull-herd-sizes"),
  row(
    "wake|wakeup|wake-up|wakes late|delay|latenc|slow|next ~tick|tick|jiffy|hz",
    "lazy-or-now",
    "long-system-call",
  ),
  row("wake|wakeup|wake-up|wakes latenc|p99|tail|batch|schbench", "schbench", "lazy-or-now"),
  row(
    "runqueue|run-queue|runq|queue|run_delay|runqlat latenc|delay|wait|long",
    "schbench",
    "beside-idle",
  ),
  row(
    "idle|other|free cpu|cpus|core|cores wait|runnable|stuck|stay|same|busy|nobody|not|pile|one",
    "beside-idle",
  ),
  row("idle cores|cores while|although|but|and wait|queue|overload|busy|runnable", "beside-idle"),
  row("balanc|imbalance|uneven|migrat|stack|pack", "beside-idle"),
  row(
    "isolcpus|isolat|nohz_full|dedicated|dpdk|poll|hft jitter|interrupt|noise|tick|disturb|spike",
    "quiet-core",
  ),
  row("isolcpus|isolated|nohz_full|rcu_nocbs|irqaffinity|osnoise|timerlat", "quiet-core"),
  row("interrupt|irq|rcu isolat|dedicated|pinned|core", "quiet-core"),
  row("softirq|ksoftirqd|network|packet|napi|net_rx", "softirq-live-lock"),
  row(
    "softirq|ksoftirqd|net_rx|napi|packet starv|late|latenc|delay|stuck|lockup|100|~full",
    "softirq-live-lock",
  ),
  row(
    "slice|timeslice|nice|latency_nice|latency-nice|eevdf|vruntime|sched_runtime",
    "eevdf-slices",
  ),
  row(
    "eevdf|6.6 latenc|regress|slow|worse|wake|interactive|desktop|stutter|cfs",
    "eevdf-slices",
    "lazy-or-now",
  ),
  row(
    "desktop|audio|game|interactive stutter|lag|xrun|crackl|glitch|drop|compil|build",
    "eevdf-slices",
    "lazy-or-now",
    "rt-throttling",
  ),
];

const SHARES: readonly Symptom[] = [
  row("nice|renice half|ignor|nothing|effect|session|backup|terminal|work", "nice-autogroup"),
  row("autogroup", "nice-autogroup"),
  row("isolat|nohz_full|idle tick|timer|interrupt", "poll-ticks", "quiet-core"),
  row("qemu|kvm|libvirt|vcpu|vhost|vmm|guest quota|limit|steal|throttl", "vmm-quota"),
];

const UPGRADES: readonly Symptom[] = [
  row(
    "halv|half|drop|lost|lose|fell|regress|slower|worse|down throughput|tps|qps|postgres|pgbench|mysql|database",
    "half-the-throughput",
    "lazy-or-now",
  ),
  row(
    "~version halv|half|drop|regress|slow|worse|lost|fell|down",
    "half-the-throughput",
    "lazy-or-now",
    "kernbench-switches",
  ),
  row(
    "postgres|pgbench|mysql|database spin|s_lock|preempt|lazy|regress|~version|slow|half",
    "half-the-throughput",
  ),
  row(
    "upgrad|updat|moving|after kernel|~version|distro slow|regress|drop|worse|half|lost|throughput",
    "half-the-throughput",
    "lazy-or-now",
    "eevdf-slices",
  ),
  row(
    "lazy preempt|preemption|throughput|regress|tick|latenc",
    "lazy-or-now",
    "half-the-throughput",
  ),
  row("rseq|slice_extension|time-slice", "half-the-throughput"),
  row(
    "preempt none|voluntary|full|dynamic|model differ|which|choos|cost|overhead|slower",
    "pipe-across-models",
    "kernbench-switches",
    "lazy-or-now",
  ),
  row("context|involuntary switch", "kernbench-switches", "hackbench"),
  row("kernbench|compil|=make|build slow|switch|preempt|longer|overhead", "kernbench-switches"),
  row(
    "cond_resched|voluntary|long|never|copy_page|huge|clear syscall|system|kernel|page|ioctl|section",
    "long-system-call",
  ),
  row(
    "syscall|system|ioctl|munmap|clear_huge_page block|delay|hog|stall|latenc|preempt|late|~period|call",
    "long-system-call",
  ),
  row("hackbench", "hackbench"),
  row("perf pipe|bench", "pipe-across-models", "hackbench"),
  row("sched_yield|pipe ping|pong|latenc|cost", "pipe-across-models"),
  row("ipi|ipis|resched|rescheduling idle|kick|nohz|tick|just", "nohz-kick", "polling-or-halt"),
  row(
    "nohz_balance_kick|kick_ilb|nohz_csd|nohz.next_balance|_nohz_idle_balance",
    "nohz-kick",
    "nohz-sizes",
  ),
  row(
    "idle balanc|nohz|kick ~many|large|huge|hundred|thousand|cost|expensive",
    "nohz-sizes",
    "nohz-kick",
  ),
  row("mwait|idle=poll|haltpoll|halt|hlt|halt-polling|poll_idle", "polling-or-halt"),
  row("wake|wakeup|wakeups ipi|ipis", "polling-or-halt", "lazy-or-now"),
];

const RT: readonly Symptom[] = [
  row("soft|hard lockup|softlockup", "self-ipi-loop", "softirq-live-lock"),
  row(
    "softlockup|hardlockup|lockup|watchdog|rcu_sched|stuck rt|push|ipi|rto|irq_work|cpu",
    "self-ipi-loop",
    "softirq-live-lock",
  ),
  row(
    "rto_push|rto_next_cpu|push_rt|rt_push_ipi|irq_work|push lockup|stuck|loop|hang|storm|forever|ever|never|spin",
    "self-ipi-loop",
    "softirq-live-lock",
  ),
  row(
    "ipi|ipis|rescheduling|interrupts storm|flood|million|thousand|rate|explod|many",
    "ipi-storm",
    "self-ipi-loop",
    "softirq-live-lock",
  ),
  row(
    "rt|fifo|realtime|real-time|rr|priority push|migrat|moved|move|pull|balanc|elsewhere|other|stays|queued",
    "rt-fifo-preempt",
    "rt-migrate",
    "rt-push-chain",
  ),
  row("rt_push_ipi|push", "rt-push-chain", "rt-pull-herd"),
  row(
    "high|higher|highest priority wait|late|lower|starv|delay|behind|not",
    "rt-migrate",
    "priority-inheritance",
    "rt-fifo-preempt",
  ),
  row("inversion|inherit|pi_mutex|rt_mutex|futex", "priority-inheritance"),
  row("mutex|lock priority|prio|rt|fifo", "priority-inheritance"),
  row("throttl rt|realtime|real-time|fifo|sched_fifo", "rt-throttling"),
  row("sched_rt_runtime_us|rt_runtime|rt_bandwidth|fair_server|dl_server|=95|95", "rt-throttling"),
  row(
    "fifo|rt|realtime|real-time|runaway loop|hog|hang|freez|starv|frozen|infinite|100|~full|spin|busy|ssh|shell|hung",
    "rt-throttling",
  ),
  row("starv kthread|kworker|ssh|shell|rcu", "rt-throttling", "rcuc-starved"),
  row("rcuc|rcu stall|starv|server|fifo", "rcuc-starved", "rt-throttling"),
  row("audio|sound|jack|pipewire rt|fifo|xrun|drop|second|stop|gap", "rt-audio"),
  row(
    "scal|size|from|how|grow ~many|cpus|cores|socket lock|herd|latenc|rt",
    "rt-pull-herd-sizes",
    "rt-push-chain",
  ),
];

export const SYMPTOMS: readonly Symptom[] = [...QUOTA, ...LATENCY, ...SHARES, ...UPGRADES, ...RT];
