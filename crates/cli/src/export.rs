//! `schedscope export`: one run in a format of the registry.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use schedscope_engine::run::Options;
use schedscope_formats::{Content, FORMATS, Format, Maker, Run, RunWriter, named};
use schedscope_runs::execute::{Outcome, Watch};
use schedscope_runs::{Failure, Side};
use schedscope_scenario::units::time_text;
use schedscope_scenario::{nearest, report_json};

use crate::changes::Changes;
use crate::execute::{execute, say_limit};
use crate::list::format_line;
use crate::new_file::NewFile;
use crate::remarks;
use crate::results;
use crate::run_file::{RunFile, described, parse_window};
use crate::target::find;
use crate::variant::OfVariant;

/// Arguments of `export`.
#[derive(Args)]
pub struct Arguments {
    /// A shipped scenario, a file, or a link
    scenario: String,
    #[command(flatten)]
    of: OfVariant,
    #[command(flatten)]
    changes: Changes,
    /// The format; without one the formats are listed
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Write to this file instead of stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write this span of machine time only (10ms..12ms)
    #[arg(long, value_name = "FROM..TO", value_parser = parse_window)]
    window: Option<(u64, u64)>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (format, content) = chosen(arguments.to.as_deref())?;
    let target = find(&arguments.scenario)?;
    let side = arguments.of.side(&target, &arguments.changes)?;
    check_window(arguments, format, content, side.prepared.meta.duration_ns)?;
    let outcome = match content.maker {
        Maker::Run(begin) => rows(arguments, &side, begin)?,
        Maker::Report(write) => report(arguments, &side, write)?,
        Maker::Sweep(_) | Maker::Page => return Err(unknown(format.name)),
    };
    outcome.end()
}

/// The format and what it holds of one run; without a name, or with a wrong one, the formats there
/// are.
pub fn chosen(name: Option<&str>) -> Result<(&'static Format, &'static Content), Failure> {
    let name = name.ok_or_else(|| {
        Failure::usage(format!("--to FORMAT is missing\n  expected one of:\n{}", of_one_run()))
    })?;
    let format = named(name).ok_or_else(|| unknown(name))?;
    let content = format.of_one_run().ok_or_else(|| unknown(name))?;
    Ok((format, content))
}

fn unknown(name: &str) -> Failure {
    let names = FORMATS.iter().filter(|format| format.of_one_run().is_some());
    let near = nearest(name, names.map(|format| format.name))
        .map_or_else(String::new, |near| format!("\n  did you mean: {near}"));
    let what = match named(name) {
        Some(format) => format!("{} is not made of one run", format.title),
        None => format!("there is no format \"{name}\""),
    };
    Failure::usage(format!("--to {name}: {what}{near}\n  expected one of:\n{}", of_one_run()))
}

fn of_one_run() -> String {
    let formats = FORMATS.iter().filter(|format| format.of_one_run().is_some());
    formats
        .map(|format| format!("    {}", format_line(format)))
        .collect::<String>()
        .trim_end()
        .into()
}

fn check_window(
    arguments: &Arguments,
    format: &Format,
    content: &Content,
    end_ns: u64,
) -> Result<(), Failure> {
    match (arguments.window, content.maker) {
        (Some(_), Maker::Report(_)) => Err(Failure::usage(format!(
            "--window: {} holds {}, which are of the whole run",
            format.title,
            content.what.words()
        ))),
        (Some((from, _)), _) if from >= end_ns => Err(Failure::usage(format!(
            "--window {}..: the run ends at {}",
            time_text(from),
            time_text(end_ns)
        ))),
        _ => Ok(()),
    }
}

/// Every row is made whatever the window: those before it say who runs where when it begins.
fn rows(
    arguments: &Arguments,
    side: &Side,
    begin: fn(Run) -> Box<dyn RunWriter>,
) -> Result<Outcome, Failure> {
    let writer = begin(described(side, arguments.window.unwrap_or((0, u64::MAX))));
    let mut file = match &arguments.out {
        Some(path) => RunFile::create(path, "--out", writer)?,
        None => RunFile::to_stdout(writer)?,
    };
    let watch = watch(arguments, Options::EVERYTHING);
    remarks::note(&side.prepared.meta.notes);
    let outcome = execute(side, watch, &mut |trace, _| file.write(&trace))?;
    say_limit(&outcome, "");
    file.finish(&outcome.report)?;
    Ok(outcome)
}

fn report(
    arguments: &Arguments,
    side: &Side,
    write: fn(&dyn std::fmt::Display, &mut dyn Write) -> std::io::Result<()>,
) -> Result<Outcome, Failure> {
    let file = arguments.out.as_deref().map(|path| NewFile::create(path, "--out")).transpose()?;
    remarks::note(&side.prepared.meta.notes);
    let outcome = execute(side, watch(arguments, None), &mut |_, _| Ok(()))?;
    say_limit(&outcome, "");
    let mut text = Vec::new();
    let failed = |error: std::io::Error| Failure::usage(format!("cannot write the file: {error}"));
    write(&report_json(&side.prepared, &outcome.report), &mut text).map_err(failed)?;
    match file {
        Some(mut file) => {
            file.write_all(&text).map_err(failed)?;
            file.keep()?;
        }
        None => results::print_json(&String::from_utf8_lossy(&text))?,
    }
    Ok(outcome)
}

fn watch(arguments: &Arguments, window: Option<(u64, u64)>) -> Watch {
    Watch { window, wakes: false, limits: arguments.changes.limits(), waits: false }
}
