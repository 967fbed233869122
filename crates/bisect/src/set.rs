//! Settings of a run.

use serde_json::Value;

/// Knob paths and their values, laid over a scenario in order.
pub type Set = Vec<(String, Value)>;
