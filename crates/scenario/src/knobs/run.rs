//! Knobs of a run as such: seed and duration.

use schedscope_engine::setup::DURATION_NS_MAX;

use super::knob::{Knob, KnobType};

/// Largest seed: what a JavaScript number holds exactly.
pub const SEED_MAX: u64 = (1 << 53) - 1;

pub(super) fn knobs() -> Vec<Knob> {
    use KnobType::{Integer, Time};
    vec![
        Knob::new(
            "seed",
            "seed",
            Integer,
            1,
            "Starts the random numbers: with one seed, both sides get the same arrivals.",
            "schedscope",
        )
        .range(0, SEED_MAX),
        Knob::new("duration", "duration", Time, "100ms", "Machine time to simulate.", "schedscope")
            .range(1, DURATION_NS_MAX),
    ]
}
