//! One queue for the tasks of all groups (commit 85570f10a4c6, 7.3): only tasks are in order, all
//! on the root's queue, and one pick decides. The groups weigh them.
//!
//! ```text
//!   to 7.2:  root  [ task 3 ][ group 1 ]        7.3:  root  [ task 3 ][ task 4 ][ task 9 ]
//!              group 1  [ task 4 ][ task 9 ]            h_load   1024      512      512
//! ```
//! Every level keeps the weights and the number of what is queued on it, its quota and the entity
//! that runs from it (h_curr); the running task is that of the last level. A task's part of the
//! CPU (`h_load`) is what the root's queue weighs it with. It is made anew as the task joins, as it
//! becomes the running one, and at its ticks: one that waits keeps its own.

use super::Enqueue;
use super::entity::{EntityId, NICE_0_WEIGHT, SchedEntity};
use crate::ids::{CpuId, GroupId, TaskId};
use crate::kernel::config::Kernel;
use crate::sim::Sim;

/// Units of a whole weight in which parts are made (NICE_0_LOAD is 1024 of them for each).
const PARTS: u64 = 1024;
/// Least part, in these units, and least weight of a clock (MIN_SHARES, scale_load_down()).
const LEAST: u64 = 2;

impl Kernel {
    /// Whether tasks of all groups are on one queue: EEVDF, where a quota stops tasks one by one.
    pub fn has_flat_queue(&self) -> bool {
        self.flat_queue() && self.fair().is_eevdf() && self.bandwidth.per_task()
    }
}

impl Sim {
    /// The running entity that the queue of `group` on `cpu` has, as far as it is still queued.
    #[inline]
    pub(super) fn queue_curr(&self, cpu: CpuId, group: GroupId) -> Option<EntityId> {
        let curr = if self.flat { self.flat_curr(cpu) } else { self.cfs_rq(cpu, group).curr };
        curr.filter(|curr| self.se(cpu, *curr).on_rq)
    }

    /// The running task of the fair class, at the end of the entities that run.
    pub(crate) fn flat_curr(&self, cpu: CpuId) -> Option<EntityId> {
        let mut curr = self.cfs_rq(cpu, GroupId::ROOT).curr;
        while let Some(EntityId::Group(below)) = curr {
            curr = self.cfs_rq(cpu, below).curr;
        }
        curr
    }

    /// Entities on the queue of `group`, the running one included.
    #[inline]
    pub(crate) fn queued_on(&self, cpu: CpuId, group: GroupId) -> u32 {
        let cfs = self.cfs_rq(cpu, group);
        if self.flat { cfs.h_nr_running() } else { cfs.nr_queued() }
    }

    /// Whether the queue of `group` has more than one entity.
    #[inline]
    pub(super) fn is_contested(&self, cpu: CpuId, group: GroupId) -> bool {
        self.queued_on(cpu, group) > 1
    }

    /// Load weight of an entity on the queue of its own level.
    #[inline]
    pub(crate) fn load_weight(&self, cpu: CpuId, id: EntityId) -> u64 {
        match id {
            EntityId::Task(task) if self.flat => self.fair_weight(task),
            EntityId::Task(_) | EntityId::Group(_) => self.se(cpu, id).weight,
        }
    }

    /// __calc_prop_weight() of every level: the part of the CPU that belongs to a queued task,
    /// 1024 = that of a nice-0 task of the root group. The kernel's average of virtual run times
    /// keeps ten bits more of it, its clock does not.
    fn h_load(&self, cpu: CpuId, task: TaskId) -> u64 {
        let mut load = NICE_0_WEIGHT * PARTS;
        let mut level = Some(self.level_of(task));
        while let Some((id, group)) = level {
            level = self.level_above(group);
            let whole =
                if level.is_some() { self.cfs_rq(cpu, group).load() } else { NICE_0_WEIGHT };
            load = (load * self.load_weight(cpu, id) / whole).max(LEAST);
        }
        (load / PARTS).max(LEAST)
    }

    /// An entity is queued on its level from now on. A task's place on the queue comes later.
    pub(super) fn join_level(&mut self, cpu: CpuId, id: EntityId, weight: u64) {
        let se = self.se_mut(cpu, id);
        se.on_rq = true;
        if let EntityId::Group(_) = id {
            se.weight = weight;
        }
    }

    /// enqueue_task_fair() of a task that still runs: it is placed before the levels count it, with
    /// the weight it has.
    pub(super) fn place_running_flat(&mut self, cpu: CpuId, task: TaskId, how: Enqueue) {
        let id = EntityId::Task(task);
        if self.flat && self.flat_curr(cpu) == Some(id) {
            self.eevdf_place(cpu, GroupId::ROOT, id, how == Enqueue::New);
        }
    }

    /// enqueue_task_fair() after all levels have counted `task`: its part, and its place.
    pub(super) fn join_flat_queue(&mut self, cpu: CpuId, task: TaskId, how: Enqueue) {
        let id = EntityId::Task(task);
        if self.flat_curr(cpu) == Some(id) {
            return;
        }
        let weight = self.h_load(cpu, task);
        let se = &mut self.task_mut(task).se;
        let old = std::mem::replace(&mut se.weight, weight);
        let scaled = |ns: i64| (i128::from(ns) * i128::from(old) / i128::from(weight)) as i64;
        se.vlag = scaled(se.vlag);
        if se.rel_deadline {
            se.deadline = scaled(se.deadline);
        }
        self.eevdf_place(cpu, GroupId::ROOT, id, how == Enqueue::New);
        let placed = self.task(task).se;
        self.cfs_rq_mut(cpu, GroupId::ROOT).insert(id, &placed);
    }

    /// reweight_eevdf() of the running `task`, if its part has changed.
    pub(super) fn refresh_h_load(&mut self, cpu: CpuId, task: TaskId) {
        let old = self.task(task).se;
        if !self.flat || !old.on_rq {
            return;
        }
        let weight = self.h_load(cpu, task);
        if weight != old.weight {
            self.reweight_flat(cpu, task, &old, weight);
        }
    }

    fn reweight_flat(&mut self, cpu: CpuId, task: TaskId, old: &SchedEntity, weight: u64) {
        let id = EntityId::Task(task);
        let average = self.avg_vruntime(cpu, GroupId::ROOT);
        let lag = self.eevdf_lag(cpu, GroupId::ROOT, id);
        self.task_mut(task).se.weight = weight;
        self.eevdf_reweight((cpu, GroupId::ROOT), id, old, (average, lag));
        self.update_min_vruntime(cpu, GroupId::ROOT);
    }

    /// set_next_task_fair(): `task` leaves the queue to run, and every level knows what runs from
    /// it.
    pub(super) fn set_next_flat(&mut self, cpu: CpuId, task: TaskId, protects: bool) {
        let id = EntityId::Task(task);
        let se = self.task(task).se;
        let root = self.cfs_rq_mut(cpu, GroupId::ROOT);
        let goes_on = root.prev == Some(id);
        if se.on_rq {
            root.remove(id, se.vruntime);
        }
        let goes_on = goes_on || self.flat_curr(cpu) == Some(id);
        self.clear_buddies(cpu, id, GroupId::ROOT);
        let mut level = Some(self.level_of(task));
        while let Some((id, group)) = level {
            self.cfs_rq_mut(cpu, group).curr = Some(id);
            level = self.level_above(group);
        }
        if goes_on {
            return;
        }
        self.task_mut(task).se.ran = 0;
        self.refresh_h_load(cpu, task);
        if protects {
            self.set_protect_slice(cpu, GroupId::ROOT, id);
        }
    }
}

#[cfg(test)]
mod tests;
