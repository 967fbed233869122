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
    /// Writes to the running kernel during the run, in order of time; the caller who runs it makes
    /// them.
    pub live: Vec<LiveWrite>,
}
