//! The knob of full NOHZ.

use super::knob::Knob;

pub(super) fn knobs() -> Vec<Knob> {
    vec![Knob::cpu_list(
        "kernel.nohz_full",
        "nohz_full",
        "none",
        "CPUs, as a list (\"2-5,7\"), that stop their tick while one task runs alone and do no \
            idle balancing for others.",
        "boot option nohz_full",
    )]
}
