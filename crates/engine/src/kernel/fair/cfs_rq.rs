//! cfs_rq: one group's fair queue on one CPU, in order of virtual run time.

use super::entity::{EntityId, SchedEntity};
use crate::kernel::fair::bandwidth::CfsRqBandwidth;

/// A waiting entity; its key and weight are copies, so that walks need not look it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Queued {
    /// Its virtual run time.
    pub vruntime: i64,
    /// Who it is; breaks ties.
    pub id: EntityId,
    /// Its load weight.
    pub weight: u64,
}

/// One group's queue on one CPU. The running entity is not in `queue`.
#[derive(Clone, Debug, Default)]
pub struct CfsRq {
    /// Waiting entities in order.
    pub queue: Vec<Queued>,
    /// The entity that runs from here.
    pub curr: Option<EntityId>,
    /// The entity schedule() came with, until it has chosen: one that is picked again at once goes
    /// on with its slice.
    pub prev: Option<EntityId>,
    /// Whoever shall run next, if it is near: it preempts, or one of its group has just gone to
    /// sleep (CFS).
    pub next: Option<EntityId>,
    /// Whoever was preempted on a long queue: it runs next if it is near and nobody else is to
    /// (CFS).
    pub last: Option<EntityId>,
    /// The running entity has yielded: it is passed over once if anybody else is near (CFS).
    pub skip: Option<EntityId>,
    /// Sum of the weights of what is queued, the running entity included.
    pub load: u64,
    /// Entities queued, the running one included.
    pub nr_queued: u32,
    /// Tasks in the hierarchy below, without those of throttled queues.
    pub h_nr_running: u32,
    /// Those of them that are SCHED_IDLE.
    pub idle_h_nr_running: u32,
    /// Never decreases.
    pub min_vruntime: i64,
    /// This group's own entity on its parent's queue.
    pub se: SchedEntity,
    /// Out of quota: nothing above counts what is queued here.
    pub throttled: bool,
    /// This group's bandwidth here.
    pub bandwidth: CfsRqBandwidth,
}

impl CfsRq {
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
