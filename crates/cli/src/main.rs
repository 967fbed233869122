//! The `schedscope` command: scenarios run, compared and explained without a browser.
//!
//! Results go to stdout, progress and notes to stderr. It knows nothing of scheduling and nothing
//! of scenario files; it asks the two crates that do.

mod compare;
mod cpu_stat;
mod digest;
mod execute;
mod explain;
mod failure;
mod inputs;
mod interrupt;
mod list;
mod live;
mod new_file;
mod numbers;
mod report;
mod run;
mod side;
mod sweep;
mod target;
mod tools;
mod trace_out;
mod validate;
mod waits;

use clap::{Args, Parser, Subcommand};
use std::process::ExitCode;

use failure::Failure;
use schedscope_scenario::knobs::SEED_MAX;
use schedscope_scenario::text::{shown_json, shown_lines};

/// Why was this wake-up late? A deterministic simulator of the Linux scheduler.
#[derive(Parser)]
#[command(name = "schedscope", version, disable_help_subcommand = true, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "<SCENARIO> is the name of a shipped scenario, a file, or a link.
Exit codes: 0 fine, 2 usage or unreadable file, 3 invalid scenario, 4 stopped at a limit, 5 the \
simulator broke one of its own laws.";

#[derive(Subcommand)]
enum Command {
    /// Run a scenario and print what came of it
    Run(run::Arguments),
    /// Run two sides with the same draws and print what differs
    Compare(compare::Arguments),
    /// Run every combination of some values, over several seeds, and print how the headline figures
    /// move
    Sweep(sweep::Arguments),
    /// Show where the time of the worst wake-up went
    Explain(explain::Arguments),
    /// Print the fingerprint of each scenario's schedule
    Digest(digest::Arguments),
    /// List the shipped scenarios, or every knob
    List(list::Arguments),
    /// Check a scenario file, its variants included
    Validate(validate::Arguments),
}

/// Changes every running command takes.
#[derive(Args)]
struct Changes {
    /// Set a knob; the value is typed by the knob (`schedscope list --knobs`)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Take the costs of this file: a JSON object of a preset and single costs, as under
    /// machine.costs; --set comes after it
    #[arg(long, value_name = "FILE")]
    costs: Option<std::path::PathBuf>,
    /// Key of every random draw
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_seed)]
    seed: Option<u64>,
    /// Machine time to simulate: 5s, 100ms
    #[arg(long = "for", value_name = "TIME", allow_hyphen_values = true)]
    duration: Option<String>,
    /// Write to the running kernel at an instant of the run: a live switch, a file of a group, a
    /// task's cpus, policy or wake
    #[arg(long, value_name = "TIME=PATH=VALUE", value_parser = live::parse)]
    live: Vec<schedscope_scenario::LiveWrite>,
    /// Stop, incomplete, after this many records
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_records)]
    max_records: Option<u64>,
    /// Stop, incomplete, once the run holds this much: 512MiB, 4GiB [default: 2GiB]
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, value_parser = parse_size)]
    max_memory: Option<u64>,
}

impl Changes {
    /// What the run may cost.
    fn limits(&self) -> execute::Limits {
        execute::Limits { records: self.max_records, bytes: self.max_memory }
    }
}

/// A count of records.
fn parse_records(text: &str) -> Result<u64, String> {
    let records = text.parse().ok().filter(|records| *records > 0);
    records
        .ok_or_else(|| format!("expected a whole number from 1 to {}, such as 1000000", u64::MAX))
}

/// Least memory a run may be given: below it nothing but the setup would fit.
const MEMORY_MIN: u64 = 1 << 20;

/// Bytes of "512MiB"; a bare number is bytes.
fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.len() - text.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let shift = ["", "KiB", "MiB", "GiB"].iter().position(|known| *known == unit);
    let bytes = shift.and_then(|nth| number.parse::<u64>().ok()?.checked_mul(1 << (10 * nth)));
    let most = u64::MAX >> 30;
    let wrong = || {
        format!(
            "expected a size from 1MiB to {most}GiB: a whole number of bytes, KiB, MiB or GiB, \
                such as 512MiB"
        )
    };
    bytes.filter(|bytes| *bytes >= MEMORY_MIN).ok_or_else(wrong)
}

/// The scenario's own range; its reader would name the knob, and not the flag.
fn parse_seed(text: &str) -> Result<u64, String> {
    let seed = text.parse().ok().filter(|seed| *seed <= SEED_MAX);
    seed.ok_or_else(|| format!("expected a whole number from 0 to {SEED_MAX}, such as 7"))
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Sweep(arguments) => sweep::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Digest(arguments) => digest::run(&arguments),
        Command::List(arguments) => list::run(&arguments),
        Command::Validate(arguments) => validate::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Most characters of a line to people: names and values in it come from files and links.
const LINE_MAX: usize = 1_000;

/// Writes a remark to stderr. Where nobody reads it any more it is lost, which is no failure.
fn say(text: &str) {
    say_whole(&shown_lines(text, LINE_MAX));
}

/// The same however long it is, for a command that is to be copied.
fn say_whole(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr().lock(), "{}", shown_lines(text, usize::MAX));
}

/// Writes a result to stdout as JSON.
fn print_json(json: &str) -> Result<(), Failure> {
    write_out(&shown_json(json))
}

/// Writes a result to stdout. A reader that went away (`| head`) is no failure.
fn print(text: &str) -> Result<(), Failure> {
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
