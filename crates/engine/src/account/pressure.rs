//! CPU pressure of control groups and of the machine, as cpu.pressure and /proc/pressure/cpu have
//! it (docs/model/bandwidth.md#cpu-pressure): kernel/sched/psi.c (`test_states`,
//! `psi_task_switch`, `collect_percpu_times`).
//!
//! A task that a quota keeps from running counts as runnable, on the queue it waits on.

mod averages;

use serde::Serialize;

pub use averages::Averages;

use crate::ids::{CpuId, GroupId, Id, TaskId};
use crate::setup::Setup;
use crate::sim::Sim;
use crate::trace::catalogue::{Kind, NONE};

/// ns of a second.
const SECOND_NS: u64 = 1_000_000_000;

/// cpu.pressure of a group, as the version of the kernel prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CpuPressure {
    /// Some task of the group waits for a CPU.
    pub some: PressureLine,
    /// Tasks of the group wait and none of them runs. Absent before 5.13, which has no such line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<PressureLine>,
}

/// A line of cpu.pressure; `_bp` are hundredths of a per cent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PressureLine {
    /// Time under pressure: the mean of all CPUs, each weighted by its time with tasks of the
    /// group.
    pub total_ns: u64,
    /// That time as a share of the run.
    pub share_bp: u64,
    /// The kernel's average over 10 s; 0 before its first period of 2 s and a tick has ended.
    pub avg10_bp: u64,
    /// The average over 60 s.
    pub avg60_bp: u64,
    /// The average over 300 s.
    pub avg300_bp: u64,
}

/// Who waits for a CPU, by group and CPU. Group 0 is the whole machine.
#[derive(Clone, Debug)]
pub struct Pressure {
    /// By group: its parent.
    parents: Vec<u32>,
    /// By group: `some` and `full`.
    lines: Vec<[Averages; 2]>,
    /// By group, then by CPU.
    queues: Vec<Queue>,
    /// By task.
    tasks: Vec<Place>,
    cpus: usize,
    hz: u64,
    period_ns: u64,
    next_update: u64,
    /// Otherwise a queue of two or more is a stall, and a queue of one is none.
    knows_who_runs: bool,
}

/// The group of a task, and the CPU whose queue it is on, [`NONE`] while it sleeps.
#[derive(Clone, Copy, Debug)]
struct Place {
    group: u32,
    on: u32,
}

/// A group's tasks on one CPU, and the times in each state since the last collection, ns.
#[derive(Clone, Copy, Debug, Default)]
struct Queue {
    runnable: i32,
    /// One of them runs.
    on_cpu: bool,
    since: u64,
    some: u64,
    full: u64,
    nonidle: u64,
}

impl Pressure {
    /// Every task of `setup` asleep at time 0.
    pub fn new(setup: &Setup) -> Self {
        let cpus = setup.machine.topology.cpus() as usize;
        let groups = setup.groups.len();
        let hz = u64::from(setup.kernel.hz);
        // PSI_FREQ is 2 * HZ + 1 ticks.
        let period_ns = (2 * hz + 1) * SECOND_NS / hz;
        let mut pressure = Self {
            parents: setup.groups.iter().map(|spec| spec.parent).collect(),
            lines: vec![Default::default(); groups],
            queues: vec![Queue::default(); groups * cpus],
            tasks: Vec::new(),
            cpus,
            hz,
            period_ns,
            next_update: period_ns,
            knows_who_runs: setup.kernel.pressure_knows_who_runs(),
        };
        pressure.take_in_tasks(setup);
        pressure
    }

    /// Adds the tasks of `setup` that are not known yet, after the others.
    pub(crate) fn take_in_tasks(&mut self, setup: &Setup) {
        for spec in &setup.tasks[self.tasks.len()..] {
            self.tasks.push(Place { group: spec.group, on: NONE });
        }
    }

