//! What rows say of each CPU and task at the instant of a line: who runs, which flags are set,
//! which priority holds.

use schedscope_engine::machine::ipi::RESCHEDULE;
use schedscope_engine::trace::catalogue::{CATALOGUE, Kind, NONE, POINT, POINT_TAKEN};
use schedscope_engine::trace::columns::Columns;

use super::lines::{Event, Flags, Line, State, Who};
use crate::run::Run;

/// All CPUs and tasks. Every CPU is idle at 0.
pub struct Machine {
    cpus: Vec<Cpu>,
    tasks: Vec<Task>,
}

#[derive(Clone, Copy)]
struct Cpu {
    curr: u32,
    /// need_resched is set.
    now: bool,
    /// It is folded into preempt_count, where kernel code sees it.
    folded: bool,
    lazy: bool,
    /// Interrupt handlers on its stack.
    irqs: u32,
    softirqs: u32,
    /// How the preemption point that leads to schedule() leaves a task.
    point: Option<State>,
    /// The pick that follows a flag, and how the task is left there.
    picked: Option<(u64, Option<State>)>,
}

#[derive(Clone, Copy)]
struct Task {
    prio: u8,
    migration_disabled: bool,
    /// It left its CPU, and no event since says whether it sleeps: the line that says so, which is
    /// none outside the window.
    left: Option<Option<usize>>,
}

/// One row.
#[derive(Clone, Copy)]
struct Row {
    time: u64,
    cpu: u16,
    a: u32,
    b: u32,
}

impl Machine {
    pub fn new(run: &Run) -> Self {
        let idle = Cpu {
            curr: NONE,
            now: false,
            folded: false,
            lazy: false,
            irqs: 0,
            softirqs: 0,
            point: None,
            picked: None,
        };
        let asleep = |task: &crate::run::Task| Task {
            prio: task.prio,
            migration_disabled: false,
            left: None,
        };
        Self { cpus: vec![idle; run.cpus as usize], tasks: run.tasks.iter().map(asleep).collect() }
    }

    /// Takes row `row`; adds its line if it has one in the window.
    pub fn row(&mut self, rows: &Columns, row: usize, run: &Run, lines: &mut Vec<Line>) {
        let Some(kind) = CATALOGUE.get(usize::from(rows.kind[row])).map(|entry| entry.kind) else {
            return;
        };
        let row = Row { time: rows.time[row], cpu: rows.cpu[row], a: rows.a[row], b: rows.b[row] };
        if usize::from(row.cpu) >= self.cpus.len() {
            return;
        }
        match kind {
            Kind::SchedSwitch => {
                let event = self.switch(row);
                let line = self.add(row, event, run, lines);
                self.cpus[usize::from(row.cpu)].curr = row.b;
                self.settle(row.b, State::Running, lines);
                if let Some(prev) = self.task(row.a) {
                    prev.left = Some(line);
                }
            }
            Kind::SchedWaking => self.wake("sched_waking", row, run, lines),
            Kind::SchedWakeup => self.wake("sched_wakeup", row, run, lines),
            Kind::WakeupNew => self.wake("sched_wakeup_new", row, run, lines),
            _ => self.note(kind, row),
        }
    }

    /// The line's place; none outside the window.
    fn add(&self, row: Row, event: Event, run: &Run, lines: &mut Vec<Line>) -> Option<usize> {
        let (time, cpu) = (row.time, row.cpu);
        run.shows(time).then(|| {
            let curr = self.cpus[usize::from(cpu)].curr;
            lines.push(Line { time, cpu, flags: self.flags(usize::from(cpu)), curr, event });
            lines.len() - 1
        })
    }

    /// Without a flag that led here the task sleeps or yields: it sleeps, unless it runs again
    /// without a wake-up.
    fn switch(&mut self, Row { time, cpu, a: prev, b: next }: Row) -> Event {
        let picked = self.cpus[usize::from(cpu)].picked.take().filter(|(at, _)| *at == time);
        let preempted = picked.and_then(|(_, state)| state);
        let unflagged = if prev == NONE { State::Running } else { State::Sleeping };
        let state = preempted.unwrap_or(unflagged);
        Event::Switch { prev: self.who(prev), state, next: self.who(next) }
    }

