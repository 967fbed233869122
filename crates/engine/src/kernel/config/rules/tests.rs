//! The expected answer of every rule at every version, written before the rows existed: `1` is yes.
//! The columns are the versions, oldest first.

use super::*;
use crate::kernel::config::row::Known;

/// ```text
/// 2.6.24 .25 3.2 3.16 3.17 3.19 -push-ipi 4.1 4.2 4.15 4.18 4.19 5.4 5.7 5.8 5.10 5.14 5.16
/// 6.1 6.1.192 6.3 6.6 6.12 6.12.117 6.13 6.18 7.0 7.1 7.2 7.3
/// ```
const ANSWERED: &[(&str, &str)] = &[
    ("has_post_schedule_hook", "111111110000000000000000000000"),
    ("pushes_after_same_pick", "111111111111111111111100000000"),
    ("has_one_call_list", "000000000000001111111111111111"),
    ("raises_own_irq_work", "000000000000111111111111111111"),
    ("rechecks_after_lock", "000000000000000000010001011111"),
    ("moves_waiter_at_once", "000001111111111111111111111111"),
    ("late_rt_period_fires_at_once", "000000000111111111111111111111"),
    ("overrun_starts_rt_period", "000000000000000000111111111111"),
    ("has_first_fair_server", "000000000000000000000010100000"),
    ("new_period_ends_serving", "000000000000000000000001001111"),
    ("server_revises_wakeup", "000000000000000000000000001100"),
    ("serving_server_revises_wakeup", "000000000000000000000001001111"),
    ("idle_charges_server", "000000000000000000000000001111"),
    ("late_server_waits", "000000000000000000000000011111"),
    ("server_is_running", "000000000000000000000011100000"),
    ("stoppers_skip_wake_list", "000000000000000000000001011111"),
    ("tasklets_run_at_once", "000000000011111111111000000000"),
    ("softirqs_mind_time", "000111111111111111111111111111"),
    ("has_none_and_voluntary", "111111111111111111111111110000"),
    ("has_preempt_dynamic", "000000000000000011111111111111"),
    ("has_lazy_preemption", "000000000000000000000000111111"),
    ("has_preempt_rt_merged", "000000000000000000000011111111"),
    ("is_base_of_rfc2023", "000000000000000000000100000000"),
    ("is_base_of_auto2024", "000000000000000000000100000000"),
    ("has_buddies", "001111111111111111111111111111"),
    ("has_first_cfs_form", "110000000000000000000000000000"),
    ("cfs_latency_is_20_ms", "110000000000000000000000000000"),
    ("eevdf_has_buddies", "000000000000000000000001011111"),
    ("idle_policy_weighs_3", "001111111111111111111111111111"),
    ("idle_policy_gives_way", "001111111111111111111111111111"),
    ("compares_policies_of_entities", "000000000000000000000011111110"),
    ("idle_entity_has_less", "000000000000000001111111111111"),
    ("wakes_on_sched_idle_cpus", "000000000000111111111111111111"),
    ("search_prefers_idle_cpus", "111111111111100000000000000000"),
    ("balances_sched_idle_cpus_as_idle", "000000000000011111111111111111"),
    ("spares_one_entity", "000000000000011111111111111111"),
    ("clock_counts_from_floor", "001111111111111111111111111111"),
    ("sleeper_joins_at_floor", "000000000111111111111111111111"),
    ("policy_change_moves_up", "111111111000000000000000000000"),
    ("move_within_class_moves_up", "000000000001111111111111111111"),
    ("groups_take_min_slice", "000000000000000000000011111111"),
    ("requests_kept_on_move", "000000000000000000000011111111"),
    ("scales_kept_requests", "000000000000000000000000111111"),
    ("reweight_places_anew", "000000000000000000000000111000"),
    ("has_preempt_short", "000000000000000000000011111111"),
    ("preempted_idle_loses_protection", "000000000000000000000001011111"),
    ("has_bandwidth_control", "001111111111111111111111111111"),
    ("aligns_period_timers", "000000001111111111111000000000"),
    ("yield_gives_up_request", "000000000000000000000001001111"),
    ("lag_clamp_by_greatest_slice", "000000000000000000000000001111"),
    ("has_wakeup_actions", "000000000000000000000000001111"),
    ("delays_groups", "000000000000000000000011111110"),
    ("flat_queue", "000000000000000000000000000001"),
    ("delayed_lag_never_grows", "000000000000000000000000000111"),
    ("has_wake_wide", "000111111111111111111111111111"),
    ("wake_wide_goes_both_ways", "000000000111111111111111111111"),
    ("searches_idle_threads", "000000000111111111111111111111"),
    ("tries_own_core_first", "000000000000000011111111111111"),
    ("balances_from_idle_cores", "000000000000000000000111111111"),
    ("kicks_idle_cores", "000000000000000000000000000001"),
    ("idle_waker_always_draws", "111111111100000000000000000000"),
    ("busy_factor_is_16", "000000000000000111111111111111"),
    ("wake_list_ends_newidle", "000000000000000011111111111111"),
    ("newidle_gate_is_search_cost", "000000000000000001111111111111"),
    ("load_failures_wake_no_stopper", "000000000000000011111111111111"),
    ("follows_blocked_load", "000000000011111111111111111111"),
    ("ilb_minds_need_resched", "111111111111111111101110000000"),
    ("has_slice_extensions", "000000000000000000000000001111"),
    ("has_nohz_full", "000111111111111111111111111111"),
    ("ticks_remotely", "000000000011111111111111111111"),
    ("tick_stays_for_quota", "000000000000000000000111111111"),
    ("has_cpu_pressure", "000000000000111111111111111111"),
    ("pressure_knows_who_runs", "000000000000011111111111111111"),
    ("has_full_cpu_pressure", "000000000000000011111111111111"),
    ("machine_has_no_full_pressure", "000000000000000000111111111111"),
    ("counts_bursts", "000000000000000001111111111111"),
    ("has_unified_cpu_controller", "000000000111111111111111111111"),
    ("has_local_cpu_stat", "000000000000000000000111111111"),
    ("has_schedstat_15", "001111111111111111111111111111"),
    ("has_schedstat_16", "000000000000000000000011111111"),
    ("has_schedstat_17", "000000000000000000000000011111"),
    ("idle_after_idle_counts", "111111111111111111111100000000"),
];

