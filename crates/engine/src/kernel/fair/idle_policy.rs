//! SCHED_IDLE: tasks of the fair class that give way to every SCHED_OTHER task, and CPUs that run
//! nothing else.
//!
//! | from | rule |
//! | --- | --- |
//! | 2.6.23 | the weight 2 and nothing more (recalled) |
//! | 2.6.29 | the weight 3; always preempted by others, never preempts them (commit 6bc912b71b6f) |
//! | 5.4 | a CPU of such tasks takes a wake-up where no idle one is found (commit 3c29e651e16d), since 5.6 as if it were idle (17346452b25b) |
//! | 5.16 | half a least granularity of credit for a sleeper, a shorter least slice (commits 2cae3948edd4, 51ce83ed523b, recalled) |
//! | 6.12 | policies are compared where the two tasks' groups meet (commit faa42d29419d) |
//!
//! Groups that are idle as a whole (cpu.idle) are not modelled.

use super::entity::EntityId;
use crate::ids::{CpuId, GroupId, TaskId};
use crate::sim::Sim;

impl Sim {
    /// task_has_idle_policy().
    pub(crate) fn has_idle_policy(&self, task: TaskId) -> bool {
        self.task(task).policy.is_idle_policy()
    }

    /// se_is_idle(): no group is.
    pub(super) fn se_is_idle(&self, id: EntityId) -> bool {
        matches!(id, EntityId::Task(task) if self.has_idle_policy(task))
    }

    /// Weight of such a task, with any nice value (WEIGHT_IDLEPRIO).
    pub(super) fn idle_weight(&self) -> u64 {
        if self.kernel().idle_policy_weighs_3() { 3 } else { 2 }
    }

    /// Whether `task`, woken, preempts `curr` by their policies alone; `None` = by their run times.
    /// `woken` and `running` are their entities where their groups meet.
    pub(super) fn idle_policy_preempts(
        &self,
        (task, woken): (TaskId, EntityId),
        (curr, running): (TaskId, EntityId),
    ) -> Option<bool> {
        if !self.kernel().idle_policy_gives_way() {
            return None;
        }
        let (woken_idle, running_idle) = if self.kernel().compares_policies_of_entities() {
            (self.se_is_idle(woken), self.se_is_idle(running))
        } else {
            (self.has_idle_policy(task), self.has_idle_policy(curr))
        };
        match (woken_idle, running_idle) {
            (false, true) => Some(true),
            (true, false) => Some(false),
            _ => self.has_idle_policy(task).then_some(false),
        }
    }

    /// Since 5.16 an idle entity among others has less: credit when it wakes, and slice.
    pub(super) fn cfs_idle_has_less(&self, id: EntityId) -> bool {
        self.kernel().idle_entity_has_less() && self.se_is_idle(id)
    }

    /// sched_idle_cfs_rq(): nothing else is queued on this queue itself.
    pub(super) fn only_idle_queued(&self, cpu: CpuId, group: GroupId) -> bool {
        let cfs = self.cfs_rq(cpu, group);
        let curr = cfs.curr.filter(|curr| self.se(cpu, *curr).on_rq);
        cfs.queue.iter().map(|entry| entry.id).chain(curr).all(|id| self.se_is_idle(id))
    }

    /// sched_idle_cpu(): all tasks of `cpu`, in every class, are SCHED_IDLE tasks, and there is at
    /// least one. The kernel has asked this since 5.4.
    pub(crate) fn sched_idle_cpu(&self, cpu: CpuId) -> bool {
        let rq = &self.rqs[cpu];
        rq.nr_running() > 0
            && rq.nr_running() == rq.cfs[GroupId::ROOT].idle_h_nr_running()
            && self.kernel().wakes_on_sched_idle_cpus()
    }

    /// A task has left: a CPU with nothing but such tasks left balances at once, and from then on
    /// as often as an idle one (commit 323af6deaf70, 5.6).
    pub(super) fn balance_early(&mut self, cpu: CpuId, was_sched_idle: bool) {
        if !was_sched_idle && self.balances_as_idle(cpu) {
            self.rqs[cpu].balance.next_balance = self.nohz.jiffies;
        }
    }

    /// Whether load balancing takes `cpu`, which is not idle, for an idle one.
    pub(crate) fn balances_as_idle(&self, cpu: CpuId) -> bool {
        self.kernel().balances_sched_idle_cpus_as_idle() && self.sched_idle_cpu(cpu)
    }
}
