//! Who waits for a CPU, by group and CPU, and how that becomes pressure: kernel/sched/psi.c
//! (`test_state`, `psi_task_switch`, `collect_percpu_times`).
//!
//! A task that a quota keeps from running counts as runnable, on the queue it waits on.

use super::averages::Averages;
use crate::events::{Act, Event, State, Wake, Who};
use crate::run::Run;

/// ns of a second.
const SECOND_NS: u64 = 1_000_000_000;

/// Every group; index 0 is the whole machine.
pub(super) struct Pressure {
    groups: Vec<Group>,
    /// By task: its group, and the CPU whose queue it is on.
    tasks: Vec<(usize, Option<usize>)>,
    hz: u64,
    period_ns: u64,
    next_update: u64,
    /// Otherwise a queue of two or more is a stall, and a queue of one is none.
    knows_who_runs: bool,
}

struct Group {
    parent: usize,
    cpus: Vec<Queue>,
    some: Averages,
    full: Averages,
}

/// A group's tasks on one CPU, and the times in each state since the last collection, ns.
#[derive(Clone, Copy, Default)]
struct Queue {
    runnable: u32,
    /// One of them runs.
    on_cpu: bool,
    since: u64,
    some: u64,
    full: u64,
    nonidle: u64,
}

impl Pressure {
    pub fn new(run: &Run) -> Self {
        let cpus = run.cpus() as usize;
        let group = |parent: u32| Group {
            parent: parent as usize,
            cpus: vec![Queue::default(); cpus],
            some: Averages::default(),
            full: Averages::default(),
        };
        let hz = u64::from(run.setup.kernel.hz);
        // PSI_FREQ is 2 * HZ + 1 ticks.
        let period_ns = (2 * hz + 1) * SECOND_NS / hz;
        Self {
            groups: run.setup.groups.iter().map(|spec| group(spec.parent)).collect(),
            tasks: run.setup.tasks.iter().map(|task| (task.group as usize, None)).collect(),
            hz,
            period_ns,
            next_update: period_ns,
            knows_who_runs: run.setup.kernel.pressure_knows_who_runs(),
        }
    }

    /// Takes the next event.
    pub fn event(&mut self, event: &Event) {
        self.fold_until(event.time);
        let (time, cpu) = (event.time, usize::from(event.cpu));
        match event.act {
            Act::SchedSwitch { prev, state, next } => {
                if prev != Who::IDLE {
                    self.change(time, prev.task, cpu, |queue| queue.on_cpu = false);
                }
                if prev != Who::IDLE && state == State::Sleeping {
                    self.moves(time, prev.task, None);
                }
                if next != Who::IDLE {
                    self.moves(time, next.task, Some(cpu));
                    self.change(time, next.task, cpu, |queue| queue.on_cpu = true);
                }
            }
            Act::Wake { step: Wake::Wakeup | Wake::WakeupNew, task, target_cpu }
                if !self.is_queued(task.task) =>
            {
                self.moves(time, task.task, Some(target_cpu as usize));
            }
            Act::MigrateTask { task, dest_cpu, .. } if self.is_queued(task.task) => {
                self.moves(time, task.task, Some(dest_cpu as usize));
            }
            _ => {}
        }
    }

    fn is_queued(&self, task: u32) -> bool {
        self.tasks.get(task as usize).is_some_and(|(_, on)| on.is_some())
    }

    /// Ends every averaging period up to an instant.
    fn fold_until(&mut self, time: u64) {
        while self.next_update <= time {
            self.collect(self.next_update);
            for group in &mut self.groups {
                group.some.fold(self.period_ns);
                group.full.fold(self.period_ns);
            }
            self.next_update += self.period_ns;
        }
    }

    /// The lines `some` and `full` of each group at the run's end.
    pub fn end(&mut self, time: u64) -> impl Iterator<Item = (Averages, Averages)> + '_ {
        self.fold_until(time);
        self.collect(time);
        self.groups.iter().map(|group| (group.some, group.full))
    }

    /// The task is on the queue of that CPU from now on.
    fn moves(&mut self, time: u64, task: u32, to: Option<usize>) {
        let Some((_, on)) = self.tasks.get_mut(task as usize) else { return };
        let from = std::mem::replace(on, to);
        if from == to {
            return;
        }
        if let Some(from) = from {
            self.change(time, task, from, |queue| queue.runnable -= 1);
        }
        if let Some(to) = to {
            self.change(time, task, to, |queue| queue.runnable += 1);
        }
    }

    /// Changes a queue in the task's group and in those above it.
    fn change(&mut self, time: u64, task: u32, cpu: usize, how: impl Fn(&mut Queue)) {
        let Some((mut group, _)) = self.tasks.get(task as usize).copied() else { return };
        loop {
            let Some(queue) = self.groups[group].cpus.get_mut(cpu) else { return };
            queue.pass(time, self.knows_who_runs);
            how(queue);
            if group == 0 {
                return;
            }
            group = self.groups[group].parent;
        }
    }

    /// Brings the times of all CPUs together, each CPU weighted by its ticks with tasks.
    fn collect(&mut self, now: u64) {
        let hz = u128::from(self.hz);
        for group in &mut self.groups {
            let (mut weights, mut some, mut full) = (0, 0, 0);
            for queue in &mut group.cpus {
                queue.pass(now, self.knows_who_runs);
                let weight = u128::from(queue.nonidle) * hz / u128::from(SECOND_NS);
                weights += weight;
                some += u128::from(queue.some) * weight;
                full += u128::from(queue.full) * weight;
                (queue.some, queue.full, queue.nonidle) = (0, 0, 0);
            }
            let mean = |sum: u128| u64::try_from(sum / weights.max(1)).unwrap_or(u64::MAX);
            group.some.add(mean(some));
            group.full.add(mean(full));
        }
    }
}

impl Queue {
    /// Counts the time since the last change.
    fn pass(&mut self, now: u64, knows_who_runs: bool) {
        let ns = now - self.since;
        self.since = now;
        let productive = if knows_who_runs { u32::from(self.on_cpu) } else { 1 };
        self.some += if self.runnable > productive { ns } else { 0 };
        self.full += if self.runnable > 0 && !self.on_cpu { ns } else { 0 };
        self.nonidle += if self.runnable > 0 { ns } else { 0 };
    }
}
