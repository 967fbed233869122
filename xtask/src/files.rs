//! Reading files, and what a step says that cannot.

use std::path::Path;

/// What a step says when it fails; printed as it is.
pub type Failure = String;

/// The text of the file at `path`.
pub fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}
