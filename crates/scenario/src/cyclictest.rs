//! The generator `cyclictest`: one measuring thread per CPU, as rt-tests' program makes them (thread 000).
//!
//! It knows when threads first expire and how long they run; how a thread then behaves is the engine's.

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::rng::{Purpose, below};
use schedscope_engine::setup::{Policy, Program, TaskSpec};
use serde::Serialize;

use crate::error::Fault;
use crate::resolve::{Found, Resolver};
use crate::units::time_text;

/// Added to the phase window for `body: auto`, so that all threads run at once for a while.
const BODY_BEYOND_WINDOW_NS: u64 = 4_000;
/// Threads of one program are created this far apart, at least and at most (assumed).
const CREATION_NS: (u64, u64) = (20_000, 100_000);
/// How far a timer is moved off the tick's grid.
const OFF_GRID_NS: u64 = 1_000;

/// How the threads' timers lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Phase {
    Natural,
    Aligned,
    Uniform,
}

/// The program's options, resolved.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Cyclictest {
    pub(crate) threads: u32,
    pub(crate) interval_ns: u64,
    pub(crate) distance_ns: u64,
    pub(crate) priority: u8,
    pub(crate) pinned: bool,
    pub(crate) phase: Phase,
    pub(crate) phase_window_ns: u64,
    pub(crate) body_ns: u64,
    pub(crate) extra_ns: u64,
}

/// Where ticks fall, for keeping timers off them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TickGrid {
    /// First tick.
    pub(crate) phase_ns: u64,
    /// Tick period.
    pub(crate) period_ns: u64,
}

impl Cyclictest {
    /// Reads `workload.cyclictest`, which the scenario has.
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, cpus: u32) -> Result<Self, Fault> {
        let threads = resolver.integer("workload.cyclictest.threads")?.value;
        let interval = resolver.amount("workload.cyclictest.interval")?;
        let distance_ns = resolver.amount("workload.cyclictest.distance")?.value;
        let priority = resolver.amount("workload.cyclictest.priority")?.value;
        let pinned = resolver.flag("workload.cyclictest.pinned")?;
        let phase = match resolver.word("workload.cyclictest.phase")?.value.as_str() {
            "aligned" => Phase::Aligned,
            "uniform" => Phase::Uniform,
            _ => Phase::Natural,
        };
        let window = resolver.amount("workload.cyclictest.phase_window")?;
        let body = resolver.time("workload.cyclictest.body")?;
        let auto_body = window.value + BODY_BEYOND_WINDOW_NS;
        let this = Self {
            threads: threads.map_or(cpus, |threads| u32::try_from(threads).expect("the table's maximum fits")),
            interval_ns: interval.value,
            distance_ns,
            priority: u8::try_from(priority).expect("the table's maximum fits"),
            pinned,
            phase,
            phase_window_ns: window.value,
            body_ns: body.value.unwrap_or(auto_body),
            extra_ns: window.value,
        };
        this.check_body(body, window, interval)?;
        this.remark(resolver, body.value.is_some(), cpus);
        Ok(this)
    }

    /// The longest body of a round.
    pub(crate) fn longest_body_ns(&self) -> u64 {
        self.body_ns + self.extra_ns
    }

    /// How long a thread may be held up after its own sample before the next one shows it: interval less the longest body.
    pub(crate) fn slack_ns(&self) -> u64 {
        self.interval_ns - self.longest_body_ns()
    }

    /// Blames the first of body, window and interval that somebody stated.
    fn check_body(&self, body: Found<Option<u64>>, window: Found<u64>, interval: Found<u64>) -> Result<(), Fault> {
        let longest = self.longest_body_ns();
        if longest < self.interval_ns {
            return Ok(());
        }
        let (path, at) = match (body.value.is_some(), window.stated) {
            (true, _) => ("workload.cyclictest.body", body.at),
            (false, true) => ("workload.cyclictest.phase_window", window.at),
            (false, false) => ("workload.cyclictest.interval", interval.at),
        };
        let message = format!(
            "a round runs for up to {} ({} and an extra below {}), which does not fit into the interval of {}",
            time_text(longest),
            time_text(self.body_ns),
            time_text(self.extra_ns),
            time_text(self.interval_ns)
        );
        Err(Fault::new(at, path, message).expected("body + phase_window below the interval"))
    }

    fn remark(&self, resolver: &mut Resolver<'_>, body_stated: bool, cpus: u32) {
        if body_stated && self.body_ns < self.phase_window_ns + BODY_BEYOND_WINDOW_NS {
            resolver.notes.push(format!(
                "workload.cyclictest.body {} is shorter than phase_window + {} ({}): there may be no instant at which every CPU runs its measuring thread",
                time_text(self.body_ns), time_text(BODY_BEYOND_WINDOW_NS), time_text(self.phase_window_ns + BODY_BEYOND_WINDOW_NS)
            ));
        }
        if self.phase != Phase::Aligned {
            resolver.inert(
                "workload.cyclictest.phase_window",
                "only aligned phases are drawn in it; here it still sets the extra of each body and body auto",
            );
        }
        if self.pinned && self.threads > cpus {
            resolver.notes.push(format!("{} cyclictest threads share {cpus} CPUs: thread n is pinned to CPU n mod {cpus}", self.threads));
        }
    }

    /// The threads as tasks `cyclictest.<i>`.
    pub(crate) fn tasks(&self, seed: u64, cpus: u32, grid: TickGrid) -> Vec<TaskSpec> {
        // A program starts at no special moment of the tick or of another program.
        let base = below(seed, Purpose::CyclictestStart, 0, 0, self.interval_ns);
        let mut created = 0;
        (0..self.threads)
            .map(|thread| {
                let interval_ns = self.interval_ns + u64::from(thread) * self.distance_ns;
                let draw = |bound| below(seed, Purpose::CyclictestPhase, u64::from(thread), 0, bound);
                created += CREATION_NS.0 + draw(CREATION_NS.1 - CREATION_NS.0 + 1);
                let phase = match self.phase {
                    Phase::Natural => created % interval_ns,
                    Phase::Aligned => draw(self.phase_window_ns),
                    Phase::Uniform => draw(interval_ns),
                };
                let first_due_ns = grid.avoid(interval_ns + base + phase, interval_ns);
                self.task(thread, cpus, first_due_ns, interval_ns)
            })
            .collect()
    }

    fn task(&self, thread: u32, cpus: u32, first_due_ns: u64, interval_ns: u64) -> TaskSpec {
        TaskSpec {
            kind: "cyclictest".to_owned(),
            name: format!("cyclictest.{thread}"),
            policy: Policy::Fifo { rt_priority: self.priority },
            cpus: if self.pinned { CpuMask::one(thread % cpus) } else { CpuMask::first(cpus) },
            start_ns: 0,
            measured: true,
            group: 0,
            slice_ns: None,
            program: Program::Cyclictest { first_due_ns, interval_ns, body_ns: self.body_ns, extra_ns: self.extra_ns },
        }
    }
}

