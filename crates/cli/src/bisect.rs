//! `schedscope bisect`: which changes between two releases made a figure differ.

mod page;
mod words;

use std::sync::atomic::Ordering;

use clap::Args;
use indicatif::ProgressBar;
use schedscope_engine::kernel::config::Version;
use schedscope_runs::bisect::{
    Bisected, Bisection, Heard, How, SEEDS_MAX, SEEDS_MIN, Seeds, object,
};
use schedscope_runs::{Failure, Target};

use crate::changes::Changes;
use crate::interrupt::asked_to_end;
use crate::remarks;
use crate::results;
use crate::sweep::{bar, processors};
use crate::target::find;
use crate::versions::{Named, release};

/// Arguments of `bisect`.
#[derive(Args)]
pub struct Arguments {
    /// A shipped scenario, a file, or a link
    scenario: String,
    /// The release to begin with, as `uname -r` prints it
    #[arg(long, value_name = "RELEASE", value_parser = release)]
    from: Named,
    /// The release whose difference is asked about
    #[arg(long, value_name = "RELEASE", value_parser = release)]
    to: Named,
    /// The figure that differs: latency.web.p99_ns, groups.app.nr_throttled
    #[arg(long, value_name = "METRIC")]
    metric: String,
    /// Start from this variant of the scenario, to which --set is added; a wrong name lists them
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    variant: Option<String>,
    /// Seeds of each kind of run, the scenario's own seed and those after it
    #[arg(long, value_name = "N", default_value_t = 8, allow_negative_numbers = true,
        value_parser = parse_seeds)]
    seeds: usize,
    /// While the answer is open, twice as many seeds are taken, up to this many [default: 32, or
    /// --seeds if that is more]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_seeds)]
    max_seeds: Option<usize>,
    #[command(flatten)]
    changes: Changes,
    /// Number of runs at the same time; else as many as there are processors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256),
        allow_negative_numbers = true)]
    jobs: Option<u16>,
    /// Make those runs too that a release's own run shows to be the same: the answer is the same,
    /// and takes longer
    #[arg(long)]
    every_run: bool,
    /// Print the schedscope.bisect/1 object
    #[arg(long)]
    json: bool,
}

/// Most seeds where the answer is open and no flag says.
const SEEDS_MORE: usize = 32;

fn parse_seeds(text: &str) -> Result<usize, String> {
    let seeds = text.parse().ok().filter(|seeds| (SEEDS_MIN..=SEEDS_MAX).contains(seeds));
    seeds.ok_or_else(|| format!("expected a whole number from {SEEDS_MIN} to {SEEDS_MAX}"))
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = find(&arguments.scenario)?;
    remarks::note(target.note_of_one_run());
    let mut bisected = bisected(arguments, target)?;
    let (asked, bar) = (asked_to_end(), bar(0, "runs"));
    let how = How {
        jobs: arguments.jobs.map_or_else(processors, usize::from),
        every_run: arguments.every_run,
        asked_to_end: &|| asked.load(Ordering::Relaxed),
    };
    let end = bisected.run(&how, &mut |heard| show(&bar, heard));
    let bisection = &bisected.bisection;
    bar.finish_and_clear();
    if let Err(failure @ (Failure::Usage(_) | Failure::Scenario(..))) = end {
        return Err(failure);
    }
    if arguments.json {
        results::print_json(&as_json(bisection, end.is_ok()))?;
    } else {
        results::print(&page::text(bisection, end.is_ok())?)?;
    }
    end
}

/// The `schedscope.bisect/1` object as text; `is_complete` if no run is missing.
pub fn as_json(bisection: &Bisection, is_complete: bool) -> String {
    format!("{:#}\n", object(bisection, is_complete))
}

fn bisected(arguments: &Arguments, target: Target) -> Result<Bisected, Failure> {
    let Arguments { from, to, variant, changes, metric, seeds: first, max_seeds, .. } = arguments;
    let releases: [Version; 2] = [from, to].map(Named::noted);
    let changes = changes.read()?;
    let most = max_seeds.unwrap_or(SEEDS_MORE.max(*first));
    let seeds = Seeds { first: *first, most };
    let bisected = Bisected::new(target, variant.as_deref(), &changes, releases, metric, seeds)?;
    let plan = &bisected.bisection.plan;
    remarks::note(&plan.notes);
    remarks::note(words::direction(releases));
    remarks::note(words::stated(plan));
    Ok(bisected)
}

fn show(bar: &ProgressBar, heard: Heard) {
    match heard {
        Heard::Stage(stage, runs) => {
            bar.reset();
            bar.set_length(runs as u64);
            bar.set_message(format!("runs ({stage})"));
        }
        Heard::Ended => bar.inc(1),
    }
}
