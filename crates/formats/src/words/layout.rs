//! The text of a scenario, as a person would lay it out.

use serde_json::Value;

/// Top-level keys in their order.
const ORDER: [&str; 14] = [
    "schema", "title", "source", "seed", "duration", "machine", "kernel", "cgroups", "workload",
    "variants", "knobs", "labels", "headline", "steps",
];

/// The text of a scenario's file.
pub fn file_text(scenario: &Value) -> String {
    let rows = ORDER.iter().filter_map(|key| {
        let value = serde_json::to_string_pretty(scenario.get(key)?).ok()?;
        Some(format!("  \"{key}\": {}", value.replace('\n', "\n  ")))
    });
    format!("{{\n{}\n}}\n", rows.collect::<Vec<_>>().join(",\n"))
}
