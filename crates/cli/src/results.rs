//! Results, on stdout.

use std::fs::File;
use std::io::{StdoutLock, Write};

use schedscope_runs::Failure;
use schedscope_scenario::text::{shown_json, shown_lines};

use crate::interrupt;

/// Writes a result to stdout as JSON.
pub fn print_json(json: &str) -> Result<(), Failure> {
    write_out(&shown_json(json))
}

/// Writes a result to stdout. A reader that went away (`| head`) is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    write_out(&shown_lines(text, usize::MAX))
}

/// Writes a result to stdout that is in a file, byte for byte.
pub fn copy(from: &mut File) -> Result<(), Failure> {
    write_with(|stdout| std::io::copy(from, stdout).map(drop))
}

fn write_out(text: &str) -> Result<(), Failure> {
    write_with(|stdout| stdout.write_all(text.as_bytes()))
}

fn write_with(
    write: impl FnOnce(&mut StdoutLock<'_>) -> std::io::Result<()>,
) -> Result<(), Failure> {
    interrupt::end_at_once();
    let mut stdout = std::io::stdout().lock();
    match write(&mut stdout).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::usage(format!("cannot write the result: {error}")))
        }
        _ => Ok(()),
    }
}

/// A value as JSON that people can read.
///
/// # Errors
/// It has no form in JSON.
pub fn as_json<T: serde::Serialize + ?Sized>(value: &T) -> Result<String, Failure> {
    serde_json::to_string_pretty(value)
        .map(|text| text + "\n")
        .map_err(|error| Failure::usage(error.to_string()))
}
