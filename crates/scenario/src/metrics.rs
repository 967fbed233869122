//! Names of the figures a report holds, so that a headline with a slip in it is refused.

/// Metric paths that do not depend on the scenario's tasks.
pub(crate) const FIXED: &[&str] = &[
    "rq_lock.acquisitions", "rq_lock.contended", "rq_lock.max_waiters", "rq_lock.wait_ns", "rq_lock.irq_off_max_ns", "rq_lock.pull_remote_acquisitions",
    "ipi.reschedule.sent", "ipi.reschedule.delivered", "ipi.reschedule.coalesced", "ipi.reschedule.in_flight", "ipi.reschedule.elided_polling",
    "ipi.call_function.sent", "ipi.call_function.delivered", "ipi.call_function.coalesced", "ipi.call_function.in_flight", "ipi.call_function.elided_polling",
    "ipi.rto_push.sent", "ipi.rto_push.max_in_flight", "ipi.rto_push.self_sent",
    "sched.context_switches", "sched.migrations", "sched.pushes", "sched.pulls", "sched.ticks",
    "resched.now_set", "resched.lazy_set", "resched.lazy_upgraded",
];

const LATENCY: &[&str] = &["count", "sum_ns", "min_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns", "unfinished", "avoidable_ns"];
const TASK: &[&str] = &["run_ns", "ready_ns", "throttled_ns", "spin_ns", "loops", "wakeups"];

/// Whether `path` names a figure a report can hold: a fixed one, `latency.<kind>.max_ns`, `tasks.<name>.spin_ns`.
pub(crate) fn is_metric(path: &str) -> bool {
    let of = |group: &str, leaves: &[&str]| {
        path.strip_prefix(group).and_then(|rest| rest.rsplit_once('.')).is_some_and(|(name, leaf)| !name.is_empty() && leaves.contains(&leaf))
    };
    FIXED.contains(&path) || of("latency.", LATENCY) || of("tasks.", TASK)
}

#[cfg(test)]
mod tests {
    use super::is_metric;

    #[test]
    fn names_of_figures_are_known() {
        assert!(is_metric("rq_lock.max_waiters") && is_metric("latency.cyclictest.max_ns") && is_metric("tasks.cyclictest.3.spin_ns"));
        assert!(!is_metric("rq_lock.depth") && !is_metric("latency.max_ns") && !is_metric("latency..max_ns") && !is_metric(""));
    }
}
