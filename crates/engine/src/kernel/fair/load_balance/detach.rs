//! detach_tasks() and attach_tasks(): move tasks from one queue to another with one lock at a time.
//! In between a task is on no queue (TASK_ON_RQ_MIGRATING), but on the list of the CPU that moves
//! it.

use super::busiest::Imbalance;
use super::{CpuIdle, nice_tries};
use crate::ids::{CpuId, TaskId};
use crate::kernel::fair::sched_domains::{LEVELS, LLC, MIGRATION_COST_NS};
use crate::kernel::fair::{Enqueue, EntityId};
use crate::kernel::frame::Flow;
use crate::machine::spinlock::LockId;
use crate::machine::topology::Distance;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// Putting detached tasks onto run queue `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attach {
    to: CpuId,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Locked,
    Next,
    Put { task: TaskId },
}

impl Attach {
    /// About to take the lock of `to`; interrupts are off and no other run queue's lock is held.
    pub fn new(to: CpuId) -> Self {
        Self { to, step: Step::Start }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::Start => {
                self.step = Step::Locked;
                Flow::Lock(LockId::rq(self.to))
            }
            Step::Locked => {
                sim.update_rq_clock(self.to);
                self.step = Step::Next;
                Flow::Again
            }
            Step::Next => {
                let Some(task) = sim.cpu(cpu).detached.pop() else {
                    sim.unlock(cpu, LockId::rq(self.to));
                    return Flow::Done;
                };
                sim.cpu(cpu).detached.push(task);
                self.step = Step::Put { task };
                let from = sim.task(task).migrating.unwrap_or(self.to);
                Flow::Spend(sim.half_move_ns(cpu, from, self.to))
            }
            Step::Put { task } => {
                sim.attach_task(cpu, task, self.to);
                self.step = Step::Next;
                Flow::Again
            }
        }
    }
}

impl Sim {
    /// Half of the time that `cpu` takes to move one task, ns: each half is spent under another
    /// lock.
    pub(crate) fn half_move_ns(&self, cpu: CpuId, from: CpuId, to: CpuId) -> u64 {
        let costs = &self.setup.machine.costs;
        let near = self.setup.machine.topology.distance(from, to) != Distance::Cross;
        self.cost(cpu, if near { costs.pull_llc_ns } else { costs.pull_cross_ns }) / 2
    }

    /// Load weight of a task as the root queue sees it, through the weights of its groups
    /// (task_h_load).
    pub(crate) fn task_h_load(&self, task: TaskId) -> u64 {
        let cpu = self.task(task).cpu;
        let mut level = self.level_of(task);
        let mut load = u128::from(self.load_weight(cpu, level.0));
        while let Some(above) = self.level_above(level.1) {
            load = load * u128::from(self.se(cpu, above.0).weight)
                / u128::from(self.cfs_rq(cpu, level.1).load().max(1));
            level = above;
        }
        (load as u64).max(1)
    }

    /// The part of an imbalance that moving `task` removes.
    pub(super) fn moved_amount(&self, task: TaskId, by_load: bool) -> i64 {
        if by_load { self.task_h_load(task) as i64 } else { 1 }
    }

    /// The fair tasks on the queues of `source`, without the one that runs.
    fn queued_fair(&self, source: CpuId) -> impl Iterator<Item = TaskId> {
        let queues = self.rqs[source].cfs.iter().flat_map(|cfs| &cfs.queue);
        queues
            .filter_map(|entry| if let EntityId::Task(task) = entry.id { Some(task) } else { None })
    }

    pub(super) fn waiting_fair(&self, source: CpuId) -> impl Iterator<Item = TaskId> {
        self.queued_fair(source).filter(|task| !self.task(*task).se.delayed)
    }

    /// The fair task that runs on `source`.
    fn running_fair(&self, source: CpuId) -> Option<TaskId> {
        let curr = self.rqs[source].curr;
        curr.filter(|curr| self.task(*curr).row().is_load_balanced && self.task(*curr).on_rq)
    }

    /// The fair tasks of `source`: those that run, wait, or sleep on a queue.
    pub(super) fn fair_tasks(&self, source: CpuId) -> impl Iterator<Item = TaskId> {
        self.queued_fair(source).chain(self.running_fair(source))
    }

    /// The task that has waited longest, among those for which `fits` is true: the tail of the
    /// kernel's list (cfs_tasks).
    fn longest_waiting(&self, source: CpuId, fits: impl Fn(TaskId) -> bool) -> Option<TaskId> {
        self.waiting_fair(source)
            .filter(|task| fits(*task))
            .min_by_key(|task| (self.task(*task).stats.since, *task))
    }

    /// throttled_lb_pair(): whether bandwidth control keeps `task` where it is: a throttled queue
    /// at either end, and from 6.18 on, where tasks stop one by one, at the far end only
    /// (docs/model/bandwidth.md#nested-quotas).
    fn is_kept(&self, task: TaskId, to: CpuId) -> bool {
        let throttled = |cpu| self.throttled_hierarchy(cpu, self.level_of(task).1);
        throttled(to) || (!self.kernel().bandwidth.per_task() && throttled(self.task(task).cpu))
    }

