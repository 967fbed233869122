//! cfs_rq: one group's fair queue on one CPU, in order of virtual run time.

use super::entity::{EntityId, SchedEntity};
use crate::kernel::fair::bandwidth::CfsRqBandwidth;

/// A waiting entity; its key and weight are copies, so that walks need not look it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Queued {
    /// The entity's virtual run time.
    pub vruntime: i64,
    /// The entity; breaks ties.
    pub id: EntityId,
    pub weight: u64,
}

/// Counts that every enqueue and dequeue updates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Sum of the weights of the queued entities, the running one included.
    pub load: u64,
    /// Entities queued, the running one included.
    pub nr_queued: u32,
    /// Tasks in the hierarchy below, without those of throttled queues.
    pub h_nr_running: u32,
    /// SCHED_IDLE tasks among `h_nr_running`.
    pub idle_h_nr_running: u32,
    /// Tasks among `h_nr_running` that sleep on their queue.
    pub h_nr_delayed: u32,
}

/// Tasks that join or leave the counts of a hierarchy together.
#[derive(Clone, Copy, Debug)]
pub struct Tasks {
    /// All of them.
    pub all: u32,
    /// Those of SCHED_IDLE.
    pub idle: u32,
    /// Those that sleep on their queue.
    pub delayed: u32,
}

/// One group's queue on one CPU. The running entity is not in `queue`.
#[derive(Clone, Debug, Default)]
pub struct CfsRq {
    /// Waiting entities in order.
    pub queue: Vec<Queued>,
    /// The entity that runs from here.
    pub curr: Option<EntityId>,
    /// The entity that schedule() began with, until the pick: if it is picked again at once, its
    /// slice goes on.
    pub prev: Option<EntityId>,
    /// The next buddy, which runs next if it is near: it preempts, or a task of its group has just
    /// gone to sleep (CFS).
    pub next: Option<EntityId>,
    /// The last buddy, which was preempted on a long queue: it runs next if it is near and there is
    /// no next buddy (CFS).
    pub last: Option<EntityId>,
    /// The running entity has yielded: the pick passes it over once if another entity is near
    /// (CFS).
    pub skip: Option<EntityId>,
    counts: Counts,
    /// Never decreases.
    pub min_vruntime: i64,
    /// This group's own entity on its parent's queue.
    pub se: SchedEntity,
    /// This group's bandwidth here.
    pub bandwidth: CfsRqBandwidth,
}

impl CfsRq {
    /// Sum of the weights of the queued entities, the running one included.
    #[inline]
    pub fn load(&self) -> u64 {
        self.counts.load
    }

    /// Entities queued, the running one included.
    #[inline]
    pub fn nr_queued(&self) -> u32 {
        self.counts.nr_queued
    }

    /// Tasks in the hierarchy below, without those of throttled queues.
    #[inline]
    pub fn h_nr_running(&self) -> u32 {
        self.counts.h_nr_running
    }

    /// SCHED_IDLE tasks among those of the hierarchy.
    #[inline]
    pub fn idle_h_nr_running(&self) -> u32 {
        self.counts.idle_h_nr_running
    }

    /// An entity of `weight` is queued.
    #[inline]
    pub(super) fn count_entity(&mut self, weight: u64) {
        self.add_load(weight);
        self.counts.nr_queued += 1;
    }

    /// An entity of `weight` is queued no more.
    #[inline]
    pub(super) fn uncount_entity(&mut self, weight: u64) {
        self.sub_load(weight);
        self.counts.nr_queued -= 1;
    }

    /// update_load_add(): adds `weight` to the queue's load.
    #[inline]
    pub(super) fn add_load(&mut self, weight: u64) {
        self.counts.load += weight;
    }

    /// update_load_sub(): takes `weight` off the queue's load.
    #[inline]
    pub(super) fn sub_load(&mut self, weight: u64) {
        self.counts.load -= weight;
    }

    /// The tasks of the hierarchy below.
    #[inline]
    pub(super) fn tasks(&self) -> Tasks {
        let Counts { h_nr_running, idle_h_nr_running, h_nr_delayed, .. } = self.counts;
        Tasks { all: h_nr_running, idle: idle_h_nr_running, delayed: h_nr_delayed }
    }

    /// Tasks in the hierarchy below that do not sleep.
    #[inline]
    pub(super) fn h_nr_runnable(&self) -> u32 {
        self.counts.h_nr_running - self.counts.h_nr_delayed
    }

    /// Tasks in the hierarchy below that sleep on their queue.
    #[inline]
    pub(crate) fn h_nr_delayed(&self) -> u32 {
        self.counts.h_nr_delayed
    }

    /// Adds tasks to the hierarchy below.
    #[inline]
    pub(super) fn count_tasks(&mut self, tasks: Tasks) {
        self.counts.h_nr_running += tasks.all;
        self.counts.idle_h_nr_running += tasks.idle;
        self.counts.h_nr_delayed += tasks.delayed;
    }

    /// Removes tasks from the hierarchy below.
    #[inline]
    pub(super) fn uncount_tasks(&mut self, tasks: Tasks) {
        self.counts.h_nr_running -= tasks.all;
        self.counts.idle_h_nr_running -= tasks.idle;
        self.counts.h_nr_delayed -= tasks.delayed;
    }

    /// A task of the hierarchy below goes to sleep on its queue (`sleeps`), or wakes there.
    #[inline]
    pub(super) fn count_delayed(&mut self, sleeps: bool) {
        if sleeps {
            self.counts.h_nr_delayed += 1;
        } else {
            self.counts.h_nr_delayed -= 1;
        }
    }

    /// The counts, for tests that damage them.
    #[cfg(test)]
    pub(crate) fn damaged(&mut self) -> &mut Counts {
        &mut self.counts
    }

    /// Adds a waiting entity.
    pub fn insert(&mut self, id: EntityId, se: &SchedEntity) {
        let entry = Queued { vruntime: se.vruntime, id, weight: se.weight };
        let at = self.queue.partition_point(|other| *other < entry);
        self.queue.insert(at, entry);
    }

    /// Takes a waiting entity out; whether it was there.
    pub fn remove(&mut self, id: EntityId, vruntime: i64) -> bool {
        let from = self.queue.partition_point(|other| other.vruntime < vruntime);
        let found = self.queue[from..]
            .iter()
            .take_while(|other| other.vruntime == vruntime)
            .position(|other| other.id == id);
        if let Some(at) = found {
            self.queue.remove(from + at);
        }
        found.is_some()
    }
}
