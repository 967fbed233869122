//! The rules of versions, one by one: a scenario may state each under `kernel.rules`.

use schedscope_engine::kernel::config::RULES;
use schedscope_engine::run::{Options, Run};

use crate::support::live::{self, STEPS_BOUND};
use crate::support::random::{Case, case};
use crate::support::rows::with_other_answer;

/// A random machine on which each rule decides something, by its seed.
const DECIDES: &[(&str, u64)] = &[
    ("has_post_schedule_hook", 1),
    ("pushes_after_same_pick", 7),
    ("has_one_call_list", 21),
    ("raises_own_irq_work", 0),
    ("rechecks_after_lock", 21),
    ("moves_waiter_at_once", 5),
    ("late_rt_period_fires_at_once", 0),
    ("overrun_starts_rt_period", 17263),
    ("has_first_fair_server", 10),
    ("server_revises_wakeup", 73),
    ("serving_server_revises_wakeup", 8431),
    ("idle_charges_server", 73),
    ("server_is_running", 55),
    ("stoppers_skip_wake_list", 965),
    ("tasklets_run_at_once", 110),
    ("softirqs_mind_time", 110),
    ("has_buddies", 162),
    ("has_first_cfs_form", 77),
    ("cfs_latency_is_20_ms", 31),
    ("idle_policy_weighs_3", 120),
    ("idle_policy_gives_way", 35),
    ("compares_policies_of_entities", 67),
    ("idle_entity_has_less", 3875),
    ("wakes_on_sched_idle_cpus", 5),
    ("search_prefers_idle_cpus", 529),
    ("balances_sched_idle_cpus_as_idle", 685),
    ("spares_one_entity", 107),
    ("clock_counts_from_floor", 537),
    ("sleeper_joins_at_floor", 1639),
    ("policy_change_moves_up", 2290),
    ("move_within_class_moves_up", 2290),
    ("groups_take_min_slice", 98),
    ("requests_kept_on_move", 2657),
    ("scales_kept_requests", 3),
    ("reweight_places_anew", 1793),
    ("has_preempt_short", 266),
    ("preempted_idle_loses_protection", 662),
    ("yield_gives_up_request", 620),
    ("has_wakeup_actions", 32),
    ("delays_groups", 521),
    ("flat_queue", 277),
    ("delayed_lag_never_grows", 1270),
    ("has_wake_wide", 1061),
    ("wake_wide_goes_both_ways", 2315),
    ("busy_factor_is_16", 11),
    ("wake_list_ends_newidle", 21),
    ("newidle_gate_is_search_cost", 1),
    ("load_failures_wake_no_stopper", 77),
    ("follows_blocked_load", 1),
    ("ilb_minds_need_resched", 9),
    ("tick_stays_for_quota", 266),
];

/// Rules that decide nothing on a random machine. `eevdf_has_buddies` needs NEXT_BUDDY on and a
/// task woken in time; its test is beside `buddies.rs`. `idle_waker_always_draws` decides where the
/// loads of two CPUs tie; its test is beside `select.rs`. `lag_clamp_by_greatest_slice` needs a lag
/// of more than two slices, for which random machines run too briefly; `eevdf_by_release.rs` has
/// its test. `aligns_period_timers` says which phases the reader of scenarios draws; its tests are
/// the reader's. Four ask which CPUs share a core; their tests are beside `select.rs`,
/// `sched_domains.rs` and `kick.rs`.
const ELSEWHERE: [&str; 11] = [
    "eevdf_has_buddies",
    "idle_waker_always_draws",
    "lag_clamp_by_greatest_slice",
    "aligns_period_timers",
    "new_period_ends_serving",
    "late_server_waits",
    "ticks_remotely",
    "searches_idle_threads",
    "tries_own_core_first",
    "balances_from_idle_cores",
    "kicks_idle_cores",
];

/// Machines that are looked at for one where a rule decides, if the one written down no longer is.
const SEARCHED: u64 = 20_000;

fn digest(case: &Case) -> String {
    let options = Options { max_records: STEPS_BOUND, ..Options::default() };
    let setup = live::ready(&case.setup, &case.writes);
    let mut run = Run::new(&setup, options).expect("a sound setup");
    live::Play::new(&case.writes).finish(&mut run);
    run.report().digest
}

fn decides(rule: &str, seed: u64) -> bool {
    let mut case = case(seed);
    let own = digest(&case);
    case.setup.kernel = with_other_answer(&case.setup.kernel, rule);
    digest(&case) != own
}

#[test]
fn each_rule_that_can_be_stated_changes_the_schedule_of_some_machine() {
    let written: Vec<&str> = DECIDES.iter().map(|(rule, _)| *rule).collect();
    let rules = RULES.iter().filter(|rule| rule.words.is_some()).map(|rule| rule.name);
    assert_eq!(written, rules.filter(|rule| !ELSEWHERE.contains(rule)).collect::<Vec<_>>());
    let idle: Vec<String> = DECIDES
        .iter()
        .filter(|(rule, seed)| !decides(rule, *seed))
        .map(|(rule, seed)| {
            let other = (0..SEARCHED).find(|seed| decides(rule, *seed));
            format!(
                "{rule} decides nothing on the machine of seed {seed}, but on that of {other:?}"
            )
        })
        .collect();
    assert!(idle.is_empty(), "{idle:#?}");
}
