//! The RT class: 100 FIFO lists, the pushable list, overload, and where a woken RT task goes.

/// Which CPUs run the weakest work, by level.
pub mod cpupri;
/// find_lowest_rq().
pub mod lowest;
/// pull_rt_task().
pub mod pull;
/// push_rt_tasks().
pub mod push;
/// The CPUs that balance among themselves, and which are overloaded.
pub mod root_domain;
/// The push chain of 4.15: one IPI for the root domain.
pub mod rto;
/// The push chain of 4.1: one IPI per CPU that lowers its priority.
pub mod rto_chain_4_1;
/// rt_runtime of every rt_period.
pub mod throttle;

use super::config::Woken;
use crate::ids::{CpuId, TaskId};
use crate::kernel::core::preempt::Why;
use crate::kernel::rt::cpupri::NO_RT_PRIO;
use crate::kernel::rt::root_domain::Op;
use crate::kernel::rt::rto_chain_4_1::RqChain;
use crate::sim::Sim;

/// One run queue's RT side. Lists are kept as one sequence by (prio, place in its FIFO).
#[derive(Clone, Debug)]
pub struct RtRq {
    /// Every queued RT task, the running one included, strongest first.
    active: Vec<TaskId>,
    /// Waiting tasks that may run elsewhere, strongest first, equal priorities in order of arrival.
    pushable: Vec<TaskId>,
    /// Best queued priority; 100 when there is none. Compare with `<` only.
    highest_curr: u8,
    /// Best pushable priority; 100 when there is none.
    highest_next: u8,
    /// Queued tasks with more than one allowed CPU.
    migratory: u32,
    /// The overload condition held when last looked at: this CPU's bit in rto_mask.
    overloaded: bool,
    /// The push chain this run queue sends round (`ipi_4_1`).
    pub chain: RqChain,
}

impl Default for RtRq {
    fn default() -> Self {
        Self {
            active: Vec::new(),
            pushable: Vec::new(),
            highest_curr: NO_RT_PRIO,
            highest_next: NO_RT_PRIO,
            migratory: 0,
            overloaded: false,
            chain: RqChain::default(),
        }
    }
}

impl RtRq {
    /// Every queued RT task, the running one included, strongest first.
    #[inline]
    pub fn active(&self) -> &[TaskId] {
        &self.active
    }

    /// Waiting tasks that may run elsewhere, strongest first, equal priorities in order of arrival.
    #[inline]
    pub fn pushable(&self) -> &[TaskId] {
        &self.pushable
    }

    /// Best queued priority; 100 when there is none. Compare with `<` only.
    #[inline]
    pub fn highest_curr(&self) -> u8 {
        self.highest_curr
    }

    /// Best pushable priority; 100 when there is none.
    pub fn highest_next(&self) -> u8 {
        self.highest_next
    }

    /// Queued tasks with more than one allowed CPU.
    pub fn migratory(&self) -> u32 {
        self.migratory
    }

    /// The overload condition held when last looked at: this CPU's bit in rto_mask.
    #[inline]
    pub fn is_overloaded(&self) -> bool {
        self.overloaded
    }

    /// ENQUEUE_RESTORE: a queued task is at `place` of the list again.
    pub(in crate::kernel) fn restore(&mut self, task: TaskId, place: usize) {
        self.active.retain(|other| *other != task);
        self.active.insert(place, task);
    }

    /// For tests that damage it: the list of all, the pushable list, the best priority, overload.
    #[cfg(test)]
    pub(crate) fn damaged(&mut self) -> (&mut Vec<TaskId>, &mut Vec<TaskId>, &mut u8, &mut bool) {
        (&mut self.active, &mut self.pushable, &mut self.highest_curr, &mut self.overloaded)
    }
}

impl Sim {
    /// Where a task goes in an RT list: before or after its equals.
    fn rt_place(&self, list: &[TaskId], prio: u8, head: bool) -> usize {
        list.partition_point(|other| {
            let theirs = self.task(*other).prio;
            if head { theirs < prio } else { theirs <= prio }
        })
    }

