//! The books: why each wake-up was late, and the totals of a run.

pub mod groups;
pub mod latency;
pub mod metrics;
pub mod report;
mod roaming;
pub mod stretches;
pub mod unfinished;
