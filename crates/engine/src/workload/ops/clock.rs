//! A busy loop that watches the clock: rt-app's `runtime`, rt-migrate-test's counting thread.
//!
//! The rounds are not played one by one: whenever the task comes (back) to user code, the model
//! computes the end of the round in which the task will see that its time is over.

use super::{Action, Played, Stage, State};
use crate::ids::{CpuId, TaskId};
use crate::kernel::frame::Frame;
use crate::machine::topology::FULL_SPEED;
use crate::sim::Sim;
use crate::workload::ProgramState;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy {
    /// When the loop is over.
    until: u64,
    round_ns: u64,
    /// Work it has been given so far, ns.
    given: u64,
    counted: u64,
}

impl Busy {
    /// The work left from `now` on at `pace` percent, if `remaining` of the given work is not done;
    /// and the rounds newly done.
    fn look(&mut self, now: u64, remaining: u64, pace: u32) -> (u64, u64) {
        let done = self.given.saturating_sub(remaining);
        let in_round = done % self.round_ns;
        let wanted = u128::from(self.until.saturating_sub(now)) * u128::from(pace);
        let wanted = wanted.div_ceil(u128::from(FULL_SPEED)) as u64;
        // At least one round; it ends at the first end of a round that finds the time over.
        let least = if done == 0 { self.round_ns } else { 0 };
        let left = (in_round.saturating_add(wanted))
            .div_ceil(self.round_ns)
            .saturating_mul(self.round_ns)
            .saturating_sub(in_round)
            .max(least);
        self.given = done.saturating_add(left);
        let rounds = done / self.round_ns;
        let fresh = rounds.saturating_sub(self.counted);
        self.counted = rounds;
        (left, fresh)
    }
}

impl Sim {
    pub(super) fn run_for(&mut self, state: &mut State, ns: u64, round_ns: u64) -> Played {
        if state.busy.take().is_some() {
            return Played::Over;
        }
        let mut busy = Busy {
            until: self.now.saturating_add(ns),
            round_ns: round_ns.max(1),
            given: 0,
            counted: 0,
        };
        let (left, _) = busy.look(self.now, 0, FULL_SPEED);
        state.busy = Some(busy);
        Played::Then(Stage::Waiting, Action::Run(left))
    }

    /// Whether `cpu` executes the user code of a busy loop.
    pub(crate) fn watches_clock(&self, cpu: CpuId) -> bool {
        let state = &self.cpus[cpu];
        let user = state.stack.last().is_some_and(|top| top.frame == Frame::User);
        let loops = |task: TaskId| {
            matches!(&self.task(task).program, ProgramState::Ops(State { busy: Some(_), .. }))
        };
        user && self.rqs[cpu].curr.is_some_and(loops)
    }

    /// `cpu` is about to execute user code: a busy loop looks at the clock from here.
    #[inline]
    pub(crate) fn look_at_the_clock(&mut self, cpu: CpuId) {
        let Some(task) = self.rqs[cpu].curr else { return };
        let (now, pace) = (self.cpus[cpu].hw.resumes_at(self.now), self.pace_of(cpu));
        let ProgramState::Ops(State { busy: Some(busy), .. }) = &mut self.tasks[task].program
        else {
            return;
        };
        let top = self.cpus[cpu].stack.last_mut().expect("a running task has a frame");
        let (left, rounds) = busy.look(now, top.remaining, pace);
        top.remaining = left;
        self.tasks[task].stats.count_loops(rounds);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn busy() -> Busy {
        Busy { until: 1_000, round_ns: 300, given: 0, counted: 0 }
    }

    #[test]
    fn undisturbed_it_ends_with_the_round_that_passes_the_time() {
        let mut busy = busy();
        assert_eq!(busy.look(0, 0, FULL_SPEED), (1_200, 0));
        assert_eq!(busy.look(1_200, 0, FULL_SPEED), (0, 4));
    }

    #[test]
    fn after_a_preemption_only_the_round_that_was_cut_is_finished() {
        let mut busy = busy();
        busy.look(0, 0, FULL_SPEED);
        // 400 done, then away until 5 000: the second round has 200 to go.
        assert_eq!(busy.look(5_000, 800, FULL_SPEED), (200, 1));
        assert_eq!(busy.look(5_200, 0, FULL_SPEED), (0, 1));
    }

    #[test]
    fn a_short_interruption_costs_work_not_time() {
        let mut busy = busy();
        busy.look(0, 0, FULL_SPEED);
        // 100 done, 250 lost: the end of the third round, at 1 150, is past the time already.
        assert_eq!(busy.look(350, 1_100, FULL_SPEED), (800, 0));
    }
}
