//! The files that a command has read: no output may overwrite one of them, under any of its names.

use std::fs::File;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use same_file::Handle;

use crate::failure::Failure;

/// The opened files, each with the role in which it was read.
static READ: Mutex<Vec<(&'static str, Handle)>> = Mutex::new(Vec::new());

/// Remembers `file`, which is read as `what`. A pipe has no content that an output could overwrite.
pub fn opened(what: &'static str, file: &File) {
    if file.metadata().is_ok_and(|found| found.is_file())
        && let Ok(handle) = file.try_clone().and_then(Handle::from_file)
    {
        READ.lock().unwrap_or_else(PoisonError::into_inner).push((what, handle));
    }
}

/// Refuses `output`, which `flag` names, if it is a file that was read, or is where the report
/// goes.
pub fn spare(output: &Path, flag: &str) -> Result<(), Failure> {
    let name = output.display();
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((what, _)) = read.iter().find(|(_, handle)| is_same(handle, output)) {
        return Err(Failure::usage(format!("{flag} {name} is {what}")));
    }
    if goes_to_stdout(output) {
        return Err(Failure::usage(format!(
            "{flag} {name} is where the report goes: the two would be mixed\n  expected: a file of \
                its own, or the report elsewhere (>report.txt)"
        )));
    }
    Ok(())
}

/// Whether `output` is the program's own stdout. /dev/null loses everything anyway, so outputs
/// cannot mix there.
fn goes_to_stdout(output: &Path) -> bool {
    use std::io::IsTerminal;
    let is_device = {
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt;
            std::fs::metadata(output).is_ok_and(|found| found.file_type().is_char_device())
        }
        #[cfg(not(unix))]
        false
    };
    Handle::stdout().is_ok_and(|stdout| is_same(&stdout, output))
        && (!is_device || std::io::stdout().is_terminal())
}

/// Compares device and inode without opening the file, because opening a pipe would wait for its
/// other end.
#[cfg(unix)]
fn is_same(handle: &Handle, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path)
        .is_ok_and(|found| (found.dev(), found.ino()) == (handle.dev(), handle.ino()))
}

#[cfg(not(unix))]
fn is_same(handle: &Handle, path: &Path) -> bool {
    Handle::from_path(path).is_ok_and(|found| found == *handle)
}
