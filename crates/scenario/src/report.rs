//! The `schedscope.run/1` object: what a finished run says, in the form scripts rely on.

use schedscope_engine::run::Report;
use serde_json::{Map, Value, json};

use crate::Prepared;
use crate::knobs::SEED_MAX;

/// The version of everything that decides a result.
pub const ENGINE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The report of `prepared` as the `schedscope.run/1` object: integers only, ns unless named otherwise.
///
/// # Panics
/// If a number passes 2^53, which JavaScript could not hold; the record limit ends a run long before.
pub fn report_json(prepared: &Prepared, report: &Report) -> Value {
    let value = json!({
        "schema": "schedscope.run/1",
        "scenario": prepared.meta.slug,
        "seed": prepared.meta.seed,
        "engine": ENGINE_VERSION,
        "digest": report.digest,
        "simulated_ns": report.simulated_ns,
        "records": report.records,
        "complete": report.complete,
        "config": config(prepared),
        "metrics": report.metrics,
        "findings": report.findings,
    });
    assert!(holds_exactly(&value), "a figure of the report passes 2^53");
    value
}

/// Every knob of the scenario as resolved, by path, and every cost by name.
fn config(prepared: &Prepared) -> Value {
    let mut config: Map<String, Value> = prepared.meta.knobs.iter().map(|knob| (knob.path.to_owned(), knob.value.clone())).collect();
    let costs: Map<String, Value> = prepared.meta.costs.iter().map(|cost| (cost.name.to_owned(), cost.value.into())).collect();
    config.insert("costs".to_owned(), costs.into());
    config.into()
}

fn holds_exactly(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_u64().is_some_and(|number| number <= SEED_MAX),
        Value::Array(elements) => elements.iter().all(holds_exactly),
        Value::Object(members) => members.values().all(holds_exactly),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}
