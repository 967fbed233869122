//! What a task's fair clock becomes while it is of another class, and with another weight.
//!
//! Under CFS `vruntime` counts from its queue's `min_vruntime` as long as the task is not fair: the queue goes on without it.

use super::entity::EntityId;
use crate::kernel::config::Version;
use crate::sim::Sim;

/// What a task was before a change, as far as the fair class minds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    fair: bool,
    queued: bool,
    weight: u64,
    /// min_vruntime of its queue, while it still counted there.
    floor: i64,
}

impl Sim {
    /// Before a change of `task`, which is or was last on `rq`; the running task is charged up to now.
    pub(crate) fn before_change(&self, rq: u32, task: u32) -> Before {
        let state = self.task(task);
        let floor = self.cfs_rq(rq, self.level_of(task).1).min_vruntime;
        Before { fair: !state.is_rt(), queued: state.on_rq, weight: self.fair_weight(task), floor }
    }

    /// switched_from_fair(), switched_to_fair() and reweight_task(): the change is made, and `task` is off its queue.
    pub(crate) fn after_change(&mut self, rq: u32, task: u32, before: Before) {
        let fair = !self.task(task).is_rt();
        match (before.fair, fair) {
            (true, true) => self.scale_lag(task, before.weight),
            (true, false) => self.leave_fair_class(rq, task, before),
            (false, true) => self.join_fair_class(rq, task, before.queued),
            (false, false) => {}
        }
    }

    /// reweight_entity() off its queue: the lag is kept in virtual time, in which a heavier task's is shorter (commit 147f3efaa241, 6.6).
    fn scale_lag(&mut self, task: u32, old: u64) {
        let new = self.fair_weight(task);
        if self.is_eevdf() && old != new {
            let se = &mut self.task_mut(task).se;
            se.vlag = (i128::from(se.vlag) * i128::from(old) / i128::from(new)) as i64;
        }
    }

    /// dequeue_entity() of one that does not sleep, and detach_task_cfs_rq() of one that does, which gets the credit of a sleeper first
    /// (commits 88ec22d3edb7 of 2.6.33 and da7a735e51f9 of 2.6.39, recalled; read in 6.1.192).
    fn leave_fair_class(&mut self, rq: u32, task: u32, before: Before) {
        if !self.counts_from_floor() {
            return;
        }
        let group = self.level_of(task).1;
        let place = if before.queued || !self.has_run(task) {
            self.task(task).se.vruntime
        } else {
            self.cfs_place(rq, group, EntityId::Task(task), false)
        };
        // One that never ran counts from the floor already: it is new.
        let floor = if before.queued || self.has_run(task) { before.floor } else { 0 };
        self.task_mut(task).se.vruntime = place - floor;
    }

    /// enqueue_entity() of one that was not fair, and attach_task_cfs_rq() of one that sleeps (commit 7855a35ac07a, 4.4, recalled; read in
    /// 6.1.192): before, that one's clock stayed as it was until it woke.
    fn join_fair_class(&mut self, rq: u32, task: u32, queued: bool) {
        let counts = queued || (self.has_run(task) && self.kernel().version >= Version::V4_15);
        if self.counts_from_floor() && counts {
            let floor = self.cfs_rq(rq, self.level_of(task).1).min_vruntime;
            self.task_mut(task).se.vruntime += floor;
        }
    }

    /// Whether the clock of a task that is not fair counts from its queue's: CFS of 2.6.33 to 6.5.
    pub(crate) fn counts_from_floor(&self) -> bool {
        !self.is_eevdf() && self.kernel().version >= Version::V3_2
    }

    /// sum_exec_runtime of one that does not run is not 0.
    fn has_run(&self, task: u32) -> bool {
        self.task(task).last_ran > 0
    }
}
