//! Judges: laws of the machine, checked from outside on the whole state (docs/architecture.md,
//! "Laws that always hold").

#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

mod balancing;
mod bandwidth;
mod cyclictest;
mod fair;
pub mod invariants;
mod nohz;
pub mod objects;
mod preemption;
mod quota;
mod stoppers;
mod waits;
mod wakeups;