    /// Whether affinity and bandwidth control let `task` go from its queue to `to`
    /// (can_migrate_task).
    pub(super) fn may_go(&self, task: TaskId, to: CpuId) -> bool {
        let state = self.task(task);
        state.movable && state.cpus.has(to) && !self.is_kept(task, to)
    }

    /// Whether some fair task of `source`, the running one included, may come to `to`; whether some
    /// may not because of affinity. Tasks that bandwidth control keeps there count as neither.
    pub(super) fn who_may_come(&self, source: CpuId, to: CpuId) -> (bool, bool) {
        let runs = self.running_fair(source);
        let mut who = (false, false);
        for task in self.waiting_fair(source).chain(runs).filter(|task| !self.is_kept(*task, to)) {
            let may = self.may_go(task, to);
            who = (who.0 || may, who.1 || !may);
        }
        who
    }

    /// The next task to take from the busiest queue: the one that has waited for longest; cache-hot
    /// ones only after failures; of load no more than is left to move. The pass is over domain
    /// `level` and has `failed` so often.
    pub(super) fn detachable(
        &self,
        to: CpuId,
        found: &Imbalance,
        idle: CpuIdle,
        (level, failed): (usize, u32),
        moved: u8,
    ) -> Option<TaskId> {
        let source = &self.rqs[found.busiest];
        // sysctl_sched_nr_migrate.
        let most = if self.kernel().preempt().is_rt() { 8 } else { 32 };
        let last = idle != CpuIdle::NotIdle && source.nr_running() <= 1;
        if moved >= most || found.amount <= 0 || last {
            return None;
        }
        // task_hot(): SCHED_IDLE tasks never are, nor is a task on its way to another thread of its
        // core, which has the same caches.
        let recent = |task: TaskId| {
            self.now - self.task(task).last_ran < MIGRATION_COST_NS && self.task(task).last_ran > 0
        };
        let buddy = |task: TaskId| self.rqs[to].nr_running() > 0 && self.is_buddy(task);
        let near = self.setup.machine.topology.share_core(found.busiest, to);
        let hot =
            |task: TaskId| !near && (buddy(task) || recent(task)) && !self.has_idle_policy(task);
        self.longest_waiting(found.busiest, |task| {
            let load = self.moved_amount(task, found.by_load) >> failed.min(16);
            load <= found.amount
                && self.may_go(task, to)
                && !self.stays_for_home(task, to, (level, failed), found.to_home)
                && (failed > nice_tries(LLC) || !hot(task))
        })
    }

    /// The task that an active balance takes from `source`: any that may go, hot or not; `to_home`:
    /// only one that prefers the cache of `to`.
    pub(crate) fn active_candidate(
        &self,
        source: CpuId,
        to: CpuId,
        to_home: bool,
    ) -> Option<TaskId> {
        self.longest_waiting(source, |task| {
            self.may_go(task, to) && (!to_home || self.prefers_llc(task, to))
        })
    }

    /// An active balance has brought `to` a task from `source`: their lowest common domain has
    /// failed no more.
    pub(crate) fn active_balance_done(&mut self, source: CpuId, to: CpuId) {
        let level = (0..LEVELS).find(|level| self.domain_at(to, *level).contains(source));
        self.rqs[to].balance.domains[level.unwrap_or(LEVELS - 1)].failed = 0;
    }

    /// detach_task(): `task` leaves its queue, whose lock is held, for that of `to`, whose lock is
    /// not.
    pub(crate) fn detach_task(&mut self, cpu: CpuId, task: TaskId, to: CpuId) {
        let from = self.task(task).cpu;
        let held = self.holds(cpu, LockId::rq(from));
        self.law(held, || format!("cpu {cpu} detaches task {task} without the lock of cpu {from}"));
        self.update_fair_curr(cpu, from, task);
        self.dequeue_task(from, task);
        self.task_mut(task).migrating = Some(from);
        self.set_task_cpu(cpu, task, to);
        // Under CFS its distance from `to`'s virtual time, which goes on until it is there.
        self.shift_vruntime(task, -1);
        self.cpu(cpu).detached.push(task);
    }

    /// attach_task(): onto the queue of `to`, whose lock is held.
    pub(crate) fn attach_task(&mut self, cpu: CpuId, task: TaskId, to: CpuId) {
        let held = self.holds(cpu, LockId::rq(to));
        self.law(held, || format!("cpu {cpu} attaches task {task} without the lock of cpu {to}"));
        self.cpu(cpu).detached.retain(|other| *other != task);
        let from = self.task_mut(task).migrating.take().unwrap_or(to);
        self.update_fair_curr(cpu, to, task);
        self.shift_vruntime(task, 1);
        self.enqueue_task(to, task, Enqueue::Moved);
        self.ledger.pulls += 1;
        self.wake_moved(task, to);
        self.emit(Kind::PullOk, cpu, task.raw(), from.raw());
        self.check_preempt_curr(cpu, to, task, Enqueue::Moved);
    }

    fn shift_vruntime(&mut self, task: TaskId, sign: i64) {
        let min = self.cfs_rq(self.task(task).cpu, self.level_of(task).1).min_vruntime;
        self.task_mut(task).se.vruntime += sign * min;
    }
}
