//! Failures as the exceptions of `schedscope.errors`.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use schedscope_runs::Failure;

/// The exception for `failure`; `text` is that of the scenario, of which a [`Failure::Scenario`]
/// quotes the line that it is about.
pub fn raised(py: Python<'_>, failure: Failure, text: &str) -> PyErr {
    made(py, failure, text).unwrap_or_else(|error| error)
}

fn made(py: Python<'_>, failure: Failure, text: &str) -> PyResult<PyErr> {
    let errors = py.import("schedscope.errors")?;
    let made = match failure {
        Failure::Usage(message) => errors.getattr("UsageError")?.call1((message,))?,
        Failure::Limit(message) => errors.getattr("LimitReached")?.call1((message,))?,
        Failure::Limited => errors.getattr("LimitReached")?.call1(("a limit was reached",))?,
        Failure::Fault { what, replay } => {
            errors.getattr("SimulatorFault")?.call1((what, replay))?
        }
        Failure::Scenario(name, error) => {
            let fields = PyDict::new(py);
            fields.set_item("message", &error.message)?;
            fields.set_item("path", &error.path)?;
            fields.set_item("line", error.line)?;
            fields.set_item("column", error.column)?;
            fields.set_item("expected", &error.expected)?;
            fields.set_item("suggestion", &error.suggestion)?;
            let line = error.line.and_then(|line| text.lines().nth(line as usize - 1));
            fields.set_item("text", line)?;
            let told = format!("{name}: {error}");
            errors.getattr("ScenarioError")?.call((told,), Some(&fields))?
        }
    };
    Ok(PyErr::from_value(made))
}
