//! What was found in the source of each release that was read for every row, against the table.

use schedscope_engine::kernel::config::{READ, Version};
use schedscope_scenario::versions::{TableRow, all_rows};

/// Each row that differs between releases that were read: its value up to the release after it,
/// that one included. `-` is code that a release does not use, or has in a form that the model
/// lacks (`versions/unmodelled.rs` of the crate): from 6.18 on a throttled queue's clock starts as
/// its task leaves; from 7.1 on a SCHED_IDLE wakee takes no CPU of SCHED_IDLE tasks; from 7.2 on a
/// charge asks once, and pushes pass over tasks that may not migrate.
const FOUND: &[(&str, &[(&str, &str)])] = &[
    // Before 7.0 Kconfig's default is none; the project takes full.
    ("kernel.preempt", &[("-", "6.19.13"), ("lazy", "7.3.4")]),
    (
        "kernel.rt_balance",
        &[
            ("ipi_2026_noself", "6.1.192"),
            ("ipi_4_16_skip1", "6.12.73"),
            ("ipi_2026_noself", "6.12.117"),
            ("ipi_4_16_skip1", "6.18.5"),
            ("ipi_2026_noself", "7.3.4"),
        ],
    ),
    (
        "kernel.rt_push_ipi",
        &[
            ("on", "6.1.170"),
            ("rt_only", "6.1.192"),
            ("on", "6.12.73"),
            ("rt_only", "6.12.117"),
            ("on", "7.1.3"),
            ("rt_only", "7.3.4"),
        ],
    ),
    ("kernel.ksoftirqd_defers", &[("yes", "6.1.192"), ("no", "7.3.4")]),
    ("kernel.fair", &[("cfs", "6.1.192"), ("eevdf", "7.3.4")]),
    ("kernel.base_slice", &[("-", "6.1.192"), ("700us", "7.3.4")]),
    ("kernel.hrtick", &[("no", "7.0.10"), ("yes", "7.3.4")]),
    ("kernel.delay_dequeue", &[("no", "6.1.192"), ("yes", "7.3.4")]),
    ("kernel.llc_balancing", &[("no", "7.1.13"), ("yes", "7.3.4")]),
    (
        "kernel.ni_random",
        &[
            ("yes", "6.1.192"),
            ("no", "6.12.63"),
            ("yes", "6.12.117"),
            ("no", "6.17.8"),
            ("yes", "7.3.4"),
        ],
    ),
    ("kernel.overload_def", &[("migratory", "6.1.192"), ("pushable_nonempty", "7.3.4")]),
    ("kernel.rt_throttle", &[("950_1000_noshare", "6.1.192"), ("dl_server_6_12", "7.3.4")]),
    ("kernel.nohz_ilb", &[("needs_update", "6.1.192"), ("early_out", "7.3.4")]),
    (
        "kernel.idle_stop_policy",
        &[
            ("after_one_idle_tick", "6.1.192"),
            ("always", "6.12.73"),
            ("after_one_idle_tick", "6.12.117"),
            ("always", "6.18.15"),
            ("after_one_idle_tick", "7.3.4"),
        ],
    ),
    ("kernel.rules.pushes_after_same_pick", &[("yes", "6.1.192"), ("no", "7.3.4")]),
    (
        "kernel.rules.rechecks_after_lock",
        &[("no", "6.1.170"), ("yes", "6.1.192"), ("no", "6.12.63"), ("yes", "7.3.4")],
    ),
    // Whether the last dequeue stops the server.
    (
        "kernel.rules.has_first_fair_server",
        &[
            ("-", "6.1.192"),
            ("yes", "6.12.73"),
            ("no", "6.12.117"),
            ("yes", "6.16.3"),
            ("no", "7.3.4"),
        ],
    ),
    (
        "kernel.rules.new_period_ends_serving",
        &[
            ("-", "6.1.192"),
            ("no", "6.12.63"),
            ("yes", "6.12.117"),
            ("no", "6.18.5"),
            ("yes", "7.3.4"),
        ],
    ),
    // Any server that is deferred.
    (
        "kernel.rules.server_revises_wakeup",
        &[("-", "6.1.192"), ("no", "6.19.13"), ("yes", "7.1.3"), ("no", "7.3.4")],
    ),
    (
        "kernel.rules.serving_server_revises_wakeup",
        &[
            ("-", "6.1.192"),
            ("no", "6.12.73"),
            ("yes", "6.12.117"),
            ("no", "6.19.13"),
            ("yes", "7.3.4"),
        ],
    ),
    ("kernel.rules.idle_charges_server", &[("-", "6.1.192"), ("no", "6.18.15"), ("yes", "7.3.4")]),
    ("kernel.rules.late_server_waits", &[("-", "6.1.192"), ("no", "6.16.3"), ("yes", "7.3.4")]),
    ("kernel.rules.server_is_running", &[("-", "6.1.192"), ("yes", "6.16.3"), ("no", "7.3.4")]),
    ("has_none_and_voluntary", &[("yes", "6.19.13"), ("no", "7.3.4")]),
    ("has_lazy_preemption", &[("no", "6.12.117"), ("yes", "7.3.4")]),
    ("has_preempt_rt_merged", &[("no", "6.1.192"), ("yes", "7.3.4")]),
    ("is_base_of_rfc2023", &[("-", "7.3.4")]),
    ("is_base_of_auto2024", &[("-", "7.3.4")]),
    ("kernel.rules.has_buddies", &[("yes", "6.1.192"), ("-", "7.3.4")]),
    ("kernel.rules.has_first_cfs_form", &[("no", "6.1.192"), ("-", "7.3.4")]),
    ("kernel.rules.cfs_latency_is_20_ms", &[("no", "6.1.192"), ("-", "7.3.4")]),
    ("kernel.rules.eevdf_has_buddies", &[("no", "6.1.192"), ("yes", "7.3.4")]),
    (
        "kernel.rules.compares_policies_of_entities",
        &[("no", "6.1.192"), ("yes", "7.2.13"), ("no", "7.3.4")],
    ),
    ("kernel.rules.idle_entity_has_less", &[("yes", "6.1.192"), ("-", "7.3.4")]),
    ("kernel.rules.groups_take_min_slice", &[("-", "6.1.192"), ("yes", "7.2.13"), ("-", "7.3.4")]),
    ("kernel.rules.requests_kept_on_move", &[("no", "6.1.192"), ("yes", "7.3.4")]),
    (
        "kernel.rules.scales_kept_requests",
        &[("-", "6.1.192"), ("no", "6.12.117"), ("yes", "7.3.4")],
    ),
    (
        "kernel.rules.reweight_places_anew",
        &[("-", "6.1.192"), ("no", "6.12.117"), ("yes", "7.0.10"), ("no", "7.3.4")],
    ),
    ("kernel.rules.has_preempt_short", &[("no", "6.1.192"), ("yes", "7.3.4")]),
    ("kernel.rules.preempted_idle_loses_protection", &[("-", "6.1.192"), ("yes", "7.3.4")]),
    ("kernel.rules.clock_counts_from_floor", &[("yes", "6.1.192"), ("-", "7.3.4")]),
    ("kernel.rules.sleeper_joins_at_floor", &[("yes", "6.1.192"), ("-", "7.3.4")]),
    ("kernel.rules.move_within_class_moves_up", &[("yes", "6.1.192"), ("-", "7.3.4")]),
    ("kernel.rules.policy_change_moves_up", &[("no", "6.1.192"), ("-", "7.3.4")]),
    ("has_slice_extensions", &[("no", "6.19.13"), ("yes", "7.3.4")]),
    ("kernel.rules.ticks_remotely", &[("yes", "7.3.4")]),
    ("kernel.rules.tick_stays_for_quota", &[("no", "6.1.192"), ("yes", "7.3.4")]),
    ("has_local_cpu_stat", &[("no", "6.1.192"), ("yes", "7.3.4")]),
    ("has_schedstat_16", &[("no", "6.1.192"), ("yes", "7.3.4")]),
    ("has_schedstat_17", &[("no", "6.12.117"), ("yes", "7.3.4")]),
    ("idle_after_idle_counts", &[("yes", "6.1.192"), ("no", "7.3.4")]),
    ("kernel.rules.aligns_period_timers", &[("yes", "6.1.192"), ("no", "7.3.4")]),
    ("kernel.cgroup_mode", &[("smp", "7.2.13"), ("concur", "7.3.4")]),
    ("kernel.bandwidth.csd", &[("no", "6.1.192"), ("yes", "7.3.4")]),
    ("kernel.bandwidth.per_task", &[("no", "6.17.8"), ("yes", "7.3.4")]),
    ("kernel.bandwidth.charge_throttles", &[("no", "7.1.13"), ("yes", "7.3.4")]),
    ("kernel.bandwidth.late_clock", &[("no", "6.1.192"), ("yes", "6.17.8"), ("-", "7.3.4")]),
    (
        "kernel.protection",
        &[
            ("-", "6.1.192"),
            ("until_deadline", "6.16.3"),
            ("least_slice", "6.18.15"),
            ("least_slice_at_pick", "7.2.13"),
            ("short_slices", "7.3.4"),
        ],
    ),
    (
        "kernel.rules.yield_gives_up_request",
        &[
            ("-", "6.1.192"),
            ("no", "6.12.57"),
            ("yes", "6.12.117"),
            ("no", "6.17.8"),
            ("yes", "7.3.4"),
        ],
    ),
    (
        "kernel.rules.lag_clamp_by_greatest_slice",
        &[("-", "6.1.192"), ("no", "6.18.15"), ("yes", "7.3.4")],
    ),
    ("kernel.rules.has_wakeup_actions", &[("-", "6.1.192"), ("no", "6.18.15"), ("yes", "7.3.4")]),
    ("kernel.rules.delays_groups", &[("no", "6.1.192"), ("yes", "7.2.13"), ("-", "7.3.4")]),
    ("kernel.rules.flat_queue", &[("-", "6.1.192"), ("no", "7.2.13"), ("yes", "7.3.4")]),
    (
        "kernel.rules.delayed_lag_never_grows",
        &[("-", "6.1.192"), ("no", "7.0.10"), ("yes", "7.3.4")],
    ),
    ("kernel.rules.stoppers_skip_wake_list", &[("no", "6.1.192"), ("yes", "7.3.4")]),
    ("kernel.rules.tasklets_run_at_once", &[("yes", "6.1.192"), ("-", "7.3.4")]),
    ("kernel.push_running", &[("yes", "7.1.13"), ("-", "7.3.4")]),
    ("kernel.rules.wakes_on_sched_idle_cpus", &[("yes", "7.0.10"), ("-", "7.3.4")]),
    ("kernel.bandwidth.throttle_lasttry", &[("yes", "7.1.13"), ("-", "7.3.4")]),
    ("kernel.rules.balances_from_idle_cores", &[("-", "6.1.192"), ("yes", "7.3.4")]),
    ("kernel.rules.kicks_idle_cores", &[("no", "7.2.13"), ("yes", "7.3.4")]),
    // The build option has no default, and is off.
    ("kernel.rseq_slice_extension", &[("no", "7.3.4")]),
];

