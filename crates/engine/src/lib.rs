//! The schedscope simulator: a deterministic machine of CPUs, locks, interrupts and the Linux
//! scheduler.
//!
//! Pure: integers in state, no clock, no I/O, no threads, no floats in state, no hash maps. One
//! setup gives the same bytes every time, natively and in WebAssembly. Start with [`run::Run`];
//! [`sim::Sim`] executes; `kernel` reads like kernel/sched.

#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

pub mod account;
pub mod check;
pub mod ids;
pub mod kernel;
pub mod machine;
pub mod named;
pub mod queue;
pub mod rng;
pub mod run;
pub mod setup;
pub mod sim;
pub mod trace;
pub mod workload;
