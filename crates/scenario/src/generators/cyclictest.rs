//! The generator `cyclictest`: one measuring thread per CPU, as rt-tests' program makes them
//! (Rostedt 2015).
//!
//! It knows when threads first expire and how long they run; how a thread then behaves is the
//! engine's.

pub(crate) mod knobs;
mod policy;

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::rng::{Purpose, below};
use schedscope_engine::setup::{Program, TaskSpec, Until};

use crate::error::Fault;
use crate::knobs::setting::Setting;
use crate::reading::tree::find;
use crate::resolve::resolver::Resolver;
use crate::text::readable as shorten;
use crate::units::{parse_cpu_list, time_words};
use policy::Policies;

/// Added to the phase window for `body: auto`, so that all threads run at once for a while.
const BODY_BEYOND_WINDOW_NS: u64 = 4_000;
/// Threads of one program are created this far apart, at least and at most (assumed).
const CREATION_NS: (u64, u64) = (20_000, 100_000);
/// How far a timer is moved off the tick's grid.
const OFF_GRID_NS: u64 = 1_000;

/// How the threads' timers lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Natural,
    Aligned,
    Uniform,
    /// `-A`: the threads start together, each so many ns after the one before.
    Barrier(u64),
}

/// The program's options, resolved.
#[derive(Clone, Debug)]
pub(crate) struct Cyclictest {
    pub(crate) threads: u32,
    pub(crate) interval_ns: u64,
    pub(crate) distance_ns: u64,
    pub(crate) policies: Policies,
    /// CPUs the threads are pinned to, in turn; empty for anywhere.
    pub(crate) pins: Vec<u32>,
    pub(crate) phase: Phase,
    pub(crate) phase_window_ns: u64,
    pub(crate) body_ns: u64,
    pub(crate) extra_ns: u64,
    pub(crate) until: Until,
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
        let threads = threads
            .map_or(cpus, |threads| u32::try_from(threads).expect("the table's maximum fits"));
        let interval = resolver.amount("workload.cyclictest.interval")?;
        let distance_ns = resolver.amount("workload.cyclictest.distance")?.value;
        let policies = Policies::resolve(resolver, threads)?;
        let pins = pins(resolver, cpus)?;
        let phase = phase(resolver)?;
        let window = resolver.amount("workload.cyclictest.phase_window")?;
        let body = resolver.time("workload.cyclictest.body")?;
        let auto_body = window.value + BODY_BEYOND_WINDOW_NS;
        let this = Self {
            threads,
            interval_ns: interval.value,
            distance_ns,
            policies,
            pins,
            phase,
            phase_window_ns: window.value,
            body_ns: body.value.unwrap_or(auto_body),
            extra_ns: window.value,
            until: Until {
                loops: resolver.amount("workload.cyclictest.loops")?.value,
                break_us: resolver.amount("workload.cyclictest.breaktrace")?.value,
            },
        };
        // What it does to idle CPUs is settled with the machine.
        resolver.amount(LATENCY)?;
        this.check_body()?;
        this.remark(resolver, body.value.is_some(), cpus);
        Ok(this)
    }

    pub(crate) fn longest_body_ns(&self) -> u64 {
        self.body_ns + self.extra_ns
    }

    /// How long a thread may be held up after its own sample before the next one shows it: interval
    /// less the longest body.
    pub(crate) fn slack_ns(&self) -> u64 {
        self.interval_ns - self.longest_body_ns()
    }

    fn check_body(&self) -> Result<(), Fault> {
        let longest = self.longest_body_ns();
        if longest < self.interval_ns {
            return Ok(());
        }
        let message = format!(
            "a round takes up to {} (body {}, extra below {}), which does not fit into the \
                interval of {}",
            time_words(longest),
            time_words(self.body_ns),
            time_words(self.extra_ns),
            time_words(self.interval_ns)
        );
        let fault = Fault::new(None, "workload.cyclictest.body", message)
            .expected("body + phase_window below the interval");
        Err(fault
            .decided_with(["workload.cyclictest.phase_window", "workload.cyclictest.interval"]))
    }

    fn remark(&self, resolver: &mut Resolver<'_>, body_stated: bool, cpus: u32) {
        if body_stated && self.body_ns < self.phase_window_ns + BODY_BEYOND_WINDOW_NS {
            resolver.notes.push(format!(
                "workload.cyclictest.body {} is shorter than phase_window + {} ({}): there may be \
                    no instant at which every CPU runs its measuring thread",
                time_words(self.body_ns),
                time_words(BODY_BEYOND_WINDOW_NS),
                time_words(self.phase_window_ns + BODY_BEYOND_WINDOW_NS)
            ));
        }
        if self.phase != Phase::Aligned {
            resolver.inert(
                "workload.cyclictest.phase_window",
                "only aligned phases use it; here it sets the extra time of each body, and body \
                    auto",
            );
        }
        if self.pins.len() == cpus as usize && self.threads > cpus {
            resolver.notes.push(format!(
                "{} cyclictest threads share {cpus} CPUs: thread n is pinned to CPU n mod {cpus}",
                self.threads
            ));
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
                let draw =
                    |bound| below(seed, Purpose::CyclictestPhase, u64::from(thread), 0, bound);
                created += CREATION_NS.0 + draw(CREATION_NS.1 - CREATION_NS.0 + 1);
                let phase = match self.phase {
                    Phase::Natural => created % interval_ns,
                    Phase::Aligned => draw(self.phase_window_ns),
                    Phase::Uniform => draw(interval_ns),
                    Phase::Barrier(offset_ns) => u64::from(thread) * offset_ns,
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
            policy: self.policies.of(thread),
            cpus: self
                .pins
                .get(thread as usize % self.pins.len().max(1))
                .map_or(CpuMask::first(cpus), |cpu| CpuMask::one(CpuId::new(*cpu))),
            start_ns: 0,
            measured: true,
            group: 0,
            slice_ns: None,
            forked: false,
            program: Program::Cyclictest {
                first_due_ns,
                interval_ns,
                body_ns: self.body_ns,
                extra_ns: self.extra_ns,
                until: self.until,
            },
        }
    }
}

