//! Puts a recording together from the events that a reader finds, in any order of time.

use std::fmt;

use schedscope_engine::trace::catalogue::{CpuState, Kind, NONE};

use super::coverage::{Coverage, Damage, Unread};
use super::recorded::{CPUS_MAX, EVENTS_MAX, Recording};
use super::row::{Left, Row};
use super::tasks::{NO_PRIO, Prio, Tasks};

/// Vectors of the catalogue that events name.
const RESCHEDULE: u32 = 1;
const DEVICE: u32 = 3;
/// Most names of events that are counted each by itself.
const NAMES_MAX: usize = 1_000;

/// When and where an event was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// The recording's clock, ns.
    pub ns: u64,
    /// The CPU.
    pub cpu: u32,
    /// need_resched is set for the task that runs there, where the event says so.
    pub need_resched: bool,
    /// need_resched_lazy likewise.
    pub is_lazy: bool,
}

/// A task as an event names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named<'t> {
    /// Thread id; 0 is the idle task.
    pub pid: u32,
    /// Name.
    pub comm: &'t str,
    /// Kernel priority, where the event states it.
    pub prio: Option<i64>,
}

/// An event that is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are the tracepoints' own")]
pub enum Event<'t> {
    Switch {
        prev: Named<'t>,
        left: Left,
        next: Named<'t>,
    },
    Waking {
        task: Named<'t>,
        target: u32,
    },
    Wakeup {
        task: Named<'t>,
        target: u32,
        is_new: bool,
    },
    Migrate {
        task: Named<'t>,
        to: u32,
    },
    PiSetprio {
        task: Named<'t>,
        prio: i64,
    },
    Ended {
        task: Named<'t>,
    },
    Forked {
        child: Named<'t>,
    },
    /// A device's interrupt, by its number.
    Irq {
        irq: u32,
        begins: bool,
    },
    /// An interrupt of the CPU's own, by the number of the catalogue's vectors.
    Vector {
        vector: u32,
        begins: bool,
    },
    SoftirqRaise {
        vec: u32,
    },
    Softirq {
        vec: u32,
        begins: bool,
    },
    Ipi {
        target: u32,
    },
    /// cpu_idle.
    Idle {
        begins: bool,
    },
    TickStop,
}

/// Names of the events that are taken, as [`Coverage::events`] has them.
const NAMES: [&str; 17] = [
    "sched_switch",
    "sched_waking",
    "sched_wakeup",
    "sched_wakeup_new",
    "sched_migrate_task",
    "sched_pi_setprio",
    "sched_process_exit",
    "sched_process_fork",
    "irq_handler_entry",
    "irq_handler_exit",
    "irq_vectors",
    "softirq_raise",
    "softirq_entry",
    "softirq_exit",
    "ipi_send_cpu",
    "cpu_idle",
    "tick_stop",
];

impl Event<'_> {
    /// The index of its name.
    fn name(&self) -> usize {
        match self {
            Event::Switch { .. } => 0,
            Event::Waking { .. } => 1,
            Event::Wakeup { is_new: false, .. } => 2,
            Event::Wakeup { is_new: true, .. } => 3,
            Event::Migrate { .. } => 4,
            Event::PiSetprio { .. } => 5,
            Event::Ended { .. } => 6,
            Event::Forked { .. } => 7,
            Event::Irq { begins: true, .. } => 8,
            Event::Irq { begins: false, .. } => 9,
            Event::Vector { .. } => 10,
            Event::SoftirqRaise { .. } => 11,
            Event::Softirq { begins: true, .. } => 12,
            Event::Softirq { begins: false, .. } => 13,
            Event::Ipi { .. } => 14,
            Event::Idle { .. } => 15,
            Event::TickStop => 16,
        }
    }
}

/// A recording holds no more events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "at most {EVENTS_MAX} events are read")
    }
}

