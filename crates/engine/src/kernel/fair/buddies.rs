//! The next and last buddies of CFS: the pick prefers them to the leftmost entity if they are at
//! most one wake-up granularity behind it (read in 6.1.192; from 2.6.39 on in this form, commit
//! 2f36825b176f, recalled; gone with EEVDF in 6.6).
//!
//! ```text
//!   a wake-up preempts ──► next = the woken task and the groups above it
//!                      └─► last = the preempted task and the groups above it, where its queue has 8 entities or more (LAST_BUDDY)
//!   a task sleeps, others of its group are left ──► next = that group and those above it
//! ```
//! EEVDF keeps the last rule for groups from 6.14 on. The feature NEXT_BUDDY, off by default, marks
//! every woken task. A mark goes when its entity is picked, dequeued, has used up its slice or
//! yields.

use super::Enqueue;
use super::entity::EntityId;
use crate::ids::{CpuId, GroupId, TaskId};
use crate::sim::Sim;

/// sched_nr_latency: a preempted task is marked on a queue of at least this many entities.
const NR_LATENCY: u32 = 8;

impl Sim {
    fn has_buddies(&self) -> bool {
        !self.is_eevdf() && self.kernel().has_buddies()
    }

    /// set_next_buddy(): from this level up, as long as entities are queued and not SCHED_IDLE.
    fn set_next_buddy(&mut self, cpu: CpuId, level: Option<(EntityId, GroupId)>) {
        self.mark(cpu, level, |sim, group, id| sim.cfs_rq_mut(cpu, group).next = Some(id));
    }

    /// set_last_buddy(): likewise.
    fn set_last_buddy(&mut self, cpu: CpuId, level: Option<(EntityId, GroupId)>) {
        self.mark(cpu, level, |sim, group, id| sim.cfs_rq_mut(cpu, group).last = Some(id));
    }

    fn mark(
        &mut self,
        cpu: CpuId,
        mut level: Option<(EntityId, GroupId)>,
        set: impl Fn(&mut Self, GroupId, EntityId),
    ) {
        while let Some((id, group)) =
            level.filter(|(id, _)| self.se(cpu, *id).on_rq && !self.se_is_idle(*id))
        {
            set(self, group, id);
            level = self.level_above(group);
        }
    }

    /// clear_buddies(): no mark is left on `id`, nor on the groups above it by which it was
    /// reached.
    pub(super) fn clear_buddies(&mut self, cpu: CpuId, id: EntityId, group: GroupId) {
        let clear = |sim: &mut Self, mark: fn(&mut super::CfsRq) -> &mut Option<EntityId>| {
            let mut level = Some((id, group));
            while let Some((_, group)) =
                level.filter(|(id, group)| *mark(sim.cfs_rq_mut(cpu, *group)) == Some(*id))
            {
                *mark(sim.cfs_rq_mut(cpu, group)) = None;
                level = sim.level_above(group);
            }
        };
        clear(self, |cfs| &mut cfs.next);
        clear(self, |cfs| &mut cfs.last);
        clear(self, |cfs| &mut cfs.skip);
    }

    /// The end of check_preempt_wakeup(): `curr` is to be preempted, because of its policy alone or
    /// because `task` is behind it in virtual time. `running` is its entity where their groups
    /// meet.
    pub(super) fn mark_preemption(
        &mut self,
        target: CpuId,
        (task, woken): (TaskId, EntityId),
        (curr, running): (TaskId, EntityId),
        idle: bool,
    ) {
        if !self.has_buddies() {
            return;
        }
        if !idle {
            let level =
                std::iter::successors(Some(self.level_of(task)), |level| self.level_above(level.1))
                    .find(|level| level.0 == woken);
            self.set_next_buddy(target, level);
        }
        let own = self.level_of(curr);
        let long = self.cfs_rq(target, own.1).nr_queued() >= NR_LATENCY;
        if long && (idle || running == own.0) {
            self.set_last_buddy(target, Some(own));
        }
        self.successor_may_change(target);
    }

    /// NEXT_BUDDY to 6.18: a task that wakes is marked even if it does not preempt, under CFS on a
    /// long queue.
    pub(super) fn mark_woken(&mut self, cpu: CpuId, task: TaskId, how: Enqueue) {
        let kernel = self.kernel();
        if !kernel.next_buddy() || how == Enqueue::New || !self.is_visible(cpu, task) {
            return;
        }
        let level = self.queued_level(task);
        let marks = if self.is_eevdf() {
            !kernel.has_wakeup_actions()
        } else {
            kernel.has_buddies() && self.cfs_rq(cpu, level.1).nr_queued() >= NR_LATENCY
        };
        if marks {
            self.set_next_buddy(cpu, Some(level));
        }
    }

