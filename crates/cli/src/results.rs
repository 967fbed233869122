//! Results, on stdout.

use schedscope_scenario::text::{shown_json, shown_lines};

use crate::failure::Failure;
use crate::interrupt;

/// Writes a result to stdout as JSON.
pub fn print_json(json: &str) -> Result<(), Failure> {
    write_out(&shown_json(json))
}

/// Writes a result to stdout. A reader that went away (`| head`) is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    write_out(&shown_lines(text, usize::MAX))
}

fn write_out(text: &str) -> Result<(), Failure> {
    use std::io::Write;
    interrupt::end_at_once();
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::usage(format!("cannot write the result: {error}")))
        }
        _ => Ok(()),
    }
}
