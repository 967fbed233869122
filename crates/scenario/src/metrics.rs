//! Names of the figures a report holds: checking one, finding one, and the short name of a whole result.

use serde_json::Value;

use crate::error::nearest;

/// Metric paths that do not depend on the scenario's tasks.
pub(crate) const FIXED: &[&str] = &[
    "rq_lock.acquisitions",
    "rq_lock.contended",
    "rq_lock.max_waiters",
    "rq_lock.wait_ns",
    "rq_lock.irq_off_max_ns",
    "rq_lock.pull_remote_acquisitions",
    "ipi.reschedule.sent",
    "ipi.reschedule.delivered",
    "ipi.reschedule.coalesced",
    "ipi.reschedule.in_flight",
    "ipi.reschedule.elided_polling",
    "ipi.call_function.sent",
    "ipi.call_function.delivered",
    "ipi.call_function.coalesced",
    "ipi.call_function.in_flight",
    "ipi.call_function.elided_polling",
    "ipi.rto_push.sent",
    "ipi.rto_push.max_in_flight",
    "ipi.rto_push.self_sent",
    "ipi.nohz_kick.kicks",
    "ipi.nohz_kick.sent",
    "ipi.nohz_kick.polling",
    "ipi.nohz_kick.already_owned",
    "ipi.nohz_kick.no_target",
    "ipi.nohz_kick.balance",
    "ipi.nohz_kick.stats",
    "ipi.nohz_kick.next",
    "ipi.nohz_kick.idle_age.under_30us",
    "ipi.nohz_kick.idle_age.under_100us",
    "ipi.nohz_kick.idle_age.under_300us",
    "ipi.nohz_kick.idle_age.under_1ms",
    "ipi.nohz_kick.idle_age.under_10ms",
    "ipi.nohz_kick.idle_age.longer",
    "ipi.reschedule.elided_list",
    "ipi.reschedule.elided_set",
    "ipi.call_function.elided_list",
    "ipi.call_function.elided_set",
    "wakeups.local",
    "wakeups.remote_direct",
    "wakeups.wake_list",
    "wakeups.still_queued",
    "sched.context_switches",
    "sched.migrations",
    "sched.pushes",
    "sched.pulls",
    "sched.ticks",
    "resched.now_set",
    "resched.lazy_set",
    "resched.lazy_upgraded",
];

const LATENCY: &[&str] = &["count", "sum_ns", "min_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns", "unfinished", "avoidable_ns"];
const TASK: &[&str] =
    &["run_ns", "user_ns", "ready_ns", "throttled_ns", "spin_ns", "involuntary_switches", "voluntary_switches", "loops", "wakeups"];
const GROUP: &[&str] = &[
    "entitled_ns",
    "usage_ns",
    "nr_periods",
    "nr_throttled",
    "throttled_ns",
    "throttled_local_ns",
    "nr_bursts",
    "burst_ns",
    "granted_ns",
    "pool_ns",
    "silo_ns",
    "in_walk_ns",
    "adjusted_ns",
    "expired_ns",
    "dropped_ns",
    "double_spent_ns",
    "lock_acquisitions",
    "max_period_usage_ns",
];
const TOOL: &[&str] = &["count", "sum_ns", "min_ns", "p50_ns", "p90_ns", "p95_ns", "p99_ns", "p999_ns", "max_ns"];

/// Whether `path` names a figure a report can hold: a fixed one, `latency.<kind>.max_ns`, `tasks.<name>.spin_ns`.
pub fn is_metric(path: &str) -> bool {
    let of = |group: &str, leaves: &[&str]| {
        path.strip_prefix(group)
            .and_then(|rest| rest.rsplit_once('.'))
            .is_some_and(|(name, leaf)| !name.is_empty() && leaves.contains(&leaf))
    };
    FIXED.contains(&path) || of("groups.", GROUP) || of("tool_samples.", TOOL) || of("latency.", LATENCY) || of("tasks.", TASK)
}

/// The fixed figure whose name is closest to `wrong`.
pub fn nearest_metric(wrong: &str) -> Option<String> {
    nearest(wrong, FIXED.iter().copied())
}

/// The figure at `path` inside the `metrics` of a report.
///
/// Task names hold dots (`tasks.hog.0.run_ns`), and so do those of groups: in `groups`, `latency`, `tasks` and `tool_samples` the name is what lies between group and leaf.
/// A `*` at the end of a task's name stands for every instance of a kind: `tasks.cc.*.involuntary_switches` is their sum.
pub fn metric_at(metrics: &Value, path: &str) -> Option<Value> {
    match path.split_once('.') {
        Some((group @ ("groups" | "latency" | "tasks" | "tool_samples"), rest)) => {
            let (name, leaf) = rest.rsplit_once('.')?;
            match name.strip_suffix('*') {
                Some(kind) if group == "tasks" => sum_of(metrics.get(group)?, kind, leaf),
                _ => metrics.get(group)?.get(name)?.get(leaf).cloned(),
            }
        }
        _ => path.split('.').try_fold(metrics, |value, key| value.get(key)).cloned(),
    }
}

