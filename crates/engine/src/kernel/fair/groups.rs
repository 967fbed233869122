//! Groups: the weight of a group on one CPU, the level where two tasks' groups meet, and taking a
//! group off its parent's queue.

use super::entity::{EntityId, WEIGHTS};
use super::{CfsRq, Enqueue};
use crate::ids::{CpuId, GroupId, TaskId};
use crate::kernel::config::CgroupMode;
use crate::sim::Sim;

/// Least weight of a group's entity (MIN_SHARES).
const MIN_SHARES: u64 = 2;

/// The state of one group that all CPUs share.
#[derive(Clone, Debug, Default)]
pub struct TaskGroup {
    /// Sum of `load` over its queues. The kernel averages it (PELT, half-life 32 ms); here it is
    /// the value of the moment (docs/model/fair-class.md#group-weights).
    load: i64,
}

impl TaskGroup {
    /// Sum of `load` over its queues.
    pub fn load(&self) -> i64 {
        self.load
    }

    /// The sum, for tests that damage it.
    #[cfg(test)]
    pub(crate) fn damaged_load(&mut self) -> &mut i64 {
        &mut self.load
    }
}

impl Sim {
    pub(super) fn add_group_load(&mut self, group: GroupId, by: i64) {
        self.groups[group].load += by;
    }

    /// calc_group_shares(): the group's shares, times what `kernel.cgroup_mode` says, in the
    /// proportion its load lies on this CPU; a task's own weight.
    pub(super) fn entity_weight(&self, cpu: CpuId, id: EntityId) -> u64 {
        let group = match id {
            EntityId::Task(task) => return self.fair_weight(task),
            EntityId::Group(group) => group,
        };
        let shares = u64::from(self.group_spec(group).weight);
        let cpus = || u64::from(self.setup.machine.topology.cpus());
        let (worth, most) = match self.kernel().cgroup_mode() {
            CgroupMode::Up => return shares.max(MIN_SHARES),
            CgroupMode::Smp => (shares, shares),
            CgroupMode::Concur => {
                let worth = shares * self.group_tasks(group).min(cpus());
                (worth, worth)
            }
            CgroupMode::Max => (shares * cpus(), u64::from(WEIGHTS[0])),
            CgroupMode::Tasks => {
                let worth = shares * self.group_tasks(group);
                (worth, worth)
            }
        };
        let all = self.groups[group].load.max(1) as u64;
        (worth * self.cfs_rq(cpu, group).load() / all).clamp(MIN_SHARES, most.max(MIN_SHARES))
    }

    /// tg_tasks(): runnable tasks of the group's hierarchy on all CPUs, at least 1. The kernel
    /// averages them (PELT) and rounds down; here it is their number of the moment.
    fn group_tasks(&self, group: GroupId) -> u64 {
        let runnable = |cfs: &CfsRq| u64::from(cfs.h_nr_runnable());
        self.rqs.iter().map(|rq| runnable(&rq.cfs[group])).sum::<u64>().max(1)
    }

    /// update_cfs_group(): a queued group entity gets its present weight; an empty group keeps its
    /// own.
    pub(super) fn reweight_group(&mut self, cpu: CpuId, id: EntityId, group: GroupId) {
        let EntityId::Group(below) = id else { return };
        if self.cfs_rq(cpu, below).load() == 0 {
            return;
        }
        let (old, weight) = (*self.se(cpu, id), self.entity_weight(cpu, id));
        if !old.on_rq || old.weight == weight {
            return;
        }
        if self.flat {
            self.se_mut(cpu, id).weight = weight;
            let cfs = self.cfs_rq_mut(cpu, group);
            cfs.sub_load(old.weight);
            cfs.add_load(weight);
            return self.add_group_load(group, weight as i64 - old.weight as i64);
        }
        let lag = if self.is_eevdf() { self.eevdf_lag(cpu, group, id) } else { 0 };
        let average = self.avg_vruntime(cpu, group);
        let cfs = self.cfs_rq_mut(cpu, group);
        let waits = cfs.remove(id, old.vruntime);
        cfs.sub_load(old.weight);
        if !waits {
            cfs.add_load(weight);
        }
        self.se_mut(cpu, id).weight = weight;
        if self.is_eevdf() {
            self.eevdf_reweight((cpu, group), id, &old, (average, lag));
        }
        if waits {
            let new = *self.se(cpu, id);
            let cfs = self.cfs_rq_mut(cpu, group);
            cfs.add_load(weight);
            cfs.insert(id, &new);
        }
        self.add_group_load(group, weight as i64 - old.weight as i64);
        self.update_min_vruntime(cpu, group);
    }

