//! A run that keeps no rows, or nothing at all, has the same results as one that keeps everything.

use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::trace::columns::{Columns, Wakes};

use super::judge::Written;
use super::live::{Play, STEPS_BOUND, ready};
use super::random::{Case, Dice};

/// Bytes of a wake-up without its segments, and of a segment (docs/develop/decisions/0018).
const WAKE_BYTES: u64 = 30;
const SEGMENT_BYTES: u64 = 5;

/// Whether `case` without rows ends as `run` did, which wrote `whole` and still has its other
/// figures: report, waits that go on, wake-ups where they are kept. Looked at on the way, it holds
/// no row and says the same again.
pub fn rowless_alike(case: &Case, whole: &Written, run: &Run) -> Result<(), String> {
    let dice = &mut Dice::new(case.setup.seed.rotate_left(44));
    let window = if dice.chance(50) { Options::EVERYTHING } else { None };
    let options = Options {
        window,
        rows: false,
        max_records: STEPS_BOUND,
        check_every: 64,
        ..Options::default()
    };
    let mut other = Run::new(&ready(&case.setup, &case.writes), options)?;
    let mut play = Play::new(&case.writes);
    play.advance(&mut other, dice.below(whole.report.records + 1));
    if other.take_trace() != Columns::default() {
        return Err("a row is held on the way of a run without rows".to_owned());
    }
    match play.finish(&mut other) {
        Progress::Finished => {}
        ended => return Err(format!("without rows: {ended:?}")),
    }
    let figures = |report| serde_json::to_string(report).expect("a report is plain data");
    if figures(&other.report()) != figures(&whole.report) {
        return Err("without rows the report is another".to_owned());
    }
    if other.now() != run.now() || other.open_waits() != run.open_waits() {
        return Err("without rows the end, or who waits there, is another".to_owned());
    }
    let kept = if window.is_some() { whole.wakes.clone() } else { Wakes::default() };
    let bytes = kept.task.len() as u64 * WAKE_BYTES + kept.segment_ns.len() as u64 * SEGMENT_BYTES;
    let held = other.held_bytes();
    if other.take_trace() != Columns::default() || other.take_wakes() != kept {
        return Err("without rows it keeps rows, or other wake-ups".to_owned());
    }
    // The bytes that `run` holds once its rows and wake-ups have been taken.
    if held != run.held_bytes() + bytes || other.held_bytes() != run.held_bytes() {
        return Err(format!("without rows {held} bytes are held, not {bytes} more than samples"));
    }
    Ok(())
}