    /// Bytes of its lists.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(&*self.queues) + size_of_val(&*self.tasks)) as u64
    }

    /// A CPU changes tasks; `slept`: the previous one leaves its queue. [`NONE`] is idle.
    pub fn switch(&mut self, time: u64, cpu: u32, (prev, slept): (u32, bool), next: u32) {
        self.fold_until(time);
        if prev != NONE {
            self.change(time, prev, cpu, 0, Some(false));
            if slept {
                self.moves(time, prev, NONE);
            }
        }
        if next != NONE {
            self.moves(time, next, cpu);
            self.change(time, next, cpu, 0, Some(true));
        }
    }

    /// A task comes to the queue of a CPU: by a wake-up (`wakes`) if it sleeps, by a migration if
    /// it does not. A task that is not known is passed over.
    pub fn come(&mut self, time: u64, task: u32, cpu: u32, wakes: bool) {
        self.fold_until(time);
        let place = self.tasks.get(task as usize);
        if place.is_some_and(|place| (place.on == NONE) == wakes) {
            self.moves(time, task, cpu);
        }
    }

    /// Brings all times up to an instant, as reading the files does.
    pub fn read(&mut self, time: u64) {
        self.fold_until(time);
        self.collect(time);
    }

    /// The lines `some` and `full` of each group at the last [`Self::read`].
    pub fn lines(&self) -> &[[Averages; 2]] {
        &self.lines
    }

    /// Ends every averaging period up to an instant.
    fn fold_until(&mut self, time: u64) {
        while self.next_update <= time {
            self.collect(self.next_update);
            for line in self.lines.iter_mut().flatten() {
                line.fold(self.period_ns);
            }
            self.next_update += self.period_ns;
        }
    }

    /// The task is on the queue of that CPU from now on.
    fn moves(&mut self, time: u64, task: u32, to: u32) {
        let from = std::mem::replace(&mut self.tasks[task as usize].on, to);
        if from == to {
            return;
        }
        for (cpu, more) in [(from, -1), (to, 1)] {
            if cpu != NONE {
                self.change(time, task, cpu, more, None);
            }
        }
    }

    /// Changes a queue in the task's group and in those above it: how many are runnable, and
    /// whether one of them runs.
    #[inline(never)]
    fn change(&mut self, time: u64, task: u32, cpu: u32, more: i32, on_cpu: Option<bool>) {
        let mut group = self.tasks[task as usize].group as usize;
        loop {
            let queue = &mut self.queues[group * self.cpus + cpu as usize];
            queue.pass(time, self.knows_who_runs);
            queue.runnable += more;
            queue.on_cpu = on_cpu.unwrap_or(queue.on_cpu);
            if group == 0 {
                return;
            }
            group = self.parents[group] as usize;
        }
    }

    /// Brings the times of all CPUs together, each CPU weighted by its ticks with tasks. At most an
    /// averaging period has passed, so a sum over 1024 CPUs is below 2^53.
    #[inline(never)]
    fn collect(&mut self, now: u64) {
        for (queues, [some, full]) in self.queues.chunks_mut(self.cpus).zip(&mut self.lines) {
            let (mut weights, mut sums) = (0, [0, 0]);
            for queue in queues {
                queue.pass(now, self.knows_who_runs);
                let weight = queue.nonidle * self.hz / SECOND_NS;
                weights += weight;
                sums[0] += queue.some * weight;
                sums[1] += queue.full * weight;
                (queue.some, queue.full, queue.nonidle) = (0, 0, 0);
            }
            some.add(sums[0] / weights.max(1));
            full.add(sums[1] / weights.max(1));
        }
    }
}

impl Queue {
    /// Counts the time since the last change.
    #[inline(never)]
    fn pass(&mut self, now: u64, knows_who_runs: bool) {
        let ns = now - self.since;
        self.since = now;
        if self.runnable == 0 {
            return;
        }
        self.nonidle += ns;
        let productive = if knows_who_runs { i32::from(self.on_cpu) } else { 1 };
        if self.runnable > productive {
            self.some += ns;
        }
        if !self.on_cpu {
            self.full += ns;
        }
    }
}

impl Sim {
    /// The pressure of a run whose report has some: it has groups, on a kernel with cpu.pressure.
    pub(crate) fn new_pressure(setup: &Setup) -> Option<Box<Pressure>> {
        let has_some = setup.groups.len() > 1 && setup.kernel.has_cpu_pressure();
        has_some.then(|| Box::new(Pressure::new(setup)))
    }

    /// Takes the record of a switch, a wake-up or a migration, whose columns are `a` and `b`.
    #[inline(never)]
    pub(crate) fn count_pressure(&mut self, kind: Kind, cpu: CpuId, a: u32, b: u32) {
        let Some(pressure) = &mut self.pressure else { return };
        if kind == Kind::SchedSwitch {
            let slept = a != NONE && !self.tasks[TaskId::new(a)].on_rq;
            pressure.switch(self.now, cpu.raw(), (a, slept), b);
        } else {
            pressure.come(self.now, a, b, kind != Kind::MigrateTask);
        }
    }

    /// The pressure of all groups, brought up to now; none where no report has it.
    pub(super) fn pressure_now(&self) -> Option<Box<Pressure>> {
        let mut pressure = self.pressure.clone();
        if let Some(pressure) = &mut pressure {
            pressure.read(self.now);
        }
        pressure
    }

    /// cpu.pressure of a group.
    pub(super) fn cpu_pressure(&self, pressure: &Pressure, group: GroupId) -> CpuPressure {
        let [some, full] = pressure.lines()[group.place()].map(|line| line.line(self.now));
        CpuPressure { some, full: self.kernel().has_full_cpu_pressure().then_some(full) }
    }
}
