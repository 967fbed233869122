//! The program `schedscope`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    ExitCode::from(schedscope_cli::command(&arguments))
}
