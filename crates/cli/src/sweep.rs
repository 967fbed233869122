//! `schedscope sweep`: runs every combination of some knobs' values, each over several seeds, and
//! shows the figures of each point.

mod grid;
mod jobs;
mod out;
mod page;
mod reach;

use clap::Args;
use schedscope_scenario::{LiveWrite, is_metric, nearest_metric};

use crate::changes::Changes;
use crate::execute::Limits;
use crate::failure::Failure;
use crate::results;
use crate::target::{Set, Target, Whose};
use crate::variant::OfVariant;
use grid::{Grid, KernelOfPoint};
use jobs::Done;
use out::OutFile;
use reach::Reach;

/// Most runs of one sweep: past it the combinations are more likely a slip than a wish.
pub const RUNS_MAX: usize = 10_000;
/// The figures of a scenario without a headline.
const FALLBACK: [&str; 2] = ["rq_lock.max_waiters", "sched.context_switches"];

/// Arguments of `sweep`.
#[derive(Args)]
pub struct Arguments {
    /// A shipped scenario, a file, or a link
    scenario: String,
    #[command(flatten)]
    of: OfVariant,
    /// Values of a knob: PATH=v1,v2,... or a JSON list; 1..8 for a knob of whole numbers. Several
    /// --over run every combination
    #[arg(long, value_name = "PATH=VALUES", required = true)]
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
    out: Option<std::path::PathBuf>,
    /// Print the schedscope.sweep/1 object
    #[arg(long)]
    json: bool,
}

/// The plan of a sweep.
#[derive(Debug)]
pub struct Plan {
    pub target: Target,
    /// Changes that hold for every run.
    pub common: Set,
    pub grid: Grid,
    /// The figures to print, in order.
    pub metrics: Vec<String>,
    pub limits: Limits,
    /// The writes to the running kernel of every run.
    pub live: Vec<LiveWrite>,
    pub reach: Option<Reach>,
    /// The kernel of every point. Known once the points are checked.
    pub kernels: Vec<KernelOfPoint>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut plan = plan(arguments)?;
    let (kernels, names) = plan.check()?;
    plan.kernels = kernels;
    if let Some(metric) = arguments
        .metric
        .iter()
        .chain(plan.reach.iter().map(|reach| &reach.metric))
        .find(|metric| !names.can_hold(metric))
    {
        return Err(no_metric(
            metric,
            "the scenario has no task, kind or group of that name",
            names.nearest(metric),
        ));
    }
    let mut out = arguments.out.as_deref().map(|path| OutFile::create(path, &plan)).transpose()?;
    let jobs = arguments
        .jobs
        .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let Done { rows, end } =
        jobs::run(&plan, jobs, &mut |row| out.as_mut().map_or(Ok(()), |out| out.row(&plan, row)));
    out.map_or(Ok(()), |out| out.finish(&end))?;
    if arguments.json {
        results::print_json(&format!("{:#}\n", page::object(&plan, &rows)))?;
    } else {
        results::print(&page::text(&plan, &rows)?)?;
    }
    end
}

fn no_metric(metric: &str, why: &str, near: Option<String>) -> Failure {
    let near = near.map_or_else(String::new, |near| format!("\n  did you mean: {near}"));
    Failure::usage(format!(
        "there is no metric \"{metric}\": {why}\n  expected: a path inside `metrics` of a report, \
            such as rq_lock.max_waiters{near}"
    ))
}

fn plan(arguments: &Arguments) -> Result<Plan, Failure> {
    let target = Target::find(&arguments.scenario)?;
    let mut metrics = target.document()?.presentation.headline.clone();
    target.note_sides();
    let common = arguments.of.sets(&target, &arguments.changes)?;
    let axes = arguments
        .over
        .iter()
        .map(|over| grid::written(over))
        .collect::<Result<Vec<_>, Failure>>()?;
    let seeds = arguments.seeds.as_deref().map(grid::seeds).transpose()?;
    let grid = Grid::new(axes, seeds, &common)?;
    let reach = arguments.reach.as_deref().map(Reach::parse).transpose()?;
    if reach.is_some() && grid.axes.last().is_none_or(|axis| axis.values.len() < 2) {
        return Err(Failure::usage(
            "--reach compares the values of the last --over, which has only one",
        ));
    }
    let asked = arguments.metric.iter().chain(reach.iter().map(|reach| &reach.metric));
    for metric in asked {
        if !is_metric(metric) {
            return Err(no_metric(metric, "no report has it", nearest_metric(metric)));
        }
        if !metrics.contains(metric) {
            metrics.push(metric.clone());
        }
    }
    if metrics.is_empty() {
        metrics = FALLBACK.map(str::to_owned).to_vec();
    }
    let live = target.live(Whose::Both, &arguments.changes.live);
    Ok(Plan {
        target,
        common,
        grid,
        metrics,
        limits: arguments.changes.limits(),
        live,
        reach,
        kernels: Vec::new(),
    })
}
