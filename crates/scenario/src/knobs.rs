//! The table of knobs. `knob.rs` says what a knob is, `setting.rs` how its values are read; each
//! list is in the file of what it is about, and `all.rs` joins them.
//!
//! It knows nothing about any particular scenario.

pub(crate) mod all;
mod kernel;
pub(crate) mod knob;
mod machine;
mod nohz;
pub(crate) mod not_yet;
mod rt_throttle;
pub(crate) mod run;
pub(crate) mod setting;
pub(crate) mod table;

pub use crate::generators::all::GENERATORS;
pub use all::{knob, knobs};
pub use knob::{Applies, Knob, KnobChoice, KnobType};
pub use run::SEED_MAX;
