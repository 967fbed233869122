//! A second reading of a wait: could the task have run on another CPU meanwhile?

use crate::ids::{CpuId, TaskId};
use crate::sim::Sim;

impl Sim {
    pub(super) fn roam(&mut self, task: TaskId) {
        if !self.roaming.contains(&task) {
            self.roaming.push(task);
        }
        self.watch_one(task, self.weakest_two());
    }

    pub(super) fn end_roaming(&mut self, task: TaskId) {
        self.roaming.retain(|other| *other != task);
        let now = self.now;
        if let Some(wake) = &mut self.tasks[task].wake {
            wake.avoidable_ns +=
                wake.avoidable_since.take().map_or(0, |since| now.saturating_sub(since));
        }
    }

    /// Some CPU has changed tasks: look again whether the waiting could have been avoided.
    pub(crate) fn watch_roaming(&mut self) {
        if self.roaming.is_empty() {
            return;
        }
        let weakest = self.weakest_two();
        for index in 0..self.roaming.len() {
            self.watch_one(self.roaming[index], weakest);
        }
    }

    /// Priority of what `cpu` runs; an idle CPU runs something weaker than every task.
    fn running_prio(&self, cpu: CpuId) -> u8 {
        self.rqs[cpu].curr.map_or(u8::MAX, |curr| self.task(curr).prio)
    }

    /// The two CPUs that run the weakest work and its priority, weakest first; a CPU that does not
    /// exist runs prio 0.
    fn weakest_two(&self) -> [(u8, CpuId); 2] {
        let mut two = [(0, CpuId::new(u32::MAX)); 2];
        for cpu in self.setup.machine.topology.cpu_ids() {
            let prio = self.running_prio(cpu);
            if prio > two[0].0 {
                two = [(prio, cpu), two[0]];
            } else if prio > two[1].0 {
                two[1] = (prio, cpu);
            }
        }
        two
    }

    /// Whether a CPU other than its own that `task` may use is idle or runs something weaker.
    /// Thousands may wait on a thousand CPUs, and this is asked at every switch: `weakest` answers
    /// nearly always, without a walk over the task's CPUs.
    fn could_run_elsewhere(&self, task: TaskId, weakest: [(u8, CpuId); 2]) -> bool {
        let (prio, own) = (self.task(task).prio, self.task(task).cpu);
        let allowed = &self.task(task).cpus;
        let serves = |(running, cpu): (u8, CpuId)| running > prio && cpu != own && allowed.has(cpu);
        let walk = || allowed.iter().any(|cpu| serves((self.running_prio(cpu), cpu)));
        let more_may = weakest[1].0 > prio;
        let could = weakest.into_iter().any(serves) || (more_may && walk());
        debug_assert_eq!(could, walk(), "task {task}: the short answer is the walk's");
        could
    }

    fn watch_one(&mut self, task: TaskId, weakest: [(u8, CpuId); 2]) {
        let elsewhere = self.could_run_elsewhere(task, weakest);
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
