//! Knobs of NOHZ and idle load balancing.

use schedscope_engine::kernel::config::Rung;

use super::kernel::BY_VERSION;
use super::{Knob, KnobType};

pub(super) fn knobs(newest: &Rung) -> Vec<Knob> {
    vec![
        Knob::named(
            "kernel.nohz_ilb",
            "idle balancing",
            newest.nohz_ilb.value,
            "How CPUs without a tick get somebody to balance for them.",
            BY_VERSION,
        ),
        Knob::named("kernel.idle_stop_policy", "idle tick", newest.idle_stop.value, "When an idle CPU stops its tick.", BY_VERSION),
        Knob::new(
            "kernel.nohz_full",
            "nohz_full",
            KnobType::Text,
            "none",
            "CPUs, as a list (\"2-5,7\"), that stop their tick while one task runs alone and do no idle balancing for others.",
            "boot option nohz_full",
        ),
    ]
}
