//! Knobs of the kernel: what a version does not imply, then the rows of the table of kernels, each
//! with the knobs listed behind it.

use std::convert::Infallible;

use schedscope_engine::kernel::config::{
    Beside, Kernel, Reader, Row, Version, Words, default_version,
};
use schedscope_engine::named::Named;

use super::knob::{Knob, KnobType, prose};
use super::{nohz, rt_throttle};
use crate::units::time_text;

pub(super) fn kernel_knobs() -> Vec<Knob> {
    vec![
        Knob::new(
            "kernel.version",
            "kernel version",
            KnobType::Enum,
            default_version().to_string(),
            "The kernel whose defaults the other kernel knobs start from: any release from 2.6.24 \
                to 7.3, as uname -r prints it.",
            "release tags; each knob says how well its value is known",
        )
        .words(Version::LADDER.iter().map(|version| (version.to_string(), prose(version.doc()))))
        .or_release(),
        Knob::new(
            "kernel.hz",
            "CONFIG_HZ",
            KnobType::Enum,
            1000,
            "Ticks per second. No kernel version implies it.",
            "the kernel's CONFIG_HZ choices",
        )
        .words([
            (100, "10 ms tick"),
            (250, "4 ms tick"),
            (300, "3.33 ms tick"),
            (1000, "1 ms tick"),
        ]),
        Knob::new(
            "kernel.tick_skew",
            "skew_tick",
            KnobType::Boolean,
            false,
            "Spread the CPUs' ticks over half a tick period, CPU 0 first, instead of all at once.",
            "boot option skew_tick, off by default",
        ),
        Knob::new(
            "kernel.tick_phase",
            "tick phase",
            KnobType::Time,
            "0us",
            "Time from 0 to the first tick, modulo the tick period.",
            "schedscope",
        )
        .range(0, 100_000_000),
    ]
}

/// A knob for each row that a scenario may state, as the table has them.
pub(super) fn table_knobs() -> Vec<Knob> {
    let mut list = List { version: default_version(), knobs: Vec::new() };
    let Ok(_) = Kernel::of_version(list.version, 1).read(&mut list);
    list.knobs
}

/// Collects knobs; each row keeps what the default version has.
struct List {
    version: Version,
    knobs: Vec<Knob>,
}

impl List {
    fn add<T: Copy>(&mut self, row: &Row<T>, knob: impl FnOnce(&Words, T) -> Knob) -> T {
        let value = row.value(self.version);
        if let Some(words) = &row.words {
            self.push(words, knob(words, value));
        }
        value
    }

    fn push(&mut self, words: &Words, knob: Knob) {
        let knob = if words.chosen.is_some() { knob } else { knob.follows_version() };
        self.knobs.push(if words.live { knob.live() } else { knob });
        self.knobs.extend(beside(words.path));
    }
}

impl Reader for List {
    type Fault = Infallible;

    fn named<T: Named>(&mut self, row: &Row<T>, _: Beside<T>) -> Result<T, Infallible> {
        Ok(self.add(row, |words, value| {
            Knob::named(words.path, words.label, value, words.doc, words.source)
        }))
    }

    fn flag(&mut self, row: &Row<bool>, _: Beside<bool>) -> Result<bool, Infallible> {
        Ok(self.add(row, |words, value| {
            Knob::new(words.path, words.label, KnobType::Boolean, value, words.doc, words.source)
        }))
    }

    fn time(&mut self, row: &Row<u32>, _: Beside<u32>) -> Result<u32, Infallible> {
        Ok(self.add(row, |words, value| {
            let (min, max) = words.range.expect("a time has a range");
            let default = time_text(u64::from(value));
            Knob::new(words.path, words.label, KnobType::Time, default, words.doc, words.source)
                .range(min, max)
        }))
    }
}

/// Knobs listed behind the knob at `path` that have no row: no version brings them.
fn beside(path: &str) -> Vec<Knob> {
    match path {
        "kernel.rto_scope" => vec![Knob::new(
            "kernel.bugs_2007",
            "bugs of 2007",
            KnobType::Boolean,
            false,
            "The first code's bugs: its count of overloaded CPUs drifts, and a CPU that finds a \
                stale bit clears its own bit.",
            "commits 4642dafdf93d and 318e0893ce3f; only their generations have them",
        )],
        "kernel.rt_throttle" => rt_throttle::knobs(),
        "kernel.idle_stop_policy" => nohz::knobs(),
        _ => Vec::new(),
    }
}
