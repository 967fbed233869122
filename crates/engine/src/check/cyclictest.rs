//! A cyclictest thread ends when its options say so (docs/model/programs.md#cyclictest; `-b` and
//! `-l`).

use super::invariants::ensure;
use crate::kernel::core::task::TaskState;
use crate::setup::Program;
use crate::sim::Sim;
use crate::workload::ProgramState;

impl Sim {
    /// No thread takes more samples than its loops, and none that took one since the program ended
    /// goes back to sleep.
    pub(super) fn check_cyclictest(&self) -> Result<(), String> {
        for (id, (task, spec)) in self.tasks.iter().zip(&self.setup.tasks).enumerate() {
            let (ProgramState::Cyclictest(state), Program::Cyclictest { interval_ns, until, .. }) =
                (&task.program, &spec.program)
            else {
                continue;
            };
            let taken = task.stats.loops;
            ensure(until.loops == 0 || taken <= until.loops, || {
                format!("task {id} took {taken} samples of {}", until.loops)
            })?;
            let late = task.state == TaskState::Sleeping
                && state.sleeps_past(self.cyclictest_ends.saturating_add(*interval_ns));
            ensure(!late, || {
                format!("task {id} sleeps on though cyclictest ended at {}", self.cyclictest_ends)
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::ids::TaskId;
    use std::sync::Arc;

    use crate::check::invariants::tests::busy;
    use crate::kernel::core::task::TaskState;
    use crate::setup::{Program, Until};
    use crate::workload::ProgramState;
    use crate::workload::cyclictest::State;

    #[test]
    fn a_thread_that_does_not_end_with_its_program_is_caught() {
        let mut sim = busy();
        let setup = Arc::make_mut(&mut sim.setup);
        if let Program::Cyclictest { until, .. } = &mut setup.tasks[0].program {
            *until = Until { loops: 3, break_us: 0 };
        }
        sim.tasks[TaskId::new(0)].stats.count_loops(4);
        assert!(sim.check_laws().expect_err("too many").contains("took 4 samples of 3"));

        let mut sim = busy();
        let mut state = State::new(5);
        state.next(6, 1 << 41, 1);
        state.next(7, 1 << 41, 1);
        sim.tasks[TaskId::new(1)].program = ProgramState::Cyclictest(state);
        (sim.tasks[TaskId::new(1)].state, sim.cyclictest_ends) = (TaskState::Sleeping, 3);
        assert!(
            sim.check_cyclictest()
                .expect_err("goes on")
                .contains("sleeps on though cyclictest ended at 3")
        );
    }
}
