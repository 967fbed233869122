//! Switches of a running kernel, written at random instants.

use schedscope_engine::kernel::config::{Preempt, TtwuQueue};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::named::Named;
use schedscope_engine::run::{Progress, Run};
use schedscope_engine::setup::{Quota, Setup};

use super::random::Dice;
use super::{US, bandwidths};

/// One write: when, ns after the start, and what.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    pub at_ns: u64,
    pub what: Switch,
}

/// What can be written to a running kernel.
#[derive(Clone, Copy, Debug)]
pub enum Switch {
    /// sched_rt_runtime_us (`None` is -1) and sched_rt_period_us, in ns.
    RtBandwidth(Option<u64>, u64),
    /// The RT_PUSH_IPI bit.
    RtPushIpi(bool),
    /// The TTWU_QUEUE bit.
    TtwuQueue(TtwuQueue),
    /// The mode of a PREEMPT_DYNAMIC kernel.
    Preempt(Preempt),
    /// cpu.max and cpu.max.burst of a group.
    CpuMax(u32, Quota),
    /// sched_cfs_bandwidth_slice, ns.
    Slice(u64),
}

/// Up to four writes, in order of time; none that the kernel at hand would refuse by its kind.
pub fn writes(dice: &mut Dice, setup: &Setup, throttles: bool) -> Vec<Write> {
    let mut writes: Vec<Write> = (0..dice.below(5))
        .map(|_| {
            let limited = setup.groups.iter().any(|group| group.bandwidth.is_some());
            let what = match dice.below(if limited { 6 } else { 4 }) {
                0 if throttles => {
                    let period = dice.between(50 * US, 2_000 * US);
                    Switch::RtBandwidth(dice.chance(70).then(|| dice.below(period + 1)), period)
                }
                1 => Switch::TtwuQueue(if dice.chance(50) { TtwuQueue::Off } else { setup.kernel.ttwu_queue }),
                2 => Switch::Preempt(dice.pick(Preempt::ALL)),
                0 | 3 => Switch::RtPushIpi(dice.chance(50)),
                _ => {
                    let group = dice.between(1, setup.groups.len() as u64 - 1) as u32;
                    Switch::CpuMax(group, bandwidths::quota(dice, setup.kernel.bandwidth.has_burst()))
                }
            };
            Write { at_ns: dice.below(setup.duration_ns), what }
        })
        .filter(|write| write.fits(setup))
        .collect();
    if setup.groups.iter().any(|group| group.bandwidth.is_some()) && dice.chance(25) {
        writes.push(Write { at_ns: dice.below(setup.duration_ns), what: Switch::Slice(dice.between(US, 6_000 * US)) });
    }
    writes.sort_by_key(|write| write.at_ns);
    writes
}

impl Write {
    /// Whether the kernel of `setup` takes it, by its kind.
    pub fn fits(&self, setup: &Setup) -> bool {
        let kernel = &setup.kernel;
        match self.what {
            Switch::RtBandwidth(..) | Switch::CpuMax(..) | Switch::Slice(_) => true,
            // Where everything is free, two stoppers that hand a task to and fro never let time pass.
            Switch::RtPushIpi(_) => {
                kernel.rt_balance.has_push_ipi_bit() && !(setup.machine.costs_name == CostsName::Zero && kernel.push_running)
            }
            Switch::TtwuQueue(_) => kernel.ttwu_queue != TtwuQueue::Off,
            // A lazy flag without a tick may wait for ever.
            Switch::Preempt(model) => {
                kernel.preempt.is_dynamic() && model.is_dynamic() && (!model.has_lazy() || kernel.nohz_full.is_empty())
            }
        }
    }

    /// Whether the run took it.
    fn write(&self, run: &mut Run) -> bool {
        match self.what {
            Switch::RtBandwidth(runtime, period) => run.set_rt_bandwidth(runtime, period),
            Switch::RtPushIpi(on) => run.set_rt_push_ipi(on),
            Switch::TtwuQueue(rule) => run.set_ttwu_queue(rule),
            Switch::Preempt(model) => run.set_preempt(model),
            Switch::CpuMax(group, quota) => run.set_cpu_max(group, quota),
            Switch::Slice(ns) => run.set_bandwidth_slice(ns),
        }
    }
}

/// Limit of the run's own, in records: it stops what takes steps without end and writes nothing.
pub const STEPS_BOUND: u64 = 20_000_000;
/// Records within [`CRAWL_NS`] from which on a run is stuck: the busiest machines write a tenth of it.
const CRAWL_RECORDS: u64 = 500_000;
/// See [`CRAWL_RECORDS`].
const CRAWL_NS: u64 = 100 * US;

/// A run on its way to its end, with the writes it is given there.
#[derive(Clone)]
pub struct Play<'w> {
    writes: std::iter::Peekable<std::slice::Iter<'w, Write>>,
}

impl<'w> Play<'w> {
    pub fn new(writes: &'w [Write]) -> Self {
        Self { writes: writes.iter().peekable() }
    }

    /// Until so many records are written in all, in the middle of an instant if need be; how far it came.
    pub fn advance(&mut self, run: &mut Run, records: u64) -> Progress {
        while run.records() < records {
            let until = self.writes.peek().map_or(u64::MAX, |write| write.at_ns);
            match run.advance(until, records - run.records()) {
                Progress::Running if run.records() >= records => return Progress::Running,
                Progress::Running => {
                    let write = self.writes.next().expect("only a write ends an advance before the end");
                    assert!(write.write(run), "{write:?} is refused");
                }
                ended => return ended,
            }
        }
        Progress::Running
    }

    /// To the end; a run whose time hardly moves is at its limit.
    pub fn finish(&mut self, run: &mut Run) -> Progress {
        loop {
            let (now, records) = (run.now(), run.records());
            match self.advance(run, records + CRAWL_RECORDS) {
                Progress::Running if run.now() >= now + CRAWL_NS => {}
                Progress::Running => return Progress::Limit,
                ended => return ended,
            }
        }
    }
}

/// The setup a run with these writes is judged by: a bit that is off at times is off, a slice is the largest it was, and a quota that is
/// written is none.
pub fn judged(setup: &Setup, writes: &[Write]) -> Setup {
    let mut setup = setup.clone();
    let ever_off = writes.iter().any(|write| matches!(write.what, Switch::RtPushIpi(false)));
    setup.kernel.rt_push_ipi &= !ever_off;
    for write in writes {
        match write.what {
            Switch::Slice(ns) => setup.kernel.bandwidth_slice_ns = setup.kernel.bandwidth_slice_ns.max(ns),
            Switch::CpuMax(group, _) => setup.groups[group as usize].bandwidth = None,
            _ => {}
        }
    }
    setup
}
