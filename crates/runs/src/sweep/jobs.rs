//! Many runs in parallel. Rows come out in the order of the points, no matter how many run at once
//! and which ends first.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

use schedscope_scenario::sampled_at;
use serde_json::Value;

use crate::execute::{Limits, Watch, execute_while};
use crate::failure::Failure;
use crate::figures::figures;
use crate::numbers::grouped;
use crate::side::Side;
use schedscope_engine::run::Report;

/// Runs that have numbers, and what is kept of each.
pub trait Runs: Sync {
    /// Prepares the run of that number.
    ///
    /// # Errors
    /// The scenario with this run's values is invalid.
    fn side(&self, run: usize) -> Result<Side, Failure>;
    /// The figures to keep, in order.
    fn metrics(&self) -> &[String];
    /// The limits of each run.
    fn limits(&self) -> Limits;
    /// Makes a run, or knows what it would come to; none where `go_on` says no.
    ///
    /// # Errors
    /// The simulator broke one of its laws, or a write to the running kernel is refused.
    fn come_to(
        &self,
        _run: usize,
        side: &Side,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<CameTo>, Failure> {
        simulated(side, self.metrics(), self.limits(), go_on)
    }
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct CameTo {
    /// Fingerprint of the schedule.
    pub digest: String,
    /// Trace records.
    pub records: u64,
    /// Whether the whole duration was simulated.
    pub complete: bool,
    /// The figures asked for; none where the run has no such thing.
    pub figures: Vec<Option<i64>>,
}

/// How a run is watched of which only figures are kept.
pub fn watch(limits: Limits) -> Watch {
    Watch { window: None, wakes: false, limits, waits: false }
}

/// The figures of these paths in the metrics of a report.
pub fn figures_of(metrics: &Value, paths: &[String]) -> Vec<Option<i64>> {
    paths.iter().map(|path| sampled_at(metrics, path)?.as_i64()).collect()
}

/// Makes a run; none where `go_on` says no.
pub fn simulated(
    side: &Side,
    metrics: &[String],
    limits: Limits,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<CameTo>, Failure> {
    let outcome = execute_while(
        &side.prepared,
        &side.replay,
        watch(limits),
        &mut |_, _| Ok(()),
        &mut |_| go_on(),
    )?;
    let came_to = |report: Report| {
        let figures = figures_of(&figures(&report.metrics), metrics);
        let Report { digest, records, complete, .. } = report;
        CameTo { digest, records, complete, figures }
    };
    Ok(outcome.map(|outcome| came_to(outcome.report)))
}

/// The result of one run.
#[derive(Clone, Debug)]
pub struct RunRow {
    /// The run's number.
    pub run: usize,
    /// Key of every random draw.
    pub seed: u64,
    /// Fingerprint of the schedule.
    pub digest: String,
    /// Trace records.
    pub records: u64,
    /// The kernel as reports name it.
    pub kernel: String,
    /// Whether the whole duration was simulated.
    pub complete: bool,
    /// The figures asked for; none where the run has no such thing.
    pub figures: Vec<Option<i64>>,
}

/// The results, and how the whole ended.
#[derive(Debug)]
pub struct Done {
    /// Runs that ended, in order.
    pub rows: Vec<RunRow>,
    /// Fine, or why not.
    pub end: Result<(), Failure>,
}

/// What is heard on the way.
#[derive(Debug)]
pub enum Event<'r> {
    /// A run has ended, in whatever order.
    Ended,
    /// The next row in the order of the numbers: those before it are there.
    Row(&'r RunRow),
}

/// Runs those of `plan` that have these numbers, which ascend, `jobs` at once, until `asked_to_end`
/// says so.
pub fn run(
    plan: &dyn Runs,
    runs: &[usize],
    jobs: usize,
    asked_to_end: &(dyn Fn() -> bool + Sync),
    hear: &mut dyn FnMut(Event<'_>) -> Result<(), Failure>,
) -> Done {
    let total = runs.len();
    let stop = AtomicBool::new(false);
    let next = AtomicUsize::new(0);
    let halted = || stop.load(Ordering::Relaxed) || asked_to_end();
    let mut rows = Vec::new();
    let mut waiting: BTreeMap<usize, RunRow> = BTreeMap::new();
    let mut failure = None;
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        for _ in 0..jobs.min(total) {
            let sender = sender.clone();
            let (next, halted) = (&next, &halted);
            scope.spawn(move || work(plan, runs, next, halted, &sender));
        }
        drop(sender);
        for done in receiver {
            let passed_on = done.and_then(|row| {
                hear(Event::Ended)?;
                waiting.insert(row.run, row);
                while let Some(row) = runs.get(rows.len()).and_then(|next| waiting.remove(next)) {
                    hear(Event::Row(&row))?;
                    rows.push(row);
                }
                Ok(())
            });
            if let Err(error) = passed_on {
                stop.store(true, Ordering::Relaxed);
                failure.get_or_insert(error);
            }
        }
    });
    // After a stop there may be rows behind a run that never ended: they count too.
    for row in waiting.into_values() {
        if let Err(error) = hear(Event::Row(&row)) {
            failure.get_or_insert(error);
        }
        rows.push(row);
    }
    let end = failure.map_or_else(|| end(&rows, total), Err);
    Done { rows, end }
}

fn end(rows: &[RunRow], total: usize) -> Result<(), Failure> {
    let cut = rows.iter().filter(|row| !row.complete).count();
    if rows.len() < total {
        Err(Failure::Limit(format!(
            "{} of {} runs were done",
            grouped(rows.len() as u64),
            grouped(total as u64)
        )))
    } else if cut > 0 {
        Err(Failure::Limit(format!(
            "{} of {} runs reached a limit",
            grouped(cut as u64),
            grouped(total as u64)
        )))
    } else {
        Ok(())
    }
}

fn work(
    plan: &dyn Runs,
    runs: &[usize],
    next: &AtomicUsize,
    halted: &(dyn Fn() -> bool + Sync),
    sender: &Sender<Result<RunRow, Failure>>,
) {
    while !halted() {
        let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
        let Some(row) = one(plan, *run, halted).transpose() else { return };
        if sender.send(row).is_err() {
            return;
        }
    }
}

fn one(
    plan: &dyn Runs,
    run: usize,
    halted: &(dyn Fn() -> bool + Sync),
) -> Result<Option<RunRow>, Failure> {
    let side = plan.side(run)?;
    let Some(came_to) = plan.come_to(run, &side, &mut || !halted())? else { return Ok(None) };
    let CameTo { digest, records, complete, figures } = came_to;
    let (seed, kernel) = (side.prepared.meta.seed, side.prepared.meta.kernel);
    Ok(Some(RunRow { run, seed, digest, records, complete, kernel, figures }))
}
