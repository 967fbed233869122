//! The lanes of CPUs: stays of tasks with what interrupts them.
//!
//! A slice is written before those inside it: a reader that sorts by time keeps the order of
//! equals. How a task left is known from its next event, so the last stay of each task waits.

use std::io::{Result, Write};

use schedscope_engine::trace::catalogue::{Kind, NONE, POINT, POINT_TAKEN};

use super::inside::{Cpu, Inside, Open, What, write_inside};
use super::json::Json;
use super::lanes::Lane;
use super::row::Row;
use crate::events::{State, left_at, pid};
use crate::names::comm;
use crate::policies::after_write;
use crate::run::{End, Run};

/// All CPUs and tasks.
pub(super) struct Stays {
    cpus: Vec<Cpu>,
    tasks: Vec<Task>,
    /// Arrows so far.
    arrows: u64,
}

#[derive(Default)]
struct Task {
    prio: u8,
    /// Without what it inherits.
    own_prio: u8,
    /// The last stay, until its end is understood.
    stay: Option<Stay>,
    /// The arrow of the wake-up under way.
    arrow: Option<u64>,
    /// When sched_waking began it.
    waking: Option<u64>,
    /// What began in its stay and goes on in the next.
    open: Vec<Open>,
    /// How often it slept, the last stay left out.
    slept: u64,
}

struct Stay {
    task: u32,
    cpu: usize,
    span: (u64, u64),
    prio: u8,
    /// None: it has not left.
    state: Option<State>,
    arrow: Option<u64>,
    /// ns from sched_waking to its start.
    wakeup_ns: Option<u64>,
    inside: Vec<Inside>,
}

impl Stays {
    pub fn new(run: &Run) -> Self {
        let task = |prio| Task { prio, own_prio: prio, ..Task::default() };
        Self {
            cpus: (0..run.cpus()).map(|_| Cpu::default()).collect(),
            tasks: run.setup.tasks.iter().map(|spec| task(spec.policy.prio())).collect(),
            arrows: 0,
        }
    }

