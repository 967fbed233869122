//! Why a bisection cannot be made.

use schedscope_scenario::{LiveWrite, ScenarioError};

/// Why there is no answer.
#[derive(Debug)]
pub enum Refusal {
    /// What was asked for cannot be done.
    Usage(String),
    /// The scenario with a release is invalid.
    Scenario(Box<ScenarioError>),
    /// A run cannot make this write to its kernel.
    Write(LiveWrite, Box<ScenarioError>),
}

impl Refusal {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    pub(crate) fn scenario(error: ScenarioError) -> Self {
        Self::Scenario(Box::new(error))
    }
}
