//! The fair clock of a task while the task is in another class, or gets another weight.
//!
//! While a task is not fair, CFS keeps its `vruntime` relative to its queue's `min_vruntime`,
//! because the queue goes on without it. A change takes the task off its queue and puts it back in
//! an instant, and also makes `vruntime` relative for that instant. The kind of change decides
//! whether the queue's minimum moves up meanwhile, and whether the task moves with it:
//!
//! | from | the queue's minimum moves up | the task moves with it |
//! | --- | --- | --- |
//! | before 2.6.33 | always | never: it does not count from there |
//! | 2.6.33 | unless only the task's CPUs change, which does not dequeue it | then |
//! | 4.9 (commit b60205c7c558) | except as in the next row: a slip | then |
//! | 4.19 (commit 9845c49cc9bb) | if sched_setscheduler() changes policy and priority | then |
//!
//! The last row was read in 6.1.192, the others are recalled.

use super::entity::EntityId;
use crate::ids::{CpuId, TaskId};
use crate::setup::Policy;
use crate::sim::Sim;

/// The state of a task before a change that the fair class needs.
#[derive(Clone, Debug)]
pub(crate) struct Before {
    fair: bool,
    queued: bool,
    prio: u8,
    policy: Policy,
    weight: u64,
    /// min_vruntime of its queue, while it still counted there, and of those above it.
    floors: Vec<i64>,
}

impl Before {
    /// DEQUEUE_MOVE of a change that leaves the task in the fair class: __sched_setscheduler()
    /// clears it where the priority stays, and set_user_nice(), which changes the nice value alone,
    /// never sets it.
    fn moves(&self, prio: u8, policy: Policy) -> bool {
        self.prio != prio && self.policy.is_idle_policy() != policy.is_idle_policy()
    }
}

impl Sim {
    /// Before a change of `task`, which is or was last on `rq`; the running task is charged up to
    /// now.
    pub(crate) fn before_change(&self, rq: CpuId, task: TaskId) -> Before {
        let state = self.task(task);
        let floors = if self.counts_from_floor() { self.floors(rq, task) } else { Vec::new() };
        let queued = state.on_rq;
        Before {
            fair: state.row().has_vruntime,
            queued,
            prio: state.prio,
            policy: state.policy,
            weight: self.fair_weight(task),
            floors,
        }
    }

    /// min_vruntime of the queues of `task` on `rq`, its own first.
    fn floors(&self, rq: CpuId, task: TaskId) -> Vec<i64> {
        let own = self.level_of(task);
        let levels = std::iter::successors(Some(own), |(_, group)| self.level_above(*group));
        levels.map(|(_, group)| self.cfs_rq(rq, group).min_vruntime).collect()
    }

    /// switched_from_fair(), switched_to_fair() and reweight_task(): the change is made, and `task`
    /// is off its queue.
    pub(crate) fn after_change(&mut self, rq: CpuId, task: TaskId, before: &Before) {
        let fair = self.task(task).row().has_vruntime;
        match (before.fair, fair) {
            (true, true) => {
                self.scale_lag(task, before.weight);
                self.stay_fair(rq, task, before);
            }
            (true, false) => {
                self.scale_idle_lag(task, before);
                self.leave_fair_class(rq, task, before);
            }
            (false, true) => self.join_fair_class(rq, task, before.queued),
            (false, false) => {}
        }
    }

    /// reweight_entity() for an entity off its queue. The lag is kept in virtual time, where a
    /// heavier task's lag is shorter (commit 147f3efaa241, 6.6); so is the rest of its request
    /// since 6.13 (commit 6d71a9c61604, recalled; in 6.12.117 that rest stays unscaled).
    fn scale_lag(&mut self, task: TaskId, old: u64) {
        let new = self.fair_weight(task);
        // On the one queue of all groups the enqueue scales it.
        if !self.is_eevdf() || self.flat || old == new {
            return;
        }
        let scaled = |ns: i64| (i128::from(ns) * i128::from(old) / i128::from(new)) as i64;
        let requests = self.kernel().scales_kept_requests();
        let se = &mut self.task_mut(task).se;
        se.vlag = scaled(se.vlag);
        if requests && se.rel_deadline {
            se.deadline = scaled(se.deadline);
        }
    }

    /// set_load_weight() of a task that leaves the fair class; at that point the task still belongs
    /// to it. A SCHED_IDLE task weighs from then on as its nice value says. The weight of a task in
    /// another class changes without an effect on its lag.
    fn scale_idle_lag(&mut self, task: TaskId, before: &Before) {
        if before.policy.is_idle_policy() {
            self.scale_lag(task, before.weight);
        }
    }

    /// dequeue_entity() and enqueue_entity() around a change within the class.
    fn stay_fair(&mut self, rq: CpuId, task: TaskId, before: &Before) {
        if !before.queued || !self.counts_from_floor() {
            return;
        }
        let (prio, policy) = (self.task(task).prio, self.task(task).policy);
        let moves = before.moves(prio, policy);
        let goes_along = if self.kernel().policy_change_moves_up() {
            before.policy != policy
        } else {
            moves == self.kernel().move_within_class_moves_up()
        };
        let group = self.level_of(task).1;
        if goes_along {
            let ahead =
                self.cfs_rq(rq, group).min_vruntime - before.floors.first().copied().unwrap_or(0);
            self.task_mut(task).se.vruntime += ahead;
            return;
        }
        let mut level = Some(group);
        for floor in &before.floors {
            let Some(group) = level else { break };
            self.cfs_rq_mut(rq, group).min_vruntime = *floor;
            level = self.level_above(group).map(|(_, above)| above);
        }
    }

    /// dequeue_entity() of one that does not sleep, and detach_task_cfs_rq() of one that does,
    /// which gets the credit of a sleeper first (commits 88ec22d3edb7 of 2.6.33 and da7a735e51f9 of
    /// 2.6.39, recalled; read in 6.1.192).
    fn leave_fair_class(&mut self, rq: CpuId, task: TaskId, before: &Before) {
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
        let floor = before.floors.first().copied().filter(|_| before.queued || self.has_run(task));
        self.task_mut(task).se.vruntime = place - floor.unwrap_or(0);
    }

    /// enqueue_entity() of one that was not fair, and attach_task_cfs_rq() of one that sleeps
    /// (commit 7855a35ac07a, 4.3, recalled; read in 6.1.192): before, that one's clock stayed as it
    /// was until it woke.
    fn join_fair_class(&mut self, rq: CpuId, task: TaskId, queued: bool) {
        let counts = queued || (self.has_run(task) && self.kernel().sleeper_joins_at_floor());
        if self.counts_from_floor() && counts {
            let floor = self.cfs_rq(rq, self.level_of(task).1).min_vruntime;
            self.task_mut(task).se.vruntime += floor;
        }
    }

    /// Whether the clock of a task that is not fair counts from its queue's: CFS of 2.6.33 to 6.5.
    pub(crate) fn counts_from_floor(&self) -> bool {
        !self.is_eevdf() && self.kernel().clock_counts_from_floor()
    }

    /// sum_exec_runtime of one that does not run is not 0.
    fn has_run(&self, task: TaskId) -> bool {
        self.task(task).last_ran > 0
    }
}
