//! Judges: laws of the machine, checked from outside on the whole state
//! (docs/develop/architecture.md, "Laws that always hold").

mod balancing;
mod bandwidth;
mod cyclictest;
#[cfg(test)]
mod damage;
mod fair;
pub mod invariants;
mod nohz;
pub mod objects;
mod preemption;
mod quota;
mod stoppers;
mod waits;
mod wakeups;
