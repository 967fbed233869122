//! Rules of balancing, ticks and what a kernel shows of itself.

use crate::kernel::config::Kernel;
use crate::kernel::config::row::{BY_VERSION, Row, Since, knob, row};
use crate::kernel::config::rules::Release;
use crate::kernel::config::version::Version;

rules! {
    super::running::ROWS.len() + super::fair::ROWS.len();

    /// Whether a waker of more tasks than its cache has CPUs leaves them on their previous CPUs
    /// (wake_wide()).
    has_wake_wide "wake_wide" {
        "2.6.24": false, "before 3.12 (recalled)";
        "3.12": true, "3.12 (recalled)";
    }
    /// Whether wake_wide() also counts if the woken task is the one that wakes many.
    wake_wide_goes_both_ways "wake_wide both ways" {
        "2.6.24": false, "before commit 63b0e9edceec (4.3)";
        "4.3": true, "commit 63b0e9edceec (4.3)";
    }
    /// Whether a wake-up that finds no idle core in its cache takes an idle thread beside a busy
    /// one; before, only one of the core that it looked at first.
    searches_idle_threads "search for idle threads" {
        "2.6.24": false, "before commit 10e2f1acd010 (4.9, recalled)";
        "4.9": true, "commit 10e2f1acd010 (4.9, recalled)";
    }
    /// Whether a wake-up that finds no idle core looks at the threads of the task's previous core
    /// before those of the whole cache.
    tries_own_core_first "own core first" {
        "2.6.24": false, "before commit c722f35b513f (5.13, recalled)";
        "5.13": true, "commit c722f35b513f (5.13, recalled); read in 6.12.117";
    }
    /// Whether the CPU that balances for its core or cache is one of an idle core, if there is one.
    balances_from_idle_cores "balanced from idle cores" {
        "2.6.24": false, "before commit b1bfeab9b002 (6.6, recalled)";
        "6.6": true, "commit b1bfeab9b002 (6.6, recalled); read in 6.12.117";
    }
    /// Whether a NOHZ kick goes to a CPU whose whole core is idle, if there is one.
    kicks_idle_cores "NOHZ kicks to idle cores" {
        "2.6.24": false, "not in 7.2.13: find_new_ilb()";
        "7.3": true, "read in 7.3.4: find_new_ilb()";
    }
    /// Whether a wake-up from an interrupt on an idle CPU always moves the task there; later only
    /// within a cache, and only from a busy CPU. The rule also decides ties between two CPUs'
    /// loads, and runs here have only ties: no interrupt wakes a fair task that slept on another
    /// CPU.
    idle_waker_always_draws "draw of an idle waker" {
        "2.6.24": true, "before commits 7332dec055f2 and 806486c377e3 (4.16)";
        "4.16": false, "commits 7332dec055f2 and 806486c377e3 (4.16)";
    }
    /// Whether a busy CPU balances 16 times less often than an idle one; before, 32 times.
    busy_factor_is_16 "busy factor 16" {
        "2.6.24": false, "before 5.10 (recalled)";
        "5.10": true, "5.10 (recalled)";
    }
    /// Whether a newly idle CPU with something on its wake-list searches nothing.
    wake_list_ends_newidle "newidle ended by a wake-list" {
        "2.6.24": false, "before commit e5e678e4fea2 (5.14, recalled)";
        "5.14": true, "commit e5e678e4fea2 (5.14, recalled)";
    }
    /// Whether a newly idle CPU asks if it will be idle for as long as a search of its lowest
    /// domain has taken; before, for as long as the migration cost.
    newidle_gate_is_search_cost "newidle gate by search cost" {
        "2.6.24": false, "before commit c5b0a7eefc70 (5.16)";
        "5.16": true, "commit c5b0a7eefc70 (5.16)";
    }
    /// Whether failed balancing wakes a stopper only where tasks are counted, not load.
    load_failures_wake_no_stopper "no stopper for load failures" {
        "2.6.24": false, "before commit e9b9734b7465 (5.12, recalled)";
        "5.12": true, "commit e9b9734b7465 (5.12, recalled)";
    }
    /// Whether a CPU that stops its tick marks that its blocked load needs updates.
    follows_blocked_load "blocked load" {
        "2.6.24": false, "before commit f643ea220701 (4.17)";
        "4.17": true, "commit f643ea220701 (4.17)";
    }
    /// Whether a NOHZ kick that finds need_resched is dropped, even if only a polling CPU's wake-up
    /// had set it.
    ilb_minds_need_resched "kick dropped on need_resched" {
        "2.6.24": true, "before commit ea9cffc0a154 (6.13)";
        "6.13" ["6.1.120", "6.12.5"]: false, "commit ea9cffc0a154 (6.13)";
    }
    /// Whether a kernel built with CONFIG_RSEQ_SLICE_EXTENSION has slice extensions.
    has_slice_extensions {
        "2.6.24": false, "before commits d7a5da7a0f7f and dfb630f548a7 (7.0)";
        "7.0": true, "commits d7a5da7a0f7f and dfb630f548a7 (7.0)";
    }
    /// Whether the kernel has nohz_full CPUs.
    has_nohz_full {
        "2.6.24": false, "before 3.10 (recalled)";
        "3.10": true, "3.10 (recalled)";
    }
    /// Whether another CPU does the tick of a nohz_full CPU whose own is stopped, once a second
    /// (sched_tick_remote()); before, such a CPU ticked once a second itself.
    ticks_remotely "remote tick" {
        "2.6.24": false, "scheduler_tick_max_deferment() of 3.10 to 4.16 (recalled)";
        "4.17": true, "commit d84b31313ef8 (4.17, recalled); read in 6.1.192 and 7.2.13";
    }
    /// Whether the tick of a nohz_full CPU stays where it alone notices that a quota is used up
    /// (cfs_task_bw_constrained()).
    tick_stays_for_quota "tick kept for a quota" {
        "2.6.24": false, "before 6.6";
        "6.6": true, "6.6: cfs_task_bw_constrained()";
    }
    /// Whether the kernel has pressure stall information.
    has_cpu_pressure {
        "2.6.24": false, "before commit eb414681d5a0 (4.20)";
        "4.20": true, "commit eb414681d5a0 (4.20)";
    }
    /// Whether CPU pressure knows which task of a group runs; before, it counts a queue of two as a
    /// stall.
    pressure_knows_who_runs {
        "2.6.24": false, "before commit b05e75d61138 (5.7, recalled)";
        "5.7": true, "commit b05e75d61138 (5.7, recalled)";
    }
    /// Whether cpu.pressure has a line `full`.
    has_full_cpu_pressure {
        "2.6.24": false, "before commit e7fcd7622823 (5.13)";
        "5.13": true, "commit e7fcd7622823 (5.13)";
    }
    /// Whether `full` of the whole machine is always 0.
    machine_has_no_full_pressure {
        "2.6.24": false, "before commit 890d550d7dba (5.19, recalled)";
        "5.19" ["5.18.3"]: true, "commit 890d550d7dba (5.19, recalled; 5.18.3 by its change log)";
    }
    /// Whether cpu.stat counts bursts.
    counts_bursts {
        "2.6.24": false, "before commit bcb1704a1ed2 (5.16, recalled)";
        "5.16": true, "commit bcb1704a1ed2 (5.16, recalled)";
    }
    /// Whether cgroup v2 has a CPU controller.
    has_unified_cpu_controller {
        "2.6.24": false, "before 4.15 (recalled)";
        "4.15": true, "4.15 (recalled)";
    }
    /// Whether a group has cpu.stat.local.
    has_local_cpu_stat {
        "2.6.24": false, "before 6.6 (recalled)";
        "6.6": true, "6.6 (recalled)";
    }
    /// Whether /proc/schedstat is version 15 or later.
    has_schedstat_15 {
        "2.6.24": false, "version 14 (recalled)";
        "3.2": true, "version 15 (recalled)";
    }
    /// Whether /proc/schedstat is version 16 or later.
    has_schedstat_16 {
        "2.6.24": false, "before commit 11b0bfa5d463 (6.10)";
        "6.10": true, "commit 11b0bfa5d463 (6.10)";
    }
    /// Whether /proc/schedstat is version 17.
    has_schedstat_17 {
        "2.6.24": false, "before commit 7c8cd569ff66 (6.14)";
        "6.14": true, "commit 7c8cd569ff66 (6.14)";
    }
    /// Whether a pick of idle on an idle CPU adds to sched_goidle of /proc/schedstat.
    idle_after_idle_counts {
        "2.6.24": true, "before 6.12 (recalled)";
        "6.12": false, "6.12 (recalled)";
    }
}