/// Each row that has one value in all of them.
const ALIKE: &[(&str, &str)] = &[
    ("kernel.double_lock", "fair"),
    ("kernel.run_to_parity", "yes"),
    ("kernel.place_lag", "yes"),
    ("kernel.preempt_short", "yes"),
    ("kernel.next_buddy", "no"),
    ("kernel.spinlock", "qspinlock"),
    ("kernel.cpupri", "v101"),
    ("kernel.ttwu_queue", "cross_llc_or_idle"),
    ("ttwu_on_cpu", "any_rule"),
    ("kernel.ipi_polling_elide", "resched_and_callfunc"),
    ("hrtimer_hang_guard", "yes"),
    ("kernel.rseq_slice_extension_length", "5us"),
    ("kernel.load_balance", "yes"),
    ("kernel.rto_scope", "root_domain"),
    ("kernel.lowest_pick", "domain_distribute"),
    ("kernel.rules.has_post_schedule_hook", "no"),
    ("kernel.rules.has_one_call_list", "yes"),
    ("kernel.rules.raises_own_irq_work", "yes"),
    ("kernel.rules.moves_waiter_at_once", "yes"),
    ("kernel.rules.late_rt_period_fires_at_once", "yes"),
    ("kernel.rules.overrun_starts_rt_period", "yes"),
    ("kernel.rules.softirqs_mind_time", "yes"),
    ("has_preempt_dynamic", "yes"),
    ("kernel.rules.idle_policy_weighs_3", "yes"),
    ("kernel.rules.idle_policy_gives_way", "yes"),
    ("kernel.rules.search_prefers_idle_cpus", "no"),
    ("kernel.rules.spares_one_entity", "yes"),
    ("kernel.rules.balances_sched_idle_cpus_as_idle", "yes"),
    ("has_bandwidth_control", "yes"),
    ("kernel.rules.has_wake_wide", "yes"),
    ("kernel.rules.wake_wide_goes_both_ways", "yes"),
    ("kernel.rules.idle_waker_always_draws", "no"),
    ("kernel.rules.searches_idle_threads", "yes"),
    ("kernel.rules.tries_own_core_first", "yes"),
    ("kernel.rules.busy_factor_is_16", "yes"),
    ("kernel.rules.wake_list_ends_newidle", "yes"),
    ("kernel.rules.newidle_gate_is_search_cost", "yes"),
    ("kernel.rules.load_failures_wake_no_stopper", "yes"),
    ("kernel.rules.follows_blocked_load", "yes"),
    ("kernel.rules.ilb_minds_need_resched", "no"),
    ("has_nohz_full", "yes"),
    ("has_cpu_pressure", "yes"),
    ("pressure_knows_who_runs", "yes"),
    ("has_full_cpu_pressure", "yes"),
    ("machine_has_no_full_pressure", "yes"),
    ("counts_bursts", "yes"),
    ("has_unified_cpu_controller", "yes"),
    ("has_schedstat_15", "yes"),
    ("kernel.bandwidth.expiry", "none"),
    ("kernel.bandwidth.silo_return", "keep1ms"),
    ("kernel.bandwidth.distribution", "new_locked"),
    ("kernel.bandwidth.slack_subtract", "always"),
    ("kernel.bandwidth.slack_threshold", ">slice"),
    ("kernel.bandwidth.list", "tail"),
    ("kernel.bandwidth.refill", "accumulate"),
    ("kernel.bandwidth.sees_running", "yes"),
    ("kernel.bandwidth.restart_refills", "no"),
    ("kernel.bandwidth.throttled_draws", "no"),
    ("kernel.bandwidth.slack_pushes", "no"),
    ("kernel.bandwidth.one_walk", "no"),
    ("kernel.bandwidth.rescales", "yes"),
    ("kernel.bandwidth.rescale_last", "yes"),
];

