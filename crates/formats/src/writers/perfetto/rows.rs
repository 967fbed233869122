//! What each row draws on the tracks.

use std::collections::BTreeMap;
use std::io::{Result, Write};

use schedscope_engine::trace::catalogue::{CATALOGUE, IPI_SENDER, IPI_VECTOR, Kind, NONE, VECTORS};
use schedscope_engine::trace::codes::Stopper;
use schedscope_engine::trace::columns::Columns;

use super::tracks::{Folder, Says, Track, Tracks};
use crate::levels::{Ended, pool, silo};
use crate::run::Run;

/// Takes rows in order of time from the run's first one on.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    tracks: Tracks,
    names: Vec<String>,
    /// Who holds which lock.
    held: BTreeMap<u32, Held>,
    /// IPIs on their way, and those that arrived before a handler, by target and vector: sender and
    /// flow.
    sent: BTreeMap<(u32, u32), Vec<(u32, u64)>>,
    arrived: BTreeMap<(u32, u32), Vec<u64>>,
    /// The flow of the last sched_waking of a task.
    woken: BTreeMap<u32, u64>,
    flows: u64,
    ended: Ended,
}

#[derive(Clone, Copy, Debug)]
struct Held {
    since: u64,
    cpu: u32,
    is_contended: bool,
}

#[derive(Clone, Copy)]
struct Row {
    time: u64,
    cpu: u32,
    a: u32,
    b: u32,
}

impl Rows {
    pub fn new(tracks: Tracks, names: Vec<String>) -> Self {
        Self {
            tracks,
            names,
            held: BTreeMap::new(),
            sent: BTreeMap::new(),
            arrived: BTreeMap::new(),
            woken: BTreeMap::new(),
            flows: 0,
            ended: Ended::default(),
        }
    }

    /// Writes what comes before the first row.
    pub fn begin(&self, run: &Run, out: &mut dyn Write) -> Result<()> {
        self.tracks.root(run, out)
    }

    /// Names of tasks.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Which counters are not in the file to its end.
    pub fn lost(&self, run: &Run) -> Vec<String> {
        self.ended.lost(run)
    }

    pub fn rows(&mut self, rows: &Columns, run: &Run, out: &mut dyn Write) -> Result<()> {
        for at in 0..rows.time.len() {
            let Some(entry) = CATALOGUE.get(usize::from(rows.kind[at])) else { continue };
            let row = Row {
                time: rows.time[at],
                cpu: u32::from(rows.cpu[at]),
                a: rows.a[at],
                b: rows.b[at],
            };
            self.tracks.at(row.time, run, out)?;
            self.row(entry.kind, row, run, out)?;
        }
        Ok(())
    }

    fn row(&mut self, kind: Kind, row: Row, run: &Run, out: &mut dyn Write) -> Result<()> {
        let Row { time, cpu, a, b } = row;
        let of_group = a.wrapping_mul(run.cpus()).wrapping_add(cpu);
        let slice = |tracks: &mut Tracks, folder, nth, name: &str, out: &mut dyn Write| {
            tracks.begin(time, (folder, nth), name, &Says::default(), run, out)
        };
        let tracks = &mut self.tracks;
        match kind {
            Kind::LockWait | Kind::LockAcq | Kind::LockRel => self.lock(kind, row, run, out),
            Kind::NeedResched | Kind::NeedReschedLazy | Kind::NeedReschedUpgrade => {
                self.flag(kind, row, run, out)
            }
            Kind::NeedReschedClear => tracks.end_all(time, (Folder::NeedResched, cpu), run, out),
            Kind::IpiSend | Kind::IpiArrive | Kind::IrqEntry => self.interrupt(kind, row, run, out),
            Kind::IrqExit => tracks.end(time, (Folder::Interrupts, cpu), run, out),
            Kind::SchedWaking | Kind::WakeDone => self.wake_up(kind, row, run, out),
            Kind::BwPool => match self.ended.level(("pool", a), time, pool(b)) {
                Some(ns) => tracks.counter(time, (Folder::Pools, a), ns, run, out),
                None => Ok(()),
            },
            Kind::BwSilo => match self.ended.level(("silos", a), time, silo(b)) {
                Some(ns) => tracks.counter(time, (Folder::Silos, of_group), ns, run, out),
                None => Ok(()),
            },
            Kind::BwThrottle => slice(tracks, Folder::Throttled, of_group, "throttled", out),
            Kind::BwUnthrottle => tracks.end(time, (Folder::Throttled, of_group), run, out),
            Kind::RtThrottle => slice(tracks, Folder::RtThrottled, cpu, "throttled", out),
            Kind::RtUnthrottle => tracks.end(time, (Folder::RtThrottled, cpu), run, out),
            Kind::CpuStop => {
                let name = if a == Stopper::Smi as u32 { "SMI" } else { "stopped by the host" };
                slice(tracks, Folder::Stops, cpu, name, out)
            }
            Kind::CpuGo => tracks.end_all(time, (Folder::Stops, cpu), run, out),
            _ => Ok(()),
        }
    }