const LATENCY: &str = "workload.cyclictest.latency";

/// What cyclictest writes to /dev/cpu_dma_latency, ns: no idle state whose exit takes longer may be
/// entered. `None` without a cyclictest.
pub(crate) fn pm_qos_ns(resolver: &Resolver<'_>) -> Result<Option<u64>, Fault> {
    if find(resolver.root, "workload.cyclictest").is_none() {
        return Ok(None);
    }
    let us = resolver
        .stated(LATENCY)?
        .map_or(0, |stated| if let Setting::Integer(us) = stated.setting { us } else { 0 });
    Ok(Some(us * 1_000))
}

/// `-a`: CPUs to pin to in turn; none if threads may run anywhere.
fn pins(resolver: &mut Resolver<'_>, cpus: u32) -> Result<Vec<u32>, Fault> {
    const AFFINITY: &str = "workload.cyclictest.affinity";
    let pinned = resolver.flag("workload.cyclictest.pinned")?;
    let list = resolver.word(AFFINITY)?;
    if list.value == "auto" {
        return Ok((0..if pinned { cpus } else { 0 }).collect());
    }
    resolver.inert("workload.cyclictest.pinned", "affinity says where the threads run");
    match parse_cpu_list(&list.value).filter(|mask| mask.last() < Some(CpuId::new(cpus))) {
        Some(mask) => {
            resolver.listed(AFFINITY, &mask);
            Ok(mask.iter().map(CpuId::raw).collect())
        }
        None => {
            let message =
                format!("\"{}\" is not a list of CPUs of this machine", shorten(&list.value));
            Err(Fault::new(list.at, AFFINITY, message)
                .expected(format!("\"auto\", or CPUs from 0 to {} such as \"0-3,8\"", cpus - 1))
                .decided_with(["machine.cpus"]))
        }
    }
}

/// How the timers lie: `-A` says it, else `phase`.
fn phase(resolver: &mut Resolver<'_>) -> Result<Phase, Fault> {
    const PHASE: &str = "workload.cyclictest.phase";
    let word = resolver.word(PHASE)?.value;
    if let Some(offset_ns) = resolver.time("workload.cyclictest.aligned")?.value {
        resolver.inert(PHASE, "aligned (-A) sets the timers' offsets");
        return Ok(Phase::Barrier(offset_ns));
    }
    Ok(match word.as_str() {
        "aligned" => Phase::Aligned,
        "uniform" => Phase::Uniform,
        _ => Phase::Natural,
    })
}

impl TickGrid {
    /// `due`, moved a little if it or a later expiry of a timer with this interval would fall on a
    /// tick and moving helps.
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
            policies: Policies { priority: 95, ..Policies::default() },
            pins: (0..40).collect(),
            phase: Phase::Aligned,
            phase_window_ns: window,
            body_ns: window + 4_000,
            extra_ns: window,
            until: Until::default(),
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
