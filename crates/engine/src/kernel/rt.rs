//! The RT class: 100 FIFO lists, the pushable list, overload, and where a woken RT task goes.

use super::config::{LowestPick, OverloadDef};
use super::cpupri::{Cpupri, NO_RT_PRIO};
use super::preempt::Why;
use super::rto::RtoState;
use crate::machine::topology::CpuMask;
use crate::setup::Policy;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// One run queue's RT side. Lists are kept as one sequence by (prio, place in its FIFO).
#[derive(Clone, Debug)]
pub struct RtRq {
    /// Every queued RT task, the running one included, strongest first.
    pub active: Vec<u32>,
    /// Waiting tasks that may run elsewhere, strongest first, equal priorities in order of arrival.
    pub pushable: Vec<u32>,
    /// Best queued priority; 100 when there is none. Compare with `<` only.
    pub highest_curr: u8,
    /// Best pushable priority; 100 when there is none.
    pub highest_next: u8,
    /// Queued tasks with more than one allowed CPU.
    pub migratory: u32,
    /// The overload condition held when last looked at: this CPU's bit in rto_mask.
    pub overloaded: bool,
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
        }
    }
}

/// What the CPUs that balance RT tasks among themselves share.
#[derive(Clone, Debug)]
pub struct RootDomain {
    /// Overloaded CPUs.
    pub rto_mask: CpuMask,
    /// How many there are.
    pub rto_count: u32,
    /// CPUs by the strength of what they run.
    pub cpupri: Cpupri,
    /// The push chain of 4.15.
    pub rto: RtoState,
}

impl Sim {
    /// Where a task goes in an RT list: before or after its equals.
    fn rt_place(&self, list: &[u32], prio: u8, head: bool) -> usize {
        list.partition_point(|other| {
            let theirs = self.task(*other).prio;
            if head { theirs < prio } else { theirs <= prio }
        })
    }

    pub(crate) fn enqueue_rt(&mut self, cpu: u32, task: u32) {
        let (prio, movable) = (self.task(task).prio, self.task(task).movable);
        let at = self.rt_place(&self.rqs[cpu as usize].rt.active, prio, false);
        let rt = &mut self.rqs[cpu as usize].rt;
        rt.active.insert(at, task);
        rt.migratory += u32::from(movable);
        if movable && self.rqs[cpu as usize].curr != Some(task) {
            self.pushable_add(cpu, task);
        }
        self.rt_changed(cpu);
    }

    pub(crate) fn dequeue_rt(&mut self, cpu: u32, task: u32) {
        let movable = self.task(task).movable;
        let rt = &mut self.rqs[cpu as usize].rt;
        rt.active.retain(|other| *other != task);
        rt.pushable.retain(|other| *other != task);
        rt.migratory -= u32::from(movable);
        self.rt_changed(cpu);
    }

    fn pushable_add(&mut self, cpu: u32, task: u32) {
        let at = self.rt_place(&self.rqs[cpu as usize].rt.pushable, self.task(task).prio, false);
        self.rqs[cpu as usize].rt.pushable.insert(at, task);
    }

    /// set_next_task: the running task is never pushable; if others are, ask for the push callback.
    pub(crate) fn set_next_rt(&mut self, cpu: u32, task: u32) {
        let now = self.now;
        let rq = &mut self.rqs[cpu as usize];
        rq.rt_time.exec_start = now;
        rq.rt.pushable.retain(|other| *other != task);
        rq.push_callback = !rq.rt.pushable.is_empty();
        self.rt_changed(cpu);
    }

    /// put_prev_task: still runnable and movable means pushable again.
    pub(crate) fn put_prev_rt(&mut self, cpu: u32, task: u32) {
        let runs_on = self.task(task).on_rq && self.task(task).movable;
        if runs_on && !self.rqs[cpu as usize].rt.pushable.contains(&task) {
            self.pushable_add(cpu, task);
        }
        self.rt_changed(cpu);
    }

    /// Brings the two priorities, cpupri and the overload bit up to date.
    fn rt_changed(&mut self, cpu: u32) {
        let first_prio = |list: &[u32]| list.first().map_or(NO_RT_PRIO, |task| self.task(*task).prio);
        let rt = &self.rqs[cpu as usize].rt;
        let (curr, next) = (first_prio(&rt.active), first_prio(&rt.pushable));
        let overloaded = match self.kernel().overload_def {
            OverloadDef::CountGt1 => rt.active.len() > 1,
            OverloadDef::Migratory => rt.migratory >= 1 && rt.active.len() > 1,
            OverloadDef::PushableNonempty => !rt.pushable.is_empty(),
        };
        let rt = &mut self.rqs[cpu as usize].rt;
        rt.highest_curr = curr;
        rt.highest_next = next;
        if let Some(old) = self.rd.cpupri.set(cpu, curr) {
            let level = self.rd.cpupri.level_of(cpu);
            self.emit(Kind::CpupriSet, cpu, u32::from(level), u32::from(old));
        }
        self.set_overload(cpu, overloaded);
    }

