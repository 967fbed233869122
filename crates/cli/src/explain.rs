//! `schedscope explain`: the parts of one wake-up's latency, in the form of `rtla timerlat -a`; the
//! shares end in 100.00 %.

use clap::Args;
use schedscope_engine::trace::catalogue::CAUSES;
use schedscope_runs::explain::{Asked, Explained, explain};
use schedscope_runs::numbers::{percent, shares, us};
use schedscope_runs::{Failure, Side, Target};
use schedscope_scenario::Prepared;
use schedscope_scenario::units::time_text;

use crate::changes::Changes;
use crate::execute::{execute, say_limit};
use crate::interrupt::is_asked;
use crate::recorded;
use crate::remarks;
use crate::results;
use crate::target::find;
use crate::variant::OfVariant;

/// Arguments of `explain`.
#[derive(Args)]
pub struct Arguments {
    /// A shipped scenario, a file, a link, or a recording of a real machine
    scenario: String,
    #[command(flatten)]
    of: OfVariant,
    #[command(flatten)]
    changes: Changes,
    /// The N worst wake-ups, the worst first
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    worst: u32,
    /// Only this task (`cyclictest.12`) or this kind of task (`cyclictest`)
    #[arg(long, value_name = "TASK", allow_hyphen_values = true)]
    task: Option<String>,
    /// The task's K-th wake-up, from 0, instead of the worst
    #[arg(
        long,
        value_name = "K",
        requires = "task",
        conflicts_with = "worst",
        allow_negative_numbers = true
    )]
    nth: Option<u32>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if recorded::is_one(&arguments.scenario) {
        return of_recording(arguments);
    }
    of(find(&arguments.scenario)?, arguments)
}

fn of_recording(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { scenario, of, changes, worst, task, nth } = arguments;
    if changes.count() > 0 || of.is_named() || nth.is_some() {
        return Err(Failure::usage(format!(
            "{scenario} is a recording: nothing can be changed in it\n  expected: only --worst and \
             --task"
        )));
    }
    recorded::explain::run(scenario, *worst as usize, task.as_deref())
}

/// Explains wake-ups of a scenario that was found already.
pub fn of(target: Target, arguments: &Arguments) -> Result<(), Failure> {
    let side = arguments.of.side(&target, &arguments.changes)?;
    let Arguments { worst, task, nth, .. } = arguments;
    let asked = Asked { worst: *worst as usize, task: task.clone(), nth: *nth };
    asked.check(&side.prepared)?;
    remarks::note(&side.prepared.meta.notes);
    let limits = arguments.changes.limits();
    let explained = explain(&side.prepared, &asked, limits, &mut |watch, sink| {
        Ok((execute(&side, watch, sink)?, !is_asked()))
    })?;
    let outcome = &explained.outcome;
    if explained.wakes.is_empty() {
        let nothing = asked.nothing(outcome.report.simulated_ns);
        let Some(limit) = &outcome.limit else { return Err(Failure::usage(nothing)) };
        remarks::say(&format!("stopped: {limit}; {nothing}"));
        return outcome.end();
    }
    if explained.details.is_none() {
        remarks::say(
            "stopped: shares of locks and timer slack are missing, because the second run was \
                ended",
        );
    }
    say_limit(outcome, "");
    results::print(&text(&side, &explained))?;
    explained.details.as_ref().map_or(Err(Failure::Limited), |_| outcome.end())
}

/// Every wake-up as a table of its parts, below a line about the run.
pub fn text(side: &Side, explained: &Explained) -> String {
    let text: Vec<String> =
        (0..explained.wakes.len()).map(|at| waterfall(explained, at, &side.prepared)).collect();
    format!("{}: {}\n\n{}", side.prepared.meta.slug, side.headline(), text.join("\n"))
}

fn waterfall(explained: &Explained, at: usize, prepared: &Prepared) -> String {
    let wake = &explained.wakes[at];
    let task = &prepared.meta.tasks[wake.task as usize];
    let (parts, summed) = explained.parts(at);
    let total: u64 = parts.iter().map(|part| part.ns).sum();
    let class = format!("({} {})", task.policy, task.priority);
    let (late, due) = (us(wake.latency), time_text(wake.due));
    let mut text = match &wake.open {
        None => format!(
            "## {} wake-up {} was {late} us late: due at {due}, ran on CPU {} {class}\n",
            task.name, wake.nth, wake.cpu
        ),
        Some((what, place)) => {
            format!(
                "## {}: {what}, {late} us late and still waiting at the end: due at {due}, {place} \
                    {class}\n",
                task.name
            )
        }
    };
    text.push_str(if summed {
        "   (one line per cause, in order of first appearance)\n"
    } else {
        "   (in order of time)\n"
    });
    let shares = shares(&parts.iter().map(|part| part.ns).collect::<Vec<_>>());
    for (number, (part, share)) in parts.iter().zip(&shares).enumerate() {
        text.push_str(&line(&cause_words(part.cause), part.ns, *share));
        for (words, ns) in explained.inside(at, number, part, prepared) {
            text.push_str(&format!("      of which {words:<37}{:>14} us\n", us(ns)));
        }
    }
    text.push_str(&line("Unattributed:", wake.latency.saturating_sub(total), 0));
    text.push_str(&format!("{}\n", "-".repeat(78)));
    let meanwhile = explained.meanwhile(at, prepared);
    let title = if wake.open.is_some() { "Thread latency so far:" } else { "Thread latency:" };
    text.push_str(&line(
        title,
        wake.latency,
        if wake.latency == 0 { 10_000 } else { shares.iter().sum() },
    ));
    if let Some(meanwhile) = meanwhile {
        text.push_str(&format!("  {meanwhile}\n"));
    }
    text
}

/// rtla's words where it has any, then ours.
fn cause_words(cause: u8) -> String {
    match CAUSES.get(usize::from(cause)) {
        Some((name, "", _)) => format!("{name}:"),
        Some((name, rtla, _)) => format!("{rtla} [{name}]:"),
        None => "unknown:".to_owned(),
    }
}

fn line(words: &str, ns: u64, share: u64) -> String {
    format!("  {words:<48}{:>14} us  ({:>6} %)\n", us(ns), percent(share))
}
