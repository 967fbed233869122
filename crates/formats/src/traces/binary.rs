//! What recordings of bytes have in common: how they end early, how far a reader has come, and how
//! an event of named fields is one of [`Event`].

use std::collections::BTreeMap;

use super::form::{Refused, Watch};
use super::{ftrace_text, payload};
use crate::recording::{Builder, Event, Left, Named, Stamp};

/// Events between two looks at whether the reading goes on.
const STEP: u32 = 4_096;
/// cpu_idle's state when the CPU leaves it.
const LEAVES_IDLE: i64 = 4_294_967_295;
/// Longest name that the kernel keeps of a task.
const COMM_MAX: usize = 15;
/// Most names of tasks that a file's own list gives.
const NAMES_MAX: usize = 1 << 20;

/// Why a reader goes no further.
#[derive(Debug)]
pub(super) enum Stop {
    /// There is no recording.
    Refused(Refused),
    /// From this place on the file is not as it should be, and why.
    Damaged(String, String),
}

impl Stop {
    /// At a byte of the file.
    pub(super) fn at(byte: usize, why: &str) -> Self {
        Self::Damaged(format!("byte {byte}"), why.to_owned())
    }
}

/// Fields of an event by the names that the kernel gives them.
pub(super) trait Fields {
    fn number(&self, field: &str) -> Option<i64>;
    fn text(&self, field: &str) -> Option<&str>;
}

/// What an event's name says of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sort {
    Switch,
    Waking,
    Wakeup {
        is_new: bool,
    },
    Migrate,
    PiSetprio,
    Exit,
    Fork,
    Irq {
        begins: bool,
    },
    SoftirqRaise,
    Softirq {
        begins: bool,
    },
    Idle,
    Ipi,
    TickStop,
    /// An interrupt of the CPU's own, which has no field that is needed.
    Vector(Event<'static>),
}

/// An event of which nothing is taken, though its name is one of those that are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Said<'e> {
    Event(Event<'e>),
    Nothing,
    Lacks,
}

impl Sort {
    /// None for an event that nothing here needs.
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "sched_switch" => Self::Switch,
            "sched_waking" => Self::Waking,
            "sched_wakeup" => Self::Wakeup { is_new: false },
            "sched_wakeup_new" => Self::Wakeup { is_new: true },
            "sched_migrate_task" => Self::Migrate,
            "sched_pi_setprio" => Self::PiSetprio,
            "sched_process_exit" => Self::Exit,
            "sched_process_fork" => Self::Fork,
            "irq_handler_entry" => Self::Irq { begins: true },
            "irq_handler_exit" => Self::Irq { begins: false },
            "softirq_raise" => Self::SoftirqRaise,
            "softirq_entry" => Self::Softirq { begins: true },
            "softirq_exit" => Self::Softirq { begins: false },
            "cpu_idle" => Self::Idle,
            "ipi_send_cpu" => Self::Ipi,
            "tick_stop" => Self::TickStop,
            // The text of these says nothing that their names do not.
            _ => match payload::taken(name, "") {
                Some(Ok(event @ Event::Vector { .. })) => Self::Vector(event),
                _ => return None,
            },
        })
    }

    fn said<'e>(self, fields: &'e impl Fields, names: &'e Names) -> Said<'e> {
        let failed = match self {
            // Kernels before 4.3 write a wake-up of a task that was awake, with success=0.
            Self::Waking | Self::Wakeup { .. } | Self::TickStop => fields.number("success"),
            _ => None,
        };
        if failed == Some(0) {
            return Said::Nothing;
        }
        self.event(fields, names).map_or(Said::Lacks, Said::Event)
    }

    fn event<'e>(self, fields: &'e impl Fields, names: &'e Names) -> Option<Event<'e>> {
        let whole = |field| fields.number(field).and_then(|number| u32::try_from(number).ok());
        let task = |comm, pid, prio| {
            let (pid, comm) = (whole(pid)?, fields.text(comm));
            Some(Named { comm: names.of(pid, comm), pid, prio: fields.number(prio) })
        };
        let own = || task("comm", "pid", "prio");
        Some(match self {
            Self::Switch => Event::Switch {
                prev: task("prev_comm", "prev_pid", "prev_prio")?,
                left: Left::of_number(fields.number("prev_state")?.cast_unsigned()),
                next: task("next_comm", "next_pid", "next_prio")?,
            },
            Self::Waking => Event::Waking { task: own()?, target: whole("target_cpu")? },
            Self::Wakeup { is_new } => {
                Event::Wakeup { task: own()?, target: whole("target_cpu")?, is_new }
            }
            Self::Migrate => Event::Migrate { task: own()?, to: whole("dest_cpu")? },
            Self::PiSetprio => Event::PiSetprio { task: own()?, prio: fields.number("newprio")? },
            Self::Exit => Event::Ended { task: own()? },
            Self::Fork => Event::Forked { child: task("child_comm", "child_pid", "")? },
            Self::Irq { begins } => Event::Irq { irq: whole("irq")?, begins },
            Self::SoftirqRaise => Event::SoftirqRaise { vec: whole("vec")? },
            Self::Softirq { begins } => Event::Softirq { vec: whole("vec")?, begins },
            Self::Idle => Event::Idle { begins: fields.number("state")? != LEAVES_IDLE },
            Self::Ipi => Event::Ipi { target: whole("cpu")? },
            Self::TickStop => Event::TickStop,
            Self::Vector(event) => event,
        })
    }
}