    pub fn row(
        &mut self,
        kind: Kind,
        row: Row,
        run: &Run,
        json: &mut Json,
        out: &mut dyn Write,
    ) -> Result<()> {
        let Row { time, cpu: number, a, b } = row;
        let byte = |value: u32| u8::try_from(value).unwrap_or(u8::MAX);
        let lock = What::Lock(a, self.cpus.len() as u32);
        let cpu = &mut self.cpus[number];
        match kind {
            Kind::SchedSwitch => return self.sched_switch(row, run, json, out),
            Kind::SchedWaking => {
                self.settle(a, State::Sleeping, run, json, out)?;
                self.wakes(row, run);
                if let Some(task) = self.tasks.get_mut(a as usize) {
                    task.waking = Some(time);
                }
            }
            // A wake-up can begin before its task has left, and end after.
            Kind::SchedWakeup => return self.settle(a, State::Sleeping, run, json, out),
            Kind::WakeupNew => self.wakes(row, run),
            Kind::IrqEntry => cpu.begins(What::Irq(byte(a)), time),
            Kind::IrqExit => return cpu.ends(What::Irq(byte(a)), time, number, json, out),
            Kind::SoftirqEntry => cpu.begins(What::Softirq(byte(a)), time),
            Kind::SoftirqExit => return cpu.ends(What::Softirq(byte(a)), time, number, json, out),
            Kind::LockWait => cpu.begins(lock, time),
            Kind::LockAcq => return cpu.ends(lock, time, number, json, out),
            Kind::PreemptPoint if POINT_TAKEN.of(a) == 1 => cpu.point = Some(left_at(POINT.of(a))),
            Kind::NeedReschedClear => cpu.picked = Some((time, cpu.point.take())),
            Kind::PiSetprio => {
                if let Some(task) = self.tasks.get_mut(a as usize) {
                    task.prio = byte(b);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn sched_switch(
        &mut self,
        row: Row,
        run: &Run,
        json: &mut Json,
        out: &mut dyn Write,
    ) -> Result<()> {
        let Row { time, cpu: number, b: next, .. } = row;
        let cpu = &mut self.cpus[number];
        let picked = cpu.picked.take().filter(|(at, _)| *at == time);
        let state = picked.and_then(|(_, state)| state).unwrap_or(State::Sleeping);
        let open = cpu.cut(time);
        if let Some(stay) = self.stay(number, time, Some(state)) {
            let task = &mut self.tasks[stay.task as usize];
            (task.stay, task.open) = (Some(stay), open);
        }
        self.cpus[number].flush(number, json, out)?;
        // Without a wake-up it did not sleep.
        self.settle(next, State::Running, run, json, out)?;
        let cpu = &mut self.cpus[number];
        (cpu.curr, cpu.since, cpu.arrow) = (Some(next).filter(|next| *next != NONE), time, None);
        if let Some(task) = self.tasks.get_mut(next as usize) {
            cpu.arrow = task.arrow.take();
            cpu.wakeup_ns = task.waking.take().map(|waking| time - waking);
            cpu.open = std::mem::take(&mut task.open);
            cpu.open.iter_mut().for_each(|open| open.since = time);
        }
        Ok(())
    }

    /// A write gives a task a priority.
    pub fn write(&mut self, task: u32, prio: u8) {
        if let Some(task) = self.tasks.get_mut(task as usize) {
            task.prio = after_write(task.prio, task.own_prio, prio);
            task.own_prio = prio;
        }
    }

    /// The stay that ends on a CPU; none if it is idle.
    fn stay(&mut self, number: usize, time: u64, state: Option<State>) -> Option<Stay> {
        let cpu = &mut self.cpus[number];
        let task = cpu.curr?;
        Some(Stay {
            task,
            cpu: number,
            span: (cpu.since, time),
            prio: self.tasks.get(task as usize)?.prio,
            state,
            arrow: cpu.arrow.take(),
            wakeup_ns: cpu.wakeup_ns.take(),
            inside: std::mem::take(&mut cpu.inside),
        })
    }

    /// Says how a task left its CPU, by the rule of `events::machine`.
    fn settle(
        &mut self,
        task: u32,
        slept: State,
        run: &Run,
        json: &mut Json,
        out: &mut dyn Write,
    ) -> Result<()> {
        let Some(task) = self.tasks.get_mut(task as usize) else { return Ok(()) };
        let Some(mut stay) = task.stay.take() else { return Ok(()) };
        if slept == State::Sleeping || stay.state == Some(State::Sleeping) {
            stay.state = Some(slept);
        }
        task.slept += u64::from(stay.state == Some(State::Sleeping));
        stay.write(run, json, out)
    }

    /// An arrow begins in the slice around it, if there is one.
    fn wakes(&mut self, row: Row, run: &Run) {
        let cpu = &mut self.cpus[row.cpu];
        let drawn = run.shows(row.time) && cpu.draws();
        self.arrows += u64::from(drawn);
        let arrow = Some(self.arrows).filter(|_| drawn);
        if let Some(id) = arrow {
            let span = (row.time, row.time);
            cpu.inside.push(Inside { span, depth: usize::MAX, what: What::Arrow(id) });
        }
        if let Some(task) = self.tasks.get_mut(row.a as usize) {
            task.arrow = arrow;
        }
    }

    /// The run is over.
    pub fn end(
        &mut self,
        end: &End,
        run: &Run,
        json: &mut Json,
        out: &mut dyn Write,
    ) -> Result<()> {
        let now = end.ns;
        for number in 0..self.cpus.len() {
            self.cpus[number].cut(now);
            if let Some(stay) = self.stay(number, now, None) {
                stay.write(run, json, out)?;
            }
            self.cpus[number].flush(number, json, out)?;
        }
        (0..).take(self.tasks.len()).try_for_each(|number| {
            let Task { stay, slept, .. } = &self.tasks[number as usize];
            let state = match end.sleeps(run, number) {
                Some(sleeps) if sleeps > *slept => State::Sleeping,
                Some(_) => State::Running,
                None => stay.as_ref().and_then(|stay| stay.state).unwrap_or(State::Sleeping),
            };
            self.settle(number, state, run, json, out)
        })
    }
}

impl Stay {
    fn write(self, run: &Run, json: &mut Json, out: &mut dyn Write) -> Result<()> {
        let lane = Lane::cpu(self.cpu);
        if let (Some(name), Some((from, to))) = (comm(run, self.task), json.part(self.span)) {
            let (task, prio) = (pid(self.task), self.prio);
            // What the window cuts off has not left there.
            let left = match self.state.filter(|_| to == self.span.1) {
                Some(State::Running) => ",\"prev_state\":\"R\"",
                Some(State::Preempted) => ",\"prev_state\":\"R+\"",
                Some(State::Sleeping) => ",\"prev_state\":\"S\"",
                None => "",
            };
            let wakeup = self.wakeup_ns.map(|ns| format!(",\"wakeup_ns\":{ns}"));
            let wakeup = wakeup.unwrap_or_default();
            let args = format_args!("\"pid\":{task},\"prio\":{prio}{left}{wakeup}");
            json.slice((lane, 0), self.span, &name, args, out)?;
            if let Some(id) = self.arrow.filter(|_| from == self.span.0) {
                json.arrow(lane, from, (id, true), out)?;
            }
        }
        write_inside(self.inside, self.cpu, json, out)
    }
}