impl TickGrid {
    /// `due`, moved a little if it or a later expiry of a timer with this interval would fall on a tick and moving helps.
    fn avoid(self, due: u64, interval_ns: u64) -> u64 {
        let common = gcd(interval_ns, self.period_ns);
        let on_grid = (due % common) == (self.phase_ns % common);
        if on_grid && common > OFF_GRID_NS { due + OFF_GRID_NS } else { due }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aligned(window: u64) -> Cyclictest {
        Cyclictest {
            threads: 40,
            interval_ns: 100_000,
            distance_ns: 0,
            priority: 95,
            pinned: true,
            phase: Phase::Aligned,
            phase_window_ns: window,
            body_ns: window + 4_000,
            extra_ns: window,
        }
    }
    const GRID: TickGrid = TickGrid { phase_ns: 0, period_ns: 1_000_000 };

    fn dues(cyclictest: &Cyclictest, seed: u64) -> Vec<u64> {
        let due = |task: &TaskSpec| match task.program {
            Program::Cyclictest { first_due_ns, .. } => first_due_ns,
            _ => unreachable!("the generator makes cyclictest tasks only"),
        };
        cyclictest.tasks(seed, 40, GRID).iter().map(due).collect()
    }

    #[test]
    fn aligned_phases_stay_in_their_window_and_a_window_of_zero_is_one_instant() {
        for seed in 0..50 {
            let dues = dues(&aligned(3_000), seed);
            let (first, last) = (dues.iter().min().unwrap(), dues.iter().max().unwrap());
            assert!(last - first < 3_000 + OFF_GRID_NS, "seed {seed}: {first} {last}");
            assert!(*first >= 100_000 && *last < 203_000 + OFF_GRID_NS);
            let zero = self::dues(&aligned(0), seed);
            assert!(zero.windows(2).all(|pair| pair[0] == pair[1]));
        }
    }

    #[test]
    fn no_expiry_falls_on_a_tick() {
        for seed in 0..2_000 {
            let all = dues(&Cyclictest { phase: Phase::Natural, ..aligned(3_000) }, seed);
            assert!(all.iter().all(|due| due % 100_000 != 0), "seed {seed}");
        }
        assert_eq!(GRID.avoid(300_000, 100_000), 301_000);
        assert_eq!(GRID.avoid(300_001, 100_000), 300_001);
    }

    #[test]
    fn natural_phases_are_spread_and_depend_on_the_seed() {
        let natural = Cyclictest { phase: Phase::Natural, ..aligned(3_000) };
        let (a, b) = (dues(&natural, 1), dues(&natural, 2));
        assert_ne!(a, b);
        let spread = a.iter().max().unwrap() - a.iter().min().unwrap();
        assert!(spread > 50_000, "{spread}");
    }

    #[test]
    fn distance_makes_each_next_interval_longer() {
        let tasks = Cyclictest { distance_ns: 500, ..aligned(3_000) }.tasks(1, 40, GRID);
        let interval = |task: &TaskSpec| match task.program {
            Program::Cyclictest { interval_ns, .. } => interval_ns,
            _ => 0,
        };
        assert_eq!((interval(&tasks[0]), interval(&tasks[39])), (100_000, 119_500));
    }
}
