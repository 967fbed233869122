//! Time that a CPU loses to actors that no kernel sees: system management interrupts, and a host
//! that runs another guest or task (docs/model/time.md#hardware-noise).
//!
//! ```text
//!   smi     ──────■■■■──────────────        until   next
//!   steal   ────────■■■■■■■■────────        until   next
//!   CPU     runs─┤ stopped  ├─runs
//! ```

use crate::named::Named;
use crate::named_enum;

named_enum! {
    /// The cause of a stop of a CPU.
    pub enum NoiseSource {
        Smi = "smi", "a system management interrupt: the firmware runs, on all CPUs at once";
        Steal = "steal", "the host of a virtual machine runs something else on this CPU";
    }
}

pub const SOURCES: usize = NoiseSource::ALL.len();

/// The effect of one source on one CPU.
#[derive(Clone, Copy, Debug)]
struct Course {
    /// When the source stops the CPU next; `u64::MAX` for never.
    next: u64,
    /// When its last stop ends.
    until: u64,
    /// Stops so far.
    nth: u64,
}

/// The stops of one CPU.
#[derive(Clone, Copy, Debug)]
pub struct HwNoise {
    courses: [Course; SOURCES],
    /// Since when the CPU is stopped, and up to when the time since is booked.
    since: u64,
    booked: u64,
}

impl Default for HwNoise {
    fn default() -> Self {
        let none = Course { next: u64::MAX, until: 0, nth: 0 };
        Self { courses: [none; SOURCES], since: 0, booked: 0 }
    }
}

impl HwNoise {
    /// Sets when `source` stops the CPU next.
    pub fn set_next(&mut self, source: NoiseSource, next: u64) {
        self.courses[source as usize].next = next;
    }

    /// Whether `source` stops the CPU now.
    pub fn is_due(&self, source: NoiseSource, now: u64) -> bool {
        self.courses[source as usize].next <= now
    }

    /// Number of the next stop of `source`.
    pub fn nth(&self, source: NoiseSource) -> u64 {
        self.courses[source as usize].nth
    }

    /// `source` stops the CPU until `until`; `runs` says whether it ran up to now.
    pub fn begin(&mut self, source: NoiseSource, now: u64, until: u64, runs: bool) {
        let course = &mut self.courses[source as usize];
        course.until = course.until.max(until);
        course.nth += 1;
        if runs {
            (self.since, self.booked) = (now, now);
        }
    }

    /// The source that stops a CPU at `now`: an interrupt of the firmware stops the host, too.
    pub fn source(&self, now: u64) -> NoiseSource {
        let smi = self.courses[NoiseSource::Smi as usize].until > now;
        if smi { NoiseSource::Smi } else { NoiseSource::Steal }
    }

    /// Books the time since the last call, or since the stop began. Returns the source that stopped
    /// the CPU then, and the time.
    pub fn book(&mut self, now: u64) -> (NoiseSource, u64) {
        let source = self.source(self.booked);
        (source, now - std::mem::replace(&mut self.booked, now))
    }

    /// The result of [`Self::book`], without booking.
    pub fn unbooked(&self, now: u64) -> (NoiseSource, u64) {
        (self.source(self.booked), now - self.booked)
    }

    /// Since when the CPU is stopped.
    pub fn since(&self) -> u64 {
        self.since
    }

    /// When something changes next after `now`: a stop begins, or ends; `u64::MAX` for never.
    pub fn changes(&self, now: u64) -> u64 {
        let ends = |course: &Course| if course.until > now { course.until } else { u64::MAX };
        self.courses.iter().map(|course| course.next.min(ends(course))).fold(u64::MAX, u64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_smi_in_stolen_time_is_the_smi_s_and_what_is_left_is_the_host_s() {
        let mut noise = HwNoise::default();
        noise.begin(NoiseSource::Steal, 10, 50, true);
        assert_eq!(noise.changes(10), 50);
        assert_eq!(noise.book(20), (NoiseSource::Steal, 10));
        noise.begin(NoiseSource::Smi, 20, 30, false);
        assert_eq!((noise.source(20), noise.changes(20)), (NoiseSource::Smi, 30));
        assert_eq!(noise.book(30), (NoiseSource::Smi, 10));
        assert_eq!((noise.unbooked(45), noise.since()), ((NoiseSource::Steal, 15), 10));
    }
}
