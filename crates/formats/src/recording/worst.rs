//! The longest waits after a wake-up.

use super::recorded::Recording;
use super::waits::{Missed, Wait, waits};

/// The `most` longest waits after wake-ups of which `is_asked` holds of the task's index, the
/// longest first; of two as long, the earlier one. And what the recording lacks.
pub fn worst(
    recording: &Recording,
    most: usize,
    is_asked: &dyn Fn(u32) -> bool,
) -> (Vec<Wait>, Missed) {
    let mut kept: Vec<Wait> = Vec::new();
    let missed = waits(recording, &mut |wait| {
        if !wait.is_wakeup || !is_asked(wait.task) {
            return;
        }
        let is_full = kept.len() == most;
        if is_full && kept.last().is_none_or(|least| least.ns() >= wait.ns()) {
            return;
        }
        let at = kept.partition_point(|other| other.ns() >= wait.ns());
        kept.insert(at, wait);
        kept.truncate(most);
    });
    (kept, missed)
}
