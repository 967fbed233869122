//! From what a scenario states to what a run uses: `resolver.rs` keeps the books, each other file
//! settles a part of machine or kernel. What tasks do is settled beside each generator.

pub(crate) mod bandwidth;
pub(crate) mod costs;
pub(crate) mod kernel;
pub(crate) mod machine;
pub(crate) mod partitions;
pub(crate) mod resolver;
pub(crate) mod rt_throttle;
mod rules;
