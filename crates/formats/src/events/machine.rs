//! What rows say of each CPU and task at the instant of an event: who runs, which flags are set,
//! which priority holds, which CPU a task belongs to.

use schedscope_engine::machine::ipi::RESCHEDULE;
use schedscope_engine::setup::TaskSpec;
use schedscope_engine::trace::catalogue::{CATALOGUE, Kind, NONE, POINT, POINT_TAKEN};
use schedscope_engine::trace::columns::Columns;

use super::event::{Act, Event, Flags, Softirq, State, Wake, Who};
use crate::policies::after_write;
use crate::run::{End, Run};

/// All CPUs and tasks. Every CPU is idle at 0.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    cpus: Vec<Cpu>,
    tasks: Vec<Task>,
}

#[derive(Clone, Copy, Debug)]
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

#[derive(Clone, Copy, Debug)]
struct Task {
    prio: u8,
    /// Without what it inherits.
    own_prio: u8,
    /// The CPU it belongs to; none before its first event.
    cpu: u32,
    migration_disabled: bool,
    /// It left its CPU, and no event since says whether it sleeps.
    left: Option<Left>,
    /// How often it slept, the last switch left out.
    slept: u64,
}

/// The switch with which a task left.
#[derive(Clone, Copy, Debug)]
struct Left {
    /// The place of the event among those that are kept, which is none outside the window.
    place: Option<usize>,
    state: State,
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
        let asleep = |task: &TaskSpec| Task {
            prio: task.policy.prio(),
            own_prio: task.policy.prio(),
            cpu: NONE,
            migration_disabled: false,
            left: None,
            slept: 0,
        };
        Self {
            cpus: vec![idle; run.cpus() as usize],
            tasks: run.setup.tasks.iter().map(asleep).collect(),
        }
    }

    /// Takes row `row`; keeps its event if it has one in the window.
    pub fn row(&mut self, rows: &Columns, row: usize, run: &Run, kept: &mut Vec<Event>) {
        let Some(kind) = CATALOGUE.get(usize::from(rows.kind[row])).map(|entry| entry.kind) else {
            return;
        };
        let row = Row { time: rows.time[row], cpu: rows.cpu[row], a: rows.a[row], b: rows.b[row] };
        if usize::from(row.cpu) >= self.cpus.len() {
            return;
        }
        match kind {
            Kind::SchedSwitch => self.sched_switch(row, run, kept),
            Kind::SchedWaking => self.wake(Wake::Waking, row, run, kept),
            Kind::SchedWakeup => self.wake(Wake::Wakeup, row, run, kept),
            Kind::WakeupNew => self.wake(Wake::WakeupNew, row, run, kept),
            _ => {
                // An entry's flags are those before it, an exit's those within it, as the kernel
                // has them: its tracepoints lie inside irq_enter() and irq_exit().
                let ends = matches!(kind, Kind::IrqExit | Kind::SoftirqExit);
                let act = self.act(kind, row);
                if ends {
                    self.keep(row, act, run, kept);
                }
                self.note(kind, row);
                if !ends {
                    self.keep(row, act, run, kept);
                }
                self.fold(kind, row);
            }
        }
    }

    fn sched_switch(&mut self, row: Row, run: &Run, kept: &mut Vec<Event>) {
        let act = self.switch(row);
        let place = self.keep(row, Some(act), run, kept);
        self.cpus[usize::from(row.cpu)].curr = row.b;
        self.settle(row.b, State::Running, kept);
        let Act::SchedSwitch { state, .. } = act else { return };
        if let Some(prev) = self.task(row.a) {
            prev.left = Some(Left { place, state });
        }
        if let Some(next) = self.task(row.b) {
            next.cpu = u32::from(row.cpu);
        }
    }

    /// What a row says besides switches and wake-ups.
    fn act(&self, kind: Kind, Row { cpu, a, b, .. }: Row) -> Option<Act> {
        let byte = |value: u32| u8::try_from(value).unwrap_or(u8::MAX);
        Some(match kind {
            Kind::MigrateTask => {
                let orig_cpu = self.tasks.get(a as usize)?.cpu;
                let orig_cpu = if orig_cpu == NONE { b } else { orig_cpu };
                Act::MigrateTask { task: self.who(a), orig_cpu, dest_cpu: b }
            }
            Kind::PiSetprio => Act::PiSetprio { task: self.who(a), newprio: byte(b) },
            Kind::IrqEntry => Act::Irq { entry: true, vector: byte(a) },
            Kind::IrqExit => Act::Irq { entry: false, vector: byte(a) },
            Kind::SoftirqRaise => Act::Softirq { step: Softirq::Raise, nr: byte(a) },
            Kind::SoftirqEntry => Act::Softirq { step: Softirq::Entry, nr: byte(a) },
            Kind::SoftirqExit => Act::Softirq { step: Softirq::Exit, nr: byte(a) },
            Kind::IpiSend => Act::IpiSend { target: a, vector: byte(b) },
            Kind::NeedResched | Kind::NeedReschedLazy => {
                Act::NeedResched { task: a, cpu, lazy: kind == Kind::NeedReschedLazy }
            }
            _ => return None,
        })
    }

    /// The event's place among the kept ones; none outside the window, or for no event.
    fn keep(&self, row: Row, act: Option<Act>, run: &Run, kept: &mut Vec<Event>) -> Option<usize> {
        let act = act.filter(|_| run.shows(row.time))?;
        // The kernel notes the flag where it is set, which can be another CPU than the flagged one.
        let cpu = match act {
            Act::NeedResched { .. } => u16::try_from(row.b).unwrap_or(row.cpu),
            _ => row.cpu,
        };
        let (time, Cpu { curr, .. }) = (row.time, self.cpus.get(usize::from(cpu))?);
        let curr = *curr;
        let flags = Flags { irqs_off: irqs_off(act), ..self.flags(usize::from(cpu)) };
        kept.push(Event { time, cpu, flags, curr, act });
        Some(kept.len() - 1)
    }

    /// Without a flag that led here the task sleeps or yields: it sleeps, unless it runs again
    /// without a wake-up.
    fn switch(&mut self, Row { time, cpu, a: prev, b: next }: Row) -> Act {
        let picked = self.cpus[usize::from(cpu)].picked.take().filter(|(at, _)| *at == time);
        let preempted = picked.and_then(|(_, state)| state);
        let unflagged = if prev == NONE { State::Running } else { State::Sleeping };
        let state = preempted.unwrap_or(unflagged);
        Act::SchedSwitch { prev: self.who(prev), state, next: self.who(next) }
    }

    fn wake(&mut self, step: Wake, row: Row, run: &Run, kept: &mut Vec<Event>) {
        self.settle(row.a, State::Sleeping, kept);
        let act = Act::Wake { step, task: self.who(row.a), target_cpu: row.b };
        self.keep(row, Some(act), run, kept);
        if let Some(task) = self.task(row.a) {
            task.cpu = row.b;
        }
    }

    /// The first event of a task that left its CPU says whether it slept: a wake-up, or that it
    /// runs again without one.
    fn settle(&mut self, task: u32, slept: State, kept: &mut [Event]) {
        let Some(task) = self.task(task) else { return };
        let Some(Left { place, state }) = task.left.take() else { return };
        let is_known = slept != State::Sleeping && state != State::Sleeping;
        let left = if is_known { state } else { slept };
        task.slept += u64::from(left == State::Sleeping);
        if let Some(Event { act: Act::SchedSwitch { state, .. }, .. }) =
            place.and_then(|place| kept.get_mut(place))
        {
            *state = left;
        }
    }

    /// A write gives a task a priority.
    pub fn write(&mut self, task: u32, prio: u8) {
        if let Some(task) = self.task(task) {
            task.prio = after_write(task.prio, task.own_prio, prio);
            task.own_prio = prio;
        }
    }

    /// A task that is off its CPU at the end slept if its figures count one sleep more than the
    /// rows; without figures it keeps what the rows say.
    pub fn end(&mut self, end: &End, run: &Run, kept: &mut [Event]) {
        for number in (0..).take(self.tasks.len()) {
            if let Some(sleeps) = end.sleeps(run, number) {
                let slept = sleeps > self.tasks[number as usize].slept;
                let state = if slept { State::Sleeping } else { State::Running };
                self.settle(number, state, kept);
            }
        }
    }

    /// scheduler_ipi() folds need_resched behind the tracepoint of its entry.
    fn fold(&mut self, kind: Kind, Row { cpu, a, .. }: Row) {
        let cpu = &mut self.cpus[usize::from(cpu)];
        cpu.folded |= kind == Kind::IrqEntry && cpu.now && a as usize == RESCHEDULE;
    }

    /// What a row changes on the machine.
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
            Kind::IrqEntry => cpu.irqs += 1,
            Kind::IrqExit => cpu.irqs = cpu.irqs.saturating_sub(1),
            Kind::SoftirqEntry => cpu.softirqs += 1,
            Kind::SoftirqExit => cpu.softirqs = cpu.softirqs.saturating_sub(1),
            Kind::MigrateTask => {
                if let Some(task) = self.task(a) {
                    task.cpu = b;
                }
            }
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
            irqs_off: true,
            need_resched,
            interrupt,
            migrate_disable: curr.is_some_and(|task| task.migration_disabled),
        }
    }
}

/// handle_softirqs() turns interrupts on before `softirq_entry`, and off after `softirq_exit`.
fn irqs_off(act: Act) -> bool {
    !matches!(act, Act::Softirq { step: Softirq::Entry | Softirq::Exit, .. })
}

/// preempt_schedule() and preempt_schedule_irq() leave `R+`; schedule() on the way back to user
/// code, and its own loop, leave `R`.
pub(crate) fn left_at(point: u32) -> State {
    use schedscope_engine::trace::codes::Point;
    let in_kernel = [Point::IrqExit, Point::PreemptEnable, Point::CondResched, Point::MightSleep];
    if in_kernel.iter().any(|each| *each as u32 == point) {
        State::Preempted
    } else {
        State::Running
    }
}
