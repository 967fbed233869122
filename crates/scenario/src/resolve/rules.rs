//! `kernel.rules`: which rules of a version have no effect beside its other switches.

use schedscope_engine::kernel::config::Kernel;
use schedscope_engine::named::Named;

use super::resolver::{Origin, Resolver};

/// Rules that ask which CPUs share a core.
const OF_CORES: [&str; 4] = [
    "searches_idle_threads",
    "tries_own_core_first",
    "balances_from_idle_cores",
    "kicks_idle_cores",
];

/// Says why, of each of them.
pub(super) fn say_without_effect(resolver: &mut Resolver<'_>, kernel: &Kernel) {
    let threads = resolver.knobs.iter().find(|knob| knob.path == "machine.threads_per_core");
    let has_smt = threads.is_none_or(|knob| knob.value != 1);
    for (rule, _) in kernel.answers() {
        let one_thread = (!has_smt && OF_CORES.contains(&rule.name))
            .then(|| "machine.threads_per_core is 1".to_owned());
        let why = one_thread.or_else(|| without_effect(rule.name, kernel));
        let (Some(words), Some(why)) = (&rule.words, why) else { continue };
        if resolver.inert(words.path, &why) == Some(Origin::Stated) {
            resolver.notes.push(format!("{} has no effect: {why}", words.path));
        }
    }
}

/// Why `rule` changes nothing here, if another switch leaves it nothing to decide.
fn without_effect(rule: &str, kernel: &Kernel) -> Option<String> {
    let by_class =
        of_fair_class(rule, kernel).then(|| format!("kernel.fair is {}", kernel.fair.name()));
    by_class
        .or_else(|| beside_rule(rule, kernel).map(str::to_owned))
        .or_else(|| beside_switch(rule, kernel))
        .or_else(|| of_generation(rule, kernel))
}

/// Rules of the other fair class.
fn of_fair_class(rule: &str, kernel: &Kernel) -> bool {
    match rule {
        "has_buddies"
        | "has_first_cfs_form"
        | "cfs_latency_is_20_ms"
        | "idle_entity_has_less"
        | "clock_counts_from_floor"
        | "sleeper_joins_at_floor"
        | "policy_change_moves_up"
        | "move_within_class_moves_up" => kernel.fair.is_eevdf(),
        "eevdf_has_buddies"
        | "groups_take_min_slice"
        | "requests_kept_on_move"
        | "scales_kept_requests"
        | "reweight_places_anew"
        | "has_preempt_short"
        | "preempted_idle_loses_protection"
        | "yield_gives_up_request"
        | "lag_clamp_by_greatest_slice"
        | "has_wakeup_actions"
        | "delays_groups"
        | "flat_queue"
        | "delayed_lag_never_grows" => !kernel.fair.is_eevdf(),
        _ => false,
    }
}

/// Rules that only say more about another rule.
fn beside_rule(rule: &str, kernel: &Kernel) -> Option<&'static str> {
    let (holds, why) = match rule {
        "sleeper_joins_at_floor" | "policy_change_moves_up" => {
            (kernel.clock_counts_from_floor(), "kernel.rules.clock_counts_from_floor is off")
        }
        "move_within_class_moves_up" if !kernel.clock_counts_from_floor() => {
            (false, "kernel.rules.clock_counts_from_floor is off")
        }
        "move_within_class_moves_up" => {
            (!kernel.policy_change_moves_up(), "kernel.rules.policy_change_moves_up is on")
        }
        "scales_kept_requests" => {
            (kernel.requests_kept_on_move(), "kernel.rules.requests_kept_on_move is off")
        }
        "tries_own_core_first" => {
            (kernel.searches_idle_threads(), "kernel.rules.searches_idle_threads is off")
        }
        "wake_wide_goes_both_ways" => (kernel.has_wake_wide(), "kernel.rules.has_wake_wide is off"),
        "compares_policies_of_entities" | "preempted_idle_loses_protection" => {
            (kernel.idle_policy_gives_way(), "kernel.rules.idle_policy_gives_way is off")
        }
        "balances_sched_idle_cpus_as_idle" | "search_prefers_idle_cpus" => {
            (kernel.wakes_on_sched_idle_cpus(), "kernel.rules.wakes_on_sched_idle_cpus is off")
        }
        _ => return None,
    };
    (!holds).then_some(why)
}

