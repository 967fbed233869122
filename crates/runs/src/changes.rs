//! What is asked of a run besides its scenario.

use schedscope_scenario::LiveWrite;

use crate::execute::Limits;
use crate::target::Set;

/// Changes to the scenario, writes to the running kernel, and limits.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Laid over the scenario's file, and over its variant, in order.
    pub set: Set,
    /// Writes to the running kernel.
    pub live: Vec<LiveWrite>,
    /// What may stop the run before its end.
    pub limits: Limits,
}

impl Changes {
    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        let Self { set, live, limits } = self;
        set.is_empty() && live.is_empty() && *limits == Limits::default()
    }
}
