//! Load balancing and ticks.

unmodelled! { Balancing;
    "NI_RATE": "A CPU about to go idle always searches a domain that is searched seldom; the \
        success rate alone decided before." {
        "7.1" {
            source "commit 9fe89f022c05 (7.1); read in 7.1.3, not in 7.0.10"
            seen "Quiet CPUs search each time, as before 6.19: up to 119 searches a second are \
                free of the draw."
            back "echo NO_NI_RATE > /sys/kernel/debug/sched/features"
        }
    }
    "newly idle search costs more by failing": "A newly idle search that finds nothing raises \
        max_newidle_lb_cost, so that the CPU searches less." {
        "6.17" ["6.1.149", "6.12.43", "6.16.3"] {
            source "change logs of 6.1.149 and 6.12.43 (\"Bump sd->max_newidle_lb_cost when \
                newidle balance fails\"); read in 6.12.57, 6.16.3 and 6.17.8"
            seen "Some loads lose throughput: CPUs stay idle beside waiting tasks."
        }
        "6.19" ["6.1.160", "6.12.64", "6.18.5"] {
            source "change log of 6.12.64 (\"Revert max_newidle_lb_cost bump\"); not in 6.12.73, \
                6.18.5 and 6.19.10"
            says "The raised cost of failed searches is taken back; NI_RANDOM takes its place."
            seen "Newly idle CPUs search more often again."
        }
    }
    "newly idle searches one at a time": "Across NUMA nodes one CPU of the machine balances at a \
        time, newly idle CPUs included; before, only periodic balancing was limited." {
        "6.19" ["6.18.10"] {
            source "commit 522fb20fbdbe (6.19; 6.18.10 recalled); read in 6.18.15, not in 6.18.5"
            seen "Less contention in sched_balance_newidle() on machines with several NUMA nodes."
        }
    }
    "ineligible tasks stay": "Load balancing leaves a task that is not eligible on its queue, \
        until an attempt has failed." {
        "6.14" {
            source "commit 873199d27bb2 (6.14, recalled); read in 6.16.3, not in 6.12.117"
            seen "Fewer migrations of tasks that have just run."
        }
    }
    "delayed tasks stay": "Load balancing moves a delayed task only where it balances load." {
        "6.14" {
            source "6.14 recalled; read in 6.16.3, not in 6.12.117"
        }
    }
    "SCHED_IDLE wakees avoid SCHED_IDLE CPUs": "A CPU that has only SCHED_IDLE tasks counts as \
        idle for a wake-up only if the woken task is not SCHED_IDLE." {
        "7.1" {
            source "read in 7.1.3: choose_idle_cpu(); not in 7.0.10"
            seen "SCHED_IDLE tasks spread over idle CPUs and no longer share one."
        }
    }
    "no counter of idle CPUs": "A busy tick looks at the mask of CPUs with a stopped tick, and no \
        longer at a counter of them (nohz.nr_cpus)." {
        "7.0" {
            source "read in 7.0.7: nohz_balancer_kick(); not in 6.19.13"
            seen "Less traffic for one cache line as CPUs enter and leave idle."
        }
    }
    "no stopper for a task that leaves": "Load balancing wakes no stopper if the running task has \
        already left its queue." {
        "7.3" {
            source "commit cdd9e37ed46a (7.3); read in 7.3.4, not in 7.2.13"
            seen "Fewer wake-ups of migration/N that move nothing."
        }
    }
    "tick never stops with one idle state": "A CPU whose cpuidle driver has only one idle state \
        never stops its tick." {
        "7.0" ["6.1.165", "6.12.75", "6.18.14"] {
            source "change log of 6.12.75 (\"Skip governor when only one idle state is \
                available\"); read in 6.18.15, not in 6.18.5"
            seen "Such CPUs tick in idle (LOC in /proc/interrupts); mostly guests."
        }
        "7.0" ["6.1.167", "6.12.78", "6.19.9"] {
            source "change log of 6.12.78 (\"Make skipping governor callbacks more consistent\"); \
                read in 6.12.107, 6.19.10 and 7.0.7"
            says "A CPU with one idle state stops its tick after one tick in idle, as a CPU \
                without a driver does."
        }
    }
    "isolated partitions steer kernel threads": "Unbound kernel threads, workqueues and timers \
        avoid cpuset's isolated partitions, as they avoid isolcpus=." {
        "7.0" {
            source "read in 7.0.7: housekeeping_update(); not in 6.19.13"
            seen "Fewer kernel threads on CPUs of a partition with cpuset.cpus.partition=isolated."
        }
    }
}
