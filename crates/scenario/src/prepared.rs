//! A scenario ready to run.

use schedscope_engine::setup::Setup;

use crate::meta::{LiveWrite, RunMeta};

/// A scenario ready to run.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// For the engine.
    pub setup: Setup,
    /// For people.
    pub meta: RunMeta,
    /// What is written to the running kernel on the way, in order of time; whoever runs it makes
    /// the writes.
    pub live: Vec<LiveWrite>,
}
