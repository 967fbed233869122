//! Knobs of RT throttling's sysctls and of the SCHED_RR slice.

use super::knob::{Knob, KnobType};

/// Largest sched_rt_period_us: 2^31 - 1, the largest int.
const MICROS_MAX: u64 = 2_147_483_647;

pub(super) fn knobs() -> Vec<Knob> {
    use KnobType::Integer;
    vec![
        Knob::new(
            "kernel.sched_rt_runtime_us",
            "sched_rt_runtime_us",
            Integer,
            950_000,
            "RT time a CPU may use per period, in µs; no effect on kernels that do not throttle \
                by runtime.",
            "sysctl kernel.sched_rt_runtime_us",
        )
        .range(0, MICROS_MAX)
        .words([("-1", "no limit: throttling off")])
        .live(),
        Knob::new(
            "kernel.sched_rt_period_us",
            "sched_rt_period_us",
            Integer,
            1_000_000,
            "The period of RT throttling, in µs.",
            "sysctl kernel.sched_rt_period_us",
        )
        .range(1, MICROS_MAX)
        .live(),
        Knob::new(
            "kernel.sched_rr_timeslice_ms",
            "sched_rr_timeslice_ms",
            Integer,
            100,
            "Slice of a SCHED_RR task in ms, counted in ticks.",
            "sysctl kernel.sched_rr_timeslice_ms",
        )
        .range(1, 1_000_000),
    ]
}
