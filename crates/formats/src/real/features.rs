//! Bits of sched_features.

use super::line::Line;
use super::run::Run;

/// The release that moved the file into /sys/kernel/debug/sched/.
const SCHED_FOLDER: &str = "5.13";

/// The line that turns a bit on or off.
pub(super) fn feature(name: &str, is_on: bool, run: &Run) -> Line {
    let file = match run.is_before(SCHED_FOLDER) {
        true => "/sys/kernel/debug/sched_features",
        false => "/sys/kernel/debug/sched/features",
    };
    Line::root(format!("echo {}{name} | sudo tee {file}", if is_on { "" } else { "NO_" }))
}
