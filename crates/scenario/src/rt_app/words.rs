//! rt-app's words, defaults and limits.

use schedscope_engine::setup::Policy;

/// Keys of a task besides events.
pub(crate) const TASK_KEYS: &[&str] =
    &["instance", "delay", "policy", "priority", "slice", "cpus", "taskgroup", "loop", "phases"];
/// Keys of a phase besides events.
pub(crate) const PHASE_KEYS: &[&str] = &["loop", "policy", "priority", "cpus", "taskgroup"];
/// The policies, with rt-app's priority where the file states none.
pub(super) const POLICIES: [Policy; 4] = [
    Policy::Fair { nice: 0 },
    Policy::Fifo { rt_priority: 10 },
    Policy::RoundRobin { rt_priority: 10 },
    Policy::Idle,
];
pub(crate) const GLOBAL_KEYS: &[&str] = &["default_policy", "duration", "pi_enabled"];
/// Longest time of one event: an hour, in microseconds.
pub(crate) const TIME_MAX_US: i64 = 3_600_000_000;

/// The names of the policies, in the order of lists.
pub(crate) fn policy_names() -> impl Iterator<Item = &'static str> {
    POLICIES.iter().map(|policy| policy.name())
}

/// What rt-app knows and this engine does not play.
pub(super) const NOT_YET: &[&str] = &[
    "mem",
    "iorun",
    "memrun",
    "nodes_membind",
    "util_min",
    "util_max",
    "dl-runtime",
    "dl-period",
    "dl-deadline",
    "kernel-run",
    "spin",
    "calibration",
    "lock_pages",
    "logdir",
    "log_basename",
    "log_size",
    "ftrace",
    "gnuplot",
    "io_device",
    "mem_buffer_size",
    "cumulative_slack",
    "frag",
    "SCHED_BATCH",
    "SCHED_DEADLINE",
];

/// `workload.global`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Global {
    /// Policy of tasks that state none; SCHED_OTHER if absent.
    pub(crate) policy: Option<Policy>,
    /// Machine time in ns, if stated and not endless.
    pub(crate) duration_ns: Option<u64>,
    /// Whether mutexes inherit priorities: a knob, so that both sides of a comparison can differ in
    /// it.
    pub(crate) pi_enabled: bool,
}
