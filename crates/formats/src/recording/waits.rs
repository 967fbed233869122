//! How long each task waited for a CPU, and behind what: between two events of a CPU it does one
//! thing, and so the parts of a wait add up to it.
//!
//! ```text
//! sched_waking ──waking── sched_wakeup ──idle──┆──irq──┆──behind X── sched_switch to the task
//!                                          what the CPU did that the task waits for
//! ```

use std::cmp::Ordering;
use std::collections::BTreeMap;

use schedscope_engine::trace::catalogue::{Kind, NONE};

use super::recorded::Recording;
use super::row::{Left, Row};
use super::tasks::Prio;

/// What a task waits behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// From sched_waking to sched_wakeup: the waker chooses a CPU and takes its lock, or an IPI is
    /// on its way.
    Waking,
    /// The CPU is idle: it leaves its idle state and switches.
    Idle,
    /// An interrupt handler runs; the CPU's vector, and the interrupt's number of a device.
    Irq(u32, u32),
    /// A softirq handler runs.
    Softirq(u32),
    /// This task runs, which is stronger.
    Stronger(u32),
    /// This task runs, which is as strong: it is the fair class's turn, or the same priority's.
    Equal(u32),
    /// This task runs, which is weaker: it was not preempted yet.
    Weaker(u32),
    /// This task runs; a priority was not recorded.
    Behind(u32),
    /// What the CPU did is not recorded: no event of it came before.
    Unknown,
}

/// A part of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What it was.
    pub part: Part,
    /// The CPU whose doing it was.
    pub cpu: u16,
    /// How long, ns.
    pub ns: u64,
}

/// A task that wanted a CPU and got it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The task.
    pub task: u32,
    /// It was woken; else it was preempted, or yielded.
    pub is_wakeup: bool,
    /// From when on, ns.
    pub from_ns: u64,
    /// Until it was switched to, ns.
    pub to_ns: u64,
    /// The CPU that it then ran on.
    pub cpu: u16,
    /// Who woke it: the task that ran where the wake-up was written, [`NONE`] for the idle task
    /// and for an interrupt.
    pub waker: u32,
    /// The parts, in order; they add up to the wait.
    pub segments: Vec<Segment>,
}

impl Wait {
    /// How long it was, ns.
    pub fn ns(&self) -> u64 {
        self.to_ns - self.from_ns
    }
}

/// What a recording lacks: the task that leaves a CPU is not the one that came to it last, so a
/// switch in between was not recorded. Kernels lose some that leave the idle task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Missed {
    /// Switches that are not in it.
    pub switches: u64,
    /// Waits that ended with one of them, and are left out.
    pub waits: u64,
}

/// Calls `see` for every wait that has an end in the recording, in the order of their ends.
pub fn waits(recording: &Recording, see: &mut dyn FnMut(Wait)) -> Missed {
    let mut machine = Machine::new(recording);
    for row in &recording.rows {
        machine.row(row, see);
    }
    machine.missed
}

/// What a CPU does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    Unknown,
    Task(u32),
    Irq(u32, u32),
    Softirq(u32),
}

/// Handlers inside of each other at most.
const DEPTH: usize = 16;

struct Cpu {
    /// The task that runs; none before the first event that says it.
    curr: Option<u32>,
    /// Handlers that interrupt it, the innermost last.
    handlers: Vec<Doing>,
    /// Since when it does what it does.
    since_ns: u64,
    /// Tasks that wait here.
    waiting: Vec<u32>,
}

struct Waiting {
    is_wakeup: bool,
    from_ns: u64,
    cpu: usize,
    waker: u32,
    segments: Vec<Segment>,
}

struct Machine {
    cpus: Vec<Cpu>,
    waits: BTreeMap<u32, Waiting>,
    prios: Vec<Prio>,
    /// Whether a task runs, by its index.
    running: Vec<bool>,
    /// Wake-ups that began while the task had not left its CPU yet.
    early: BTreeMap<u32, Waiting>,
    missed: Missed,
}

impl Machine {
    fn new(recording: &Recording) -> Self {
        let cpu = |curr| Cpu { curr, handlers: Vec::new(), since_ns: 0, waiting: Vec::new() };
        let first = first_tasks(recording);
        let mut running = vec![false; recording.tasks.len()];
        for task in first.iter().flatten().filter(|task| **task != NONE) {
            running[*task as usize] = true;
        }
        Self {
            cpus: first.into_iter().map(cpu).collect(),
            waits: BTreeMap::new(),
            prios: recording.tasks.iter().map(|task| task.prio).collect(),
            running,
            early: BTreeMap::new(),
            missed: Missed::default(),
        }
    }