    pub(crate) fn enqueue_rt(&mut self, cpu: CpuId, task: TaskId) {
        let (prio, migratory) = (self.task(task).prio, self.task(task).migratory);
        let at = self.rt_place(&self.rqs[cpu].rt.active, prio, false);
        let rt = &mut self.rqs[cpu].rt;
        rt.active.insert(at, task);
        rt.migratory += u32::from(migratory);
        if migratory && self.rqs[cpu].curr != Some(task) {
            self.pushable_add(cpu, task);
        }
        self.rt_changed(cpu, Op::Enqueue);
    }

    pub(crate) fn dequeue_rt(&mut self, cpu: CpuId, task: TaskId) {
        let migratory = self.task(task).migratory;
        let rt = &mut self.rqs[cpu].rt;
        rt.active.retain(|other| *other != task);
        rt.pushable.retain(|other| *other != task);
        rt.migratory -= u32::from(migratory);
        self.rt_changed(cpu, Op::Dequeue);
    }

    /// requeue_task_rt(): to the head of its equals, or to the tail.
    pub(crate) fn requeue_rt(&mut self, cpu: CpuId, task: TaskId, head: bool) {
        self.rqs[cpu].rt.active.retain(|other| *other != task);
        let at = self.rt_place(&self.rqs[cpu].rt.active, self.task(task).prio, head);
        self.rqs[cpu].rt.active.insert(at, task);
    }

    fn pushable_add(&mut self, cpu: CpuId, task: TaskId) {
        let at = self.rt_place(&self.rqs[cpu].rt.pushable, self.task(task).prio, false);
        self.rqs[cpu].rt.pushable.insert(at, task);
    }

    /// set_next_task: the running task is never pushable; if others are when it is picked
    /// (`first`), ask for the push callback.
    pub(crate) fn set_next_rt(&mut self, cpu: CpuId, task: TaskId, first: bool) {
        let callback = self.kernel().rt_balance().has_pushable_list();
        let rq = &mut self.rqs[cpu];
        rq.rt_time.exec_start = rq.clock;
        rq.rt_time.joined = rq.rt_time.is_throttled();
        rq.rt.pushable.retain(|other| *other != task);
        if first {
            rq.push_callback = callback && !rq.rt.pushable.is_empty();
        }
        self.rt_changed(cpu, Op::Other);
    }

    /// put_prev_task: still runnable and allowed elsewhere means pushable again.
    pub(crate) fn put_prev_rt(&mut self, cpu: CpuId, task: TaskId) {
        let runs_on = self.task(task).on_rq && self.task(task).migratory;
        if runs_on && !self.rqs[cpu].rt.pushable.contains(&task) {
            self.pushable_add(cpu, task);
        }
        self.rt_changed(cpu, Op::Other);
    }

    /// Whether `curr` of a run queue is an RT task that `prio` cannot or should not displace
    /// (docs/model/rt-balancing.md#rt-wake-up-placement).
    fn curr_resists(&self, cpu: CpuId, prio: u8) -> bool {
        self.rqs[cpu].curr.is_some_and(|curr| {
            let curr = self.task(curr);
            curr.row().has_rt_prio && (!curr.migratory || curr.prio <= prio)
        })
    }

    /// select_task_rq_rt, by generation: where a woken RT task goes.
    pub(crate) fn select_task_rq_rt(&mut self, task: TaskId, executing: CpuId) -> CpuId {
        let (cpu, prio) = (self.task(task).cpu, self.task(task).prio);
        match self.kernel().rt_balance().woken() {
            Woken::ByLoad => self.wake_affine_2624(task, executing),
            Woken::Stays => cpu,
            Woken::ToWeaker => {
                let stronger = prio < self.rqs[cpu].rt.highest_curr;
                let found = if stronger { None } else { self.find_lowest_rq(task, executing) };
                found.unwrap_or(cpu)
            }
            Woken::UnlessResisted => {
                if self.curr_resists(cpu, prio)
                    && let Some(target) = self.find_lowest_rq(task, executing)
                    && prio < self.rqs[target].rt.highest_curr
                {
                    return target;
                }
                cpu
            }
        }
    }

