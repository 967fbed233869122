//! Cold caches: the switch to a woken task takes longer because its cache lines, and those of the
//! kernel's path to it, have been evicted since it slept.
//!
//! There are three reasons, each with its median in the cost preset: the CPU itself slept, the task
//! last ran elsewhere, or it slept long while others ran. Each wake-up pays the dearest reason that
//! applies, spread by a draw. A preset without such costs draws nothing.

use crate::ids::{CpuId, TaskId};
use crate::machine::spread::Spread;
use crate::rng::{Purpose, draw, lognormal};
use crate::sim::Sim;

/// A task's side of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cold {
    /// Since when it sleeps, and on which CPU it ran last; none while it runs, or before it first
    /// ran.
    slept: Option<(u64, CpuId)>,
    /// Wake-ups so far: the number of the next draw, whether or not it costs anything.
    wakeups: u64,
}

impl Sim {
    /// `task` sleeps from now on; it ran on `cpu`.
    pub(crate) fn note_sleep(&mut self, cpu: CpuId, task: TaskId) {
        let now = self.now;
        self.task_mut(task).cold.slept = Some((now, cpu));
    }

    /// `cpu` is about to switch to `task`, from its idle loop or not: what cold caches cost, ns.
    pub(crate) fn cold_ns(&mut self, cpu: CpuId, task: TaskId, from_idle: bool) -> u64 {
        let Some((since, ran_on)) = self.task_mut(task).cold.slept.take() else { return 0 };
        let n = self.task(task).cold.wakeups;
        self.task_mut(task).cold.wakeups += 1;
        let costs = &self.setup.machine.costs;
        let slept = from_idle && !self.setup.machine.idle.polls();
        let long = self.now - since >= u64::from(costs.cold_after_ns);
        let reasons = [
            (slept, costs.cold_idle_ns),
            (ran_on != cpu, costs.cold_migrated_ns),
            (long, costs.cold_sleep_ns),
        ];
        let median =
            reasons.iter().filter(|(applies, _)| *applies).map(|(_, ns)| *ns).max().unwrap_or(0);
        let (seed, purpose, entity) = (self.setup.seed, Purpose::ColdStart, u64::from(task));
        match (u64::from(median), costs.cold_sigma_milli) {
            (0, _) => 0,
            (median, 0) => {
                Spread::scaled(median, self.spread.factor(draw(seed, purpose, entity, n)))
            }
            (median, sigma) => lognormal(seed, purpose, entity, n, median, sigma),
        }
    }
}
