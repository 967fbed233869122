//! Cold caches: extra time before a woken task's first user instruction, because its cache lines
//! have been evicted since it slept.
//!
//! There are three reasons, each with its median in the cost preset: the CPU itself slept, the task
//! last ran elsewhere, or it slept long while others ran. Each wake-up pays the dearest reason that
//! applies, spread by a log-normal draw. A preset without such costs draws nothing.

use crate::ids::{CpuId, TaskId};
use crate::rng::{Purpose, lognormal};
use crate::sim::Sim;

/// A task's side of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cold {
    /// Since when it sleeps, and on which CPU it ran last; none while it runs, or before it first
    /// ran.
    slept: Option<(u64, CpuId)>,
    /// Woken and switched to: the median of the time that it will pay.
    owes: Option<u32>,
    /// Wake-ups so far: the number of the next draw, whether or not it costs anything.
    wakeups: u64,
}

impl Sim {
    /// `task` sleeps from now on; it ran on `cpu`.
    pub(crate) fn note_sleep(&mut self, cpu: CpuId, task: TaskId) {
        let now = self.now;
        self.task_mut(task).cold.slept = Some((now, cpu));
    }

    /// `cpu` is about to switch to `task`, from its idle loop or not.
    pub(crate) fn note_switch_in(&mut self, cpu: CpuId, task: TaskId, from_idle: bool) {
        let Some((since, ran_on)) = self.task_mut(task).cold.slept.take() else { return };
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
        let cold = &mut self.task_mut(task).cold;
        cold.owes = Some(cold.owes.unwrap_or(0).max(median));
    }

    /// Charges the running task's cold caches now that it leaves the kernel, ns.
    pub(crate) fn pay_cold(&mut self, cpu: CpuId) -> u64 {
        let Some(task) = self.rqs[cpu].curr else { return 0 };
        let cold = &mut self.task_mut(task).cold;
        let Some(median) = cold.owes.take() else { return 0 };
        let n = cold.wakeups;
        cold.wakeups += 1;
        match (median, self.setup.machine.costs.cold_sigma_milli) {
            (0, _) => 0,
            (median, 0) => u64::from(median),
            (median, sigma) => lognormal(
                self.setup.seed,
                Purpose::ColdStart,
                u64::from(task),
                n,
                u64::from(median),
                sigma,
            ),
        }
    }
}