    /// set_preempt_buddy(), NEXT_BUDDY from 6.19 on: the `woken` entity is marked unless the marked
    /// one has an earlier deadline. Returns whether it is marked.
    pub(super) fn mark_woken_if_first(
        &mut self,
        cpu: CpuId,
        group: GroupId,
        woken: EntityId,
    ) -> bool {
        let next = self.cfs_rq(cpu, group).next;
        let first = self.se(cpu, woken).deadline;
        let marks = self.kernel().next_buddy()
            && next.is_none_or(|next| self.se(cpu, next).deadline >= first);
        if marks {
            self.set_next_buddy(cpu, Some((woken, group)));
        }
        marks
    }

    /// set_short_buddy() of 7.3: the `woken` entity, which preempts by its shorter slice, is the
    /// next buddy unless the marked one has an even shorter slice.
    pub(super) fn mark_short(&mut self, cpu: CpuId, group: GroupId, woken: EntityId) {
        let next = self.cfs_rq(cpu, group).next;
        let own = self.eevdf_slice(cpu, woken);
        if next.is_none_or(|next| self.eevdf_slice(cpu, next) >= own) {
            self.set_next_buddy(cpu, Some((woken, group)));
        }
    }

    /// Whether EEVDF picks the next buddy: PICK_BUDDY, on since 6.14, before NEXT_BUDDY itself.
    fn eevdf_picks_buddies(&self) -> bool {
        self.is_eevdf() && (self.kernel().eevdf_has_buddies() || self.kernel().next_buddy())
    }

    /// dequeue_entities() of an entity that sleeps: the next is to be one of its group, which has
    /// not had its slice. `level` is the entity that has left. None is marked if the entity of a
    /// group above it stays.
    pub(super) fn mark_sleepers_group(&mut self, cpu: CpuId, level: (EntityId, GroupId)) {
        if self.flat || !self.has_buddies() && !self.eevdf_picks_buddies() {
            return;
        }
        let mut level = Some(level);
        while let Some((id, group)) = level {
            let cfs = self.cfs_rq(cpu, group);
            if cfs.bandwidth.dequeued() || self.se(cpu, id).delayed {
                return;
            }
            level = self.level_above(group);
            if cfs.nr_queued() > 0 {
                if !self.throttled_hierarchy(cpu, group) {
                    self.set_next_buddy(cpu, level);
                }
                return;
            }
        }
    }

    /// EEVDF's pick_next_entity(): the marked group, if it has had no more than its share.
    pub(super) fn eevdf_buddy(&self, cpu: CpuId, group: GroupId) -> Option<EntityId> {
        self.cfs_rq(cpu, group)
            .next
            .filter(|next| self.eevdf_picks_buddies() && self.eevdf_eligible(cpu, group, *next))
    }

    /// Whether `task` is a buddy on its queue, which makes it cache-hot for a CPU that has
    /// something to run (CACHE_HOT_BUDDY).
    pub(crate) fn is_buddy(&self, task: TaskId) -> bool {
        let (id, group) = self.queued_level(task);
        let cfs = self.cfs_rq(self.task(task).cpu, group);
        cfs.next == Some(id) || cfs.last == Some(id)
    }

    /// Counts a pick that only the last buddy's mark explains.
    pub(super) fn count_last_buddy(&mut self, cpu: CpuId, group: GroupId, picked: EntityId) {
        let cfs = self.cfs_rq(cpu, group);
        let leftmost =
            cfs.curr == Some(picked) || cfs.queue.first().is_none_or(|first| first.id == picked);
        let by_mark = cfs.last == Some(picked) && cfs.next != Some(picked) && !leftmost;
        self.ledger.last_buddies += u64::from(by_mark);
    }

    /// How often the last buddy was picked for its mark alone; no record shows that.
    pub fn last_buddies(&self) -> u64 {
        self.ledger.last_buddies
    }

    /// The second half of pick_next_entity(): a buddy in the place of `best`, if it is near to
    /// `left`, the leftmost.
    pub(super) fn nearest_buddy(
        &self,
        cpu: CpuId,
        group: GroupId,
        left: EntityId,
        best: EntityId,
    ) -> EntityId {
        let cfs = self.cfs_rq(cpu, group);
        let near =
            |buddy: &EntityId| !self.cfs_wakeup_preempts(self.se(cpu, *buddy), self.se(cpu, left));
        cfs.next.filter(near).or_else(|| cfs.last.filter(near)).unwrap_or(best)
    }
}

#[cfg(test)]
mod tests;
