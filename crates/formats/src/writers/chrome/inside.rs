//! What happens on a CPU inside the stay of a task, or while the CPU is idle.

use std::fmt::{Display, Formatter};
use std::io::{Result, Write};

use super::json::Json;
use super::lanes::Lane;
use crate::events::State;
use crate::names::{softirq, x86_vector};

/// One CPU.
#[derive(Default)]
pub(super) struct Cpu {
    /// The task that runs.
    pub curr: Option<u32>,
    /// When its stay began.
    pub since: u64,
    /// The arrow that ends there.
    pub arrow: Option<u64>,
    /// ns from sched_waking to there.
    pub wakeup_ns: Option<u64>,
    /// What has begun, the outermost first.
    pub open: Vec<Open>,
    /// What is over.
    pub inside: Vec<Inside>,
    /// How the preemption point that leads to schedule() leaves a task.
    pub point: Option<State>,
    /// The pick that follows a flag, and how the task is left there.
    pub picked: Option<(u64, Option<State>)>,
}

/// It has begun.
#[derive(Clone, Copy)]
pub(super) struct Open {
    pub since: u64,
    what: What,
}

/// It is over.
#[derive(Clone, Copy)]
pub(super) struct Inside {
    pub span: (u64, u64),
    /// How many are around it.
    pub depth: usize,
    pub what: What,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Irq(u8),
    Softirq(u8),
    /// A wait for the lock of that number, on a machine of so many CPUs.
    Lock(u32, u32),
    /// An arrow begins.
    Arrow(u64),
}

impl Cpu {
    /// Whether a slice is under way.
    pub fn draws(&self) -> bool {
        self.curr.is_some() || !self.open.is_empty()
    }

    pub fn begins(&mut self, what: What, since: u64) {
        self.open.push(Open { since, what });
    }

    /// `what` ends, with all inside it; an idle CPU's slices are written once all are over.
    pub fn ends(
        &mut self,
        what: What,
        time: u64,
        number: usize,
        json: &mut Json,
        out: &mut dyn Write,
    ) -> Result<()> {
        if let Some(place) = self.open.iter().rposition(|open| open.what == what) {
            let over = self.open.split_off(place);
            self.over(&over, place, time);
        }
        if self.draws() { Ok(()) } else { self.flush(number, json, out) }
    }

    /// Ends what is open, and gives it.
    pub fn cut(&mut self, time: u64) -> Vec<Open> {
        let open = std::mem::take(&mut self.open);
        self.over(&open, 0, time);
        open
    }

    fn over(&mut self, over: &[Open], around: usize, time: u64) {
        self.inside.extend(over.iter().enumerate().map(|(nth, open)| Inside {
            span: (open.since, time),
            depth: around + nth,
            what: open.what,
        }));
    }

    /// Writes what no stay has taken along.
    pub fn flush(&mut self, number: usize, json: &mut Json, out: &mut dyn Write) -> Result<()> {
        write_inside(std::mem::take(&mut self.inside), number, json, out)
    }
}

/// The outer ones before those inside them.
pub(super) fn write_inside(
    mut inside: Vec<Inside>,
    cpu: usize,
    json: &mut Json,
    out: &mut dyn Write,
) -> Result<()> {
    inside.sort_by_key(|each| (each.span.0, u64::MAX - each.span.1, each.depth));
    let lane = Lane::cpu(cpu);
    inside.into_iter().try_for_each(|Inside { span, depth, what }| match what {
        What::Arrow(id) => json.arrow(lane, span.0, (id, false), out),
        // The stay is around all of them.
        _ => json.slice((lane, depth + 1), span, &what, format_args!(""), out),
    })
}

impl Display for What {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Irq(vector) => {
                let name = x86_vector(*vector).map_or("device", |(name, _)| name);
                write!(formatter, "irq {name}")
            }
            Self::Softirq(nr) => write!(formatter, "softirq {}", softirq(*nr)),
            Self::Lock(lock, cpus) if lock < cpus => {
                write!(formatter, "waits for the rq lock of CPU {lock}")
            }
            Self::Lock(lock, _) => write!(formatter, "waits for lock {lock}"),
            Self::Arrow(id) => write!(formatter, "wake-up {id}"),
        }
    }
}
