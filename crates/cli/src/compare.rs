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
use schedscope_runs::numbers::counted;
use schedscope_runs::target::parse_sets;
use schedscope_runs::variant::{named, placed};
use schedscope_runs::{Failure, Set, Side, Target, Whose};
use schedscope_scenario::{Variant, one_spelling, report_json};
use serde_json::{Map, Value, json};

use crate::changes::Changes;
use crate::execute::say_limit;
use crate::interrupt::asked_to_end;
use crate::remarks;
use crate::results;
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

struct Arm {
    name: String,
    set: Set,
    side: Side,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = find(&arguments.scenario)?;
    let [a, b] = arms(arguments, &target)?;
    for arm in [&a, &b] {
        for note in &arm.side.prepared.meta.notes {
            remarks::say(&format!("note: {}: {note}", arm.name));
        }
    }
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

/// The variants that the sides start from, with their places: one for both, or one for each.
fn chosen(arguments: &Arguments, target: &Target) -> Result<Vec<(usize, Variant)>, Failure> {
    if arguments.variant.len() > 2 {
        return Err(Failure::usage("--variant is given at most twice: for A, then for B"));
    }
    arguments.variant.iter().map(|name| named(target, name)).collect()
}

fn arms(arguments: &Arguments, target: &Target) -> Result<[Arm; 2], Failure> {
    let variants = &target.document()?.presentation.variants;
    let stated = !arguments.a.is_empty() || !arguments.b.is_empty();
    let both = arguments.changes.sets()?;
    let chosen = chosen(arguments, target)?;
    let arm = |side: usize, own: &[String]| {
        let of_file = if stated { None } else { variants.get(side).map(|each| (side, each)) };
        let variant = chosen
            .get(side)
            .or(chosen.first())
            .map_or(of_file, |(index, variant)| Some((*index, variant)));
        let (index, variant) = variant.unzip();
        let mut set: Set = variant.map(|variant| variant.set.clone()).unwrap_or_default();
        let stated_last: Set = target
            .link_set(Whose::Side(side), &set)
            .into_iter()
            .chain(both.iter().cloned())
            .chain(parse_sets(own)?)
            .collect();
        // A side that says otherwise than its variant no longer goes by the variant's name.
        let as_named = variant.filter(|variant| {
            variant.set.iter().all(|(path, _)| {
                let path = one_spelling(path);
                stated_last.iter().all(|(stated, _)| one_spelling(stated) != path)
            })
        });
        let of_variant = index.filter(|_| stated_last.is_empty());
        set.extend(stated_last);
        let letter = ["A", "B"][side];
        let name = as_named
            .map_or_else(|| letter.to_owned(), |variant| format!("{letter} ({})", variant.name));
        let live = target.live(Whose::Side(side), &arguments.changes.live);
        let side = Side::new(target, &set)
            .map_err(|failure| placed(failure, target, of_variant))
            .and_then(|side| side.writing(live))
            .map_err(|failure| if own.is_empty() { failure } else { of_side(failure, letter) })?;
        let side = side.limited_by(arguments.changes.limits());
        Ok::<Arm, Failure>(Arm { name, set, side })
    };
    let arms = [arm(0, &arguments.a)?, arm(1, &arguments.b)?];
    if !stated && chosen.is_empty() && variants.len() < 2 && target.link.is_none() {
        return Err(Failure::usage(format!(
            "{} has {}: say what differs with --a PATH=VALUE and --b PATH=VALUE",
            target.name,
            counted(variants.len() as u64, "variant")
        )));
    }
    Ok(arms)
}

/// A fault of a side with flags of its own is named by it: the other side may be sound.
fn of_side(failure: Failure, side: &str) -> Failure {
    match failure {
        Failure::Scenario(name, error) => Failure::Scenario(format!("{name}, side {side}"), error),
        other => other,
    }
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