/// Rules of what another switch turns off.
fn beside_switch(rule: &str, kernel: &Kernel) -> Option<String> {
    let throttle = |holds: bool| {
        (!holds).then(|| format!("kernel.rt_throttle is {}", kernel.rt_throttle.name()))
    };
    match rule {
        "late_rt_period_fires_at_once" | "overrun_starts_rt_period" => {
            throttle(kernel.rt_throttle.has_limit())
        }
        "has_first_fair_server"
        | "new_period_ends_serving"
        | "server_revises_wakeup"
        | "serving_server_revises_wakeup"
        | "idle_charges_server"
        | "late_server_waits"
        | "server_is_running" => throttle(kernel.rt_throttle.has_fair_server()),
        "tick_stays_for_quota" | "ticks_remotely" => {
            kernel.nohz_full.is_empty().then(|| "kernel.nohz_full is empty".to_owned())
        }
        "flat_queue" if !kernel.bandwidth.per_task => {
            Some("kernel.bandwidth.per_task is off".to_owned())
        }
        "delays_groups" | "groups_take_min_slice" if kernel.has_flat_queue() => {
            Some("kernel.rules.flat_queue is on".to_owned())
        }
        "delays_groups" | "delayed_lag_never_grows" if !kernel.delay_dequeue => {
            Some("kernel.delay_dequeue is off".to_owned())
        }
        "newidle_gate_is_search_cost" | "load_failures_wake_no_stopper" if !kernel.load_balance => {
            Some("kernel.load_balance is off".to_owned())
        }
        _ => None,
    }
}

/// Rules that the generation of RT balancing has no place for.
fn of_generation(rule: &str, kernel: &Kernel) -> Option<String> {
    let balance = kernel.rt_balance;
    let (holds, why) = match rule {
        "has_post_schedule_hook" => (balance.has_post_schedule(), "has no such hook"),
        "rechecks_after_lock" if balance.rechecks_after_lock() => (false, "does so in any case"),
        "rechecks_after_lock" => (balance.has_pushable_list(), "has no list of pushable tasks"),
        "raises_own_irq_work" => (balance.walks_domain(), "sends its own CPU no irq_work"),
        "pushes_after_same_pick" => (balance.has_pushable_list(), "has no list of pushable tasks"),
        "wake_list_ends_newidle"
        | "newidle_gate_is_search_cost"
        | "busy_factor_is_16"
        | "load_failures_wake_no_stopper"
        | "follows_blocked_load"
        | "ilb_minds_need_resched"
        | "balances_from_idle_cores"
        | "kicks_idle_cores"
        | "balances_sched_idle_cpus_as_idle" => {
            (balance.is_active(), "brings the load balancing of 2.6.24")
        }
        _ => return None,
    };
    (!holds).then(|| format!("kernel.rt_balance {} {why}", balance.name()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use schedscope_engine::kernel::config::Version;
    use std::collections::BTreeSet;

    /// A name that is no rule's would say nothing for ever.
    #[test]
    fn every_rule_that_depends_on_others_is_without_effect_in_some_version_and_has_one_in_another()
    {
        let kernels: Vec<Kernel> =
            Version::LADDER.iter().map(|version| Kernel::of_version(*version, 4)).collect();
        let names = |without: bool| -> BTreeSet<&str> {
            let of = |kernel: &Kernel| {
                let rules = kernel.answers().map(|(rule, _)| rule.name);
                rules.filter(|rule| without_effect(rule, kernel).is_some() == without).collect()
            };
            kernels.iter().flat_map(|kernel| -> Vec<&str> { of(kernel) }).collect()
        };
        let without = names(true);
        let depend = without.intersection(&names(false)).count();
        assert_eq!((without.len(), depend), (49, 47), "{without:?}");
        let never = without.difference(&names(false)).copied().collect::<Vec<_>>();
        let full = ["tick_stays_for_quota", "ticks_remotely"];
        assert_eq!(never, full, "no version has nohz_full CPUs by itself");
    }
}
