//! Files of control groups, as the kernel prints them: their fields, and several files in one text.

pub mod cpu_stat;

use std::io::{Result, Write};

use schedscope_engine::setup::GroupSpec;

use crate::names::Comm;
use crate::run::{Run, refused};

/// The groups below the root, in the order of the setup.
///
/// # Errors
/// There is none.
pub fn below_root(run: &Run) -> Result<&[GroupSpec]> {
    match run.setup.groups.get(1..) {
        Some(groups) if !groups.is_empty() => Ok(groups),
        _ => Err(refused("the scenario has no control group, so there is no such file")),
    }
}

/// The path of a group's file `name`, in the hierarchy mounted at `mount`.
pub fn path(mount: &str, group: &str, name: &str) -> String {
    format!("{mount}/{}/{name}", Comm(group))
}

/// Prints files, of which each has its path and its text, as tail(1) does: one alone, several with
/// their names.
///
/// # Errors
/// Those of `out`.
pub fn files(files: &[(String, String)], out: &mut dyn Write) -> Result<()> {
    if let [(_, text)] = files {
        return out.write_all(text.as_bytes());
    }
    for (number, (path, text)) in files.iter().enumerate() {
        let between = if number == 0 { "" } else { "\n" };
        write!(out, "{between}==> {path} <==\n{text}")?;
    }
    Ok(())
}