/// The recording so far.
#[derive(Debug, Default)]
pub struct Builder {
    rows: Vec<Row>,
    tasks: Tasks,
    cpus: u32,
    coverage: Coverage,
    last_ns: u64,
    counts: [u64; NAMES.len()],
    /// By CPU: whether the flags of its last event had need_resched, and the lazy one.
    flagged: Vec<(bool, bool)>,
}

impl Builder {
    /// Takes an event.
    ///
    /// # Errors
    /// There are [`EVENTS_MAX`] already; it is counted, and so is every further one.
    pub fn event(&mut self, stamp: Stamp, event: Event<'_>) -> Result<(), Full> {
        if self.rows.len() >= EVENTS_MAX {
            self.coverage.beyond += 1;
            return Err(Full);
        }
        if stamp.cpu >= CPUS_MAX {
            self.unread("event", format!("{} ns", stamp.ns), format!("CPU {}", stamp.cpu));
            return Ok(());
        }
        self.coverage.out_of_order += u64::from(stamp.ns < self.last_ns);
        self.last_ns = stamp.ns;
        self.cpus = self.cpus.max(stamp.cpu + 1);
        self.flags(stamp);
        self.counts[event.name()] += 1;
        let row = self.row(stamp, event);
        self.rows.extend(row);
        Ok(())
    }

    /// An event of this name was read that nothing here needs.
    pub fn other(&mut self, name: &str) {
        count(&mut self.coverage.others, name);
    }

    /// The kernel lost events of this CPU.
    pub fn lost(&mut self, cpu: u32, events: Option<u64>) {
        let lost = self.coverage.lost.entry(cpu).or_insert(Some(0));
        *lost = lost.zip(events).map(|(before, more)| before.saturating_add(more));
    }

    /// Something of a sort that is not understood.
    pub fn unread(&mut self, sort: &'static str, place: String, what: String) {
        let what = what.chars().take(120).collect();
        let first = Unread { count: 0, place, what };
        self.coverage.unread.entry(sort).or_insert(first).count += 1;
    }

    /// A line or record without an event.
    pub fn passed(&mut self) {
        self.coverage.passed += 1;
    }

    /// Nothing more can be read from here on.
    pub fn damaged(&mut self, place: String, why: String) {
        self.coverage.damage.get_or_insert(Damage { place, why });
    }

    /// The name of the clock.
    pub fn clock(&mut self, name: &str) {
        self.coverage.clock = Some(name.to_owned());
    }

    /// The kernel that was recorded.
    pub fn kernel(&mut self, release: &str) {
        self.coverage.kernel.get_or_insert(release.to_owned());
    }

    /// The name of a task, where no event has it.
    pub fn name(&mut self, pid: u32, comm: &str) {
        self.tasks.of(pid, comm);
    }

    /// How many events were taken.
    pub fn events(&self) -> usize {
        self.rows.len()
    }

    /// The recording, by time.
    pub fn finish(mut self) -> Recording {
        self.rows.sort_by_key(|row| row.ns);
        let counted = NAMES.into_iter().zip(self.counts).filter(|(_, count)| *count > 0);
        self.coverage.events = counted.map(|(name, count)| (name.to_owned(), count)).collect();
        let Self { rows, tasks, cpus, coverage, .. } = self;
        Recording { rows, tasks: tasks.all, cpus, coverage }
    }

    /// A flag that is set now and was not in the CPU's last event was set in between.
    fn flags(&mut self, stamp: Stamp) {
        let cpu = stamp.cpu as usize;
        if cpu >= self.flagged.len() {
            self.flagged.resize(cpu + 1, (false, false));
        }
        let (was, was_lazy) =
            std::mem::replace(&mut self.flagged[cpu], (stamp.need_resched, stamp.is_lazy));
        let set = [
            (Kind::NeedResched, stamp.need_resched && !was),
            (Kind::NeedReschedLazy, stamp.is_lazy && !was_lazy),
        ];
        let new = set.into_iter().filter(|(_, is_new)| *is_new);
        self.rows.extend(new.map(|(kind, _)| blank(stamp, kind, NONE, stamp.cpu)));
    }