    fn row(&mut self, row: &Row, see: &mut dyn FnMut(Wait)) {
        let cpu = usize::from(row.cpu);
        match row.kind {
            Kind::SchedSwitch => self.switch(row, see),
            Kind::SchedWaking => self.waking(row),
            Kind::SchedWakeup | Kind::WakeupNew => self.woken(row),
            Kind::MigrateTask => self.migrated(row),
            Kind::PiSetprio => self.set_prio(row.a, row.prio),
            Kind::IrqEntry => self.enters(cpu, row.ns, Doing::Irq(row.a, row.b)),
            Kind::IrqExit => self.leaves(cpu, row.ns, |doing| matches!(doing, Doing::Irq(..))),
            Kind::SoftirqEntry => self.enters(cpu, row.ns, Doing::Softirq(row.a)),
            Kind::SoftirqExit => {
                self.leaves(cpu, row.ns, |doing| matches!(doing, Doing::Softirq(..)))
            }
            _ => {}
        }
    }

    fn doing(&self, cpu: usize) -> Doing {
        let cpu = &self.cpus[cpu];
        match (cpu.handlers.last(), cpu.curr) {
            (Some(handler), _) => *handler,
            (None, Some(task)) => Doing::Task(task),
            (None, None) => Doing::Unknown,
        }
    }

    /// The CPU did one thing until now: all that wait there waited behind it.
    fn charge(&mut self, cpu: usize, ns: u64) {
        let doing = self.doing(cpu);
        let since = self.cpus[cpu].since_ns;
        self.cpus[cpu].since_ns = ns;
        for at in 0..self.cpus[cpu].waiting.len() {
            let task = self.cpus[cpu].waiting[at];
            let part = self.part(doing, task);
            if let Some(wait) = self.waits.get_mut(&task) {
                let spent = ns - since.max(wait.from_ns).min(ns);
                add(&mut wait.segments, part, cpu, spent);
            }
        }
    }

    fn part(&self, doing: Doing, task: u32) -> Part {
        match doing {
            Doing::Unknown => Part::Unknown,
            Doing::Task(NONE) => Part::Idle,
            Doing::Irq(vector, irq) => Part::Irq(vector, irq),
            Doing::Softirq(vec) => Part::Softirq(vec),
            Doing::Task(other) => {
                match self.prios[other as usize].against(self.prios[task as usize]) {
                    Some(Ordering::Less) => Part::Stronger(other),
                    Some(Ordering::Equal) => Part::Equal(other),
                    Some(Ordering::Greater) => Part::Weaker(other),
                    None => Part::Behind(other),
                }
            }
        }
    }

    fn enters(&mut self, cpu: usize, ns: u64, doing: Doing) {
        self.charge(cpu, ns);
        let handlers = &mut self.cpus[cpu].handlers;
        if handlers.len() < DEPTH {
            handlers.push(doing);
        }
    }

    /// A handler ends, and with it what was lost inside of it.
    fn leaves(&mut self, cpu: usize, ns: u64, is: fn(Doing) -> bool) {
        self.charge(cpu, ns);
        let handlers = &mut self.cpus[cpu].handlers;
        if let Some(at) = handlers.iter().rposition(|doing| is(*doing)) {
            handlers.truncate(at);
        }
    }

    fn set_prio(&mut self, task: u32, prio: u8) {
        if let Some(known) = self.prios.get_mut(task as usize)
            && Prio(prio) != Prio::UNKNOWN
        {
            *known = Prio(prio);
        }
    }

    fn waking(&mut self, row: &Row) {
        let cpu = usize::from(row.cpu);
        self.set_prio(row.a, row.prio);
        if row.a == NONE || self.waits.contains_key(&row.a) {
            return;
        }
        let wait = self.begun(row, cpu, true);
        let to = if self.is_running(row.a) { &mut self.early } else { &mut self.waits };
        to.insert(row.a, wait);
    }

    fn begun(&self, row: &Row, cpu: usize, is_wakeup: bool) -> Waiting {
        let waker = match self.doing(usize::from(row.cpu)) {
            Doing::Task(task) if is_wakeup => task,
            _ => NONE,
        };
        Waiting { is_wakeup, from_ns: row.ns, cpu, waker, segments: Vec::new() }
    }

