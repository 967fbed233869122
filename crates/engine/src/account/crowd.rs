//! Many waits on one CPU: the fair tasks that wait on its run queue wait for the same thing, all
//! but the next one.
//!
//! ```text
//!   watchers    each for itself ── single ── all alike
//! ```
//! Hundreds may wait there, and their CPU changes what it does every microsecond. What they wait
//! for is read once for all, and only a change of it comes to each of them. Where there are groups,
//! which may be out of quota, each waits for something of its own.

use super::latency::{Cause, Phase};
use crate::ids::{CpuId, TaskId};
use crate::kernel::core::task::Class;
use crate::kernel::cpu::Cpu;
use crate::sim::Sim;
use crate::trace::catalogue::CpuState;

/// So many waits are charged one by one.
pub(super) const FEW: usize = 3;

/// What is known of the watchers of a CPU, where there are more than a few.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crowd {
    /// Those that are alike come behind the others.
    sorted: bool,
    /// How many are not alike.
    single: u32,
    /// What those that are alike are charged for, all of them; `None` where they may differ.
    charged: Option<Charged>,
}

/// A cause, and the one who is next with its own.
type Charged = (Cause, Option<(TaskId, Cause)>);

impl Crowd {
    /// How many of the watchers are known to be alike, the last ones.
    pub(crate) fn alike(&self, watchers: usize) -> usize {
        if self.sorted && watchers > FEW { watchers - self.single as usize } else { 0 }
    }
}

impl Cpu {
    /// The wait of `task` no longer depends on what it does.
    #[inline]
    pub(super) fn unwatch(&mut self, task: TaskId) {
        if self.watchers.len() > FEW {
            self.leave_crowd(task);
        } else {
            self.watchers.retain(|other| *other != task);
        }
    }

    #[inline(never)]
    fn leave_crowd(&mut self, task: TaskId) {
        let Some(at) = self.watchers.iter().position(|other| *other == task) else { return };
        self.watchers.remove(at);
        self.crowd.single -= u32::from(self.crowd.sorted && at < self.crowd.single as usize);
    }
}

impl Sim {
    /// Whether `task`, in `phase` of its wake-up, waits as all fair tasks of its queue do.
    fn waits_alike(&self, task: TaskId, phase: Phase) -> bool {
        phase == Phase::Queued && self.groups.len() == 1 && self.task(task).class() == Class::Fair
    }

    pub(crate) fn is_alike(&self, task: TaskId) -> bool {
        self.task(task).wake.as_ref().is_some_and(|wake| self.waits_alike(task, wake.phase))
    }

    /// `task` may have left the fair class, or joined it.
    pub(crate) fn class_of_waiter_changes(&mut self, task: TaskId) {
        if let Some(wake) = &self.task(task).wake {
            let cpu = wake.cpu;
            self.cpu(cpu).crowd = Crowd::default();
        }
    }

    /// What `cpu` does has changed: it is in `state`, and `successor` is next there.
    #[inline(never)]
    pub(super) fn recharge_crowd(
        &mut self,
        cpu: CpuId,
        state: CpuState,
        successor: Option<TaskId>,
    ) {
        if !self.cpus[cpu].crowd.sorted {
            self.sort_crowd(cpu);
        }
        let single = self.cpus[cpu].crowd.single as usize;
        for index in 0..single {
            self.recharge_beside(self.cpus[cpu].watchers[index], state, successor);
        }
        let tasks = &self.cpus[cpu].watchers[single..];
        let of = |task| self.cause(task, (Phase::Queued, cpu), state, successor);
        let next = successor.filter(|next| tasks.contains(next)).map(|next| (next, of(next)));
        let other = tasks.iter().copied().find(|task| Some(*task) != successor);
        let Some(cause) = other.map(of).or(next.map(|(_, cause)| cause)) else { return };
        if self.cpus[cpu].crowd.charged.replace((cause, next)) == Some((cause, next)) {
            return;
        }
        let now = self.now;
        for index in single..self.cpus[cpu].watchers.len() {
            let task = self.cpus[cpu].watchers[index];
            let cause = next.filter(|(next, _)| *next == task).map_or(cause, |(_, own)| own);
            if let Some(wake) = &mut self.tasks[task].wake {
                wake.charge_for(cause, now);
            }
        }
    }

    fn sort_crowd(&mut self, cpu: CpuId) {
        let mut watchers = std::mem::take(&mut self.cpu(cpu).watchers);
        let mut single = 0;
        for index in 0..watchers.len() {
            if !self.is_alike(watchers[index]) {
                watchers.swap(index, single);
                single += 1;
            }
        }
        let state = self.cpu(cpu);
        state.watchers = watchers;
        state.crowd = Crowd { sorted: true, single: single as u32, charged: None };
    }

    /// `task`, one of many on `cpu` or new there, has been charged for itself.
    #[inline(never)]
    pub(super) fn place_in_crowd(&mut self, cpu: CpuId, task: TaskId) {
        let alike = self.is_alike(task);
        let cause = self.task(task).wake.as_ref().map(|wake| wake.cause);
        let Cpu { watchers, crowd, .. } = self.cpu(cpu);
        // The first one above a few: the others were charged one by one so far.
        if !crowd.sorted || watchers.len() == FEW + 1 {
            *crowd = Crowd::default();
            return;
        }
        let Some(at) = watchers.iter().position(|other| *other == task) else { return };
        let single = crowd.single as usize;
        if alike && at < single {
            crowd.single -= 1;
            watchers.swap(at, single - 1);
        } else if !alike && at >= single {
            watchers.swap(at, single);
            crowd.single += 1;
        }
        let as_all = |(charged, next): &Charged| {
            Some(*charged) == cause && next.is_none_or(|(next, _)| next != task)
        };
        if alike {
            crowd.charged = crowd.charged.filter(as_all);
        }
    }
}
