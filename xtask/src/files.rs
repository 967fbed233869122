//! Reads files and names the file in the error.

use std::path::Path;

/// The message of a step that failed; printed unchanged.
pub type Failure = String;

/// The text of the file at `path`.
pub fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}
