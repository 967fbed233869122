//! `schedscope run`: one scenario, its figures as a table or as the `schedscope.run/1` object.

use std::path::{Path, PathBuf};

use clap::Args;
use schedscope_engine::run::Options;
use schedscope_engine::setup::{Program, TaskSpec};
use schedscope_formats::{Maker, What, cyclictest};
use schedscope_runs::execute::{Outcome, Watch};
use schedscope_runs::numbers::{counted, grouped};
use schedscope_runs::{Failure, Side, Target, Whose};
use schedscope_scenario::report_json;
use schedscope_scenario::units::{parse_time, time_text};

use crate::changes::Changes;
use crate::execute::{execute, say_limit};
use crate::new_file::NewFile;
use crate::remarks;
use crate::report;
use crate::results;
use crate::run_file::{RunFile, described, format_of_rows, parse_window};
use crate::target::find;
use crate::tools::{self, Latencies, Output, Ran};
use crate::variant::OfVariant;

/// Arguments of `run`.
#[derive(Args)]
pub struct Arguments {
    /// A shipped scenario, a file, or a link
    scenario: String,
    #[command(flatten)]
    of: OfVariant,
    #[command(flatten)]
    changes: Changes,
    /// What to keep of the trace: full, none, or window=FROM..TO (window=10ms..12ms); the figures
    /// do not depend on it
    #[arg(long, value_name = "WHAT", value_parser = parse_trace)]
    trace: Option<Trace>,
    /// Write the kept trace to this file: .jsonl as JSON lines, any other as tab-separated text;
    /// `export` writes other formats
    #[arg(long, value_name = "FILE")]
    trace_out: Option<PathBuf>,
    /// Print the schedscope.run/1 object
    #[arg(long)]
    json: bool,
    /// Show every kind of task in the report
    #[arg(long, conflicts_with = "json")]
    all: bool,
    /// What to print: the report, or the output of the program that the scenario models, in that
    /// program's own form
    #[arg(long, value_enum, default_value_t, value_name = "WHAT", conflicts_with = "json")]
    output: Output,
    /// Print cyclictest's histogram of this many microseconds too, its option -h
    #[arg(long, value_name = "US", default_value_t = 0, conflicts_with = "json",
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    histogram: u32,
    /// Print cyclictest's histogram with a column for all threads together, its option -H
    #[arg(long, value_name = "US", conflicts_with_all = ["histogram", "json"],
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    histofall: Option<u32>,
}

/// The programs whose output is known, as `tools` prints them.
const TOOLS: &str = "cyclictest, fibtest, hackbench, kernbench, perf bench sched pipe, \
    rt-migrate-test, schbench or the burst probe";

/// The part of the trace to keep: a span of machine time in ns, or nothing.
#[derive(Clone, Copy, Debug)]
pub struct Trace(Option<(u64, u64)>);

fn parse_trace(text: &str) -> Result<Trace, String> {
    let window = || parse_window(text.strip_prefix("window=")?).ok();
    match text {
        "full" => Ok(Trace(Options::EVERYTHING)),
        "none" => Ok(Trace(None)),
        _ => window().map(|span| Trace(Some(span))).ok_or_else(|| {
            "expected full, none, or window=FROM..TO with times such as 10ms..12ms".to_owned()
        }),
    }
}

/// Refused before anything runs or is written.
fn no_tool(target: &Target) -> Failure {
    Failure::usage(format!(
        "--output tool: {} stands for no tool with an output of its own\n  expected: --output \
            report, or a scenario of {TOOLS}",
        target.name
    ))
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = find(&arguments.scenario)?;
    let side = with_histogram(arguments.of.side(&target, &arguments.changes)?, arguments, &target)?;
    // --trace-out without --trace writes the whole trace, because an empty file is of no use.
    let window = match (arguments.trace, &arguments.trace_out) {
        (Some(Trace(window)), _) => window,
        (None, Some(_)) => Options::EVERYTHING,
        (None, None) => None,
    };
    check_trace(arguments, window, &side)?;
    if arguments.output == Output::Tool && !tools::any(&side.prepared) {
        return Err(no_tool(&target));
    }
    check_histogram(arguments, &side)?;
    let watch = Watch { window, wakes: false, limits: arguments.changes.limits(), waits: true };
    let collects =
        !arguments.json && arguments.output != Output::Report && Latencies::wanted(&side.prepared);
    let mut file =
        arguments.trace_out.as_deref().map(|path| rows_to(path, window, &side)).transpose()?;
    let mut latencies = Latencies::new(&side.prepared);
    remarks::note(&side.prepared.meta.notes);
    let watch = if collects { watch.with_wakes() } else { watch };
    let outcome = execute(&side, watch, &mut |trace, wakes| {
        latencies.add(&wakes);
        file.as_mut().map_or(Ok(()), |file| file.write(&trace))
    })?;
    file.map_or(Ok(()), |file| file.finish(&outcome.report))?;
    say_limit(&outcome, "");
    print_outcome(arguments, &target, &side, &outcome, &latencies)?;
    outcome.end()
}

