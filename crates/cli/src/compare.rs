//! `schedscope compare`: two sides with the same draws, their differences, and the instant where
//! they part.

mod page;
mod row;
mod then;

use std::sync::atomic::Ordering;

use clap::Args;
use schedscope_engine::trace::catalogue::kind_name;
use schedscope_runs::compare::{Divergence, Row, deltas, execute_both};
use schedscope_runs::execute::{MAX_RECORDS_TRACED, Outcome};
use schedscope_runs::sides::Arm;
use schedscope_runs::{Failure, Target};
use schedscope_scenario::report_json;
use serde_json::{Map, Value, json};

use crate::changes::Changes;
use crate::execute::say_limit;
use crate::interrupt::asked_to_end;
use crate::remarks;
use crate::results;
use crate::sides::{arms, say_notes};
use crate::target::find;

/// Arguments of `compare`.
#[derive(Args)]
pub struct Arguments {
    /// A shipped scenario, a file, or a link
    scenario: String,
    /// Start from this variant of the scenario; given twice, A from the first and B from the
    /// second. A wrong name lists them
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    variant: Vec<String>,
    /// Set a knob on side A only; without --a, --b and --variant the sides are the first two
    /// variants
    #[arg(long, value_name = "PATH=VALUE")]
    a: Vec<String>,
    /// Set a knob on side B only
    #[arg(long, value_name = "PATH=VALUE")]
    b: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    /// Show every figure, also those that are equal or 0 on both sides
    #[arg(long, conflicts_with = "json")]
    all: bool,
    /// Print the schedscope.compare/1 object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    of(find(&arguments.scenario)?, arguments)
}

/// Compares two sides of a scenario that was found already.
pub fn of(target: Target, arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { variant, a, b, changes, .. } = arguments;
    let [a, b] = arms(&target, variant, [a, b], changes)?;
    say_notes([&a, &b]);
    let (asked, limits) = (asked_to_end(), arguments.changes.limits());
    let (outcomes, divergence) =
        execute_both([&a.side, &b.side], limits, &mut |_| !asked.load(Ordering::Relaxed))?;
    for (arm, outcome) in [&a, &b].into_iter().zip(&outcomes) {
        say_limit(outcome, &format!("{}: ", arm.name));
        if outcome.limit.is_some() {
            remarks::say_whole(&format!(
                "replay: {}{}",
                arm.side.replay,
                default_limit(arguments, outcome)
            ));
        }
    }
    if arguments.json {
        results::print_json(&format!(
            "{:#}\n",
            object(&target, [&a, &b], &outcomes, divergence.as_ref())
        ))?;
    } else {
        results::print(&page::text(
            &target,
            [&a, &b],
            &outcomes,
            divergence.as_ref(),
            arguments.all,
        )?)?;
    }
    let changed = arguments.a.len() + arguments.b.len() + arguments.changes.count() > 0;
    if let Some(link) = target.link.as_ref().filter(|_| !changed) {
        then::say(link, &outcomes);
    }
    let [a, b] = outcomes;
    a.end().and(b.end())
}

/// A run without a trace has a larger limit of records: its replay must state the one that was met
/// here.
fn default_limit(arguments: &Arguments, outcome: &Outcome) -> String {
    let met = outcome.report.limit == Some("records") && arguments.changes.max_records.is_none();
    if met { format!(" --max-records {MAX_RECORDS_TRACED}") } else { String::new() }
}

fn object(
    target: &Target,
    arms: [&Arm; 2],
    outcomes: &[Outcome; 2],
    divergence: Option<&Divergence>,
) -> Value {
    let side = |index: usize| {
        let set: Map<String, Value> = arms[index].set.iter().cloned().collect();
        json!({ "name": arms[index].name, "set": set,
            "report": report_json(&arms[index].side.prepared, &outcomes[index].report) })
    };
    let delta = |(path, a, b): (String, Option<i64>, Option<i64>)| {
        (path, json!({ "a": a, "b": b, "delta": a.zip(b).map(|(a, b)| b - a) }))
    };
    let row = |row: &Option<Row>| {
        row.map(|(time, kind, cpu, a, b)| {
            json!({ "time_ns": time, "cpu": cpu,
            "event": kind_name(kind), "a": a, "b": b })
        })
    };
    json!({
        "schema": "schedscope.compare/1",
        "scenario": target.slug,
        "complete": outcomes.iter().all(|outcome| outcome.report.complete),
        "a": side(0),
        "b": side(1),
        "deltas": deltas(outcomes).into_iter().map(delta).collect::<Map<String, Value>>(),
        "first_divergence": divergence.map(|(a, b)| json!({ "a": row(a), "b": row(b) })),
    })
}
