//! Delayed dequeue, 6.12 on (commit 152e11f6df29): a task that goes to sleep ahead of its share
//! stays on its queue, not runnable, until the others have caught up or it wakes. A short nap
//! therefore does not erase the task's lead.
//!
//! The kernel delays the entities of emptied groups too; here only tasks stay
//! (docs/develop/decisions/0012-fair-class.md).

use super::entity::EntityId;
use crate::ids::{CpuId, TaskId};
use crate::kernel::core::task::TaskState;
use crate::sim::Sim;

impl Sim {
    /// block_task(): the running `task` goes to sleep. Its run queue's lock is held.
    pub(crate) fn block_task(&mut self, cpu: CpuId, task: TaskId) {
        let sleeps =
            self.task(task).state == TaskState::Sleeping && self.task(task).row().has_vruntime;
        let (id, group) = self.level_of(task);
        if sleeps
            && self.is_eevdf()
            && self.kernel().delay_dequeue
            && !self.eevdf_eligible(cpu, group, id)
        {
            if self.kernel().delayed_lag_never_grows() {
                self.task_mut(task).se.vlag = self.eevdf_lag(cpu, group, id);
            }
            self.task_mut(task).on_rq = false;
            self.task_mut(task).se.delayed = true;
            return;
        }
        self.dequeue_task(cpu, task);
        if self.task(task).row().has_vruntime {
            self.mark_sleepers_group(cpu, task);
        }
    }

    /// Takes a sleeping task off its queue for good; the lag that it gained by waiting there is
    /// forfeit (DELAY_ZERO).
    pub(crate) fn finish_delayed_dequeue(&mut self, cpu: CpuId, task: TaskId) {
        self.dequeue_fair(cpu, task);
        let se = &mut self.task_mut(task).se;
        se.vlag = se.vlag.min(0);
    }

    /// requeue_delayed_entity(): the task wakes before it was taken off the queue. To 7.0 it is
    /// placed anew if its lag has become positive, from 7.1 on whenever its place does not show the
    /// lag that it is to have.
    pub(super) fn requeue_delayed(&mut self, cpu: CpuId, task: TaskId) {
        let (id, group) = self.level_of(task);
        let (before, lag) = (*self.se(cpu, id), self.eevdf_lag(cpu, group, id));
        self.task_mut(task).se.delayed = false;
        let moves = if self.kernel().delayed_lag_never_grows() {
            self.avg_vruntime(cpu, group) - lag != before.vruntime
        } else {
            lag > 0
        };
        if !moves {
            return;
        }
        let waits = self.cfs_rq_mut(cpu, group).remove(id, before.vruntime);
        self.task_mut(task).se.vlag = lag.min(0);
        self.task_mut(task).se.on_rq = false;
        let weight = before.weight;
        self.cfs_rq_mut(cpu, group).sub_load(weight);
        self.eevdf_place(cpu, group, id, false);
        self.task_mut(task).se.on_rq = true;
        let placed = *self.se(cpu, id);
        let cfs = self.cfs_rq_mut(cpu, group);
        cfs.add_load(weight);
        if waits {
            cfs.insert(EntityId::Task(task), &placed);
        }
    }
}

#[cfg(test)]
mod tests;
