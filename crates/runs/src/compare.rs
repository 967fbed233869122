//! Two sides in step: their figures, and the first row in which their traces differ.

use std::collections::BTreeSet;

use schedscope_engine::run::{Options, Progress, Report, Run};
use schedscope_engine::trace::columns::Columns;
use schedscope_scenario::samples_of;
use serde_json::{Map, Value};

use crate::execute::{Limits, Outcome, Watch, guarded, limit_text};
use crate::failure::Failure;
use crate::live::Writes;
use crate::side::Side;

/// Machine time both sides advance by before their traces are compared.
const STRIDE_NS: u64 = 1_000_000;

/// A row of either trace, for people.
pub type Row = (u64, u8, u16, u32, u32);
/// Where the schedules part: each side's row, none where that side has ended.
pub type Divergence = (Option<Row>, Option<Row>);

/// Both runs in step, so that only a stride of their traces is held while the first difference is
/// looked for. They end where `go_on`, which is asked with each instant of machine time, says no.
///
/// # Errors
/// A side breaks a law of the simulator, or a write to its running kernel is refused.
pub fn execute_both(
    [a, b]: [&Side; 2],
    limits: Limits,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<([Outcome; 2], Option<Divergence>), Failure> {
    let watch = Watch { window: Options::EVERYTHING, wakes: false, limits, waits: true };
    let options = watch.options();
    let start = |side: &Side| {
        let fault = |what| Failure::Fault { what, replay: side.replay.clone() };
        guarded(&side.replay, || Run::new(&side.prepared.setup, options))?.map_err(fault)
    };
    let (mut run_a, mut run_b) = (start(a)?, start(b)?);
    let (mut rows_a, mut rows_b) = (Vec::new(), Vec::new());
    let [mut writes_a, mut writes_b] = [a, b].map(|side| Writes::new(&side.prepared.live));
    let (mut state_a, mut state_b) = (Progress::Running, Progress::Running);
    let (mut until, mut divergence, mut parted) = (0, None, false);
    while (state_a == Progress::Running || state_b == Progress::Running) && go_on(until) {
        until += STRIDE_NS;
        state_a =
            stride((&mut run_a, &mut writes_a), until, state_a, &a.replay, &mut rows_a, parted)?;
        state_b =
            stride((&mut run_b, &mut writes_b), until, state_b, &b.replay, &mut rows_b, parted)?;
        if !parted {
            divergence = first_difference(
                &mut rows_a,
                &mut rows_b,
                state_a != Progress::Running || state_b != Progress::Running,
            );
            parted = divergence.is_some();
        }
    }
    Ok(([outcome(&run_a, state_a, &a.replay)?, outcome(&run_b, state_b, &b.replay)?], divergence))
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

/// A figure of both sides; none where a side has no such thing.
pub type Delta = (String, Option<i64>, Option<i64>);

/// Every integer of `metrics` by dotted path, task by task left out.
fn flat(report: &Report) -> Map<String, Value> {
    fn walk(prefix: &str, value: &Value, out: &mut Map<String, Value>) {
        match value {
            Value::Object(members) => members.iter().for_each(|(key, value)| {
                walk(
                    &if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") },
                    value,
                    out,
                )
            }),
            Value::Number(_) => drop(out.insert(prefix.to_owned(), value.clone())),
            _ => {}
        }
    }
    let mut out = Map::new();
    let mut metrics = serde_json::to_value(&report.metrics).unwrap_or_default();
    if let Some(metrics) = metrics.as_object_mut() {
        metrics.remove("tasks");
    }
    walk("", &metrics, &mut out);
    out
}

/// Every figure of either side, by path.
pub fn deltas(outcomes: &[Outcome; 2]) -> Vec<Delta> {
    let [a, b] = [flat(&outcomes[0].report), flat(&outcomes[1].report)];
    let paths: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    // Without samples a report still has a least and a greatest, both 0, which mean nothing.
    let value = |side: &Map<String, Value>, path: &str| {
        let count = samples_of(path).and_then(|count| side.get(&count));
        side.get(path).filter(|_| count != Some(&Value::from(0))).and_then(Value::as_i64)
    };
    paths.into_iter().map(|path| (path.clone(), value(&a, path), value(&b, path))).collect()
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
