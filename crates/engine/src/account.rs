//! The books: why each wake-up was late, and the totals of a run.

#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

pub(crate) mod crowd;
pub mod groups;
pub mod latency;
pub mod metrics;
pub mod report;
mod roaming;
pub(crate) mod running;
pub mod stretches;
pub mod unfinished;
