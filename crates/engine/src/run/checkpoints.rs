//! Snapshots during a run, so that a write at any instant can start from a snapshot shortly before
//! it: only the future after the write is computed anew.
//!
//! ```text
//!   0 ──■──────■──────■──────■──► end        written at w: back to the last ■ at or before it, those behind it are forgotten
//!                        w └──■─────────► another end
//! ```

use crate::ids::CpuId;
use std::sync::Arc;

use super::{Progress, Run, STEPS_PER_RECORD, Snapshot};

/// Work between two snapshots, in records or [`STEPS_PER_RECORD`] steps each: a few hundredths of a
/// second of computing.
const APART: u64 = 100_000;
/// [`APART`] on machines of more than [`MANY_CPUS`], whose state takes longer to copy.
const APART_MANY: u64 = 250_000;
const MANY_CPUS: u32 = 512;
/// Most snapshots kept, and on machines of more than [`MANY_CPUS`]; with one more, the two that lie
/// closest lose the one between them.
const MOST: usize = 32;
const MOST_MANY: usize = 12;
/// Most bytes they take together: with many groups on many CPUs that affords few, or none, and a
/// write starts the run anew.
const BUDGET: u64 = 128 << 20;

/// Snapshots of one run, in order of time. Each is taken at the end of an instant, so a caller that
/// keeps all rows up to and including that instant has everything written before.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    apart: u64,
    most: usize,
    budget: u64,
    /// Work done when it was looked last whether another is due.
    looked: u64,
    kept: Vec<Kept>,
}

#[derive(Clone, Debug)]
struct Kept {
    snapshot: Snapshot,
    /// Changes written before it.
    changes: u32,
    /// The size of the snapshot: see `Sim::snapshot_bytes`.
    bytes: u64,
}

impl Checkpoints {
    /// No snapshots yet, for a machine of `cpus` CPUs.
    pub fn new(cpus: u32) -> Self {
        Self::within(cpus, BUDGET)
    }

    /// No snapshots yet, with a limit of `budget` bytes.
    pub fn within(cpus: u32, budget: u64) -> Self {
        let many = cpus > MANY_CPUS;
        let (apart, most) = if many { (APART_MANY, MOST_MANY) } else { (APART, MOST) };
        Self { apart, most, budget, looked: 0, kept: Vec::new() }
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> u64 {
        self.kept.iter().map(|kept| kept.bytes).sum()
    }

    /// How many are kept.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Keeps the state of `run`, to which `changes` were written so far, if enough has happened
    /// since the last one.
    pub fn look(&mut self, run: &mut Run, changes: u32) {
        if run.work() >= self.looked.saturating_add(self.apart) {
            self.keep(run, changes);
        }
    }

    /// Keeps the state of `run` at the end of its present instant; nothing if it comes no further,
    /// or would take more than all may.
    pub fn keep(&mut self, run: &mut Run, changes: u32) {
        if run.finish_instant() != Progress::Running {
            return;
        }
        let (now, work) = (run.now(), run.work());
        self.looked = work;
        let known = |kept: &Kept| {
            kept.changes == changes && kept.snapshot.now() == now && kept.snapshot.work() == work
        };
        let bytes = run.sim.snapshot_bytes();
        if bytes > self.budget || self.kept.last().is_some_and(known) {
            return;
        }
        while self.kept.len() >= self.most || self.bytes() + bytes > self.budget {
            self.thin_out(work);
        }
        self.kept.push(Kept { snapshot: run.snapshot(), changes, bytes });
    }

    /// Drops the snapshot between the two that are closest to each other; the start of the run and
    /// `next` count as snapshots here.
    fn thin_out(&mut self, next: u64) {
        let work = |at: usize| self.kept.get(at).map_or(next, |kept| kept.snapshot.work());
        let room = |at: &usize| work(at + 1) - at.checked_sub(1).map_or(0, work);
        if let Some(at) = (0..self.kept.len()).min_by_key(room) {
            self.kept.remove(at);
        }
    }

    /// Takes `run` back to the last snapshot at or before `ns` to which at most `changes` were
    /// written, and forgets those behind it. The number of changes written there; `None`, and
    /// nothing happens to the run, if there is no such snapshot.
    pub fn resume(&mut self, run: &mut Run, ns: u64, changes: u32) -> Option<u32> {
        let usable = self
            .kept
            .iter()
            .take_while(|kept| kept.snapshot.now() <= ns && kept.changes <= changes)
            .count();
        self.kept.truncate(usable);
        self.looked = self.kept.last().map_or(0, |kept| kept.snapshot.work());
        let kept = self.kept.last()?;
        run.restore(&kept.snapshot);
        Some(kept.changes)
    }
}

impl Snapshot {
    /// The instant of the snapshot, ns.
    fn now(&self) -> u64 {
        self.sim.now
    }

    fn work(&self) -> u64 {
        self.sim.records + self.sim.steps / STEPS_PER_RECORD
    }
}

impl Run {
    /// Lets all happen that happens at the present instant, within the limits.
    fn finish_instant(&mut self) -> Progress {
        self.advance(self.sim.now, u64::MAX)
    }

    /// The work done: the number of records, and one more for each [`STEPS_PER_RECORD`] steps.
    fn work(&self) -> u64 {
        self.sim.records + self.sim.steps / STEPS_PER_RECORD
    }

    /// Adds stoppers to a run that has none, because writes to its tasks may need them. The
    /// stoppers sleep, so from here on the run equals one with
    /// [`Setup::with_all_stoppers`](crate::setup::Setup::with_all_stoppers) from the start.
    pub fn add_stoppers(&mut self) {
        let sim = &mut self.sim;
        if sim.setup.stopper(CpuId::FIRST).is_none() {
            sim.setup = Arc::new((*sim.setup).clone().with_all_stoppers());
            sim.take_in_tasks();
        }
    }
}
