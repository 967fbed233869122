//! Reads a recording, and says what it lacks.

use std::io::Read;
use std::path::Path;

use schedscope_formats::recording::{Missed, Recording};
use schedscope_formats::traces::{self, Refused};
use schedscope_runs::Failure;
use schedscope_runs::numbers::{counted, grouped, time};

use crate::interrupt::is_asked;
use crate::remarks;

/// Largest file that is read, bytes.
const FILE_MAX: u64 = 4 << 30;
/// So much of a file says whether it is a recording.
const HEAD: u64 = 64 * 1024;

/// Whether a file of this name begins as a recording does, or as one that has to be converted.
pub fn is_one(name: &str) -> bool {
    let mut head = Vec::new();
    let read = std::fs::File::open(name).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && traces::is_recorded(&head)
}

/// Reads a recording.
///
/// # Errors
/// It cannot be read, is none, or Ctrl-C ends the reading.
pub fn read(name: &str) -> Result<Recording, Failure> {
    let failed = |why: String| Failure::usage(format!("{name}: {why}"));
    let size = std::fs::metadata(Path::new(name)).map_err(|error| failed(error.to_string()))?.len();
    if size > FILE_MAX {
        let most = FILE_MAX >> 30;
        return Err(failed(format!("{size} bytes; at most {most} GiB are read")));
    }
    let bytes = std::fs::read(name).map_err(|error| failed(error.to_string()))?;
    traces::read(&bytes, &mut |_| !is_asked()).map_err(|refused| match refused {
        Refused::Ended => Failure::Limited,
        refused => failed(refused.to_string()),
    })
}

/// A line about the recording, and remarks on what it lacks.
pub fn head(recording: &Recording, name: &str) -> String {
    let coverage = &recording.coverage;
    for missing in coverage.missing() {
        remarks::say(&format!("note: {missing}"));
    }
    let events: u64 = coverage.events.values().sum();
    let kernel = coverage.kernel.as_ref().map(|release| format!(", kernel {release}"));
    format!(
        "{name}: recorded, {}, {}, {}{}",
        counted(u64::from(recording.cpus), "CPU"),
        time(recording.span_ns()),
        counted(events, "event"),
        kernel.unwrap_or_default()
    )
}

/// What a recording does not hold that its tasks' waits need; none where it holds all.
pub fn lacks(missed: Missed) -> Option<String> {
    let Missed { switches, waits } = missed;
    (switches > 0).then(|| {
        format!(
            "switches that are not recorded: {} (who leaves a CPU is not who came to it); waits \
             that ended there are left out: {}",
            grouped(switches),
            grouped(waits)
        )
    })
}
