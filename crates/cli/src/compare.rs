//! `schedscope compare`: two sides with the same draws, their differences, and the instant where
//! they part.

mod page;
mod row;
mod then;

use std::sync::atomic::Ordering;

use clap::Args;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::trace::catalogue::kind_name;
use schedscope_engine::trace::columns::Columns;
use schedscope_runs::execute::{Limits, MAX_RECORDS_TRACED, Outcome, Watch, guarded, limit_text};
use schedscope_runs::live::Writes;
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

/// Machine time both sides advance by before their traces are compared.
const STRIDE_NS: u64 = 1_000_000;

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

/// A row of either trace, for people.
type Row = (u64, u8, u16, u32, u32);
/// Where the schedules part: each side's row, none where that side has ended.
type Divergence = (Option<Row>, Option<Row>);

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = find(&arguments.scenario)?;
    let Arguments { variant, a, b, changes, .. } = arguments;
    let [a, b] = arms(&target, variant, [a, b], changes)?;
    say_notes([&a, &b]);
    let (outcomes, divergence) = execute_both(&a, &b, arguments.changes.limits())?;
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

/// Both runs in step, so that only a stride of their traces is held while the first difference is
/// looked for.
fn execute_both(
    a: &Arm,
    b: &Arm,
    limits: Limits,
) -> Result<([Outcome; 2], Option<Divergence>), Failure> {
    let asked = asked_to_end();
    let watch = Watch { window: Options::EVERYTHING, wakes: false, limits, waits: true };
    let options = watch.options();
    let start = |arm: &Arm| {
        let fault = |what| Failure::Fault { what, replay: arm.side.replay.clone() };
        guarded(&arm.side.replay, || Run::new(&arm.side.prepared.setup, options))?.map_err(fault)
    };
    let (mut run_a, mut run_b) = (start(a)?, start(b)?);
    let (mut rows_a, mut rows_b) = (Vec::new(), Vec::new());
    let [mut writes_a, mut writes_b] = [a, b].map(|arm| Writes::new(&arm.side.prepared.live));
    let (mut state_a, mut state_b) = (Progress::Running, Progress::Running);
    let (mut until, mut divergence, mut parted) = (0, None, false);
    while (state_a == Progress::Running || state_b == Progress::Running)
        && !asked.load(Ordering::Relaxed)
    {
        until += STRIDE_NS;
        state_a = stride(
            (&mut run_a, &mut writes_a),
            until,
            state_a,
            &a.side.replay,
            &mut rows_a,
            parted,
        )?;
        state_b = stride(
            (&mut run_b, &mut writes_b),
            until,
            state_b,
            &b.side.replay,
            &mut rows_b,
            parted,
        )?;
        if !parted {
            divergence = first_difference(
                &mut rows_a,
                &mut rows_b,
                state_a != Progress::Running || state_b != Progress::Running,
            );
            parted = divergence.is_some();
        }
    }
    Ok((
        [outcome(&run_a, state_a, &a.side.replay)?, outcome(&run_b, state_b, &b.side.replay)?],
        divergence,
    ))
}

fn stride(
    (run, writes): (&mut Run, &mut Writes),
    until: u64,
    state: Progress,
    replay: &str,
    rows: &mut Vec<Row>,
    parted: bool,
) -> Result<Progress, Failure> {
    if state != Progress::Running {
        return Ok(state);
    }
    let progress = guarded(replay, || writes.advance(run, until, (u64::MAX, u64::MAX)))??;
    let Columns { time, kind, cpu, a, b } = run.take_trace();
    run.take_wakes();
    if !parted {
        rows.extend((0..time.len()).map(|row| (time[row], kind[row], cpu[row], a[row], b[row])));
    }
    match progress {
        Progress::Fault(what) => Err(Failure::Fault { what, replay: replay.to_owned() }),
        other => Ok(other),
    }
}

/// The first pair of rows that differ; equal beginnings are dropped. At the end a missing row
/// differs from a present one.
fn first_difference(a: &mut Vec<Row>, b: &mut Vec<Row>, ended: bool) -> Option<Divergence> {
    let equal = a.iter().zip(b.iter()).take_while(|(a, b)| a == b).count();
    a.drain(..equal);
    b.drain(..equal);
    let (a, b) = (a.first().copied(), b.first().copied());
    let differ = a.is_some() && b.is_some() || ended && (a.is_some() || b.is_some());
    differ.then_some((a, b))
}

fn outcome(run: &Run, state: Progress, replay: &str) -> Result<Outcome, Failure> {
    let report = guarded(replay, || run.report())?;
    let limit = (state != Progress::Finished).then(|| limit_text(run));
    Ok(Outcome { report, limit, open: run.open_waits(), rps: Vec::new() })
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
        "deltas": page::deltas(outcomes).into_iter().map(delta).collect::<Map<String, Value>>(),
        "first_divergence": divergence.map(|(a, b)| json!({ "a": row(a), "b": row(b) })),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_found_across_strides() {
        let row = |time: u64| (time, 0, 0, 0, 0);
        let (mut a, mut b) = (vec![row(1), row(2)], vec![row(1)]);
        assert_eq!(first_difference(&mut a, &mut b, false), None, "B may still write row 2");
        b.push(row(3));
        assert_eq!(first_difference(&mut a, &mut b, false), Some((Some(row(2)), Some(row(3)))));
        let (mut a, mut b) = (vec![row(1)], Vec::new());
        assert_eq!(first_difference(&mut a, &mut b, true), Some((Some(row(1)), None)));
    }
}
