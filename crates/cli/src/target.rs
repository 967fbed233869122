//! `<scenario>` on the command line.

use schedscope_runs::{Failure, Target};

use crate::remarks;

/// Finds the scenario that `name` means, and says what a person should know of it.
pub fn find(name: &str) -> Result<Target, Failure> {
    let target = Target::find(name)?;
    remarks::note(&target.notes);
    Ok(target)
}
