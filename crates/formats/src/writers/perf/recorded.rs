//! What perf records of a run, and how it prints a time.

use std::fmt::{Display, Formatter};

use crate::events::{Act, Event, State, Wake, Who};

/// What perf keeps of an event.
pub(super) enum Sched {
    Switch { prev: Who, stays: bool, next: Who },
    Wake { task: Who },
}

/// The events that perf records: a switch (the one that leaves can stay runnable), or the start of
/// a wake-up.
pub(super) fn recorded(event: &Event) -> Option<Sched> {
    match event.act {
        Act::SchedSwitch { prev, state, next } => {
            Some(Sched::Switch { prev, stays: state != State::Sleeping, next })
        }
        Act::Wake { step: Wake::Waking | Wake::WakeupNew, task, .. } => Some(Sched::Wake { task }),
        _ => None,
    }
}

/// A time in seconds, cut to 1 us (`timestamp__scnprintf_usec`).
pub(super) struct Stamp(pub(super) u64);

impl Display for Stamp {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        let us = self.0 / 1000;
        let text = format!("{}.{:06}", us / 1_000_000, us % 1_000_000);
        formatter.pad(&text)
    }
}
