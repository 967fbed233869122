//! Switches of a running kernel, written at random instants.

use schedscope_engine::ids::{CpuId, GroupId, TaskId};
use schedscope_engine::kernel::config::{Preempt, TtwuQueue};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::named::Named;
use schedscope_engine::run::{Progress, Run};
use schedscope_engine::setup::{Policy, Program, Quota, Setup, TaskSpec};

use super::random::Dice;
use super::{US, bandwidths};

/// One write: its time, ns after the start, and its subject.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    pub at_ns: u64,
    pub what: Switch,
}

/// A write to a running kernel.
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
    /// Where a task may run.
    Cpus(u32, CpuMask),
    /// A task's policy and priority.
    Policy(u32, Policy),
    /// A signal that ends a task's sleep.
    Wake(u32),
    /// cpu.weight of a group.
    Weight(u32, u32),
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
                1 => Switch::TtwuQueue(if dice.chance(50) {
                    TtwuQueue::Off
                } else {
                    setup.kernel.ttwu_queue
                }),
                2 => Switch::Preempt(dice.pick(Preempt::ALL)),
                0 | 3 => Switch::RtPushIpi(dice.chance(50)),
                _ => {
                    let group = dice.between(1, setup.groups.len() as u64 - 1) as u32;
                    Switch::CpuMax(
                        group,
                        bandwidths::quota(dice, setup.kernel.bandwidth.has_burst()),
                    )
                }
            };
            Write { at_ns: dice.below(setup.duration_ns), what }
        })
        .filter(|write| write.fits(setup))
        .collect();
    if setup.groups.iter().any(|group| group.bandwidth.is_some()) && dice.chance(25) {
        writes.push(Write {
            at_ns: dice.below(setup.duration_ns),
            what: Switch::Slice(dice.between(US, 6_000 * US)),
        });
    }
    if throttles && dice.chance(50) {
        let many = dice.between(1, 12);
        writes.extend((0..many).filter_map(|_| {
            Some(Write { at_ns: dice.below(setup.duration_ns), what: to_task(dice, setup)? })
        }));
    }
    writes.sort_by_key(|write| write.at_ns);
    writes
}

/// A write to some task or group.
fn to_task(dice: &mut Dice, setup: &Setup) -> Option<Switch> {
    let task = dice.below(setup.tasks.len().max(1) as u64) as u32;
    let spec = setup.tasks.get(task as usize)?;
    let group = dice.below(setup.groups.len() as u64) as u32;
    Some(match dice.below(8) {
        0 if group > 0 => Switch::Weight(group, dice.pick(&[1, 20, 100, 300, 10_000])),
        0 | 1 => Switch::Wake(task),
        2..5 => {
            let domain =
                setup.machine.domains.iter().find(|domain| domain.and(&spec.cpus) == spec.cpus);
            let cpus: Vec<CpuId> = setup
                .machine
                .topology
                .cpu_ids()
                .filter(|cpu| domain.is_none_or(|domain| domain.has(*cpu)))
                .collect();
            let one = CpuMask::one(dice.pick(&cpus));
            let mut some: CpuMask = cpus.iter().copied().filter(|_| dice.chance(50)).collect();
            some = if some.is_empty() || dice.chance(40) { one } else { some };
            // The CPU that a cyclictest thread is bound to decides its phase, so the thread stays
            // there.
            if bound(spec) { Switch::Wake(task) } else { Switch::Cpus(task, some) }
        }
        _ => Switch::Policy(task, policy(dice)),
    })
}

/// Threads of a CPU's own.
fn bound(spec: &TaskSpec) -> bool {
    matches!(spec.program, Program::Ksoftirqd | Program::Migration)
}

fn policy(dice: &mut Dice) -> Policy {
    let rt_priority = dice.between(1, 98) as u8;
    match dice.below(5) {
        0 => Policy::Idle,
        1 | 2 => Policy::Fair { nice: dice.below(40) as i8 - 20 },
        3 => Policy::RoundRobin { rt_priority },
        _ => Policy::Fifo { rt_priority },
    }
}

/// The setup that a run with these writes is made of: tasks that are written to may need stoppers.
pub fn ready(setup: &Setup, writes: &[Write]) -> Setup {
    let to_tasks = writes
        .iter()
        .any(|write| matches!(write.what, Switch::Cpus(..) | Switch::Policy(..) | Switch::Wake(_)));
    if to_tasks { setup.clone().with_all_stoppers() } else { setup.clone() }
}

