//! Canonical bytes of a scenario: what it runs, in one order and one unit, and nothing about how it
//! is shown.

use schedscope_engine::setup::TaskSpec;
use serde_json::{Map, Value, json};

use crate::prepared::Prepared;
use crate::units::cpu_list_text;

impl Prepared {
    /// Bytes that are equal exactly for scenarios that run the same: stable order, one unit,
    /// nothing about presentation.
    pub fn canonical(&self) -> Vec<u8> {
        bytes(self)
    }
}

/// JSON with sorted keys and no spaces.
fn bytes(prepared: &Prepared) -> Vec<u8> {
    let setup = &prepared.setup;
    // The topology is what it comes to, not how it was written.
    let knobs: Map<String, Value> = prepared
        .meta
        .knobs
        .iter()
        .filter(|knob| knob.path != "machine.topology")
        .map(|knob| (knob.path.clone().into_owned(), knob.value.clone()))
        .collect();
    let value = json!({
        "schema": 1,
        "knobs": knobs,
        "package_size": setup.machine.topology.package_size(),
        "objects": setup.objects.iter().map(|spec| format!("{spec:?}")).collect::<Vec<_>>(),
        "timers": setup.timers.len(),
        "tasks": setup.tasks.iter().map(task).collect::<Vec<_>>(),
    });
    value.to_string().into_bytes()
}

/// Programs are written as the engine prints them: every field of every variant, none forgotten.
fn task(task: &TaskSpec) -> Value {
    let mut value = json!({
        "kind": task.kind, "name": task.name, "policy": task.policy.name(),
        "prio": task.policy.prio(),
        "cpus": cpu_list_text(&task.cpus), "start_ns": task.start_ns, "measured": task.measured,
        "program": format!("{:?}", task.program),
    });
    if task.group > 0 {
        value["group"] = task.group.into();
    }
    value
}
