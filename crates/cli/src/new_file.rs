//! A file of results: written beside its destination under a temporary name, and renamed once it is
//! complete. Until then an older file keeps its content.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use schedscope_runs::{Failure, inputs};
use tempfile::{Builder, NamedTempFile};

use crate::interrupt::{finish, take_along};
use crate::remarks;

/// A file being written. Dropped or interrupted, it leaves nothing behind.
#[derive(Debug)]
pub struct NewFile {
    name: String,
    to: Destination,
}

#[derive(Debug)]
enum Destination {
    Beside(NamedTempFile, PathBuf),
    /// No file that could be replaced: a pipe, a terminal.
    Through(File),
}

impl NewFile {
    /// Starts the file at `path`, which `flag` names. Refuses a file that was read, under any of
    /// its names.
    pub fn create(path: &Path, flag: &str) -> Result<Self, Failure> {
        let name = path.display().to_string();
        inputs::spare(path, flag)?;
        let part = |to: &Destination| match to {
            Destination::Beside(file, _) => Some(file.path().to_owned()),
            Destination::Through(_) => None,
        };
        let to = take_along(|| destination(path), part)
            .map_err(|error| Failure::usage(format!("cannot write {name}: {}", bare(&error))))?;
        Ok(Self { name, to })
    }

    /// Puts the file in its place.
    pub fn keep(mut self) -> Result<(), Failure> {
        let flushed = self.flush();
        let kept = match self.to {
            Destination::Beside(file, place) => {
                let part = file.path().to_owned();
                flushed.and_then(|()| {
                    finish(&part, || file.persist(place).map(drop).map_err(|error| error.error))
                })
            }
            Destination::Through(_) => flushed,
        };
        kept.map_err(|error| Failure::usage(format!("cannot write {}: {error}", self.name)))
    }

    /// Says where the unfinished file is, for a command that failed.
    pub fn leave(self) {
        let Destination::Beside(file, _) = self.to else { return };
        let part = file.path().to_owned();
        if let Ok((_, place)) = finish(&part, || file.keep()) {
            remarks::say(&format!(
                "note: what was done before the failure is in {}; {} is as it was",
                place.display(),
                self.name
            ));
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match &mut self.to {
            Destination::Beside(file, _) => file.write(bytes),
            // A reader that closed the pipe is no failure, neither here nor on stdout.
            Destination::Through(file) => match file.write(bytes) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(bytes.len()),
                written => written,
            },
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match &mut self.to {
            Destination::Beside(file, _) => file.flush(),
            Destination::Through(file) => file.flush(),
        }
    }
}

/// `error` without the name of the unfinished file: the name is random, and the user did not choose
/// it.
fn bare(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split_once(" at path ").map_or(text.as_str(), |(bare, _)| bare).to_owned()
}

/// Most characters of the file's name in that of the unfinished one, which must not be too long
/// where the file's is not.
const NAME_MAX: usize = 40;

/// Most symbolic links that are followed, as the kernel does.
const LINKS_MAX: usize = 40;

/// Where `path`, at which no file is, leads to.
fn end_of_links(path: &Path) -> std::io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..LINKS_MAX {
        let Ok(to) = std::fs::read_link(&place) else { return Ok(place) };
        place = place.parent().unwrap_or(Path::new("")).join(to);
    }
    Err(std::io::Error::other("too many symbolic links lead to each other"))
}

fn destination(path: &Path) -> std::io::Result<Destination> {
    let existing = std::fs::metadata(path).ok();
    if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
        return std::fs::OpenOptions::new().write(true).open(path).map(Destination::Through);
    }
    // A symbolic link goes on leading to the file, also to one that is not there yet.
    let place = if existing.is_some() { std::fs::canonicalize(path)? } else { end_of_links(path)? };
    let folder =
        place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{}.", name.chars().take(NAME_MAX).collect::<String>());
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    if let Some(existing) = existing {
        // Write permission protects the file's content, so replacing a read-only file needs it too.
        std::fs::OpenOptions::new().write(true).open(&place)?;
        let file = builder.tempfile_in(folder)?;
        file.as_file().set_permissions(existing.permissions())?;
        return Ok(Destination::Beside(file, place));
    }
    Ok(Destination::Beside(builder.tempfile_in(folder)?, place))
}
