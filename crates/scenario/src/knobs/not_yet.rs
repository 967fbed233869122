//! What is known to be missing: refused by its name, with the reason, instead of as a slip of the
//! finger.

/// Paths of options that tools and kernels have and this engine does not, with the short why.
pub(crate) const NOT_YET_KNOBS: &[(&str, &str)] = &[
    ("kernel.latency_warn_ms", WARN),
    ("kernel.resched_latency_warn_ms", WARN),
    ("workload.cyclictest.secaligned", "no wall clock"),
    ("workload.hackbench.inet", "no internet sockets"),
    ("workload.hackbench.threads", "switching address spaces costs nothing"),
    ("workload.kernbench.runs", "one run; vary the seed"),
    ("workload.kernbench.skip_half", LOADS),
    ("workload.kernbench.skip_max", LOADS),
    ("workload.kernbench.skip_optimal", LOADS),
    ("workload.schbench.auto_rps", RATE),
    ("workload.schbench.intervaltime", ONE_REPORT),
    ("workload.schbench.message_cpus", PINNING),
    ("workload.schbench.pin", PINNING),
    ("workload.schbench.pipe", "a request is work alone"),
    ("workload.schbench.rps", RATE),
    ("workload.schbench.warmuptime", ONE_REPORT),
    ("workload.schbench.worker_cpus", PINNING),
    ("workload.schbench.zerotime", ONE_REPORT),
];
const WARN: &str = "nothing is warned of; see latencies";
const LOADS: &str = "a run has one load: workload.kernbench.load";
const RATE: &str = "workers are never paced";
const PINNING: &str = "its threads run anywhere";
const ONE_REPORT: &str = "one report of the whole run";

/// Values of known knobs that need a mechanism this engine does not have yet.
pub(crate) const NOT_YET_VALUES: &[(&str, &[&str])] =
    &[("kernel.spinlock", &["tas", "pv_qspinlock"])];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knobs::knob;

    #[test]
    fn what_is_not_there_yet_is_not_there() {
        for (path, _) in NOT_YET_KNOBS {
            assert!(knob(path).is_none(), "{path} exists now");
        }
        for (path, values) in NOT_YET_VALUES {
            let knob = knob(path).unwrap();
            for value in *values {
                assert!(
                    knob.choices.iter().all(|choice| choice.value != *value),
                    "{path} {value} exists now"
                );
            }
        }
    }
}
