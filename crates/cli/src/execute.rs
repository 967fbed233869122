//! Runs a prepared scenario for a person at a terminal: with a progress bar, until Ctrl-C.

use std::sync::atomic::Ordering;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use schedscope_runs::execute::{Outcome, Sink, Watch, simulate};
use schedscope_runs::{Failure, Side};

use crate::interrupt::asked_to_end;
use crate::remarks;

/// Simulates the whole duration, with a progress bar on a terminal; Ctrl-C ends the run earlier.
pub fn execute(side: &Side, watch: Watch, sink: Sink<'_>) -> Result<Outcome, Failure> {
    let asked = asked_to_end();
    let bar = bar(side.prepared.meta.duration_ns);
    let outcome = simulate(&side.prepared, &side.replay, watch, sink, &mut |now| {
        bar.set_position(now);
        !asked.load(Ordering::Relaxed)
    });
    bar.finish_and_clear();
    outcome.map(|(outcome, _)| outcome)
}

/// Says that the run stopped before its end, if it did: before its figures, which are of a part
/// only. `who` is which of several.
pub fn say_limit(outcome: &Outcome, who: &str) {
    if let Some(limit) = &outcome.limit {
        remarks::say(&format!("stopped: {who}{limit}; what follows is of that part"));
    }
}

/// A bar over machine time; nothing at all where stderr is no terminal.
fn bar(duration_ns: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{wide_bar} {percent:>3} % of machine time, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(duration_ns), ProgressDrawTarget::stderr_with_hz(10))
        .with_style(style)
}
