//! The schedscope simulator: a deterministic machine of CPUs, locks, interrupts and the Linux scheduler.
//!
//! Pure: integers in state, no clock, no I/O, no threads, no floats in state, no hash maps. Same setup, same bytes,
//! natively and in WebAssembly.

pub mod kernel;
pub mod machine;
pub mod named;
pub mod setup;
