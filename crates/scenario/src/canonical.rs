//! Canonical bytes of a scenario: what it runs, in one order and one unit, and nothing about how it is shown.

use schedscope_engine::setup::{Event, Program, TaskSpec};
use serde_json::{Map, Value, json};

use crate::Prepared;
use crate::units::cpu_list_text;

/// JSON with sorted keys and no spaces.
pub(crate) fn bytes(prepared: &Prepared) -> Vec<u8> {
    let setup = &prepared.setup;
    // The topology is what it comes to, not how it was written.
    let knobs: Map<String, Value> = prepared
        .meta
        .knobs
        .iter()
        .filter(|knob| knob.path != "machine.topology")
        .map(|knob| (knob.path.to_owned(), knob.value.clone()))
        .collect();
    let value = json!({
        "schema": 1,
        "knobs": knobs,
        "package_size": setup.machine.topology.package_size(),
        "tasks": setup.tasks.iter().map(task).collect::<Vec<_>>(),
    });
    value.to_string().into_bytes()
}

fn task(task: &TaskSpec) -> Value {
    json!({
        "kind": task.kind, "name": task.name, "policy": task.policy.name(), "prio": task.policy.prio(),
        "cpus": cpu_list_text(&task.cpus), "start_ns": task.start_ns, "program": program(&task.program),
    })
}

fn program(program: &Program) -> Value {
    match program {
        Program::RtApp { loops, phases } => {
            let phase = |phase: &schedscope_engine::setup::Phase| json!({ "loops": phase.loops, "events": phase.events.iter().map(event).collect::<Vec<_>>() });
            json!({ "loops": loops, "phases": phases.iter().map(phase).collect::<Vec<_>>() })
        }
        Program::Cyclictest { first_due_ns, interval_ns, body_ns, extra_ns } => {
            json!({ "first_due_ns": first_due_ns, "interval_ns": interval_ns, "body_ns": body_ns, "extra_ns": extra_ns })
        }
        Program::RtNoise { run_ns } => json!({ "noise_run_ns": run_ns }),
    }
}

fn event(event: &Event) -> Value {
    match event {
        Event::Run { ns } => json!({ "run_ns": ns }),
        Event::Sleep { ns } => json!({ "sleep_ns": ns }),
        Event::Timer { id, period_ns, absolute } => json!({ "timer": id, "period_ns": period_ns, "absolute": absolute }),
    }
}
