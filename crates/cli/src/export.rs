//! `schedscope export`: one run in a format of the registry.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use schedscope_engine::run::Options;
use schedscope_formats::{
    self as formats, Content, FORMATS, Format, Maker, Run, RunWriter, What, named,
};
use schedscope_runs::execute::{Outcome, Watch};
use schedscope_runs::sides::Arm;
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
use crate::sides::{arms, say_notes};
use crate::target::find;
use crate::variant::OfVariant;

/// Arguments of `export`.
#[derive(Args)]
pub struct Arguments {
    /// A shipped scenario, a file, or a link
    scenario: String,
    /// Start from this variant of the scenario, to which --set is added; given twice, A from the
    /// first and B from the second. A wrong name lists them
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    variant: Vec<String>,
    /// Write both sides, as compare chooses them, into one file; without --a, --b and --variant
    /// they are the first two variants
    #[arg(long)]
    both: bool,
    /// Set a knob on side A only; implies --both
    #[arg(long, value_name = "PATH=VALUE")]
    a: Vec<String>,
    /// Set a knob on side B only; implies --both
    #[arg(long, value_name = "PATH=VALUE")]
    b: Vec<String>,
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

/// Begins the writer of one run.
type Begin = fn(Run) -> Box<dyn RunWriter>;

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (format, content) = chosen(arguments.to.as_deref())?;
    if arguments.wants_both() {
        return both(arguments, format, content);
    }
    let target = find(&arguments.scenario)?;
    let of = OfVariant::named(arguments.variant.first().cloned());
    let side = of.side(&target, &arguments.changes)?;
    check_window(arguments, format, content, side.prepared.meta.duration_ns)?;
    match content.maker {
        Maker::Run(begin) if content.what == What::Workload => workload(arguments, &side, begin),
        Maker::Run(begin) => rows(arguments, &side, begin)?.end(),
        Maker::Report(write) => report(arguments, &side, write)?.end(),
        Maker::Sweep(_) | Maker::Page => Err(unknown(format.name)),
    }
}

impl Arguments {
    fn wants_both(&self) -> bool {
        self.both || !self.a.is_empty() || !self.b.is_empty() || self.variant.len() > 1
    }

    fn window(&self) -> (u64, u64) {
        self.window.unwrap_or((0, u64::MAX))
    }
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
    let (title, words) = (format.title, content.what.words());
    let of_all = |verb| format!("--window: {title} holds {words}, which {verb} of the whole run");
    match arguments.window {
        Some(_) if matches!(content.what, What::Report | What::Workload) => {
            Err(Failure::usage(of_all("are")))
        }
        Some(_) if content.what == What::Printout => Err(Failure::usage(of_all("is"))),
        Some((from, _)) if from >= end_ns => Err(Failure::usage(format!(
            "--window {}..: the run ends at {}",
            time_text(from),
            time_text(end_ns)
        ))),
        _ => Ok(()),
    }
}

/// Every row is made whatever the window: those before it say who runs where when it begins.
fn rows(arguments: &Arguments, side: &Side, begin: Begin) -> Result<Outcome, Failure> {
    let writer = begin(described(side, formats::Side::A, arguments.window()));
    let mut file = create(arguments, writer)?;
    remarks::note(&side.prepared.meta.notes);
    let outcome = written(arguments, side, &mut file)?;
    say_limit(&outcome, "");
    file.finish(&outcome.report)?;
    Ok(outcome)
}

/// The rows of a run into the file.
fn written(arguments: &Arguments, side: &Side, file: &mut RunFile) -> Result<Outcome, Failure> {
    let watch = watch(arguments, Options::EVERYTHING);
    execute(side, watch, &mut |trace, _| file.write(&trace))
}

fn create(arguments: &Arguments, writer: Box<dyn RunWriter>) -> Result<RunFile, Failure> {
    match &arguments.out {
        Some(path) => RunFile::create(path, "--out", writer),
        None => RunFile::to_stdout(writer),
    }
}

/// Nothing is run: a workload is made of the setup alone.
fn workload(arguments: &Arguments, side: &Side, begin: Begin) -> Result<(), Failure> {
    let mut file = create(arguments, begin(described(side, formats::Side::A, (0, u64::MAX))))?;
    remarks::note(&side.prepared.meta.notes);
    file.end(None, "")?;
    file.keep()
}

/// One file of the two sides that `compare` would show, one run after the other.
fn both(arguments: &Arguments, format: &Format, content: &Content) -> Result<(), Failure> {
    let Maker::Run(begin) = content.maker else { return Err(holds_one(format)) };
    if !content.joins {
        return Err(holds_one(format));
    }
    let target = find(&arguments.scenario)?;
    let Arguments { variant, a, b, changes, .. } = arguments;
    let arms = arms(&target, variant, [a, b], changes)?;
    for Arm { side, .. } in &arms {
        check_window(arguments, format, content, side.prepared.meta.duration_ns)?;
    }
    say_notes(&arms);
    let mut file: Option<RunFile> = None;
    let mut outcomes = Vec::new();
    for (arm, of_two) in arms.iter().zip([formats::Side::A, formats::Side::B]) {
        let writer = begin(described(&arm.side, of_two, arguments.window()));
        let file = match &mut file {
            Some(file) => {
                file.next(writer)?;
                file
            }
            none => none.insert(create(arguments, writer)?),
        };
        let outcome = written(arguments, &arm.side, file)?;
        say_limit(&outcome, &format!("{}: ", arm.name));
        file.end(Some(&outcome.report), &format!("{}: ", arm.name))?;
        outcomes.push(outcome);
    }
    file.map_or(Ok(()), RunFile::keep)?;
    outcomes.into_iter().try_for_each(|outcome| outcome.end())
}

fn holds_one(format: &Format) -> Failure {
    let joins = |format: &&&Format| format.of_one_run().is_some_and(|content| content.joins);
    let lines: String = FORMATS
        .iter()
        .filter(joins)
        .map(|format| format!("\n    {}", format_line(format).trim_end()))
        .collect();
    Failure::usage(format!(
        "--to {}: a file of {} holds one side, not both\n  expected one of:{lines}",
        format.name, format.title
    ))
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
