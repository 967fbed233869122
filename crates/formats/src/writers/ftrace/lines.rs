//! A line of the file, first as numbers, then as text.

use std::fmt::{Display, Formatter};
use std::io::{Result, Write};

use schedscope_engine::trace::catalogue::NONE;

use crate::run::Task;

/// The pid of task 0. The pids of a real machine's first kernel threads lie below it.
const FIRST_PID: u64 = 1000;
/// The kernel's priority of the idle task.
const IDLE_PRIO: u8 = 120;

/// A line as numbers.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// ns.
    pub time: u64,
    pub cpu: u16,
    pub flags: Flags,
    /// Who runs on the CPU, or none for idle.
    pub curr: u32,
    pub event: Event,
}

/// What the line says.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    Switch {
        prev: Who,
        state: State,
        next: Who,
    },
    /// `name` is the event's.
    Wake {
        name: &'static str,
        task: Who,
        target_cpu: u32,
    },
}

/// A task, or none for idle, and the priority that it has at that instant.
#[derive(Clone, Copy, Debug)]
pub struct Who {
    pub task: u32,
    pub prio: u8,
}

/// `prev_state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It stays runnable.
    Running,
    /// It was preempted while it ran in the kernel.
    Preempted,
    /// It sleeps.
    Sleeping,
}

/// The five letters behind the CPU.
#[derive(Clone, Copy, Debug)]
pub struct Flags {
    pub need_resched: u8,
    pub interrupt: u8,
    pub migrate_disable: bool,
}

impl Who {
    /// The idle task of a CPU.
    pub const IDLE: Self = Self { task: NONE, prio: IDLE_PRIO };
}

/// What comes before the first line, for so many of them.
pub fn header(lines: usize, cpus: u32, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "# tracer: nop\n#")?;
    writeln!(out, "# entries-in-buffer/entries-written: {lines}/{lines}   #P:{cpus}")?;
    out.write_all(COLUMNS.as_bytes())
}

/// The names of the columns, as the kernel prints them.
const COLUMNS: &str = "#
#                                _-----=> irqs-off/BH-disabled
#                               / _----=> need-resched
#                              | / _---=> hardirq/softirq
#                              || / _--=> preempt-depth
#                              ||| / _-=> migrate-disable
#                              |||| /     delay
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
";

impl Line {
    pub fn write(&self, tasks: &[Task], out: &mut dyn Write) -> Result<()> {
        // ns2usecs() rounds like this.
        let us = (self.time + 500) / 1000;
        let Flags { need_resched, interrupt, migrate_disable } = self.flags;
        write!(
            out,
            "{:>16}-{:<7} [{:03}] d{}{}.{} {:5}.{:06}: ",
            named(self.curr, tasks).unwrap_or(Comm("<idle>")),
            pid(self.curr),
            self.cpu,
            char::from(need_resched),
            char::from(interrupt),
            if migrate_disable { '1' } else { '.' },
            us / 1_000_000,
            us % 1_000_000,
        )?;
        match self.event {
            Event::Switch { prev, state, next } => {
                write!(out, "sched_switch: ")?;
                self.side("prev", prev, tasks, out)?;
                write!(out, " prev_state={} ==> ", state.letters())?;
                self.side("next", next, tasks, out)?;
                writeln!(out)
            }
            Event::Wake { name, task, target_cpu } => {
                let comm = named(task.task, tasks).unwrap_or(Comm("?"));
                let (pid, prio) = (pid(task.task), task.prio);
                writeln!(
                    out,
                    "{name}: comm={comm} pid={pid} prio={prio} target_cpu={target_cpu:03}"
                )
            }
        }
    }

    fn side(&self, side: &str, who: Who, tasks: &[Task], out: &mut dyn Write) -> Result<()> {
        match named(who.task, tasks) {
            Some(comm) => write!(out, "{side}_comm={comm} ")?,
            None => write!(out, "{side}_comm=swapper/{} ", self.cpu)?,
        }
        write!(out, "{side}_pid={} {side}_prio={}", pid(who.task), who.prio)
    }
}

impl State {
    fn letters(self) -> &'static str {
        match self {
            Self::Running => "R",
            Self::Preempted => "R+",
            Self::Sleeping => "S",
        }
    }
}

fn pid(task: u32) -> u64 {
    if task == NONE { 0 } else { FIRST_PID + u64::from(task) }
}

fn named(task: u32, tasks: &[Task]) -> Option<Comm<'_>> {
    tasks.get(task as usize).map(|task| Comm(&task.name))
}

/// A name on a line: a character that would end the line, steer a terminal or turn
/// the text around is an underscore.
struct Comm<'n>(&'n str);

impl Display for Comm<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        if self.0.contains(steers) {
            formatter.pad(&self.0.replace(steers, "_"))
        } else {
            formatter.pad(self.0)
        }
    }
}

fn steers(character: char) -> bool {
    let turns = ['\u{61c}', '\u{200e}', '\u{200f}'].contains(&character)
        || ('\u{2028}'..='\u{202e}').contains(&character)
        || ('\u{2066}'..='\u{2069}').contains(&character);
    character.is_control() || turns
}
