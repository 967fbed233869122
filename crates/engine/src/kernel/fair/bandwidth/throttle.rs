//! Taking a group's queue off a CPU, and putting it back (docs/model/bandwidth.md#throttle,
//! docs/model/bandwidth.md#nested-quotas).

use super::By;
use super::pool::level;
use crate::ids::{CpuId, GroupId, TaskId};
use crate::kernel::config::ListInsert;
use crate::kernel::core::preempt::Why;
use crate::kernel::fair::EntityId;
use crate::kernel::frame::Flow;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// unthrottle_cfs_rq() of the queue of `group` on `rq`, whose lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unthrottle {
    rq: CpuId,
    group: GroupId,
    by: By,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Lock,
    Locked,
    Held,
}

impl Unthrottle {
    /// About to let the queue go.
    pub fn new(rq: CpuId, group: GroupId, by: By) -> Self {
        Self { rq, group, by, step: Step::Start }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let costs = &sim.setup.machine.costs;
        match self.step {
            Step::Start => {
                let put_back_ns = sim.cost(cpu, costs.bw_unthrottle_ns);
                sim.update_rq_clock(self.rq);
                self.step = Step::Lock;
                Flow::Spend(put_back_ns)
            }
            Step::Lock => {
                self.step = Step::Locked;
                Flow::Lock(sim.group_lock(self.group))
            }
            Step::Locked => {
                self.step = Step::Held;
                Flow::Spend(sim.cost(cpu, costs.bw_hold_ns))
            }
            Step::Held => {
                let lock = sim.group_lock(self.group);
                sim.unthrottle_cfs_rq(cpu, self.rq, self.group, self.by);
                sim.unlock(cpu, lock);
                Flow::Done
            }
        }
    }
}

impl Sim {
    /// throttle_cfs_rq(): with the last try (5.8 on), only if the pool does not have even 1 ns.
    pub(super) fn throttle_cfs_rq(&mut self, cpu: CpuId, rq: CpuId, group: GroupId) {
        if !self.kernel().bandwidth.throttle_lasttry() || !self.bw_take(cpu, rq, group, 1) {
            self.throttle_now(cpu, rq, group);
        }
    }

    /// The rest of throttle_cfs_rq(): the pool has had nothing for the queue.
    pub(super) fn throttle_now(&mut self, cpu: CpuId, rq: CpuId, group: GroupId) {
        let era = self.kernel().bandwidth;
        // A second charge may have been noted before the first one throttled the queue.
        if era.throttles_at_charge() && self.cfs_rq(rq, group).bandwidth.throttled() {
            return;
        }
        self.bw_start(cpu, group);
        let b = self.bw_mut(group);
        let head = match era.list() {
            ListInsert::Head => true,
            ListInsert::Headtail => b.list().distributing(),
            ListInsert::Tail => false,
        };
        b.list.add(rq, head);
        let now = self.now;
        let leaves = self.cpus[rq].in_schedule;
        let cfs = self.cfs_rq_mut(rq, group);
        let queued = cfs.nr_queued() > 0;
        cfs.bandwidth.runs_on = cfs.curr.is_some() && !leaves;
        let own = &mut cfs.bandwidth;
        // 6.18 on: the queue stays where it is, and its tasks stop one by one.
        own.throttle(!era.per_task());
        own.throttled_since = ((queued || !era.late_clock()) && !era.per_task()).then_some(now);
        let debt = own.silo().unsigned_abs();
        self.emit(Kind::BwThrottle, rq, group.raw(), level(debt));
        self.bw_count(rq, group, true);
        if queued && !era.per_task() {
            self.dequeue_group_entity(rq, group);
        }
        if era.throttles_at_charge() && era.sees_running() {
            self.throttle_work_of_curr(rq, group);
        }
        self.refresh(rq);
    }

