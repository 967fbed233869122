//! The knob of full NOHZ.

use super::knob::{Knob, KnobType};

pub(super) fn knobs() -> Vec<Knob> {
    vec![Knob::new(
        "kernel.nohz_full",
        "nohz_full",
        KnobType::Text,
        "none",
        "CPUs, as a list (\"2-5,7\"), that stop their tick while one task runs alone and do no \
            idle balancing for others.",
        "boot option nohz_full",
    )]
}