/// What was found for a row in a release; none where its code is not used there.
fn found(row: &TableRow, release: Version) -> Option<&'static str> {
    if let Some((_, value)) = ALIKE.iter().find(|(name, _)| *name == row.name) {
        return Some(value);
    }
    let (_, ranges) = FOUND.iter().find(|(name, _)| *name == row.name).unwrap_or_else(|| {
        panic!("{}: what was found in the releases that were read is not here", row.name)
    });
    let holds = |(_, last): &&(&str, &str)| Version::parse(last).unwrap() >= release;
    ranges.iter().find(holds).map(|(value, _)| *value).filter(|value| *value != "-")
}

/// Likewise of the changes that the model lacks. Before a part of the scheduler exists, its changes
/// count as not made.
const LACKING: &[(&str, &[(&str, &str)])] = &[
    ("idle time charged to the server", &[("no", "6.18.15"), ("yes", "7.3.4")]),
    ("ineligible tasks stay", &[("no", "6.12.117"), ("yes", "7.3.4")]),
    ("delayed tasks stay", &[("no", "6.12.117"), ("yes", "7.3.4")]),
    ("throttling at the charge", &[("no", "7.1.13"), ("yes", "7.3.4")]),
    ("newly idle searches one at a time", &[("no", "6.18.5"), ("yes", "7.3.4")]),
    ("wake-ups pick past delayed tasks", &[("no", "7.0.7"), ("yes", "7.3.4")]),
    ("unchanged priority asks nothing", &[("no", "6.18.15"), ("yes", "7.3.4")]),
    ("least and greatest slice exact", &[("no", "7.1.13"), ("yes", "7.3.4")]),
    ("no stopper for a task that leaves", &[("no", "7.2.13"), ("yes", "7.3.4")]),
    ("PREEMPT_RT: no lock for softirqs", &[("no", "6.17.8"), ("yes", "7.3.4")]),
    ("PREEMPT_RT: ktimers", &[("no", "6.12.117"), ("yes", "7.3.4")]),
    ("second interrupt thread at FIFO 49", &[("no", "6.18.15"), ("yes", "7.3.4")]),
    ("ext server", &[("no", "6.19.13"), ("yes", "7.3.4")]),
    ("servers attach and detach", &[("no", "7.1.13"), ("yes", "7.3.4")]),
    (
        "forked child keeps no request",
        &[("no", "6.12.73"), ("yes", "6.12.117"), ("no", "7.0.7"), ("yes", "7.3.4")],
    ),
    ("least slice of groups kept current", &[("no", "6.1.192"), ("yes", "7.3.4")]),
    ("delayed tasks do not count in WF_SYNC", &[("no", "6.1.192"), ("yes", "7.3.4")]),
    ("cgroup_mode", &[("no", "7.2.13"), ("yes", "7.3.4")]),
    ("SCHED_EXT", &[("no", "6.1.192"), ("yes", "7.3.4")]),
    ("proxy execution", &[("no", "6.16.3"), ("yes", "7.3.4")]),
    ("NI_RATE", &[("no", "7.0.10"), ("yes", "7.3.4")]),
    (
        "newly idle search costs more by failing",
        &[
            ("no", "6.1.192"),
            ("yes", "6.12.63"),
            ("no", "6.12.117"),
            ("yes", "6.17.8"),
            ("no", "7.3.4"),
        ],
    ),
    ("SCHED_IDLE wakees avoid SCHED_IDLE CPUs", &[("no", "7.0.10"), ("yes", "7.3.4")]),
    ("no counter of idle CPUs", &[("no", "6.19.13"), ("yes", "7.3.4")]),
    (
        "tick never stops with one idle state",
        &[("no", "6.18.5"), ("yes", "6.18.15"), ("no", "7.3.4")],
    ),
    ("remote tick", &[("yes", "7.3.4")]),
    ("isolated partitions steer kernel threads", &[("no", "6.19.13"), ("yes", "7.3.4")]),
    ("throttled time from the first stop", &[("no", "6.17.8"), ("yes", "7.3.4")]),
    ("periods scaled by 147/128", &[("no", "7.3.4")]),
    ("PREEMPT_RT: threads for interrupts", &[("no", "6.1.192"), ("yes", "7.3.4")]),
    ("RT limit of 1 s", &[("no", "7.1.13"), ("yes", "7.3.4")]),
    ("pushes pass over bound tasks", &[("no", "7.1.13"), ("yes", "7.3.4")]),
    (
        "a new period ends serving",
        &[("no", "6.12.63"), ("yes", "6.12.117"), ("no", "6.18.5"), ("yes", "7.3.4")],
    ),
    (
        "revised wake-up of servers",
        &[("no", "6.12.73"), ("yes", "6.12.117"), ("no", "6.19.13"), ("yes", "7.3.4")],
    ),
    (
        "revised wake-up only while serving",
        &[("no", "6.12.73"), ("yes", "6.12.117"), ("no", "7.1.3"), ("yes", "7.3.4")],
    ),
    ("servers are no running tasks", &[("no", "6.16.3"), ("yes", "7.3.4")]),
];

#[test]
fn every_row_has_the_value_that_was_read_in_each_release_that_was_read() {
    let rows = all_rows();
    let mut wrong = Vec::new();
    for row in rows.iter().filter(|row| row.modelled) {
        for release in READ {
            let value = &row.values[row.at(*release).0].0;
            if found(row, *release).is_some_and(|found| found != value) {
                wrong.push(format!("{} {release}: {value}", row.name));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_change_that_the_model_lacks_is_in_the_releases_where_it_was_read_and_in_no_other() {
    let mut wrong = Vec::new();
    for row in all_rows().iter().filter(|row| !row.modelled) {
        let (_, ranges) = LACKING.iter().find(|(name, _)| *name == row.name).unwrap_or_else(|| {
            panic!("{}: what was found in the releases that were read is not here", row.name)
        });
        for release in READ {
            let holds = |(_, last): &&(&str, &str)| Version::parse(last).unwrap() >= *release;
            let value = &row.values[row.at(*release).0].0;
            if ranges.iter().find(holds).unwrap().0 != value {
                wrong.push(format!("{} {release}: {value}", row.name));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