    fn wake(&mut self, name: &'static str, row: Row, run: &Run, lines: &mut Vec<Line>) {
        self.settle(row.a, State::Sleeping, lines);
        let event = Event::Wake { name, task: self.who(row.a), target_cpu: row.b };
        self.add(row, event, run, lines);
    }

    /// The first event of a task that left its CPU says whether it slept: a wake-up, or that it
    /// runs again without one.
    fn settle(&mut self, task: u32, slept: State, lines: &mut [Line]) {
        let line = self.task(task).and_then(|task| task.left.take()).flatten();
        let Some(Line { event: Event::Switch { state, .. }, .. }) =
            line.and_then(|line| lines.get_mut(line))
        else {
            return;
        };
        if slept == State::Sleeping || *state == State::Sleeping {
            *state = slept;
        }
    }

    /// Takes a row that has no line.
    fn note(&mut self, kind: Kind, Row { time, cpu: number, a, b }: Row) {
        let cpu = &mut self.cpus[usize::from(number)];
        match kind {
            Kind::NeedResched | Kind::NeedReschedUpgrade => {
                (cpu.now, cpu.folded) = (true, cpu.folded || b == u32::from(number));
            }
            Kind::NeedReschedLazy => cpu.lazy = true,
            Kind::NeedReschedClear => {
                (cpu.now, cpu.folded, cpu.lazy) = (false, false, false);
                cpu.picked = Some((time, cpu.point.take()));
            }
            Kind::PreemptPoint if POINT_TAKEN.of(a) == 1 => cpu.point = Some(left_at(POINT.of(a))),
            Kind::IrqEntry => {
                cpu.irqs += 1;
                cpu.folded |= cpu.now && a as usize == RESCHEDULE;
            }
            Kind::IrqExit => cpu.irqs = cpu.irqs.saturating_sub(1),
            Kind::SoftirqEntry => cpu.softirqs += 1,
            Kind::SoftirqExit => cpu.softirqs = cpu.softirqs.saturating_sub(1),
            Kind::MigrateDisable => {
                if let Some(task) = self.task(a) {
                    task.migration_disabled = b == 1;
                }
            }
            Kind::PiSetprio => {
                if let Some(task) = self.task(a) {
                    task.prio = u8::try_from(b).unwrap_or(task.prio);
                }
            }
            _ => {}
        }
    }

    fn task(&mut self, task: u32) -> Option<&mut Task> {
        self.tasks.get_mut(task as usize)
    }

    fn who(&self, task: u32) -> Who {
        self.tasks.get(task as usize).map_or(Who::IDLE, |known| Who { task, prio: known.prio })
    }

    fn flags(&self, cpu: usize) -> Flags {
        let Cpu { curr, now, folded, lazy, irqs, softirqs, .. } = self.cpus[cpu];
        let need_resched = match (now, folded, lazy) {
            (true, true, true) => b'B',
            (true, true, false) => b'N',
            (true, false, true) => b'b',
            (true, false, false) => b'n',
            (false, _, true) => b'l',
            (false, _, false) => b'.',
        };
        let interrupt = match (irqs > 0, softirqs > 0) {
            (true, true) => b'H',
            (true, false) => b'h',
            (false, true) => b's',
            (false, false) => b'.',
        };
        let curr = self.tasks.get(curr as usize);
        Flags {
            need_resched,
            interrupt,
            migrate_disable: curr.is_some_and(|task| task.migration_disabled),
        }
    }
}

/// preempt_schedule() and preempt_schedule_irq() leave `R+`; schedule() on the way back to user
/// code, and its own loop, leave `R`.
fn left_at(point: u32) -> State {
    use schedscope_engine::trace::codes::Point;
    let in_kernel = [Point::IrqExit, Point::PreemptEnable, Point::CondResched, Point::MightSleep];
    if in_kernel.iter().any(|each| *each as u32 == point) {
        State::Preempted
    } else {
        State::Running
    }
}
