//! A generator as tasks of rt-app.

use crate::real::run::Own;
use crate::words::Node;

/// What a generator's tasks are, and what of the scenario they are not, a sentence each.
pub(in crate::real) struct Played {
    pub(in crate::real) tasks: Vec<(String, Node)>,
    pub(in crate::real) notes: &'static [&'static str],
}

/// Work that is handed out comes evenly here, by semaphores, which rt-app has since April 2026,
/// after its 1.0.
pub(super) const HANDED_OUT: &[&str] = &[
    "Work comes evenly here, each piece as long as the mean; the scenario draws both at random.",
    "The client runs inside the group here; in the scenario it is outside.",
    "The file needs an rt-app of April 2026 or later: sem_post and sem_wait came then.",
];

/// A time in whole us, at least 1.
pub(super) fn us(own: &Own<'_>, key: &str) -> u64 {
    own.us(key).max(1)
}

/// The mean of a piece of work, us.
pub(super) fn mean_us(own: &Own<'_>) -> u64 {
    (us(own, "run_min") + us(own, "run_max")).div_ceil(2)
}

/// From one piece of work to the next, us.
pub(super) fn gap_us(own: &Own<'_>) -> u64 {
    let rate = own.number("rate").max(1);
    ((1_000_000 + rate / 2) / rate).max(1)
}