#[test]
fn every_rule_answers_as_written_down_at_every_version() {
    let answers = |rule: &Row<bool>| {
        Version::LADDER
            .iter()
            .map(|version| if rule.value(*version) { '1' } else { '0' })
            .collect::<String>()
    };
    let rows: Vec<_> = RULES.iter().map(|rule| (rule.name, answers(rule))).collect();
    let written: Vec<_> =
        ANSWERED.iter().map(|(name, answers)| (*name, (*answers).to_owned())).collect();
    assert_eq!(rows, written);
}

#[test]
fn a_kernel_is_asked_by_the_rows_name() {
    type Question = fn(&Kernel) -> bool;
    let questions: [(&str, Question); 3] = [
        ("has_post_schedule_hook", Kernel::has_post_schedule_hook),
        ("rechecks_after_lock", Kernel::rechecks_after_lock),
        ("tick_stays_for_quota", Kernel::tick_stays_for_quota),
    ];
    for (name, question) in questions {
        let row = RULES.iter().find(|rule| rule.name == name).unwrap();
        for version in Version::LADDER {
            assert_eq!(
                question(&Kernel::of_version(*version, 1)),
                row.value(*version),
                "{name}, {version:?}"
            );
        }
    }
}

#[test]
fn every_row_begins_with_the_oldest_version_goes_up_and_names_its_sources() {
    for rule in RULES {
        rule.judge();
        assert!(rule.values.contains(&true) && rule.values.contains(&false), "{}", rule.name);
    }
}

#[test]
fn a_release_has_the_last_value_that_holds_for_its_branch() {
    let rule = |name| RULES.iter().find(|rule| rule.name == name).unwrap();
    let answers = |name, releases: &[&str]| -> String {
        let answer = |release: &&str| rule(name).value(Version::parse(release).unwrap());
        releases.iter().map(|release| if answer(release) { '1' } else { '0' }).collect()
    };
    let minds = rule("ilb_minds_need_resched").at(Version::of("6.1.120"));
    assert_eq!((minds.value, minds.source), (false, "commit ea9cffc0a154 (6.13)"));
    assert!(minds.is_new, "the first stable release that is known to have it");
    let compares = ["6.11.11", "6.12", "6.18.45", "7.2.13", "7.3", "7.3.4"];
    assert_eq!(answers("compares_policies_of_entities", &compares), "011100");
    let early = ["6.12.22", "6.12.23", "6.13.12", "6.14", "6.14.1", "6.14.2", "6.15", "6.15.1"];
    assert_eq!(answers("preempted_idle_loses_protection", &early), "01000111");
    let between = ["4.8", "4.9", "4.14.336", "5.15.167", "6.8"];
    assert_eq!(answers("policy_change_moves_up", &between), "10000");
}

#[test]
fn how_well_a_value_is_known_follows_from_what_was_read() {
    let known = |name, release| {
        let rule = RULES.iter().find(|rule| rule.name == name).unwrap();
        rule.at(Version::parse(release).unwrap()).known
    };
    let minds = "ilb_minds_need_resched";
    assert_eq!(known(minds, "6.12.117"), Known::Read);
    assert_eq!(known(minds, "6.12.60"), Known::Read, "read on both sides");
    assert_eq!(known(minds, "6.12.9"), Known::Read, "read above");
    assert_eq!(known(minds, "6.12.4"), Known::Neighbour(Version::V6_12));
    assert_eq!(known(minds, "6.8"), Known::Read, "the commit's release is known");
    assert_eq!(known(minds, "6.8.12"), Known::Neighbour(Version::of("6.8")));
    assert_eq!(known(minds, "6.15.3"), Known::Read, "nothing came after that could be taken in");
    assert_eq!(known("has_wake_wide", "3.14"), Known::Recalled);
    assert_eq!(known("has_wake_wide", "6.6"), Known::Read, "read in 6.1.192");
    assert_eq!(known("tick_stays_for_quota", "6.1.100"), Known::Read, "not even in 6.1.192");
    assert_eq!(known("tick_stays_for_quota", "6.1.193"), Known::Neighbour(Version::V6_1_192));
}