/// A file of the rows in `window`; none without one.
fn rows_to(path: &Path, window: Option<(u64, u64)>, side: &Side) -> Result<RunFile, Failure> {
    let format = format_of_rows(path).or_else(|wrong| {
        // That it is the scenario's own file is the graver fault.
        NewFile::create(path, "--trace-out").and(Err(wrong))
    })?;
    let Some(Maker::Run(begin)) = format.maker(What::Rows) else {
        return Err(Failure::usage(format!("{} is no file of rows", path.display())));
    };
    let run = described(side, Default::default(), window.unwrap_or_default());
    RunFile::create(path, "--trace-out", begin(run))
}

/// Refuses a file that would stay empty, and notes that rows without --trace-out are written
/// nowhere.
fn check_trace(
    arguments: &Arguments,
    window: Option<(u64, u64)>,
    side: &Side,
) -> Result<(), Failure> {
    let end = side.prepared.meta.duration_ns;
    match (window, &arguments.trace_out) {
        (None, Some(_)) => Err(Failure::usage(
            "--trace none keeps nothing, so there is nothing for --trace-out to write",
        )),
        (Some((from, _)), Some(_)) if from > end => Err(Failure::usage(format!(
            "--trace window={}..: the run ends at {}, so there is nothing for --trace-out to write",
            time_text(from),
            time_text(end)
        ))),
        (Some(_), None) => {
            remarks::say("note: the trace is written nowhere: --trace-out FILE names the file");
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Most numbers of a histogram, about 70 MB of text: a row for each us, a column for each thread.
const CELLS_MAX: u64 = 10_000_000;

/// Refuses a histogram that is too large to read.
fn check_histogram(arguments: &Arguments, side: &Side) -> Result<(), Failure> {
    let is_thread = |task: &&TaskSpec| matches!(task.program, Program::Cyclictest { .. });
    let threads = side.prepared.setup.tasks.iter().filter(is_thread).count() as u64;
    let columns = threads + u64::from(arguments.histofall.is_some() && threads > 1);
    let rows = u64::from(arguments.histofall.unwrap_or(arguments.histogram));
    if arguments.output == Output::Report || rows * columns <= CELLS_MAX {
        return Ok(());
    }
    let flag = if arguments.histofall.is_some() { "--histofall" } else { "--histogram" };
    Err(Failure::usage(format!(
        "{flag} {rows}: {} rows of {} are {} numbers; at most {} are printed\n  expected: at most \
            {flag} {} with so many",
        grouped(rows),
        counted(columns, "column"),
        grouped(rows * columns),
        grouped(CELLS_MAX),
        CELLS_MAX / columns
    )))
}

/// With a histogram cyclictest makes `-d` 0, says so, and goes on
/// (docs/model/programs.md#cyclictest).
fn with_histogram(side: Side, arguments: &Arguments, target: &Target) -> Result<Side, Failure> {
    const DISTANCE: &str = "workload.cyclictest.distance";
    let asked = arguments.histofall.unwrap_or(arguments.histogram) > 0
        && arguments.output != Output::Report;
    let stated = side.prepared.meta.knobs.iter().find(|knob| knob.path == DISTANCE);
    match stated.and_then(|knob| knob.value.as_str().and_then(parse_time)) {
        Some(1..) if asked => {
            remarks::say(&format!(
                "note: {DISTANCE} is taken as 0us, as cyclictest does when it keeps a histogram"
            ));
            let mut set = arguments.of.sets(target, &arguments.changes)?;
            set.retain(|(path, _)| path != DISTANCE);
            set.push((DISTANCE.to_owned(), "0us".into()));
            let live = target.live(Whose::Both, &arguments.changes.live);
            Ok(Side::new(target, &set)?.writing(live)?.limited_by(arguments.changes.limits()))
        }
        _ => Ok(side),
    }
}

fn print_outcome(
    arguments: &Arguments,
    target: &Target,
    side: &Side,
    outcome: &Outcome,
    latencies: &Latencies,
) -> Result<(), Failure> {
    if arguments.json {
        return results::print_json(&format!(
            "{:#}\n",
            report_json(&side.prepared, &outcome.report)
        ));
    }
    let histogram = arguments.histofall.unwrap_or(arguments.histogram) as usize;
    let without = match arguments.output {
        _ if histogram == 0 => None,
        _ if !Latencies::wanted(&side.prepared) => Some("the scenario runs no cyclictest"),
        Output::Report => Some("--output report leaves the tools' own output out"),
        Output::All | Output::Tool => None,
    };
    if let Some(why) = without {
        remarks::say(&format!("note: the histogram is left out: {why}"));
    }
    let cyclictest = cyclictest::Options {
        histogram,
        histofall: arguments.histofall.is_some(),
        ..Default::default()
    };
    let ran = Ran {
        prepared: &side.prepared,
        report: &outcome.report,
        latencies,
        rps: &outcome.rps,
        cyclictest,
    };
    let tools = tools::blocks(&ran);
    match arguments.output {
        Output::Tool => results::print(&tools),
        Output::All if !tools.is_empty() => {
            results::print(&format!("{}\n{tools}", report_text(arguments, target, side, outcome)?))
        }
        Output::All | Output::Report => {
            results::print(&report_text(arguments, target, side, outcome)?)
        }
    }
}

/// Everything the report has to say.
fn report_text(
    arguments: &Arguments,
    target: &Target,
    side: &Side,
    outcome: &Outcome,
) -> Result<String, Failure> {
    Ok(report::text(target.document()?, side, outcome, arguments.all))
}
