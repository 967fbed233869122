//! A second reading of a wait: could the task have run on another CPU meanwhile?

use super::latency::Phase;
use crate::ids::{CpuId, TaskId};
use crate::kernel::core::task::Task;
use crate::sim::Sim;

impl Sim {
    pub(super) fn roam(&mut self, task: TaskId) {
        if self.roaming.is_empty() {
            let unread = self.running.take_unread();
            unread.iter().for_each(|cpu| _ = self.running.set(cpu, self.running_prio(cpu)));
        }
        if !self.roaming.contains(&task) {
            self.roaming.push(task);
        }
        self.watch_one(task);
    }

    pub(super) fn end_roaming(&mut self, task: TaskId) {
        self.roaming.retain(|other| *other != task);
        let now = self.now;
        if let Some(wake) = &mut self.tasks[task].wake {
            wake.avoidable_ns +=
                wake.avoidable_since.take().map_or(0, |since| now.saturating_sub(since));
        }
    }

    /// `cpu` has changed tasks: checks again which waits could have been avoided, for the tasks
    /// that this concerns.
    #[inline]
    pub(crate) fn watch_switch(&mut self, cpu: CpuId) {
        if self.roaming.is_empty() {
            self.running.put_off(cpu);
        } else {
            self.watch_switch_of(cpu);
        }
    }

    #[inline(never)]
    fn watch_switch_of(&mut self, cpu: CpuId) {
        let seen_by = self.running.set(cpu, self.running_prio(cpu));
        let all = std::mem::take(&mut self.roaming_moved);
        if all || !seen_by.is_empty() {
            self.watch_those(|prio| all || seen_by.contains(&prio));
        }
    }

    /// `task` comes to another CPU: if it waits on a run queue, the next switch looks at all that
    /// roam, if any do.
    #[inline]
    pub(crate) fn note_roaming_moved(&mut self, task: TaskId) {
        let wake = self.task(task).wake.as_ref();
        self.roaming_moved |= wake.is_some_and(|wake| wake.phase == Phase::Queued);
    }

    /// The priority of the task that `cpu` runs has changed; the caller also calls
    /// [`Self::watch_roaming`].
    pub(crate) fn note_running_prio(&mut self, cpu: CpuId) {
        if self.roaming.is_empty() {
            self.running.put_off(cpu);
        } else {
            self.running.set(cpu, self.running_prio(cpu));
        }
    }

    /// Something else than a switch has changed: look again at all that roam.
    pub(crate) fn watch_roaming(&mut self) {
        self.watch_those(|_| true);
    }

    fn watch_those(&mut self, whom: impl Fn(u8) -> bool) {
        for index in 0..self.roaming.len() {
            let task = self.roaming[index];
            if whom(self.task(task).prio) {
                self.watch_one(task);
            } else {
                debug_assert_eq!(
                    self.tasks[task].wake.as_ref().map(|wake| wake.avoidable_since.is_some()),
                    self.tasks[task].wake.as_ref().map(|_| self.could_run_elsewhere(task)),
                    "task {task}: nothing has changed for it"
                );
            }
        }
    }

    /// Priority of the task that `cpu` runs; `None` if it is idle.
    pub(crate) fn running_prio(&self, cpu: CpuId) -> Option<u8> {
        self.rqs[cpu].curr.map(|curr| self.task(curr).prio)
    }

    /// Whether a CPU other than its own that `task` may use is idle or runs something weaker.
    fn could_run_elsewhere(&self, task: TaskId) -> bool {
        let Task { prio, cpu, cpus, .. } = self.task(task);
        self.running.any_weaker(*prio, *cpu, cpus)
    }

    fn watch_one(&mut self, task: TaskId) {
        let elsewhere = self.could_run_elsewhere(task);
        let now = self.now;
        if let Some(wake) = &mut self.tasks[task].wake {
            match (wake.avoidable_since, elsewhere) {
                (None, true) => wake.avoidable_since = Some(now.max(wake.due)),
                (Some(since), false) => {
                    wake.avoidable_ns += now.saturating_sub(since);
                    wake.avoidable_since = None;
                }
                _ => {}
            }
        }
    }
}