    /// Whether some CPU runs something weaker than `task` and may take it (`cpupri_find` without
    /// picking).
    fn has_home(&self, task: TaskId) -> bool {
        self.task(task).migratory && !self.lowest_mask(task).0.is_empty()
    }

    /// Whether an equal may displace the running task; the rule came after the two generations of
    /// 2007 and 2008.
    fn has_equal_rule(&self) -> bool {
        self.kernel().rt_balance().has_pushable_list()
    }

    /// Preemption inside the class (docs/model/rt-balancing.md#rt-preemption): stronger preempts;
    /// an equal that has no other home displaces one that has.
    pub(crate) fn check_preempt_rt(
        &mut self,
        cpu: CpuId,
        target: CpuId,
        task: TaskId,
        curr: TaskId,
    ) {
        let prio = self.task(task).prio;
        if prio < self.task(curr).prio {
            self.resched_curr(cpu, target, Why::RtOverRt);
        } else if self.has_equal_rule()
            && prio == self.task(curr).prio
            && self.cpu(target).need_resched.is_none()
            && self.has_home(curr)
            && !self.has_home(task)
        {
            self.requeue_rt(target, task, true);
            self.resched_curr(cpu, target, Why::RtOverRt);
        }
    }

    /// Whether to push once the switch is done and the lock released. schedule_tail_balance_rt of
    /// 2007 pushes if more than one RT task is here, but neither while the class is throttled nor
    /// while the fair server serves: a push would look forever for a place for a task that may not
    /// run. post_schedule() pushes if the pick asked for it. The kernel's check of the running
    /// class is left out: the class is always RT, because no other CPU lowers the task that runs
    /// here.
    pub(crate) fn pushes_in_tail(&mut self, cpu: CpuId) -> bool {
        let kernel = self.kernel();
        let (is_2007, post_schedule) = (kernel.rt_balance().is_2007(), kernel.has_post_schedule());
        let rq = &mut self.rqs[cpu];
        if is_2007 {
            return rq.rt.active.len() > 1 && !rq.rt_time.is_throttled() && !rq.server.serves();
        }
        post_schedule && std::mem::take(&mut rq.push_callback)
    }

    /// task_woken_rt: whether the wake-up should try to push `task` away again at once.
    pub(crate) fn task_woken_wants_push(&self, cpu: CpuId, task: TaskId) -> bool {
        let woken = self.task(task);
        let curr = self.rqs[cpu].curr;
        let pushes = woken.row().is_pushed_and_pulled && self.kernel().rt_balance().is_active();
        if !pushes || curr == Some(task) {
            return false;
        }
        if self.kernel().rt_balance().is_2007() {
            return curr.is_some_and(|curr| woken.prio >= self.task(curr).prio);
        }
        woken.migratory
            && self.cpus[cpu].need_resched.is_none()
            && self.curr_resists(cpu, woken.prio)
    }

    /// task_tick_rt: round robin counts its slice in ticks; FIFO has none.
    pub(crate) fn task_tick_rt(&mut self, (by, cpu): (CpuId, CpuId), task: TaskId) {
        if !self.task(task).policy.has_rr_slice() {
            return;
        }
        let full = u32::try_from(self.kernel().rr_timeslice_ns / self.kernel().tick_ns())
            .unwrap_or(u32::MAX)
            .max(1);
        let left = match self.task(task).rr_ticks {
            0 => full,
            left => left,
        } - 1;
        self.task_mut(task).rr_ticks = left;
        if left > 0 {
            return;
        }
        let prio = self.task(task).prio;
        let peers =
            self.rqs[cpu].rt.active.iter().filter(|other| self.task(**other).prio == prio).count();
        if peers > 1 {
            self.requeue_rt(cpu, task, false);
            self.resched_curr(by, cpu, Why::RrSlice);
        }
    }
}
