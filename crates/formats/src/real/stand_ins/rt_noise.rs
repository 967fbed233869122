//! Noise of real-time tasks, which take turns; the later ones begin a gap later each.

use super::played::{Played, us};
use crate::real::made::{every, for_ever, object, plain};
use crate::real::run::Own;

const AT_RANDOM: &[&str] = &["The noise comes evenly here; in the scenario at random."];
const AIMED: &[&str] = &[
    "In the scenario the noise comes when every CPU runs a thread of cyclictest: no program can \
     choose that instant. Here it comes evenly, and meets one by chance.",
];

pub(super) fn played(own: &Own<'_>) -> Option<Played> {
    let (tasks, gap) = (own.number("tasks"), us(own, "min_gap"));
    let noise = |index: u64| {
        object([
            ("policy", plain("SCHED_FIFO")),
            ("priority", plain(own.number("priority"))),
            ("delay", plain(index * gap)),
            for_ever(),
            ("run", plain(us(own, "run"))),
            ("timer", every(tasks * gap)),
        ])
    };
    let tasks = (0..tasks).map(|index| (format!("rt_noise_{index}"), noise(index))).collect();
    let notes = if own.is("when", "random") { AT_RANDOM } else { AIMED };
    Some(Played { tasks, notes })
}
