//! Delayed dequeue, 6.12 on (commit 152e11f6df29): a task that goes to sleep ahead of its share
//! stays on its queue, not runnable, until the others have caught up or it wakes. A short nap
//! therefore does not erase the task's lead.
//!
//! A group's entity stays likewise as the last task leaves the group's queue, except by throttling,
//! and keeps its weight (6.12 to 7.2).
//!
//! ```text
//!   the last entity leaves ──► not eligible: stays ──► picked: dequeued, the pick starts over
//!                                                └──► woken, or joined from below: requeued
//! ```

use super::entity::EntityId;
use crate::ids::{CpuId, GroupId, TaskId};
use crate::kernel::core::task::TaskState;
use crate::sim::Sim;

impl Sim {
    /// Whether entities that sleep may be queued: DELAY_DEQUEUE is on, or was.
    #[inline]
    pub(crate) fn may_have_delayed(&self) -> bool {
        self.had_delayed || self.kernel().delay_dequeue()
    }

    /// block_task(): the running `task` goes to sleep. Its run queue's lock is held.
    pub(crate) fn block_task(&mut self, cpu: CpuId, task: TaskId) {
        let sleeps =
            self.task(task).state == TaskState::Sleeping && self.task(task).row().has_vruntime;
        let level = self.level_of(task);
        if sleeps && self.delay_dequeue(cpu, level) {
            self.task_mut(task).on_rq = false;
            return;
        }
        self.dequeue_task(cpu, task);
        if self.task(task).row().has_vruntime {
            self.mark_sleepers_group(cpu, level);
        }
    }

    /// DELAY_DEQUEUE in dequeue_entity(): whether an entity that is about to leave stays, because
    /// it has had more than its share.
    fn delay_dequeue(&mut self, cpu: CpuId, (id, group): (EntityId, GroupId)) -> bool {
        let queue = self.queue_of(group);
        let stays = self.is_eevdf()
            && self.kernel().delay_dequeue()
            && !self.eevdf_eligible(cpu, queue, id);
        if stays {
            if self.kernel().delayed_lag_never_grows() {
                self.se_mut(cpu, id).vlag = self.eevdf_lag(cpu, queue, id);
            }
            self.set_delayed(cpu, (id, group));
            self.clear_buddies(cpu, id, queue);
        }
        stays
    }

    /// set_delayed(): the entity sleeps on its queue from now on.
    pub(crate) fn set_delayed(&mut self, cpu: CpuId, level: (EntityId, GroupId)) {
        self.se_mut(cpu, level.0).delayed = true;
        self.count_delayed(cpu, level, true);
    }

    /// The queues from a task up count it as one that sleeps there, or no longer. They count no
    /// groups so.
    fn count_delayed(&mut self, cpu: CpuId, (id, group): (EntityId, GroupId), sleeps: bool) {
        let mut level = matches!(id, EntityId::Task(_)).then_some(group);
        while let Some(group) = level {
            let cfs = self.cfs_rq_mut(cpu, group);
            cfs.count_delayed(sleeps);
            let goes_on = !cfs.bandwidth.dequeued();
            level = self.level_above(group).filter(|_| goes_on).map(|(_, above)| above);
        }
    }

    /// Whether the entity of a group that has just run empty stays.
    pub(super) fn delays_group(&mut self, cpu: CpuId, level: (EntityId, GroupId)) -> bool {
        matches!(level.0, EntityId::Group(_))
            && !self.flat
            && self.kernel().delays_groups()
            && !self.se(cpu, level.0).delayed
            && self.delay_dequeue(cpu, level)
    }

    /// Takes a delayed entity off its queue for good; the lag that it gained by waiting there is
    /// forfeit (DELAY_ZERO).
    pub(crate) fn finish_delayed_dequeue(&mut self, cpu: CpuId, level: (EntityId, GroupId)) {
        self.dequeue_entities(cpu, level, true);
        let se = self.se_mut(cpu, level.0);
        se.vlag = se.vlag.min(0);
    }

    /// requeue_delayed_entity(): a task wakes before it was taken off the queue, or a group has a
    /// task again. To 7.0 the entity is placed anew if its lag has become positive, from 7.1 on
    /// whenever its place does not show the lag that it is to have.
    pub(super) fn requeue_delayed(&mut self, cpu: CpuId, (id, level): (EntityId, GroupId)) {
        let group = self.queue_of(level);
        let (before, lag) = (*self.se(cpu, id), self.eevdf_lag(cpu, group, id));
        self.se_mut(cpu, id).delayed = false;
        self.count_delayed(cpu, (id, level), false);
        let moves = if self.kernel().delayed_lag_never_grows() {
            self.avg_vruntime(cpu, group) - lag != before.vruntime
        } else {
            lag > 0
        };
        if !moves {
            return;
        }
        let waits = self.cfs_rq_mut(cpu, group).remove(id, before.vruntime);
        let se = self.se_mut(cpu, id);
        (se.vlag, se.on_rq) = (lag.min(0), false);
        let weight = self.load_weight(cpu, id);
        self.cfs_rq_mut(cpu, level).sub_load(weight);
        self.eevdf_place(cpu, group, id, false);
        self.se_mut(cpu, id).on_rq = true;
        let placed = *self.se(cpu, id);
        self.cfs_rq_mut(cpu, level).add_load(weight);
        if waits {
            self.cfs_rq_mut(cpu, group).insert(id, &placed);
        }
    }
}

#[cfg(test)]
mod tests;
