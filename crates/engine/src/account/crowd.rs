//! Charges many waits on one CPU together: all waits of a kind wait for the same cause, except the
//! task that runs next.
//!
//! ```text
//!   watchers   each charged for itself
//!   lines      timers that are due | a wake-list | RT tasks of a priority | fair tasks
//!                                                                   each line has one timeline
//! ```
//! Thousands of tasks may wait on one CPU, whose activity changes every microsecond. A line records
//! its causes once, in its timeline; a wait reads the timeline when it leaves the line. A wait
//! joins a line once more than a few waits are charged one by one. With groups, which may be out of
//! quota, each fair task has a cause of its own.

use super::latency::{Cause, Phase, Wake};
use super::timeline::Timeline;
use crate::ids::{CpuId, TaskId};
use crate::kernel::class::Class;
use crate::kernel::cpu::Cpu;
use crate::sim::Sim;
use crate::trace::catalogue::CpuState;

/// This many waits are charged one by one.
const FEW: usize = 3;

/// A line's timeline is read into all its waits, then emptied, once it has more changes than
/// [`CHANGES_LEAST`] and [`CHANGES_EACH`] for each wait.
const CHANGES_EACH: usize = 4;
const CHANGES_LEAST: usize = 256;

/// What the waits of one line have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alike {
    /// Tasks whose timers are due.
    Due,
    /// Tasks on a wake-list.
    Listed,
    /// Queued RT tasks of this priority.
    Rt(u8),
    /// Queued fair tasks.
    Fair,
}

impl Alike {
    fn phase(self) -> Phase {
        match self {
            Self::Due => Phase::Due,
            Self::Listed => Phase::Listed,
            Self::Rt(_) | Self::Fair => Phase::Queued,
        }
    }
}

/// The place of a wait in the crowd of its CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    line: u32,
    at: u32,
}

/// Waits that are alike.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub alike: Alike,
    pub tasks: Vec<TaskId>,
    timeline: Timeline,
}

/// The waits of a CPU that share lines; few CPUs ever have any.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crowd(Option<Box<Lines>>);

#[derive(Clone, Debug, Default)]
struct Lines {
    /// An empty line stays for later waits.
    lines: Vec<Line>,
    /// Waits in all lines together.
    many: u32,
    /// The task that was next on the CPU when that was last looked up: it is in no line.
    next: Option<TaskId>,
}

impl Crowd {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|crowd| crowd.many == 0)
    }

    pub(crate) fn lines(&self) -> &[Line] {
        self.0.as_ref().map_or(&[], |crowd| &crowd.lines)
    }

    /// The cause that the line at `place` waits for.
    pub(crate) fn cause(&self, place: Place) -> Option<Cause> {
        self.lines().get(place.line as usize)?.timeline.cause()
    }

    /// The task at `place`.
    pub(crate) fn stands(&self, place: Place) -> Option<TaskId> {
        self.lines().get(place.line as usize)?.tasks.get(place.at as usize).copied()
    }

    /// Charges all lines for `cause`, right or wrong.
    #[cfg(test)]
    pub(crate) fn damage(&mut self, cause: Cause) {
        let lines = self.0.iter_mut().flat_map(|crowd| &mut crowd.lines);
        lines.for_each(|line| line.timeline.begin(0, cause));
    }

    /// Bytes of the lists.
    pub(crate) fn bytes(&self) -> u64 {
        let line = |line: &Line| size_of_val(line.tasks.as_slice()) as u64 + line.timeline.bytes();
        size_of_val(self.lines()) as u64 + self.lines().iter().map(line).sum::<u64>()
    }
}

impl Lines {
    /// The line for those that are `alike`, who wait for `cause` at this instant.
    #[inline(never)]
    fn line_of(&mut self, alike: Alike, now: u64, cause: Cause) -> usize {
        let at = self.lines.iter().position(|line| line.alike == alike).unwrap_or_else(|| {
            self.lines.push(Line { alike, tasks: Vec::new(), timeline: Timeline::default() });
            self.lines.len() - 1
        });
        let line = &mut self.lines[at];
        if line.tasks.is_empty() {
            line.timeline.begin(now, cause);
        } else {
            line.timeline.change(now, cause);
        }
        at
    }
}

