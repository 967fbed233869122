//! Readers of a written trace, for tests of single wake-ups.

use schedscope_engine::trace::catalogue::CAUSES;

use super::judge::{Row, Written};

/// The stretches of the `nth` wake-up of `task`.
pub fn waterfall(written: &Written, task: u32, nth: u32) -> Vec<(&'static str, u32)> {
    let wakes = &written.wakes;
    let at = (0..wakes.task.len())
        .find(|at| (wakes.task[*at], wakes.nth[*at]) == (task, nth))
        .expect("there is such a wake-up");
    let from = if at == 0 { 0 } else { wakes.segments_end[at - 1] as usize };
    let segments = from..wakes.segments_end[at] as usize;
    segments
        .map(|segment| (CAUSES[wakes.segment_cause[segment] as usize].0, wakes.segment_ns[segment]))
        .collect()
}

/// How many rows are `wanted`.
pub fn count(written: &Written, wanted: impl Fn(&Row) -> bool) -> usize {
    written.rows.iter().filter(|row| wanted(row)).count()
}