/// Names of tasks as the file lists them beside its events.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeMap<u32, String>);

impl Names {
    pub(super) fn add(&mut self, pid: u32, comm: &str) {
        if self.0.len() < NAMES_MAX && pid != 0 {
            self.0.insert(pid, comm.to_owned());
        }
    }

    /// The event's own name; the list's where the event has none, or one that was cut.
    pub(super) fn of<'e>(&'e self, pid: u32, comm: Option<&'e str>) -> &'e str {
        match comm {
            Some(comm) if comm.len() < COMM_MAX => comm,
            Some(comm) => {
                let listed = self.0.get(&pid).filter(|name| name.len() > comm.len());
                listed.map_or(comm, String::as_str)
            }
            None => self.0.get(&pid).map_or("<...>", String::as_str),
        }
    }
}

/// Takes a reader's events to the builder.
pub(super) struct Sink<'b> {
    pub(super) builder: &'b mut Builder,
    pub(super) names: Names,
    watch: &'b mut dyn Watch,
    since: u32,
}

impl<'b> Sink<'b> {
    pub(super) fn new(builder: &'b mut Builder, watch: &'b mut dyn Watch) -> Self {
        Self { builder, names: Names::default(), watch, since: 0 }
    }

    /// So many bytes of the file are done.
    pub(super) fn step(&mut self, byte: usize) -> Result<(), Stop> {
        self.since += 1;
        if self.since < STEP {
            return Ok(());
        }
        self.since = 0;
        if self.watch.goes_on(byte) { Ok(()) } else { Err(Stop::Refused(Refused::Ended)) }
    }

    /// A part that is text of the kernel's file `trace`.
    pub(super) fn text(&mut self, text: &[u8]) -> Result<(), Stop> {
        (ftrace_text::FORM.read)(text, self.builder, self.watch).map_err(Stop::Refused)
    }

    /// An event of this name, which begins at a byte of the file.
    pub(super) fn event(
        &mut self,
        stamp: Stamp,
        (name, sort): (&str, Option<Sort>),
        fields: &impl Fields,
        byte: usize,
    ) {
        match sort.map_or(Said::Nothing, |sort| sort.said(fields, &self.names)) {
            // Once there is no room, further events are counted.
            Said::Event(event) => _ = self.builder.event(stamp, event),
            Said::Nothing => self.builder.other(name),
            Said::Lacks => {
                let what = format!("{name} lacks a field");
                self.builder.unread("event", format!("byte {byte}"), what);
            }
        }
    }
}

/// What became of a reading that ended so.
pub(super) fn ended(
    end: Result<(), Stop>,
    builder: &mut Builder,
    title: &str,
) -> Result<(), Refused> {
    match end {
        Ok(()) => Ok(()),
        Err(Stop::Refused(why)) => Err(why),
        Err(Stop::Damaged(place, why)) if builder.events() == 0 => Err(Refused::Form(format!(
            "this is {title}, and before its first event of the scheduler it is damaged or cut \
             off: {place}: {why}"
        ))),
        Err(Stop::Damaged(place, why)) => {
            builder.damaged(place, why);
            Ok(())
        }
    }
}

/// The text of bytes that a 0 may end; up to the first that is none.
pub(super) fn text_of(bytes: &[u8]) -> &str {
    let bytes = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => bytes
            .get(..error.valid_up_to())
            .map_or("", |valid| std::str::from_utf8(valid).unwrap_or("")),
    }
}