/// The sum of `leaf` over the tasks whose name is `kind` (which ends in a dot) and a number; none if there is no such task.
fn sum_of(tasks: &Value, kind: &str, leaf: &str) -> Option<Value> {
    let instance =
        |name: &str| name.strip_prefix(kind).is_some_and(|number| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()));
    let of_kind = tasks.as_object()?.iter().filter(|(name, _)| instance(name));
    let figures = of_kind.filter_map(|(_, task)| task.get(leaf)?.as_u64());
    figures.reduce(u64::saturating_add).map(Value::from)
}

/// Metrics that the fingerprint of link version 1 covers. Frozen: a change makes every old link look different.
const FINGERPRINT_V1: &[&str] = &[
    "rq_lock.acquisitions",
    "rq_lock.contended",
    "rq_lock.max_waiters",
    "rq_lock.wait_ns",
    "rq_lock.irq_off_max_ns",
    "rq_lock.pull_remote_acquisitions",
    "ipi.reschedule.sent",
    "ipi.reschedule.delivered",
    "ipi.reschedule.coalesced",
    "ipi.call_function.sent",
    "ipi.rto_push.sent",
    "sched.context_switches",
    "sched.migrations",
    "sched.pushes",
    "sched.pulls",
    "sched.ticks",
];

/// The `fp` of a link: eight hexadecimal digits over the `metrics` of side A and, if it ran, side B (`docs/links.md`).
pub fn fingerprint(a: &Value, b: Option<&Value>) -> String {
    let mut hasher = crc32fast::Hasher::new();
    for (side, metrics) in [("A", Some(a)), ("B", b)] {
        let Some(metrics) = metrics else { continue };
        for path in FINGERPRINT_V1 {
            let value = metric_at(metrics, path).map_or_else(|| "-".to_owned(), |value| value.to_string());
            hasher.update(format!("{side} {path}={value}\n").as_bytes());
        }
    }
    format!("{:08x}", hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_fingerprint_is_the_check_value_of_the_documented_text() {
        let metrics = json!({ "rq_lock": { "max_waiters": 12 }, "tasks": { "hog.0": { "run_ns": 5 } } });
        let line = |side: &str, path: &&str| format!("{side} {path}={}\n", if *path == "rq_lock.max_waiters" { "12" } else { "-" });
        let text: String = ["A", "B"].iter().flat_map(|side| FINGERPRINT_V1.iter().map(move |path| line(side, path))).collect();
        assert_eq!(fingerprint(&metrics, Some(&metrics)), format!("{:08x}", crc32fast::hash(text.as_bytes())));
        assert_ne!(fingerprint(&metrics, None), fingerprint(&metrics, Some(&metrics)));
        assert_eq!(metric_at(&metrics, "tasks.hog.0.run_ns"), Some(json!(5)));
    }

    #[test]
    fn a_star_sums_the_instances_of_one_kind_and_of_no_other() {
        let task = |run: u64| json!({ "run_ns": run });
        let metrics = json!({ "tasks": { "cc.0": task(1), "cc.10": task(20), "cc.x.0": task(300), "ccd.0": task(4_000) } });
        assert_eq!(metric_at(&metrics, "tasks.cc.*.run_ns"), Some(json!(21)));
        assert_eq!(metric_at(&metrics, "tasks.nobody.*.run_ns"), None);
        assert_eq!(metric_at(&metrics, "tasks.cc.*.loops"), None);
        assert!(is_metric("tasks.cc.*.involuntary_switches") && !is_metric("tasks.cc.*"));
    }

    #[test]
    fn names_of_figures_are_known() {
        assert!(is_metric("tool_samples.schbench_worker.wakeup.p99_ns") && is_metric("tasks.cc.0.involuntary_switches"));
        assert!(is_metric("rq_lock.max_waiters") && is_metric("latency.cyclictest.max_ns") && is_metric("tasks.cyclictest.3.spin_ns"));
        assert!(is_metric("tool_samples.worker.p99_ns") && !is_metric("tool_samples.worker.unfinished"));
        assert!(!is_metric("rq_lock.depth") && !is_metric("latency.max_ns") && !is_metric("latency..max_ns") && !is_metric(""));
    }
}