impl Wake {
    /// Adds the causes of its line since the last time.
    #[inline(never)]
    fn is_told(&mut self, line: &Line) {
        self.charged_to = line.timeline.tell(&mut self.stretches, self.charged_to);
        self.cause = line.timeline.cause().unwrap_or(self.cause);
    }
}

impl Cpu {
    /// The wait of `task` no longer depends on this CPU's activity.
    #[inline(never)]
    pub(super) fn unwatch(&mut self, task: TaskId) {
        self.watchers.retain(|other| *other != task);
    }
}

impl Sim {
    /// The kind of wait that `task` has in `phase` of its wake-up; `None` if no other wait shares
    /// its cause.
    fn alike(&self, task: TaskId, phase: Phase) -> Option<Alike> {
        let state = self.task(task);
        let has_quota = self.groups.len() > 1;
        match phase {
            Phase::Due => Some(Alike::Due),
            Phase::Listed => Some(Alike::Listed),
            Phase::Waking | Phase::Switching => None,
            Phase::Queued => match state.class() {
                Class::Stop => None,
                Class::Rt => (!has_quota || !self.kernel().bandwidth.per_task())
                    .then_some(Alike::Rt(state.prio)),
                Class::Fair => (!has_quota).then_some(Alike::Fair),
            },
        }
    }

    pub(crate) fn is_alike(&self, task: TaskId, alike: Alike) -> bool {
        let wake = self.task(task).wake.as_ref();
        wake.is_some_and(|wake| self.alike(task, wake.phase) == Some(alike))
    }

    /// A copy of the wait of `task`, up to date; a wait in a line reads the line's timeline.
    #[inline(never)]
    pub(super) fn told_wake(&self, task: TaskId) -> Option<Wake> {
        let mut wake = self.task(task).wake.clone()?;
        if let Some(place) = wake.place {
            wake.is_told(&self.cpus[wake.cpu].crowd.lines()[place.line as usize]);
        }
        Some(wake)
    }

    /// `task`, which has been charged for itself at this instant, joins those that are like it if
    /// more than a few are charged for themselves; `successor` is next on its CPU.
    #[inline]
    pub(super) fn join_crowd(&mut self, cpu: CpuId, task: TaskId, successor: Option<TaskId>) {
        if self.cpus[cpu].watchers.len() > FEW && successor != Some(task) {
            self.join_line(cpu, task);
        }
    }

    #[inline(never)]
    fn join_line(&mut self, cpu: CpuId, task: TaskId) {
        let waits = self.task(task).wake.as_ref().filter(|wake| wake.cpu == cpu);
        let Some(phase) = waits.filter(|wake| wake.place.is_none()).map(|wake| wake.phase) else {
            return;
        };
        let Some(alike) = self.alike(task, phase) else { return };
        let now = self.now;
        let Some(wake) = &mut self.tasks[task].wake else { return };
        wake.charge(now);
        let Cpu { watchers, crowd, .. } = &mut self.cpus[cpu];
        let crowd = crowd.0.get_or_insert_default();
        let line = crowd.line_of(alike, now, wake.cause);
        let tasks = &mut crowd.lines[line].tasks;
        wake.place = Some(Place { line: line as u32, at: tasks.len() as u32 });
        tasks.push(task);
        crowd.many += 1;
        watchers.retain(|other| *other != task);
    }

    /// The wait of `task` is charged for itself from now on.
    #[inline]
    pub(crate) fn leave_crowd(&mut self, task: TaskId) {
        if self.task(task).wake.as_ref().is_some_and(|wake| wake.place.is_some()) {
            self.leave_line(task);
        }
    }

    #[inline(never)]
    fn leave_line(&mut self, task: TaskId) {
        let Some(wake) = &mut self.tasks[task].wake else { return };
        let Some(place) = wake.place.take() else { return };
        let Cpu { watchers, crowd, .. } = &mut self.cpus[wake.cpu];
        let Some(crowd) = &mut crowd.0 else { return };
        let line = &mut crowd.lines[place.line as usize];
        wake.is_told(line);
        line.tasks.swap_remove(place.at as usize);
        crowd.many -= 1;
        watchers.push(task);
        if let Some(moved) = line.tasks.get(place.at as usize).copied()
            && let Some(wake) = &mut self.tasks[moved].wake
        {
            wake.place = Some(place);
        }
    }

