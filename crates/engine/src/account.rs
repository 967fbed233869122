//! Accounting: why each wake-up was late, and the totals of a run.

pub(crate) mod crowd;
pub mod groups;
pub mod latency;
pub mod metrics;
pub mod pressure;
pub mod report;
mod roaming;
pub(crate) mod running;
pub mod stretches;
mod timeline;
pub mod unfinished;
