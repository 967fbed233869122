//! The family of programs against the simulator.

mod family;
mod model;
mod support;