    fn row(&mut self, stamp: Stamp, event: Event<'_>) -> Option<Row> {
        let plain = |kind, a, b| blank(stamp, kind, a, b);
        Some(match event {
            Event::Switch { prev, left, next } => {
                let (prev, _) = self.named(prev);
                let (next, prio) = self.named(next);
                let left = if prev == NONE { Left::Unknown } else { left };
                Row { prio, left, ..plain(Kind::SchedSwitch, prev, next) }
            }
            Event::Waking { task, target } => {
                let (task, prio) = self.named(task);
                Row { prio, ..plain(Kind::SchedWaking, task, self.target(target)) }
            }
            Event::Wakeup { task, target, is_new } => {
                let (task, prio) = self.named(task);
                let kind = if is_new { Kind::WakeupNew } else { Kind::SchedWakeup };
                Row { prio, ..plain(kind, task, self.target(target)) }
            }
            Event::Migrate { task, to } => {
                let (task, prio) = self.named(task);
                Row { prio, ..plain(Kind::MigrateTask, task, self.target(to)) }
            }
            Event::PiSetprio { task, prio } => {
                let (task, _) = self.named(task);
                self.tasks.set_prio(task, Prio::of(prio));
                Row { prio: Prio::of(prio).0, ..plain(Kind::PiSetprio, task, prio as u32) }
            }
            Event::Ended { task } => {
                // It still switches away; its pid is taken over only by a fork.
                self.named(task);
                return None;
            }
            Event::Forked { child } => {
                self.tasks.end(child.pid);
                self.named(child);
                return None;
            }
            Event::Irq { irq, begins } => plain(irq_kind(begins), DEVICE, irq),
            Event::Vector { vector, begins } => plain(irq_kind(begins), vector, 0),
            Event::SoftirqRaise { vec } => plain(Kind::SoftirqRaise, vec, 0),
            Event::Softirq { vec, begins } => {
                plain(if begins { Kind::SoftirqEntry } else { Kind::SoftirqExit }, vec, 0)
            }
            Event::Ipi { target } => plain(Kind::IpiSend, self.target(target), RESCHEDULE),
            Event::Idle { begins } => {
                let state = if begins { CpuState::Idle } else { CpuState::IdleExit };
                plain(Kind::CpuState, state as u32, NONE)
            }
            Event::TickStop => plain(Kind::TickStop, 0, 0),
        })
    }

    fn named(&mut self, named: Named<'_>) -> (u32, u8) {
        let task = self.tasks.of(named.pid, named.comm);
        let prio = named.prio.map_or(Prio::UNKNOWN, Prio::of);
        self.tasks.set_prio(task, prio);
        (task, prio.0)
    }

    /// A CPU that a task goes to is one of the machine, though it may write no event.
    fn target(&mut self, cpu: u32) -> u32 {
        if cpu >= CPUS_MAX {
            return NONE;
        }
        self.cpus = self.cpus.max(cpu + 1);
        cpu
    }
}

fn blank(stamp: Stamp, kind: Kind, a: u32, b: u32) -> Row {
    let cpu = u16::try_from(stamp.cpu).unwrap_or(u16::MAX);
    Row { ns: stamp.ns, a, b, cpu, kind, prio: NO_PRIO, left: Left::Unknown }
}

fn irq_kind(begins: bool) -> Kind {
    if begins { Kind::IrqEntry } else { Kind::IrqExit }
}

fn count(counts: &mut std::collections::BTreeMap<String, u64>, name: &str) {
    if let Some(counted) = counts.get_mut(name) {
        *counted += 1;
    } else if counts.len() < NAMES_MAX {
        counts.insert(name.chars().take(80).collect(), 1);
    }
}
