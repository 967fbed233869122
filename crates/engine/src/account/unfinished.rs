//! Waits that the end of a run cuts off: which tasks should be running and are not, since when and
//! why.
//!
//! A report counts only wake-ups that are over. Starving tasks show here.

use super::latency::{Cause, Phase};
use super::stretches::Stretches;
use crate::ids::TaskId;
use crate::sim::Sim;

/// The kind of a wait that goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// A wake-up that is under way, or a way into a sleep whose end has passed.
    WakeUp,
    /// The task has never run.
    FirstStart,
    /// The task ran and could go on, but another task was given its CPU.
    Preempted,
}

/// A task that waits for a CPU at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenWait {
    pub task: u32,
    pub waiting: Waiting,
    /// The number a measured wake-up would have had; none where it would have been no sample.
    pub nth: Option<u32>,
    /// Since when, ns.
    pub due: u64,
    /// CPU it depends on.
    pub cpu: u32,
    /// The task that has this CPU.
    pub behind: Option<u32>,
    /// The present cause of the wait, even if it began at this instant.
    pub cause: Cause,
    /// Where the time went so far, as in [`Stretches`]. A preempted task's present cause alone is
    /// known, and has all of it, unless the run was asked to
    /// [charge it](crate::run::Options::charge_preempted).
    pub segments: Vec<(Cause, u64)>,
}

impl Sim {
    /// Every wait that goes on now, by task; stoppers left out.
    pub fn open_waits(&self) -> Vec<OpenWait> {
        self.tasks.ids().filter_map(|task| self.open_wait(task)).collect()
    }

    fn open_wait(&self, task: TaskId) -> Option<OpenWait> {
        let state = self.task(task);
        let runs = self.rqs[state.cpu].curr == Some(task);
        if !state.row().is_reported {
            return None;
        }
        let (waiting, due, cpu, cause, stretches) =
            match self.told_wake(task).filter(|wake| wake.is_due(self.now)) {
                Some(wake) => {
                    let mut stretches = wake.stretches;
                    stretches.add(wake.cause, self.now - wake.charged_to);
                    let never_ran = state.stats.run_ns == 0 && !runs;
                    let waiting = if wake.set_aside {
                        Waiting::Preempted
                    } else if never_ran && state.stats.wakeups == 0 {
                        Waiting::FirstStart
                    } else {
                        Waiting::WakeUp
                    };
                    (waiting, wake.due, wake.cpu, wake.cause, stretches)
                }
                None if (state.on_rq || state.migrating.is_some()) && !runs => {
                    let since = state.last_ran;
                    // One that is being moved depends on the CPU it leaves until it is there.
                    let cpu = state.migrating.unwrap_or(state.cpu);
                    let cause = self.cause_now(task, Phase::Queued, cpu);
                    let mut stretches = Stretches::default();
                    stretches.add(cause, self.now - since);
                    (Waiting::Preempted, since, cpu, cause, stretches)
                }
                None => return None,
            };
        let behind = self.rqs[cpu].curr.filter(|curr| *curr != task).map(TaskId::raw);
        let nth = state
            .wake
            .as_ref()
            .is_some_and(|wake| wake.measured && wake.is_due(self.now))
            .then_some(state.stats.samples);
        Some(OpenWait {
            task: task.raw(),
            waiting,
            nth,
            due,
            cpu: cpu.raw(),
            behind,
            cause,
            segments: stretches.entries().to_vec(),
        })
    }
}
