//! The figures of a report: as JSON, and flat for the writers of files.

use schedscope_engine::account::report::Metrics;
use schedscope_formats::Figures;
use schedscope_formats::figures::BETWEEN;
use serde_json::Value;

/// The metrics as JSON, without the lists of activations, in which no figure lies.
pub fn figures(metrics: &Metrics) -> Value {
    let mut metrics = metrics.clone();
    metrics.tasks.values_mut().for_each(|task| task.activations = Vec::new());
    serde_json::to_value(&metrics).unwrap_or_default()
}

/// The whole numbers in them by their paths.
pub fn flat(metrics: &Metrics) -> Figures {
    let mut into = Vec::new();
    add("", &figures(metrics), &mut into);
    into.into_iter().collect()
}

fn add(path: &str, value: &Value, into: &mut Vec<(String, i64)>) {
    if let Value::Object(fields) = value {
        for (name, value) in fields {
            let path =
                if path.is_empty() { name.clone() } else { format!("{path}{BETWEEN}{name}") };
            add(&path, value, into);
        }
    } else if let Some(number) = value.as_i64() {
        into.push((path.to_owned(), number));
    }
}