    fn lock(&mut self, kind: Kind, row: Row, run: &Run, out: &mut dyn Write) -> Result<()> {
        let Row { time, cpu, a: lock, b } = row;
        let waits: Track = (Folder::Waits, cpu);
        match kind {
            Kind::LockWait => {
                if let Some(held) = self.held.get_mut(&lock) {
                    held.is_contended = true;
                }
                let name = format!("waits for {}", Folder::Locks.track(lock, run));
                let says = Says { notes: vec![("waiters", b.into())], ..Says::default() };
                self.tracks.begin(time, waits, &name, &says, run, out)
            }
            Kind::LockAcq => {
                let is_contended = self.tracks.is_open(waits);
                self.held.insert(lock, Held { since: time, cpu, is_contended });
                self.tracks.end(time, waits, run, out)
            }
            _ => match self.held.remove(&lock) {
                Some(held) if held.is_contended => {
                    let name = format!("CPU {}", held.cpu);
                    let track = (Folder::Locks, lock);
                    self.tracks.slice((held.since, time), track, &name, run, out)
                }
                _ => Ok(()),
            },
        }
    }

    /// A lazy flag that is upgraded has the second flag within the first.
    fn flag(&mut self, kind: Kind, row: Row, run: &Run, out: &mut dyn Write) -> Result<()> {
        let Row { time, cpu, a: task, b: setter } = row;
        let track = (Folder::NeedResched, cpu);
        let name = match kind {
            Kind::NeedReschedLazy => "need_resched_lazy",
            _ => "need_resched",
        };
        if self.tracks.has(track, name) {
            return Ok(());
        }
        let mut notes = vec![("set by CPU", i64::from(setter))];
        if task != NONE {
            notes.push(("pid", crate::events::pid(task).into()));
        }
        self.tracks.begin(time, track, name, &Says { notes, ..Says::default() }, run, out)
    }

    fn interrupt(&mut self, kind: Kind, row: Row, run: &Run, out: &mut dyn Write) -> Result<()> {
        let Row { time, cpu, a, b } = row;
        let track = (Folder::Interrupts, cpu);
        match kind {
            Kind::IpiSend => {
                let flow = self.flow();
                self.sent.entry((a, b)).or_default().push((cpu, flow));
                let name = format!("sends {}", vector(b));
                let notes = vec![("to CPU", i64::from(a))];
                let says = Says { flows: vec![flow], notes, ..Says::default() };
                self.tracks.instant(time, track, &name, &says, run, out)
            }
            Kind::IpiArrive => {
                let key = (cpu, IPI_VECTOR.of(a));
                let sent = self.sent.entry(key).or_default();
                if let Some(at) = sent.iter().position(|(from, _)| *from == IPI_SENDER.of(a)) {
                    self.arrived.entry(key).or_default().push(sent.remove(at).1);
                }
                Ok(())
            }
            _ => {
                let ends = self.arrived.remove(&(cpu, a)).unwrap_or_default();
                let says = Says { ends, ..Says::default() };
                self.tracks.begin(time, track, vector(a), &says, run, out)
            }
        }
    }

    fn wake_up(&mut self, kind: Kind, row: Row, run: &Run, out: &mut dyn Write) -> Result<()> {
        let Row { time, cpu, a: task, b } = row;
        let track = (Folder::WakeUps, cpu);
        let name = self.names.get(task as usize).map_or("?", String::as_str);
        if kind == Kind::SchedWaking {
            let name = format!("wakes {name}");
            let flow = self.flow();
            self.woken.insert(task, flow);
            let says = Says { flows: vec![flow], ..Says::default() };
            return self.tracks.instant(time, track, &name, &says, run, out);
        }
        let name = format!("{name} runs");
        let ends = self.woken.remove(&task).into_iter().collect();
        let says = Says { ends, notes: vec![("latency ns", b.into())], ..Says::default() };
        self.tracks.instant(time, track, &name, &says, run, out)
    }

    fn flow(&mut self) -> u64 {
        self.flows += 1;
        self.flows
    }
}

fn vector(number: u32) -> &'static str {
    VECTORS.get(number as usize).map_or("?", |(name, _)| name)
}
