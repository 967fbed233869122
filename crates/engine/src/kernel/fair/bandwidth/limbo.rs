//! throttle_cfs_rq_work(): a task whose group has no quota stops on its way to user code, and only
//! there (commit e1fad12dcb66, 6.18 on; docs/model/bandwidth.md#throttling-by-task).
//!
//! ```text
//!   picked without quota ─► goes on in the kernel, with its locks ─► about to return to user code ─► limbo ─► enqueued by unthrottling
//! ```
//! A throttled queue stays on its CPU; only its tasks leave the queue, one by one.

use super::Work;
use crate::ids::{CpuId, GroupId, TaskId};
use crate::kernel::core::preempt::Why;
use crate::kernel::fair::Enqueue;
use crate::kernel::frame::Flow;
use crate::machine::spinlock::LockId;
use crate::sim::Sim;

/// The work a task does before it returns to user code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThrottleWork {
    /// About to take the own run-queue lock.
    Start,
    /// The lock is held; the dequeue takes time.
    Locked,
    /// Checks once more whether there is quota.
    Dequeue,
    /// Releases the lock.
    Unlock,
}

impl ThrottleWork {
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self {
            Self::Start => {
                sim.irq_disable(cpu);
                *self = Self::Locked;
                Flow::Lock(LockId::rq(cpu))
            }
            Self::Locked => {
                *self = Self::Dequeue;
                Flow::Spend(sim.cost(cpu, sim.setup.machine.costs.bw_hold_ns))
            }
            Self::Dequeue => {
                sim.enter_limbo(cpu);
                *self = Self::Unlock;
                Flow::Again
            }
            Self::Unlock => {
                sim.unlock(cpu, LockId::rq(cpu));
                sim.irq_enable(cpu);
                sim.cpu(cpu).returning = true;
                Flow::Done
            }
        }
    }
}

impl Sim {
    /// pick_task_fair(): `task` is picked from a throttled queue, or from below one; it will stop
    /// before it returns to user code.
    pub(crate) fn task_throttle_setup_work(&mut self, cpu: CpuId, task: TaskId) {
        let era = self.kernel().bandwidth;
        if !era.per_task() || era.throttles_at_charge() {
            return;
        }
        let mut level = Some(self.level_of(task));
        while let Some((_, group)) = level {
            let own = &self.cfs_rq(cpu, group).bandwidth;
            if own.throttled() && own.enabled && own.silo() <= 0 {
                self.task_mut(task).throttle_work = true;
                return;
            }
            level = self.level_above(group);
        }
    }

    /// throttle_cfs_rq() since 7.2: the queue of `group` on `rq` is throttled while a task of it
    /// runs, which is to stop.
    pub(super) fn throttle_work_of_curr(&mut self, rq: CpuId, group: GroupId) {
        let runs = self.cfs_rq(rq, group).curr.is_some_and(|curr| self.se(rq, curr).on_rq);
        if let Some(curr) = self.rqs[rq].curr.filter(|_| runs) {
            self.task_mut(curr).throttle_work = true;
        }
    }

    /// set_next_task_fair() since 7.2: charges nothing at every level above `task`, which is to run
    /// on `cpu`. So a queue without run time asks for a slice, and a task below a throttled one is
    /// to stop before it returns to user code.
    pub(crate) fn charge_next_task(&mut self, cpu: CpuId, task: TaskId) {
        let era = self.kernel().bandwidth;
        if !era.throttles_at_charge() {
            return;
        }
        let mut group = self.task_group(task);
        let mut stops = self.throttled_hierarchy(cpu, group);
        while group > GroupId::ROOT {
            // Whether the pool has anything is known later, to a charge that sees no task run.
            stops |= era.misses_running() && self.bw_wants(cpu, group, Work::Assign);
            self.bw_ask(cpu, group);
            group = self.parent(group);
        }
        self.task_mut(task).throttle_work |= stops;
    }

    /// The task on `cpu` is about to run user code: whether it has that work to do first.
    pub(crate) fn takes_throttle_work(&mut self, cpu: CpuId) -> bool {
        let curr = self.rqs[cpu].curr;
        curr.is_some_and(|curr| std::mem::take(&mut self.task_mut(curr).throttle_work))
    }

    fn enter_limbo(&mut self, cpu: CpuId) {
        let Some(task) = self.rqs[cpu].curr else { return };
        let mut level = Some(self.level_of(task));
        let Some((_, group)) = level else { return };
        if !self.task(task).row().under_cfs_bandwidth || !self.throttled_hierarchy(cpu, group) {
            return;
        }
        self.update_curr(cpu, cpu);
        self.dequeue_entities(cpu, self.level_of(task), false);
        self.task_mut(task).throttled = true;
        let clock = self.rqs[cpu].clock;
        self.task_mut(task).stats.book_run(clock);
        self.cfs_rq_mut(cpu, group).bandwidth.limbo_add(task);
        let now = self.now;
        while let Some((_, group)) = level {
            // record_throttle_clock(): the throttled time of cpu.stat begins when the first task
            // stops.
            let own = &mut self.cfs_rq_mut(cpu, group).bandwidth;
            if own.throttled() {
                own.throttled_since.get_or_insert(now);
            }
            if own.throttle_count() > 0 {
                own.kept_since.get_or_insert(now);
            }
            level = self.level_above(group);
        }
        self.resched_curr(cpu, cpu, Why::Quota);
        self.refresh(cpu);
    }

    /// dequeue_throttled_task(): a change of `task` takes it off its queue, out of limbo if it is
    /// there. Returns whether it was in limbo.
    ///
    /// A task that is queued again is picked and stops once more; the kernel takes a shortcut back
    /// to the list (docs/develop/decisions/0013-bandwidth.md).
    pub(crate) fn leave_limbo(&mut self, cpu: CpuId, task: TaskId) -> bool {
        let was = std::mem::take(&mut self.task_mut(task).throttled);
        if was {
            let group = self.level_of(task).1;
            self.book_limbo(cpu, task);
            self.cfs_rq_mut(cpu, group).bandwidth.limbo_del(task);
        }
        was
    }

    /// tg_unthrottle_up(): every queue above has quota again, and the tasks of `group` on `rq` come
    /// back as wake-ups.
    pub(super) fn empty_limbo(&mut self, rq: CpuId, group: GroupId) {
        let mut tasks = self.cfs_rq_mut(rq, group).bandwidth.limbo_take();
        for task in tasks.drain(..) {
            self.task_mut(task).throttled = false;
            self.book_limbo(rq, task);
            self.enqueue_fair(rq, task, Enqueue::Wakeup);
        }
        self.cfs_rq_mut(rq, group).bandwidth.limbo_keep(tasks);
    }

    /// The wait without quota ends here, unless the task has not been switched away from yet.
    fn book_limbo(&mut self, rq: CpuId, task: TaskId) {
        if self.rqs[rq].curr != Some(task) {
            let now = self.now;
            self.task_mut(task).stats.book_wait(now, true);
        }
    }
}