    /// Edge-triggered: the mask bit is set before the count is raised, and lowered before it is cleared (spec B.4).
    fn set_overload(&mut self, cpu: u32, overloaded: bool) {
        if std::mem::replace(&mut self.rqs[cpu as usize].rt.overloaded, overloaded) == overloaded {
            return;
        }
        if overloaded {
            self.rd.rto_mask.set(cpu);
            self.rd.rto_count += 1;
            self.emit(Kind::RtoSet, cpu, self.rd.rto_count, 0);
        } else {
            self.rd.rto_count -= 1;
            self.rd.rto_mask.clear(cpu);
            self.emit(Kind::RtoClear, cpu, self.rd.rto_count, 0);
        }
    }

    /// Whether `curr` of a run queue is an RT task that `prio` cannot or should not displace (spec C.3).
    pub(crate) fn curr_resists(&self, cpu: u32, prio: u8) -> bool {
        self.rqs[cpu as usize].curr.is_some_and(|curr| {
            let curr = self.task(curr);
            curr.is_rt() && (!curr.movable || curr.prio <= prio)
        })
    }

    /// select_task_rq_rt: stay unless the previous CPU runs something that must not be displaced and a weaker CPU exists.
    pub(crate) fn select_task_rq_rt(&mut self, task: u32, executing: u32) -> u32 {
        let (cpu, prio) = (self.task(task).cpu, self.task(task).prio);
        if self.curr_resists(cpu, prio)
            && let (Some(target), _) = self.find_lowest_rq(task, executing)
            && prio < self.rqs[target as usize].rt.highest_curr
        {
            return target;
        }
        cpu
    }

    /// find_lowest_rq: among the weakest CPUs, the task's own, then the closest; with the levels looked at.
    pub(crate) fn find_lowest_rq(&mut self, task: u32, executing: u32) -> (Option<u32>, u32) {
        if !self.task(task).movable {
            return (None, 0);
        }
        let (own, prio) = (self.task(task).cpu, self.task(task).prio);
        let (mask, levels) = self.rd.cpupri.find(prio, &self.task(task).cpus);
        if mask.is_empty() || mask.has(own) {
            return ((!mask.is_empty()).then_some(own), levels);
        }
        let topology = self.setup.machine.topology;
        let spans = [topology.llc_of(own), 0..topology.cpus()];
        for span in spans {
            if span.contains(&executing) && mask.has(executing) {
                return (Some(executing), levels);
            }
            let inside = mask.and(&span.collect());
            if let Some(found) = self.pick_in(&inside, executing) {
                return (Some(found), levels);
            }
        }
        (None, levels)
    }

    fn pick_in(&mut self, mask: &CpuMask, executing: u32) -> Option<u32> {
        match self.kernel().lowest_pick {
            LowestPick::DomainFirst => mask.lowest(),
            LowestPick::DomainDistribute => {
                let last = self.cpu(executing).distribute;
                let found = mask.next(last + 1).or_else(|| mask.lowest())?;
                self.cpu(executing).distribute = found;
                Some(found)
            }
        }
    }

    /// Whether some CPU runs something weaker than `task` and may take it (`cpupri_find` without picking).
    fn has_home(&self, task: u32) -> bool {
        let home = || self.rd.cpupri.find(self.task(task).prio, &self.task(task).cpus).0;
        self.task(task).movable && !home().is_empty()
    }

    /// Preemption inside the class (spec B.8): stronger preempts; an equal that has no other home displaces one that has.
    pub(crate) fn check_preempt_rt(&mut self, cpu: u32, target: u32, task: u32, curr: u32) {
        let prio = self.task(task).prio;
        if prio < self.task(curr).prio {
            self.resched_curr(cpu, target, Why::RtOverRt);
        } else if prio == self.task(curr).prio && self.cpu(target).need_resched.is_none() && self.has_home(curr) && !self.has_home(task) {
            let at = self.rt_place(&self.rqs[target as usize].rt.active, prio, true);
            let rt = &mut self.rqs[target as usize].rt;
            rt.active.retain(|other| *other != task);
            rt.active.insert(at, task);
            self.resched_curr(cpu, target, Why::RtOverRt);
        }
    }

    /// task_woken_rt: whether the wake-up should try to push `task` away again at once.
    pub(crate) fn task_woken_wants_push(&self, cpu: u32, task: u32) -> bool {
        let woken = self.task(task);
        let running = self.rqs[cpu as usize].curr == Some(task);
        woken.is_rt() && woken.movable && !running && self.cpus[cpu as usize].need_resched.is_none() && self.curr_resists(cpu, woken.prio)
    }

    /// task_tick_rt: round robin counts its slice in ticks; FIFO has none.
    pub(crate) fn task_tick_rt(&mut self, cpu: u32, task: u32) {
        if !matches!(self.task(task).policy, Policy::RoundRobin { .. }) {
            return;
        }
        let full = u32::try_from(self.kernel().rr_timeslice_ns / self.kernel().tick_ns()).unwrap_or(u32::MAX).max(1);
        let left = match self.task(task).rr_ticks {
            0 => full,
            left => left,
        } - 1;
        self.task_mut(task).rr_ticks = left;
        if left > 0 {
            return;
        }
        let prio = self.task(task).prio;
        let peers = self.rqs[cpu as usize].rt.active.iter().filter(|other| self.task(**other).prio == prio).count();
        if peers > 1 {
            self.rqs[cpu as usize].rt.active.retain(|other| *other != task);
            let at = self.rt_place(&self.rqs[cpu as usize].rt.active, prio, false);
            self.rqs[cpu as usize].rt.active.insert(at, task);
            self.resched_curr(cpu, cpu, Why::RrSlice);
        }
    }
}
