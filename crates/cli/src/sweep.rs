//! `schedscope sweep`: runs every combination of some knobs' values, each over several seeds, and
//! shows the figures of each point.

mod out;
mod page;
mod reach;
mod shards;

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use schedscope_runs::sweep::cost::BATCH;
use schedscope_runs::sweep::grid::{self, Grid};
use schedscope_runs::sweep::jobs::{self, Done, Event};
use schedscope_runs::sweep::{Checked, Plan, RUNS_MAX};
use schedscope_runs::{Failure, Whose};

use crate::changes::Changes;
use crate::interrupt::asked_to_end;
use crate::remarks;
use crate::results;
use crate::target::find;
use crate::variant::OfVariant;
use out::OutFile;
use reach::Reach;

/// Arguments of `sweep`.
#[derive(Args)]
pub struct Arguments {
    /// A shipped scenario, a file, or a link; none with the --manifest of a sweep that was planned
    #[arg(required_unless_present = "manifest")]
    scenario: Option<String>,
    #[command(flatten)]
    of: OfVariant,
    /// Values of a knob: PATH=v1,v2,... or a JSON list; 1..8 for a knob of whole numbers. Several
    /// --over run every combination; none with --seeds is one point
    #[arg(long, value_name = "PATH=VALUES",
        required_unless_present_any = ["manifest", "seeds"])]
    over: Vec<String>,
    /// Seeds for each point: 1..20, or 1,5,9; else the scenario's own
    #[arg(long, value_name = "SEEDS", conflicts_with = "seed", allow_negative_numbers = true)]
    seeds: Option<String>,
    #[command(flatten)]
    changes: Changes,
    /// A figure besides the scenario's headline: sched.migrations,
    /// latency.cyclictest.max_ns, tasks.cc.*.involuntary_switches
    #[arg(long, value_name = "METRIC")]
    metric: Vec<String>,
    /// Say at which values of the last --over a figure differs by this much from its first value:
    /// sched.ticks=-28%
    #[arg(long, value_name = "METRIC=PERCENT")]
    reach: Option<String>,
    /// Number of runs at the same time; else as many as there are processors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256),
        allow_negative_numbers = true)]
    jobs: Option<u16>,
    /// Write a row for each finished run to this file: .csv, .jsonl or .parquet
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print the schedscope.sweep/1 object
    #[arg(long)]
    json: bool,
    /// With a scenario: write the plan of the sweep to this file and run nothing. Without one: run
    /// what is missing of the sweep that the file plans, and with --out collect its rows
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// When a manifest is written: close a batch once its runs will write about this many records
    #[arg(long, value_name = "RECORDS", requires = "manifest", default_value_t = BATCH,
        value_parser = clap::value_parser!(u64).range(1..))]
    batch: u64,
    /// Run only share I of N of a manifest's batches, I from 0: one for each machine or process
    #[arg(long, value_name = "I/N", requires = "manifest", value_parser = shards::parse_shard)]
    shard: Option<shards::Shard>,
    /// Where the batches of a manifest that are done lie; else beside it, in FILE.parts
    #[arg(long, value_name = "FOLDER", requires = "manifest")]
    parts: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match (&arguments.scenario, &arguments.manifest) {
        (Some(scenario), Some(manifest)) => shards::plan(arguments, scenario, manifest),
        (None, Some(manifest)) => shards::run(arguments, manifest),
        (Some(scenario), None) => here(arguments, scenario),
        (None, None) => Err(Failure::usage("a sweep needs a scenario or a --manifest")),
    }
}

/// Runs the whole sweep in this process and prints it.
fn here(arguments: &Arguments, scenario: &str) -> Result<(), Failure> {
    let reach = arguments.reach.as_deref().map(Reach::parse).transpose()?;
    let mut plan = plan(arguments, scenario, reach.as_ref(), RUNS_MAX)?;
    check(&mut plan, arguments, reach.as_ref())?;
    let mut out = arguments.out.as_deref().map(|path| OutFile::create(path, &plan)).transpose()?;
    let jobs = arguments.jobs.map_or_else(processors, usize::from);
    let interrupted = asked_to_end();
    let runs: Vec<usize> = (0..plan.runs()).collect();
    let bar = bar(plan.runs() as u64, "runs");
    let Done { rows, end } =
        jobs::run(&plan, &runs, jobs, &|| interrupted.load(Ordering::Relaxed), &mut |event| {
            match event {
                Event::Ended => {
                    bar.inc(1);
                    Ok(())
                }
                Event::Row(row) => out.as_mut().map_or(Ok(()), |out| out.row(&plan, row)),
            }
        });
    bar.finish_and_clear();
    out.map_or(Ok(()), |out| out.finish(&end))?;
    if arguments.json {
        results::print_json(&format!("{:#}\n", page::object(&plan, &rows, reach.as_ref())))?;
    } else {
        results::print(&page::text(&plan, &rows, reach.as_ref())?)?;
    }
    end
}

/// The plan of a sweep of at most `most` runs.
fn plan(
    arguments: &Arguments,
    scenario: &str,
    reach: Option<&Reach>,
    most: usize,
) -> Result<Plan, Failure> {
    let target = find(scenario)?;
    remarks::note(target.note_of_one_run());
    // A scenario that cannot be read is refused before the flags are.
    target.document()?;
    let common = arguments.of.sets(&target, &arguments.changes)?;
    let axes = arguments
        .over
        .iter()
        .map(|over| grid::written(over, most))
        .collect::<Result<Vec<_>, Failure>>()?;
    let seeds = arguments.seeds.as_deref().map(|text| grid::seeds(text, most)).transpose()?;
    let grid = Grid::new(axes, seeds, &common, most)?;
    if reach.is_some() && grid.axes.last().is_none_or(|axis| axis.values.len() < 2) {
        return Err(Failure::usage(
            "--reach compares the values of the last --over, which has only one",
        ));
    }
    let live = target.live(Whose::Both, &arguments.changes.live);
    Plan::new(target, common, grid, live, arguments.changes.limits(), &asked(arguments, reach))
}

/// Prepares every point, and refuses a figure that no point can have.
fn check(plan: &mut Plan, arguments: &Arguments, reach: Option<&Reach>) -> Result<(), Failure> {
    let bar = bar(plan.grid.points() as u64, "points prepared");
    let checked = plan.check(&asked(arguments, reach), &mut |event| match event {
        Checked::Point(point) => bar.set_position(point as u64),
        Checked::Note(note) => bar.suspend(|| remarks::note([&note])),
    });
    bar.finish_and_clear();
    checked
}

/// The figures asked for besides the headline.
fn asked(arguments: &Arguments, reach: Option<&Reach>) -> Vec<String> {
    let of_reach = reach.map(|reach| reach.metric.clone());
    arguments.metric.iter().cloned().chain(of_reach).collect()
}

/// How many runs go on at once where no flag says.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A progress bar over `count` of `what`; hidden if stderr is no terminal.
pub fn bar(count: u64, what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} {msg}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::stderr_with_hz(10))
        .with_style(style)
        .with_message(what.to_owned())
}