impl Write {
    /// Whether the kernel of `setup` takes it, by its kind.
    pub fn fits(&self, setup: &Setup) -> bool {
        let kernel = &setup.kernel;
        match self.what {
            Switch::RtBandwidth(..) | Switch::CpuMax(..) | Switch::Slice(_) => true,
            Switch::Cpus(..) | Switch::Policy(..) | Switch::Wake(_) | Switch::Weight(..) => true,
            // Where everything is free, two stoppers that hand a task to and fro never let time
            // pass.
            Switch::RtPushIpi(_) => {
                kernel.rt_balance.has_push_ipi_bit()
                    && !(setup.machine.costs_name == CostsName::Zero && kernel.push_running)
            }
            Switch::TtwuQueue(_) => kernel.ttwu_queue != TtwuQueue::Off,
            // A lazy flag without a tick may wait for ever.
            Switch::Preempt(model) => {
                kernel.preempt.is_dynamic()
                    && model.is_dynamic()
                    && (!model.has_lazy() || kernel.nohz_full.is_empty())
            }
        }
    }

    /// This write for a smaller setup, in which tasks have other numbers or are gone and only
    /// `cpus` are left; `None` if its task is gone.
    pub fn left(self, index_of: impl Fn(u32) -> Option<u32>, cpus: &CpuMask) -> Option<Self> {
        let what = match self.what {
            Switch::Cpus(task, allowed) => {
                let allowed = allowed.and(cpus);
                Switch::Cpus(index_of(task)?, if allowed.is_empty() { *cpus } else { allowed })
            }
            Switch::Policy(task, policy) => Switch::Policy(index_of(task)?, policy),
            Switch::Wake(task) => Switch::Wake(index_of(task)?),
            other => other,
        };
        Some(Self { what, ..self })
    }

    /// Whether the run took it.
    pub fn write(&self, run: &mut Run) -> bool {
        match self.what {
            Switch::RtBandwidth(runtime, period) => run.set_rt_bandwidth(runtime, period),
            Switch::RtPushIpi(on) => run.set_rt_push_ipi(on),
            Switch::TtwuQueue(rule) => run.set_ttwu_queue(rule),
            Switch::Preempt(model) => run.set_preempt(model),
            Switch::CpuMax(group, quota) => run.set_cpu_max(GroupId::new(group), quota),
            Switch::Slice(ns) => run.set_bandwidth_slice(ns),
            Switch::Weight(group, weight) => run.set_cpu_weight(GroupId::new(group), weight),
            // Refused of a task that has ended, or does not sleep.
            Switch::Cpus(task, cpus) => [true, run.set_affinity(TaskId::new(task), cpus)][0],
            Switch::Policy(task, policy) => [true, run.set_scheduler(TaskId::new(task), policy)][0],
            Switch::Wake(task) => [true, run.wake(TaskId::new(task))][0],
        }
    }
}

/// Limit of the run's own, in records: it stops programs that take steps without end and write
/// nothing.
pub const STEPS_BOUND: u64 = 20_000_000;
/// Records within [`CRAWL_NS`] from which on a run is stuck. Most of the busiest machines write
/// less than 50 000; 874 CPUs on which nothing costs time (seed 5000416) wrote more than 500 000,
/// and came to their end.
const CRAWL_RECORDS: u64 = 3_000_000;
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

    /// Advances until `records` records are written in all, in the middle of an instant if need be;
    /// returns the progress.
    pub fn advance(&mut self, run: &mut Run, records: u64) -> Progress {
        while run.records() < records {
            let until = self.writes.peek().map_or(u64::MAX, |write| write.at_ns);
            match run.advance(until, records - run.records()) {
                Progress::Running if run.records() >= records => return Progress::Running,
                Progress::Running => {
                    let write =
                        self.writes.next().expect("only a write ends an advance before the end");
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

/// The setup a run with these writes is judged by: a bit that is off at times is off, a slice is
/// the largest it was, and a quota that is written is none.
pub fn judged(setup: &Setup, writes: &[Write]) -> Setup {
    let mut setup = ready(setup, writes);
    let ever_off = writes.iter().any(|write| matches!(write.what, Switch::RtPushIpi(false)));
    setup.kernel.rt_push_ipi &= !ever_off;
    for write in writes {
        match write.what {
            Switch::Slice(ns) => {
                setup.kernel.bandwidth_slice_ns = setup.kernel.bandwidth_slice_ns.max(ns)
            }
            Switch::Cpus(task, cpus) => {
                cpus.iter().for_each(|cpu| setup.tasks[task as usize].cpus.set(cpu))
            }
            Switch::CpuMax(group, _) => setup.groups[group as usize].bandwidth = None,
            _ => {}
        }
    }
    setup
}