    /// unthrottle_cfs_rq(): takes the queue off the list; its tasks come back like a wake-up. Only
    /// an idle CPU gets a resched.
    fn unthrottle_cfs_rq(&mut self, cpu: CpuId, rq: CpuId, group: GroupId, by: By) {
        let (now, per_task) = (self.now, self.kernel().bandwidth.per_task());
        if self.kernel().bandwidth.throttles_at_charge() {
            // A task that still runs may have used up the share since.
            self.charge_fair(cpu, rq);
        }
        let cfs = self.cfs_rq_mut(rq, group);
        if per_task && cfs.bandwidth.enabled && cfs.bandwidth.silo() <= 0 {
            // Tasks still in the kernel have used up the granted run time: enqueueing others would
            // throttle the queue at once.
            return;
        }
        let own = &mut cfs.bandwidth;
        if !own.unthrottle() {
            return;
        }
        own.runs_on = false;
        let since = own.throttled_since.take();
        let b = self.bw_mut(group);
        b.list.del(rq);
        b.books.throttled_ns += since.map_or(0, |since| now - since);
        self.emit(Kind::BwUnthrottle, rq, group.raw(), by as u32);
        self.charge_fair(cpu, rq);
        self.bw_count(rq, group, false);
        if !per_task {
            self.enqueue_group_entity(rq, group);
        }
        let state = &self.rqs[rq];
        if state.curr.is_none() && state.cfs[GroupId::ROOT].nr_queued() > 0 {
            self.resched_curr(cpu, rq, Why::Idle);
        }
        self.refresh(rq);
    }

    /// tg_throttle_down(), tg_unthrottle_up(): every queue of the tree below, on this CPU, children
    /// first.
    fn bw_count(&mut self, rq: CpuId, group: GroupId, down: bool) {
        let (now, per_task) = (self.now, self.kernel().bandwidth.per_task());
        for below in self.groups.ids().rev() {
            if !self.is_below(below, group) {
                continue;
            }
            let cfs = self.cfs_rq_mut(rq, below);
            let (queued, own) = (cfs.nr_queued() > 0, &mut cfs.bandwidth);
            let before = own.count_throttled(down);
            if down && before == 0 {
                own.kept_since = (queued && !per_task).then_some(now);
            } else if own.throttle_count() == 0 {
                let kept = own.kept_since.take().map_or(0, |since| now - since);
                self.bw_mut(below).books.throttled_local_ns += kept;
            }
            match (before == u32::from(!down), per_task) {
                (true, false) => self.bw_tasks_stop(rq, below, down),
                (true, true) if !down => self.empty_limbo(rq, below),
                _ => {}
            }
        }
    }

    /// Whether `group` is `above` or lies below it.
    fn is_below(&self, group: GroupId, above: GroupId) -> bool {
        let mut at = group;
        while at > above {
            at = self.parent(at);
        }
        at == above
    }

    /// throttled_hierarchy(): whether a queue from `group` up to the root is throttled on `cpu`.
    pub(crate) fn throttled_hierarchy(&self, cpu: CpuId, group: GroupId) -> bool {
        self.cfs_rq(cpu, group).bandwidth.throttle_count() > 0
    }

    /// The tasks that wait directly in `group` on `rq` have no quota from now on, or have it again:
    /// their time is booked up to here.
    fn bw_tasks_stop(&mut self, rq: CpuId, group: GroupId, stop: bool) {
        let (now, curr) = (self.now, self.rqs[rq].curr);
        for at in 0..self.cfs_rq(rq, group).queue.len() {
            let EntityId::Task(task) = self.cfs_rq(rq, group).queue[at].id else { continue };
            if curr != Some(task) {
                self.task_mut(task).stats.book_wait(now, !stop);
            }
        }
    }

    /// Whether `task` waits without quota.
    pub(crate) fn is_throttled(&self, task: TaskId) -> bool {
        self.is_throttled_on(self.task(task).cpu, task)
    }

    /// Whether `task`, which depends on `cpu`, waits without quota: one that is being moved is not
    /// held up by the queue it is to come to.
    pub(crate) fn is_throttled_on(&self, cpu: CpuId, task: TaskId) -> bool {
        let state = self.task(task);
        if self.kernel().bandwidth.per_task() {
            return state.throttled;
        }
        state.row().under_cfs_bandwidth && self.throttled_hierarchy(cpu, self.task_group(task))
    }
}