    fn woken(&mut self, row: &Row) {
        self.set_prio(row.a, row.prio);
        if row.a == NONE || self.is_running(row.a) {
            // A task that had not gone to sleep yet goes on.
            self.early.remove(&row.a);
            return;
        }
        let target = if row.b == NONE { u32::from(row.cpu) } else { row.b };
        if !self.waits.contains_key(&row.a) {
            let wait = self.begun(row, target as usize, true);
            self.waits.insert(row.a, wait);
        }
        if let Some(wait) = self.waits.get_mut(&row.a) {
            let waited: u64 = wait.segments.iter().map(|segment| segment.ns).sum();
            let waking = row.ns - wait.from_ns - waited.min(row.ns - wait.from_ns);
            add(&mut wait.segments, Part::Waking, usize::from(row.cpu), waking);
        }
        self.queue(row.a, target as usize, row.ns);
    }

    fn is_running(&self, task: u32) -> bool {
        self.running[task as usize]
    }

    /// The task waits on this CPU from now on.
    fn queue(&mut self, task: u32, cpu: usize, ns: u64) {
        self.charge(cpu, ns);
        self.unqueue(task, ns);
        if let Some(wait) = self.waits.get_mut(&task) {
            wait.cpu = cpu;
            self.cpus[cpu].waiting.push(task);
        }
    }

    fn unqueue(&mut self, task: u32, ns: u64) {
        let Some(cpu) = self.waits.get(&task).map(|wait| wait.cpu) else { return };
        if self.cpus[cpu].waiting.contains(&task) {
            self.charge(cpu, ns);
            self.cpus[cpu].waiting.retain(|other| *other != task);
        }
    }

    fn migrated(&mut self, row: &Row) {
        self.set_prio(row.a, row.prio);
        let waits = self.waits.get(&row.a);
        let is_queued = waits.is_some_and(|wait| self.cpus[wait.cpu].waiting.contains(&row.a));
        if is_queued && row.b != NONE {
            self.queue(row.a, row.b as usize, row.ns);
        }
    }

    fn switch(&mut self, row: &Row, see: &mut dyn FnMut(Wait)) {
        let cpu = usize::from(row.cpu);
        self.charge(cpu, row.ns);
        let (prev, next) = (row.a, row.b);
        self.check(cpu, prev, row.ns);
        self.set_prio(next, row.prio);
        // schedule() runs in no handler: one whose end was lost is over.
        self.cpus[cpu].handlers.clear();
        self.cpus[cpu].curr = Some(next);
        for (task, runs) in [(prev, false), (next, true)] {
            if let Some(running) = self.running.get_mut(task as usize) {
                *running = runs;
            }
        }
        if prev != NONE && row.left.is_runnable() {
            let wait = self.begun(row, cpu, false);
            self.waits.insert(prev, wait);
            self.queue(prev, cpu, row.ns);
        } else if prev != NONE && row.left != Left::Unknown {
            self.waits.extend(self.early.remove_entry(&prev));
        }
        if next != NONE {
            self.unqueue(next, row.ns);
            if let Some(wait) = self.waits.remove(&next) {
                see(ended(next, wait, row));
            }
        }
    }

    /// Who leaves the CPU came to it; if that was not recorded, its wait has no end that is known.
    fn check(&mut self, cpu: usize, prev: u32, ns: u64) {
        let Some(known) = self.cpus[cpu].curr.filter(|known| *known != prev) else { return };
        self.missed.switches += 1;
        if let Some(running) = self.running.get_mut(known as usize) {
            *running = false;
        }
        self.unqueue(prev, ns);
        self.missed.waits += u64::from(self.waits.remove(&prev).is_some());
    }
}

/// Who runs on each CPU when the recording begins: who leaves it first.
fn first_tasks(recording: &Recording) -> Vec<Option<u32>> {
    let mut first = vec![None; recording.cpus as usize];
    let switches = recording.rows.iter().filter(|row| row.kind == Kind::SchedSwitch);
    for row in switches {
        first[usize::from(row.cpu)].get_or_insert(row.a);
    }
    first
}

fn ended(task: u32, wait: Waiting, row: &Row) -> Wait {
    let Waiting { is_wakeup, from_ns, waker, mut segments, .. } = wait;
    let waited: u64 = segments.iter().map(|segment| segment.ns).sum();
    let rest = (row.ns - from_ns).saturating_sub(waited);
    add(&mut segments, Part::Unknown, usize::from(row.cpu), rest);
    Wait { task, is_wakeup, from_ns, to_ns: row.ns, cpu: row.cpu, waker, segments }
}

/// Adds to the last part where that is the same.
fn add(segments: &mut Vec<Segment>, part: Part, cpu: usize, ns: u64) {
    let cpu = u16::try_from(cpu).unwrap_or(u16::MAX);
    match segments.last_mut() {
        _ if ns == 0 => {}
        Some(last) if last.part == part && last.cpu == cpu => last.ns += ns,
        _ => segments.push(Segment { part, cpu, ns }),
    }
}
