//! A cyclictest measuring thread (docs/model/programs.md#cyclictest): sleep to an absolute time,
//! sample, work, next period.

use super::Action;
use crate::ids::{Id, TaskId};
use crate::kernel::syscall::Call;
use crate::rng::{Purpose, below};
use crate::setup::{Program, Until};
use crate::sim::Sim;

/// How often the main program looks whether a thread has taken all its samples (rt-tests:
/// usleep(10000)).
const MAIN_LOOKS_NS: u64 = 10_000_000;

/// Where the thread is in its loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    due_ns: u64,
    /// Number of the period on its grid; skipped ones count.
    period: u64,
    body: bool,
}

impl State {
    /// Asleep until `first_due_ns`.
    pub fn new(first_due_ns: u64) -> Self {
        Self { due_ns: first_due_ns, period: 0, body: false }
    }

    /// Whether a sleep was begun that lasts beyond `instant`; the first one is the start of the
    /// program.
    pub(crate) fn sleeps_past(&self, instant: u64) -> bool {
        self.period > 0 && self.due_ns > instant
    }

    /// Whether the body has begun and the next action is to sleep.
    pub fn in_body(&self) -> bool {
        self.body
    }

    /// The keyed extra of this period's body: each overload is a fresh trial
    /// (docs/model/rt-balancing.md#herd-law), and a period that one policy skips leaves the others'
    /// draws alone.
    pub fn extra(&self, seed: u64, task: TaskId, extra_ns: u64) -> u64 {
        below(seed, Purpose::CyclictestBody, u64::from(task), self.period, extra_ns)
    }

    /// The next action and the rounds it completes. Periods already past are skipped: one sample
    /// only.
    pub fn next(&mut self, now: u64, interval_ns: u64, body_ns: u64) -> (Action, u64) {
        self.body = !self.body;
        if self.body {
            return (Action::Run(body_ns), 0);
        }
        let late = now.saturating_sub(self.due_ns.saturating_add(interval_ns));
        let periods = 1 + late.div_ceil(interval_ns);
        self.period += periods;
        self.due_ns = self.due_ns.saturating_add(periods.saturating_mul(interval_ns));
        (Action::Call(Call::SleepUntil(self.due_ns)), 1)
    }
}

impl Sim {
    /// `task` has taken a sample: was it its last? The first to have taken all of `-l` ends the
    /// program when main looks.
    pub(super) fn cyclictest_thread_ends(&mut self, task: TaskId, until: Until) -> bool {
        let all = until.loops > 0 && self.task(task).stats.loops + 1 >= until.loops;
        if all {
            let seen = (self.now / MAIN_LOOKS_NS + 1).saturating_mul(MAIN_LOOKS_NS);
            self.cyclictest_ends = self.cyclictest_ends.min(seen);
        }
        all || self.now >= self.cyclictest_ends
    }

    /// A latency above `-b`, in whole us: the thread that saw it stops the program. The others take
    /// the sample they wait for.
    pub(crate) fn break_trace(&mut self, task: TaskId, latency_ns: u64) {
        let Program::Cyclictest { until: Until { break_us, .. }, .. } =
            self.task_spec(task).program
        else {
            return;
        };
        if break_us > 0 && latency_ns / 1_000 > break_us && self.now < self.cyclictest_ends {
            self.cyclictest_ends = self.now;
            let name = &self.setup.tasks[task.place()].name;
            let what = format!(
                "{name} saw {} us, more than the {break_us} of -b: cyclictest ends",
                latency_ns / 1_000
            );
            self.found("breaktrace", what);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_has_the_same_draw_whether_or_not_others_were_skipped() {
        let (mut prompt, mut late) = (State::new(100), State::new(100));
        for now in [101, 205, 305, 405] {
            prompt.next(now, 100, 5);
            prompt.next(now + 5, 100, 5);
        }
        late.next(101, 100, 5);
        late.next(450, 100, 5);
        assert_eq!(prompt, late, "both wait for 500");
        assert_eq!(prompt.extra(7, TaskId::new(3), 3_000), late.extra(7, TaskId::new(3), 3_000));
    }

    #[test]
    fn missed_periods_are_skipped_and_the_grid_is_kept() {
        let mut thread = State::new(100);
        assert_eq!(thread.next(102, 100, 5), (Action::Run(5), 0));
        assert_eq!(thread.next(450, 100, 5), (Action::Call(Call::SleepUntil(500)), 1));
    }
}
