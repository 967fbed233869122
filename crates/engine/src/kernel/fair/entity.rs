//! An entity that the fair class queues: a task, or a group's share of one CPU. Both have one kind
//! of clock.

use super::CfsRq;
use crate::ids::{CpuId, GroupId, Id, TaskId};
use crate::setup::{GroupSpec, Policy};
use crate::sim::Sim;

pub const NICE_0_WEIGHT: u64 = 1024;
/// Weight per nice level, -20 first: each step is about 1.25 (the kernel's sched_prio_to_weight,
/// docs/model/fair-class.md#weights).
pub(crate) const WEIGHTS: [u32; 40] = [
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904,
    3906, 3121, 2501, 1991, 1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87,
    70, 56, 45, 36, 29, 23, 18, 15,
];

/// An entity of one CPU's fair queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntityId {
    Task(TaskId),
    /// A group on that CPU, as its parent's queue sees it.
    Group(GroupId),
}

/// sched_entity: the clock of a task or of a group on one CPU (docs/model/fair-class.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchedEntity {
    /// Virtual run time, ns at nice 0. CFS keeps a sleeping task's distance from its queue when it
    /// changes CPUs, EEVDF its lag.
    pub vruntime: i64,
    /// EEVDF: virtual deadline of the present request.
    pub deadline: i64,
    /// EEVDF from 6.12 on: it left its queue awake, and `deadline` counts from its vruntime until
    /// it is placed again.
    pub rel_deadline: bool,
    /// EEVDF: how far it was behind (positive) or ahead of its queue's average when it left.
    pub vlag: i64,
    /// EEVDF: the end of its protection (RUN_TO_PARITY): to 6.16 the deadline it was picked with,
    /// since 6.17 the virtual run time up to which it is protected.
    pub vprot: i64,
    /// Load weight it is queued with, 1024 = nice 0; of a task on the one queue of all groups its
    /// part of that queue (h_load).
    pub weight: u64,
    /// EEVDF from 6.12 on: the slice a group asks for, ns; `None` until something was queued in it.
    pub slice: Option<u64>,
    /// Run since it was picked, ns.
    pub ran: u64,
    /// On a queue, or running from it.
    pub on_rq: bool,
    /// EEVDF from 6.12 on: asleep, but queued until it has run off its lag (sched_delayed).
    pub delayed: bool,
}

impl Default for SchedEntity {
    fn default() -> Self {
        Self {
            vruntime: 0,
            deadline: 0,
            rel_deadline: false,
            vlag: 0,
            vprot: 0,
            weight: NICE_0_WEIGHT,
            slice: None,
            ran: 0,
            on_rq: false,
            delayed: false,
        }
    }
}

impl SchedEntity {
    /// calc_delta_fair(): ns of run time as virtual time.
    pub fn virtual_ns(&self, ns: u64) -> i64 {
        (ns * NICE_0_WEIGHT / self.weight) as i64
    }
}

impl Sim {
    /// Load weight of a fair task, by its nice value.
    pub(crate) fn fair_weight(&self, task: TaskId) -> u64 {
        match self.task(task).policy {
            Policy::Fair { nice } => u64::from(WEIGHTS[(i16::from(nice) + 20) as usize]),
            Policy::Idle => self.idle_weight(),
            Policy::Fifo { .. } | Policy::RoundRobin { .. } => NICE_0_WEIGHT,
        }
    }

    pub(crate) fn se(&self, cpu: CpuId, id: EntityId) -> &SchedEntity {
        match id {
            EntityId::Task(task) => &self.tasks[task].se,
            EntityId::Group(group) => &self.rqs[cpu].cfs[group].se,
        }
    }

    pub(crate) fn se_mut(&mut self, cpu: CpuId, id: EntityId) -> &mut SchedEntity {
        match id {
            EntityId::Task(task) => &mut self.tasks[task].se,
            EntityId::Group(group) => &mut self.rqs[cpu].cfs[group].se,
        }
    }

    pub(crate) fn cfs_rq(&self, cpu: CpuId, group: GroupId) -> &CfsRq {
        &self.rqs[cpu].cfs[group]
    }

    pub(crate) fn cfs_rq_mut(&mut self, cpu: CpuId, group: GroupId) -> &mut CfsRq {
        &mut self.rqs[cpu].cfs[group]
    }

    pub(crate) fn task_group(&self, task: TaskId) -> GroupId {
        GroupId::new(self.task_spec(task).group)
    }

    pub(crate) fn group_spec(&self, group: GroupId) -> &GroupSpec {
        &self.setup.groups[group.place()]
    }

    /// The group right above `group`; above the root is the root.
    pub(crate) fn parent(&self, group: GroupId) -> GroupId {
        GroupId::new(self.group_spec(group).parent)
    }

    /// A task's own level: itself, on its group's queue.
    pub(crate) fn level_of(&self, task: TaskId) -> (EntityId, GroupId) {
        (EntityId::Task(task), self.task_group(task))
    }

    /// The queue where `group`'s own entities wait: its own one, or the root's for all groups.
    pub(crate) fn queue_of(&self, group: GroupId) -> GroupId {
        if self.flat { GroupId::ROOT } else { group }
    }

    /// A task, and the queue where it waits.
    pub(crate) fn queued_level(&self, task: TaskId) -> (EntityId, GroupId) {
        (EntityId::Task(task), self.queue_of(self.task_group(task)))
    }

    /// The level above `group`: its entity, on its parent's queue. The root group has none.
    pub(crate) fn level_above(&self, group: GroupId) -> Option<(EntityId, GroupId)> {
        (group != GroupId::ROOT).then(|| (EntityId::Group(group), self.parent(group)))
    }
}
