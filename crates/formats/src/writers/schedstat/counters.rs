//! The counters of each run queue, from the rows.

use schedscope_engine::trace::catalogue::{CATALOGUE, Kind, NONE};
use schedscope_engine::trace::columns::Columns;

use crate::run::Run;

/// All CPUs and tasks.
pub(super) struct Counters {
    cpus: Vec<Cpu>,
    tasks: Vec<Task>,
    /// A pick of idle by an idle CPU counts: before 6.12, where put_prev_set_next_task() does not
    /// look whether it is the same task.
    idle_again_counts: bool,
}

/// One CPU; the fields are named after those of `struct rq` and `struct sched_info`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cpu {
    pub sched_count: u64,
    pub sched_goidle: u64,
    pub ttwu_count: u64,
    pub ttwu_local: u64,
    pub rq_cpu_time: u64,
    pub run_delay: u64,
    pub pcount: u64,
    /// A task runs.
    busy: bool,
    /// When it began to.
    since: u64,
    /// A flag was cleared then, and no switch has followed.
    cleared: Option<u64>,
    /// A slice extension was granted then: it clears the flag without schedule().
    granted: Option<u64>,
}

#[derive(Clone, Debug, Default)]
struct Task {
    /// It has waited since then.
    queued: Option<u64>,
    /// It left its CPU and may sleep since then: a wake-up, or that it runs without one, shows it.
    may_sleep: bool,
    /// How long it has waited on which CPUs, if it does not sleep.
    waited: Vec<(u32, u64)>,
    /// On the run queue of this CPU.
    cpu: u32,
    /// The CPU that began to wake it.
    waker: Option<u32>,
    runs: bool,
}

impl Counters {
    pub fn new(run: &Run) -> Self {
        Self {
            cpus: vec![Cpu::default(); run.cpus() as usize],
            tasks: vec![Task::default(); run.setup.tasks.len()],
            idle_again_counts: run.setup.kernel.idle_after_idle_counts(),
        }
    }

    pub fn rows(&mut self, rows: &Columns) {
        for row in 0..rows.time.len() {
            let kind = CATALOGUE.get(usize::from(rows.kind[row])).map(|entry| entry.kind);
            let (time, cpu) = (rows.time[row], usize::from(rows.cpu[row]));
            if let Some(kind) = kind.filter(|_| cpu < self.cpus.len()) {
                self.row(kind, time, cpu, (rows.a[row], rows.b[row]));
            }
        }
    }

    fn row(&mut self, kind: Kind, time: u64, cpu: usize, (a, b): (u32, u32)) {
        match kind {
            Kind::SchedSwitch => self.sched_switch(time, cpu, a, b),
            Kind::SchedWaking => {
                self.cpus[cpu].ttwu_count += 1;
                if let Some(task) = self.tasks.get_mut(a as usize) {
                    // If it had left its CPU, it slept.
                    let waker = Some(cpu as u32);
                    *task = Task { waker, cpu: task.cpu, runs: task.runs, ..Task::default() };
                }
            }
            Kind::SchedWakeup | Kind::WakeupNew => self.enqueue(time, a, b),
            Kind::MigrateTask => self.migrate(time, a, b),
            Kind::NeedReschedClear => {
                self.settle(cpu);
                let state = &mut self.cpus[cpu];
                state.cleared = Some(time).filter(|_| state.granted != Some(time));
            }
            Kind::SliceGrant => self.cpus[cpu].granted = Some(time),
            _ => {}
        }
    }

    fn sched_switch(&mut self, time: u64, cpu: usize, prev: u32, next: u32) {
        if self.cpus[cpu].cleared == Some(time) {
            self.cpus[cpu].cleared = None;
        }
        self.settle(cpu);
        let state = &mut self.cpus[cpu];
        state.sched_count += 1;
        if let Some(task) = self.tasks.get_mut(prev as usize) {
            state.rq_cpu_time += time - state.since;
            let (queued, may_sleep) = (Some(time), true);
            *task = Task { queued, may_sleep, cpu: cpu as u32, ..Task::default() };
        }
        (state.busy, state.since) = (next != NONE, time);
        state.pcount += u64::from(state.busy);
        state.sched_goidle += u64::from(!state.busy);
        if let Some(task) = self.tasks.get_mut(next as usize) {
            state.run_delay += task.queued.map_or(0, |queued| time - queued);
            let waited = std::mem::take(&mut task.waited);
            *task = Task { cpu: cpu as u32, runs: true, ..Task::default() };
            self.book(&waited);
        }
    }

    fn book(&mut self, waited: &[(u32, u64)]) {
        for (cpu, ns) in waited {
            self.cpus[*cpu as usize].run_delay += ns;
        }
    }

    /// A schedule() that cleared a flag and kept the task, or idle.
    fn settle(&mut self, cpu: usize) {
        let state = &mut self.cpus[cpu];
        if state.cleared.take().is_some() {
            state.sched_count += 1;
            state.sched_goidle += u64::from(!state.busy && self.idle_again_counts);
        }
    }

    fn enqueue(&mut self, time: u64, task: u32, cpu: u32) {
        let Some(task) = self.tasks.get_mut(task as usize) else { return };
        if task.waker.take() == Some(cpu) {
            self.cpus[cpu as usize].ttwu_local += 1;
        }
        // A task that was about to sleep runs on.
        if !task.runs {
            (task.queued, task.may_sleep, task.cpu) = (Some(time), false, cpu);
        }
    }

    /// A task that waits leaves its waiting time with the queue that it leaves
    /// (sched_info_dequeue).
    fn migrate(&mut self, time: u64, task: u32, to: u32) {
        let Some(task) = self.tasks.get_mut(task as usize) else { return };
        let from = std::mem::replace(&mut task.cpu, to);
        if let Some(queued) = task.queued {
            task.queued = Some(time);
            task.waited.push((from, time - queued));
        }
        if !task.may_sleep {
            let waited = std::mem::take(&mut task.waited);
            self.book(&waited);
        }
    }

    /// After the last row.
    pub fn end(&mut self) -> &[Cpu] {
        (0..self.cpus.len()).for_each(|cpu| self.settle(cpu));
        let left: Vec<_> = self.tasks.iter_mut().flat_map(|task| task.waited.drain(..)).collect();
        self.book(&left);
        &self.cpus
    }
}
