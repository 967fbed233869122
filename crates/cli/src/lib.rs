//! The `schedscope` command: scenarios run, compared and explained without a browser.
//!
//! Results go to stdout, progress and notes to stderr. This crate knows neither scheduling nor
//! scenario files; the two crates that it calls do. It is a library so that the Python package
//! brings the whole command along.

mod answer;
pub mod bisect;
pub mod changes;
mod compare;
mod cpu_stat;
mod digest;
mod execute;
mod exit;
pub mod explain;
pub mod export;
mod interrupt;
pub mod list;
mod new_file;
mod pasted;
mod read;
mod real;
mod recorded;
mod remarks;
mod report;
mod results;
mod run;
pub mod run_file;
mod sides;
mod sweep;
mod target;
mod tools;
mod validate;
mod variant;
pub mod versions;
mod waits;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use schedscope_scenario::text::shown_lines;

/// Why was this wake-up late? A deterministic simulator of the Linux scheduler.
#[derive(Parser)]
#[command(name = "schedscope", version, disable_help_subcommand = true, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "<SCENARIO> is the name of a shipped scenario, a file, or a link.
Exit codes: 0 fine, 2 usage or unreadable file, 3 invalid scenario, 4 stopped at a limit or by \
Ctrl-C, 5 the simulator broke one of its own laws.";

#[derive(Subcommand)]
enum Command {
    /// Run a scenario and print its figures
    Run(run::Arguments),
    /// Run two sides with the same draws and print what differs
    Compare(compare::Arguments),
    /// Run every combination of some values, over several seeds, and print the ranges of the
    /// headline figures
    Sweep(sweep::Arguments),
    /// Find which changes between two releases made a figure differ
    Bisect(bisect::Arguments),
    /// Show where the time of the worst wake-up went
    Explain(explain::Arguments),
    /// Print the fingerprint of each scenario's schedule
    Digest(digest::Arguments),
    /// Write one run in a format of other tools (`schedscope list --formats`)
    Export(export::Arguments),
    /// Say which limit, period, burst or threads a throttled group needs, from its pasted counters
    Answer(answer::Arguments),
    /// Read a text that people paste: boot lines, settings, commands; and make a scenario of it
    Read(read::Arguments),
    /// Print what one types on a real machine to do what a run does here
    Real(real::Arguments),
    /// Show what a recording of a real machine holds, and what its tasks did
    RecordView(recorded::view::Arguments),
    /// List the shipped scenarios, every knob, or every format of files
    List(list::Arguments),
    /// What is known of a kernel release, and what changed in the scheduler between two
    Versions(versions::Arguments),
    /// Check a scenario file, its variants included
    Validate(validate::Arguments),
}

/// Runs the command line `arguments`, the first of which is the program's name, and gives the exit
/// code.
pub fn command(arguments: &[OsString]) -> u8 {
    let command = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli.command,
        Err(error) => return unread(&error, arguments),
    };
    let outcome = match command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Sweep(arguments) => sweep::run(&arguments),
        Command::Bisect(arguments) => bisect::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Digest(arguments) => digest::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Answer(arguments) => answer::run(&arguments),
        Command::Read(arguments) => read::run(&arguments),
        Command::Real(arguments) => real::run(&arguments),
        Command::RecordView(arguments) => recorded::view::run(&arguments),
        Command::List(arguments) => list::run(&arguments),
        Command::Versions(arguments) => versions::run(&arguments),
        Command::Validate(arguments) => validate::run(&arguments),
    };
    outcome.map_or_else(|failure| exit::report(&failure), |()| 0)
}

/// Prints why the command line cannot be read, or the help that it asks for. Adds an example where
/// an option lacks its argument, because clap only names the argument.
fn unread(error: &clap::Error, arguments: &[OsString]) -> u8 {
    let told = error.render().to_string();
    if shown_lines(&told, usize::MAX) == told {
        // A failed write means that the output is closed: an error would have no reader.
        drop(error.print());
    } else {
        remarks::say_whole(&told);
    }
    if error.kind() == ErrorKind::MissingRequiredArgument {
        let example = match arguments.get(1).and_then(|name| name.to_str()) {
            Some("sweep") => "sweep rt-pull-herd --over machine.cpus=16,40,80 --seeds 1..8",
            Some("explain") => "explain rt-pull-herd --task cyclictest.12 --nth 7",
            Some("bisect") => {
                "bisect eevdf-slices --from 6.16 --to 6.17 --metric latency.short.p90_ns"
            }
            Some("digest") => "digest rt-pull-herd rt-migrate",
            Some("compare") => "compare rt-pull-herd",
            Some("export") => "export rt-pull-herd --to ftrace --out herd.txt",
            Some("read") => "read pasted.txt --scenario mine.json",
            Some("record-view") => "record-view trace.txt --tasks 50",
            Some("real") => "real quota-pinned --dir files",
            Some("versions") => "versions 6.8.0-45-generic 6.12.57",
            Some("validate") => "validate my-scenario.json",
            _ => "run rt-pull-herd",
        };
        remarks::say(&format!("for example: schedscope {example}"));
        remarks::say("`schedscope list` prints the names of all scenarios");
    }
    u8::try_from(error.exit_code()).unwrap_or(2)
}
