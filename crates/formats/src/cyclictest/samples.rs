//! The samples of a run's cyclictest threads, from its rows.

use std::io::Result;

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::Program;
use schedscope_engine::trace::catalogue::Kind;
use schedscope_engine::trace::columns::Columns;

use super::{Options, Thread};
use crate::events::pid;
use crate::run::{Run, refused};

/// The threads of a run and their samples so far.
///
/// A row `sim_wake_done` is written where the engine takes the sample: the rows of a thread are its
/// samples one by one. A row holds 32 bits, so a latency from 4.29 s on is that number.
#[derive(Clone, Debug)]
pub struct Samples {
    threads: Vec<Thread>,
    /// By task: its place in `threads`, and its limit of `-b` in us, 0 for none.
    by_task: Vec<Option<(usize, u64)>>,
    /// The greatest limit of `-b`, us.
    break_us: u64,
    broken: Option<(usize, u64)>,
}

impl Samples {
    /// Before the first row.
    pub fn new(run: &Run) -> Self {
        let mut this = Self { threads: Vec::new(), by_task: Vec::new(), break_us: 0, broken: None };
        for (number, task) in (0..).zip(&run.setup.tasks) {
            let mut place = None;
            if let Program::Cyclictest { interval_ns, until, .. } = task.program {
                place = Some((this.threads.len(), until.break_us));
                this.break_us = this.break_us.max(until.break_us);
                this.threads.push(Thread {
                    id: pid(number) as usize,
                    priority: task.policy.number(),
                    interval_us: interval_ns / 1_000,
                    cpu: pinned(&task.cpus),
                    latencies_ns: Vec::new(),
                });
            }
            this.by_task.push(place);
        }
        this
    }

    /// Refuses a run without cyclictest.
    ///
    /// # Errors
    /// No task of the run is a cyclictest thread.
    pub fn check(&self) -> Result<()> {
        if self.threads.is_empty() {
            return Err(refused("the scenario runs no cyclictest, so there is nothing to print"));
        }
        Ok(())
    }

    /// Takes the next rows.
    pub fn rows(&mut self, rows: &Columns) {
        for row in 0..rows.time.len() {
            if rows.kind[row] == Kind::WakeDone as u8 {
                self.sample(rows.a[row] as usize, u64::from(rows.b[row]));
            }
        }
    }

    fn sample(&mut self, task: usize, ns: u64) {
        let Some((place, limit)) = self.by_task.get(task).copied().flatten() else { return };
        let thread = &mut self.threads[place];
        thread.latencies_ns.push(ns);
        if self.broken.is_none() && limit > 0 && ns / 1_000 > limit {
            self.broken = Some((thread.id, ns / 1_000));
        }
    }

    /// The threads, in the order of their tasks.
    pub fn threads(&self) -> &[Thread] {
        &self.threads
    }

    /// How the program prints them without a histogram.
    pub fn options(&self) -> Options {
        Options { break_us: self.break_us, broken: self.broken, ..Options::default() }
    }

    /// Microseconds of a histogram that holds every sample, up to the program's most.
    pub fn buckets(&self) -> usize {
        /// HIST_MAX.
        const MOST: u64 = 1_000_000;
        let most = self.threads.iter().map(Thread::max).max().unwrap_or(0);
        usize::try_from((most + 1).min(MOST)).unwrap_or(1)
    }
}

/// The one CPU of a set of one.
pub fn pinned(cpus: &CpuMask) -> Option<u32> {
    cpus.lowest().filter(|_| cpus.count() == 1).map(|cpu| cpu.raw())
}