    /// update_cfs_group() from `group` upwards on the queue `rq`, whose lock is held; `cpu`
    /// executes.
    pub(crate) fn reweight_above(&mut self, cpu: CpuId, rq: CpuId, group: GroupId) {
        self.update_rq_clock(rq);
        self.charge_fair(cpu, rq);
        let mut level = self.level_above(group);
        while let Some((id, above)) = level {
            self.reweight_group(rq, id, above);
            level = self.level_above(above);
        }
    }

    /// find_matching_se(): the entities of two tasks on the queue where their groups meet; `None`
    /// if one holds the other's.
    pub(super) fn find_matching_se(
        &self,
        one: TaskId,
        other: TaskId,
    ) -> Option<(EntityId, EntityId, GroupId)> {
        let (mut one, mut other) = (self.queued_level(one), self.queued_level(other));
        let depth = |group: GroupId| {
            std::iter::successors(Some(group), |group| {
                self.level_above(*group).map(|level| level.1)
            })
            .count()
        };
        let (mut deep_one, mut deep_other) = (depth(one.1), depth(other.1));
        while one.1 != other.1 {
            if deep_one >= deep_other {
                one = self.level_above(one.1)?;
                deep_one -= 1;
            } else {
                other = self.level_above(other.1)?;
                deep_other -= 1;
            }
        }
        (one.0 != other.0).then_some((one.0, other.0, one.1))
    }

    /// Whether no queue from `task` up is throttled on `cpu`; where tasks stop one by one, whether
    /// it has not.
    pub(crate) fn is_visible(&self, cpu: CpuId, task: TaskId) -> bool {
        if self.kernel().bandwidth.per_task() {
            !self.task(task).throttled
        } else {
            !self.throttled_hierarchy(cpu, self.level_of(task).1)
        }
    }

    /// The queue of `group` on `cpu` has just been throttled: its entity leaves its parent's queue,
    /// and the queues above no longer count its tasks (the climb of throttle_cfs_rq(),
    /// docs/model/bandwidth.md#throttle).
    pub(crate) fn dequeue_group_entity(&mut self, cpu: CpuId, group: GroupId) {
        let below = self.cfs_rq(cpu, group);
        let tasks = below.tasks();
        let mut empty = true;
        let mut level = self.level_above(group);
        while let Some((id, above)) = level {
            if !self.se(cpu, id).on_rq {
                return;
            }
            if empty {
                self.dequeue_entity(cpu, above, id);
            } else {
                self.reweight_group(cpu, id, above);
            }
            let cfs = self.cfs_rq_mut(cpu, above);
            cfs.uncount_tasks(tasks);
            if cfs.bandwidth.dequeued() {
                return;
            }
            empty = empty && cfs.nr_queued() == 0;
            level = self.level_above(above);
        }
        self.fair_count_changed(cpu, -i64::from(tasks.all));
    }

    /// The queue of `group` on `cpu` may run again: its entity goes back, as a wake-up, up to the
    /// first queue that is throttled itself (the climb of unthrottle_cfs_rq()).
    pub(crate) fn enqueue_group_entity(&mut self, cpu: CpuId, group: GroupId) {
        let below = self.cfs_rq(cpu, group);
        let tasks = below.tasks();
        if self.cfs_rq(cpu, group).nr_queued() == 0 {
            return;
        }
        let mut level = self.level_above(group);
        while let Some((id, above)) = level {
            if self.se(cpu, id).delayed {
                self.dequeue_entity(cpu, above, id);
            }
            if self.se(cpu, id).on_rq {
                self.reweight_group(cpu, id, above);
            } else {
                self.enqueue_entity(cpu, above, id, Enqueue::Wakeup);
            }
            let cfs = self.cfs_rq_mut(cpu, above);
            cfs.count_tasks(tasks);
            if cfs.bandwidth.dequeued() {
                return;
            }
            level = self.level_above(above);
        }
        self.fair_count_changed(cpu, i64::from(tasks.all));
    }
}

#[cfg(test)]
mod tests;
