//! The promises that hold for any input: each target takes any bytes, and panics if the program
//! under it panics or breaks its promise.
//!
//! libFuzzer drives the targets from `bin/`; `tests/bounded.rs` replays the corpus and a fixed
//! number of mutations of it.

pub mod mutate;
pub mod seeds;
pub mod targets;

/// One target: its name, which is also the folder of its corpus, and the function that takes an
/// input.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: [Target; 6] = [
    ("scenario", targets::scenario),
    ("link", targets::link),
    ("setup", targets::setup),
    ("engine", targets::engine),
    ("words", targets::words),
    ("traces", targets::traces),
];
