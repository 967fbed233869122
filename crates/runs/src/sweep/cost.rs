//! What a run of each point costs, before it is run: the records that it will write.
//!
//! Records and not seconds, so that one sweep has one manifest, whichever machine makes it.

use schedscope_engine::run::Options;

use super::Plan;
use crate::execute::{Limits, Watch, execute_while};
use crate::failure::Failure;

/// Records of the part of a run that is tried.
const TRIED: u64 = 20_000;
/// Most points that are tried; the others cost what the tried one before them costs.
const POINTS_TRIED: usize = 256;
/// What a run costs before its first record: its scenario is prepared, its machine set up.
const START: u64 = 2_000;
/// Records that make a batch: some seconds of one processor.
pub const BATCH: u64 = 3_000_000;

/// The cost of a run of each point; `hear` gets the number of each point that is tried next.
///
/// # Errors
/// A point is invalid, or its run breaks a law.
pub fn costs(plan: &Plan, hear: &mut dyn FnMut(usize)) -> Result<Vec<u64>, Failure> {
    let points = plan.grid.points();
    let every = points.div_ceil(POINTS_TRIED).max(1);
    let mut costs: Vec<u64> = Vec::with_capacity(points);
    for point in 0..points {
        let cost = match costs.last() {
            Some(before) if point % every != 0 => *before,
            _ => {
                hear(point);
                tried(plan, point)?
            }
        };
        costs.push(cost);
    }
    Ok(costs)
}

/// A run's beginning, and from it the whole.
fn tried(plan: &Plan, point: usize) -> Result<u64, Failure> {
    let side = plan.side(point * plan.grid.runs_of_point())?;
    let Limits { records, bytes } = plan.limits;
    let most = records.unwrap_or_else(|| Options::default().max_records);
    let limits = Limits { records: Some(most.min(TRIED)), bytes };
    let watch = Watch { window: None, wakes: false, limits, waits: false };
    let outcome =
        execute_while(&side.prepared, &side.replay, watch, &mut |_, _| Ok(()), &mut |_| true)?;
    let Some(outcome) = outcome else { return Ok(START) };
    let report = outcome.report;
    let whole = u128::from(report.records) * u128::from(side.prepared.meta.duration_ns)
        / u128::from(report.simulated_ns.max(1));
    Ok(START + u64::try_from(whole).unwrap_or(u64::MAX).min(most))
}
