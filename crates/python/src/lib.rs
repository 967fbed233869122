//! The native part of the Python package `schedscope`: the types and functions that `python/` gives
//! its own words.
//!
//! Reports go over as JSON text, tables as Arrow streams. Nothing here holds Python's lock while a
//! simulation runs, and nothing here is public to users: `python/schedscope` is.

mod bisect;
mod changes;
mod compare;
mod errors;
mod manifest;
mod outcome;
mod prepared;
mod read;
mod stream;
mod sweep;
mod tables;
mod watch;

use pyo3::prelude::*;

/// What `python/schedscope` imports.
#[pymodule]
mod _native {
    use std::ffi::OsString;
    use std::path::PathBuf;

    use pyo3::prelude::*;
    use schedscope_cli::{list, versions};
    use schedscope_runs::{Failure, target};

    use crate::errors::raised;

    #[pymodule_export]
    use crate::bisect::bisect;
    #[pymodule_export]
    use crate::compare::compare;
    #[pymodule_export]
    use crate::manifest::{Manifest, plan_manifest};
    #[pymodule_export]
    use crate::outcome::Outcome;
    #[pymodule_export]
    use crate::prepared::{Prepared, prepare};
    #[pymodule_export]
    use crate::read::read;
    #[pymodule_export]
    use crate::stream::Stream;
    #[pymodule_export]
    use crate::sweep::sweep;

    /// Runs the command line `arguments`, the first of which is the program's name; gives its exit
    /// code.
    #[pyfunction]
    fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
        py.detach(|| schedscope_cli::command(&arguments))
    }

    /// From now on the shipped scenarios are those in `folder`.
    #[pyfunction]
    fn bring_scenarios(folder: PathBuf) {
        target::bring_scenarios(folder);
    }

    /// The shipped scenarios with their stories, as JSON.
    #[pyfunction]
    fn scenarios(py: Python<'_>) -> PyResult<String> {
        list::scenarios().map_err(|failure| raised(py, failure, ""))
    }

    /// Every knob, as JSON.
    #[pyfunction]
    fn knobs() -> String {
        serde_json::to_string(schedscope_scenario::knobs()).unwrap_or_default()
    }

    /// What a kernel release has, or what changed between two, as JSON.
    #[pyfunction]
    #[pyo3(signature = (one, other=None))]
    fn releases(py: Python<'_>, one: &str, other: Option<&str>) -> PyResult<String> {
        let read = |text: &str| {
            versions::version(text)
                .map_err(|why| raised(py, Failure::usage(format!("\"{text}\": {why}")), ""))
        };
        let (one, other) = (read(one)?, other.map(read).transpose()?);
        versions::as_json(one, other).map_err(|failure| raised(py, failure, ""))
    }

    /// Every format of files, as JSON.
    #[pyfunction]
    fn formats(py: Python<'_>) -> PyResult<String> {
        list::formats().map_err(|failure| raised(py, failure, ""))
    }
}