    /// The activity of `cpu` has changed: it is in `state`, and `successor` is next there.
    #[inline(never)]
    pub(super) fn recharge_crowd(
        &mut self,
        cpu: CpuId,
        state: CpuState,
        successor: Option<TaskId>,
    ) {
        let Some(crowd) = &mut self.cpus[cpu].crowd.0 else { return };
        let before = crowd.next;
        if successor.is_some() && successor != before {
            crowd.next = successor;
            // The task that was next before waits like all others again.
            let single = |wake: &&Wake| wake.cpu == cpu && wake.place.is_none();
            if let Some(before) = before
                && self.task(before).wake.as_ref().filter(single).is_some()
            {
                self.recharge_beside(before, state, successor);
                self.join_crowd(cpu, before, successor);
            }
        }
        if let Some(next) = successor {
            self.leave_crowd(next);
        }
        let now = self.now;
        for at in 0..self.cpus[cpu].crowd.lines().len() {
            let Line { alike, tasks, .. } = &self.cpus[cpu].crowd.lines()[at];
            let Some(task) = tasks.first() else { continue };
            let cause = self.cause(*task, (alike.phase(), cpu), state, successor);
            let Some(crowd) = &mut self.cpus[cpu].crowd.0 else { return };
            let line = &mut crowd.lines[at];
            line.timeline.change(now, cause);
            if line.timeline.changes() > CHANGES_LEAST + CHANGES_EACH * line.tasks.len() {
                self.tell_line(cpu, at);
            }
        }
    }

    /// Reads the timeline into each wait of a line, then empties it.
    #[inline(never)]
    fn tell_line(&mut self, cpu: CpuId, at: usize) {
        let Some(crowd) = &mut self.cpus[cpu].crowd.0 else { return };
        let line = &mut crowd.lines[at];
        for task in &line.tasks {
            if let Some(wake) = &mut self.tasks[*task].wake {
                wake.is_told(line);
            }
        }
        line.timeline.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use crate::check::invariants::tests::busy;
    use crate::ids::CPU0;
    use crate::machine::topology::CpuMask;
    use crate::setup::{Policy, Program, TaskSpec, Until};
    use crate::trace::columns::Log;

    #[test]
    fn of_hundreds_that_are_due_at_one_instant_only_a_few_are_charged_one_by_one() {
        let mut setup = (*busy().setup).clone();
        let policies = [Policy::Fifo { rt_priority: 50 }, Policy::Fair { nice: 0 }];
        let (interval_ns, body_ns, until) = (1 << 40, 1_000, Until::default());
        let program =
            Program::Cyclictest { first_due_ns: 9_000, interval_ns, body_ns, extra_ns: 0, until };
        let spec = TaskSpec { cpus: CpuMask::one(CPU0), program, ..setup.tasks[0].clone() };
        let named = |nth: usize| format!("many.{nth}");
        let many = |nth| TaskSpec { name: named(nth), policy: policies[nth % 2], ..spec.clone() };
        setup.tasks = (0..600).map(many).collect();
        let mut sim = Sim::new(Arc::new(setup), Log::new(None, 600, 0));
        let mut most = 0;
        while sim.step(9_000_000) {
            let Cpu { watchers, crowd, .. } = &sim.cpus[CPU0];
            assert!(watchers.len() <= FEW + 3, "at {}: {watchers:?}", sim.now);
            for line in crowd.lines() {
                assert!(line.timeline.changes() <= CHANGES_LEAST + CHANGES_EACH * 600);
            }
            most = most.max(crowd.lines().iter().map(|line| line.tasks.len()).sum());
        }
        assert!(most > 500, "{most}");
        assert_eq!((sim.check_laws(), sim.cpus[CPU0].crowd.is_empty()), (Ok(()), true));
    }
}
