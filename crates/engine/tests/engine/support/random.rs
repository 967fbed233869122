//! Random machines, kernels and workloads from one number; a case can be narrowed without changing
//! its remaining parts.

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{DoubleLock, Kernel, Preempt, RtBalance, Version};
use schedscope_engine::machine::costs::{Costs, CostsName};
use schedscope_engine::machine::topology::{CpuMask, Topology};
use schedscope_engine::named::Named;
use schedscope_engine::setup::{
    Amount, GroupSpec, IdleKind, Machine, NoiseTrigger, NoiseWhen, Op, Phase, Policy, Program,
    Rounds, Setup, TaskSpec, TimerSpec, Until,
};

use super::bandwidths;
use super::build::{pause, work};
use super::distributions;
use super::hw_noise;
use super::interrupts;
use super::kernel_wakes;
use super::live::{self, Write};
use super::programs::shared;
use super::rare;
use super::rows;
use super::shape;
use super::softirqs;
use super::{MS, US};

/// A stream of random numbers (splitmix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
    /// Uniform in `0..bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound.max(1)
    }
    /// Uniform in `from..=to`.
    pub fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.below(to - from + 1)
    }
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
    /// Passes over draws that the table of kernels makes now, so that later draws keep their
    /// values: seeds that found a fault still mean their machine.
    fn pass(&mut self, draws: u32) {
        (0..draws).for_each(|_| _ = self.bits());
    }
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

/// A setup, and the known properties of its end.
#[derive(Clone, Debug)]
pub struct Case {
    pub setup: Setup,
    /// All affinities are full, priorities are distinct and every program ends in a hog or in
    /// nothing.
    pub comes_to_rest: bool,
    /// Switches written while it runs, in order of time.
    pub writes: Vec<Write>,
}

pub fn case(seed: u64) -> Case {
    let dice = &mut Dice::new(seed);
    let long = dice.chance(4);
    let cpus = match dice.below(100) {
        _ if long => dice.between(1, 3),
        0..60 => dice.between(1, 6),
        60..94 => dice.between(7, 24),
        _ => dice.between(25, 80),
    } as u32;
    let comes_to_rest = !long && dice.chance(40);
    let costs_name = dice.pick(CostsName::ALL);
    let idle = dice.pick(IdleKind::ALL);
    let machine = Machine {
        topology: Topology::new(cpus, dice.between(1, u64::from(cpus)) as u32),
        costs_name,
        costs: Costs::preset(costs_name),
        idle,
        polls_from_boot: idle == IdleKind::Poll && dice.between(0, 1) == 1,
        domains: Vec::new(),
    };
    let mut kernel = kernel(dice, seed, cpus);
    if comes_to_rest {
        // docs/model/rt-balancing.md#highest-priority-tasks-run holds where nothing is throttled.
        kernel.rt_runtime_ns = None;
    }
    let (mut tasks, noise) = match (long, comes_to_rest) {
        (true, _) => (sharing(dice, cpus), None),
        (_, true) => (resting(dice, cpus), None),
        _ => mixed(dice, cpus),
    };
    let duration_ns = duration_ns(dice, &kernel, long, comes_to_rest);
    let mut timers: Vec<TimerSpec> =
        (0..2 * tasks.len()).map(|index| TimerSpec { name: format!("timer{index}") }).collect();
    let mut objects = Vec::new();
    let dice = &mut Dice::new(seed ^ 0xbead);
    if !long && !comes_to_rest && dice.chance(60) {
        let shared = shared(dice, cpus, tasks.len() as u32, timers.len() as u32);
        tasks.extend(shared.tasks);
        objects = shared.objects;
        timers.extend(shared.timers);
    }
    let mut setup = Setup {
        seed,
        duration_ns,
        machine,
        kernel,
        tasks,
        objects,
        timers,
        quantiles: Vec::new(),
        noise,
        softirq: None,
        hw_noise: [None; 2],
        device_irq: None,
        rcu: None,
        groups: vec![GroupSpec::root()],
    };
    let writes = vary(seed, &mut setup, comes_to_rest);
    let mut case = Case { setup, comes_to_rest, writes };
    vary_more(seed, &mut case);
    case
}

/// Adds what came later still, likewise.
fn vary_more(seed: u64, case: &mut Case) {
    rare::vary(&mut Dice::new(seed.rotate_left(29)), case);
    let dice = &mut Dice::new(seed.rotate_left(30));
    if !case.comes_to_rest && dice.chance(20) {
        hw_noise::load(dice, &mut case.setup);
    }
    let dice = &mut Dice::new(seed.rotate_left(31));
    if !case.comes_to_rest && dice.chance(20) {
        interrupts::load(dice, &mut case.setup);
    }
    let dice = &mut Dice::new(seed.rotate_left(32));
    if dice.chance(10) {
        kernel_wakes::load(dice, &mut case.setup);
    }
    let dice = &mut Dice::new(seed.rotate_left(33));
    if !case.comes_to_rest && dice.chance(5) {
        distributions::load(dice, &mut case.setup);
    }
}

/// Adds later kinds of variation, each with dice of its own, so that earlier ones keep their draws.
/// Returns the switches that are written while the case runs.
fn vary(seed: u64, setup: &mut Setup, comes_to_rest: bool) -> Vec<Write> {
    let cpus = setup.machine.topology.cpus();
    let dice = &mut Dice::new(!seed);
    dice.pass(1);
    setup.kernel.bugs_2007 = dice.chance(20);
    dice.pass(1);
    // Where everything is free, a task that two stoppers hand to and fro would never get anywhere.
    let endless = setup.kernel.rt_push_ipi && setup.machine.costs_name == CostsName::Zero;
    setup.kernel.push_running &= !endless;
    fair_class(&mut Dice::new(seed.rotate_left(17)), setup);
    shape::idle_policies(&mut Dice::new(seed.rotate_left(25)), setup);
    nohz_full(&mut Dice::new(seed.rotate_left(19)), cpus, &mut setup.kernel);
    bandwidths::draw(&mut Dice::new(seed.rotate_left(23)), setup, comes_to_rest);
    // Programs that change their affinity know nothing of partitions.
    if setup.machine.topology.cpus() > 1 && setup.objects.is_empty() && dice.chance(30) {
        shape::partition(dice, setup);
    }
    let dice = &mut Dice::new(seed.rotate_left(24));
    if !comes_to_rest {
        shape::cores(dice, setup);
    }
    let dice = &mut Dice::new(seed.rotate_left(21));
    if !comes_to_rest && dice.chance(20) {
        softirqs::load(dice, setup);
    }
    let dice = &mut Dice::new(seed.rotate_left(22));
    if dice.chance(40) { live::writes(dice, setup, !comes_to_rest) } else { Vec::new() }
}

/// How long such a case takes.
fn duration_ns(dice: &mut Dice, kernel: &Kernel, long: bool, comes_to_rest: bool) -> u64 {
    match (long, comes_to_rest) {
        // The fourth failure that wakes 2.6.24's migration thread takes 256 ms and more.
        (true, _) => {
            if kernel.rt_balance == RtBalance::Passive2624 {
                700 * MS
            } else {
                250 * MS
            }
        }
        // A lazy flag may wait for a tick.
        (_, true) if kernel.preempt.has_lazy() => 4 * MS + 3 * kernel.tick_ns(),
        (_, true) => 4 * MS,
        _ => dice.between(200 * US, 1500 * US),
    }
}

/// Every row of the table of kernels, and the settings that no version brings.
fn kernel(dice: &mut Dice, seed: u64, cpus: u32) -> Kernel {
    let mut kernel = Kernel::of_version(dice.pick(Version::LADDER), cpus);
    kernel.hz = dice.pick(&[100, 250, 300, 1000]);
    kernel.tick_skew = dice.chance(50);
    kernel.tick_phase_ns = dice.below(3 * kernel.tick_ns());
    rows::draw(seed, &mut kernel);
    dice.pass(1);
    kernel.double_lock = dice.pick(DoubleLock::ALL);
    dice.pass(1);
    kernel.rt_push_ipi = kernel.rt_balance.has_push_ipi_bit() && dice.chance(70);
    dice.pass(6);
    kernel.preempt = dice.pick(Preempt::ALL);
    dice.pass(1);
    if dice.chance(50) {
        // Periods short enough to throttle within the run.
        kernel.rt_period_ns = dice.between(50 * US, 2 * MS);
        kernel.rt_runtime_ns = Some(dice.below(kernel.rt_period_ns + 1));
    }
    kernel
}

/// Slices of their own for some tasks, and up to four groups in a tree.
fn fair_class(dice: &mut Dice, setup: &mut Setup) {
    dice.pass(3);
    for index in 1..=dice.below(5) as u32 {
        let parent = dice.below(u64::from(index)) as u32;
        let weight = dice.pick(&[2, 10, 100, 1024, 1 << 18]);
        setup.groups.push(GroupSpec { path: format!("g{index}"), parent, weight, bandwidth: None });
    }
    for task in &mut setup.tasks {
        task.group = dice.below(setup.groups.len() as u64) as u32;
        task.slice_ns = dice.chance(20).then(|| dice.between(100 * US, 100 * MS));
    }
}

fn nohz_full(dice: &mut Dice, cpus: u32, kernel: &mut Kernel) {
    dice.pass(2);
    // A lazy flag on a CPU without a tick waits for the next interrupt, however long
    // (docs/develop/decisions/0014-nohz.md).
    if dice.chance(30) && !kernel.preempt.has_lazy() {
        kernel.nohz_full = (0..cpus - 1).filter(|_| dice.chance(50)).map(CpuId::new).collect();
    }
}

pub fn affinity(dice: &mut Dice, cpus: u32) -> CpuMask {
    match dice.below(100) {
        0..50 => CpuMask::first(cpus),
        50..75 => CpuMask::one(CpuId::new(dice.below(u64::from(cpus)) as u32)),
        _ => {
            let mut mask: CpuMask =
                CpuMask::first(cpus).iter().filter(|_| dice.chance(40)).collect();
            mask.set(CpuId::new(dice.below(u64::from(cpus)) as u32));
            mask
        }
    }
}

pub fn policy(dice: &mut Dice) -> Policy {
    let rt_priority =
        if dice.chance(50) { dice.between(40, 44) } else { dice.between(1, 99) } as u8;
    match dice.below(100) {
        0..55 => Policy::Fifo { rt_priority },
        55..75 => Policy::RoundRobin { rt_priority },
        _ => Policy::Fair { nice: dice.between(0, 39) as i8 - 20 },
    }
}

/// Steps of a program. Works of a few nanoseconds are among them; a program of nothing else takes a
/// step each nanosecond, and a million looks at every law show no more than a thousand, so one step
/// is always longer.
fn ops(dice: &mut Dice, task: usize) -> Vec<Op> {
    let mut ops = drawn_ops(dice, task);
    let tiny = |op: &Op| matches!(op, Op::Run { ns: Amount::Fixed(ns) } if *ns < US);
    if ops.iter().all(tiny) {
        ops.push(work(5 * US));
    }
    ops
}

fn drawn_ops(dice: &mut Dice, task: usize) -> Vec<Op> {
    let count = dice.between(1, 4);
    (0..count)
        .map(|_| match dice.below(3) {
            0 => work(if dice.chance(10) { dice.below(3) } else { dice.below(60 * US) }),
            1 => pause(dice.below(120 * US)),
            _ => Op::Timer {
                timer: 2 * task as u32 + dice.below(2) as u32,
                period_ns: dice.between(20 * US, 150 * US),
                absolute: dice.chance(50),
            },
        })
        .collect()
}

pub fn spec(
    name: &str,
    index: usize,
    policy: Policy,
    cpus: CpuMask,
    start_ns: u64,
    program: Program,
) -> TaskSpec {
    TaskSpec {
        kind: name.to_owned(),
        name: format!("{name}.{index}"),
        policy,
        cpus,
        start_ns,
        measured: true,
        group: 0,
        slice_ns: None,
        forked: false,
        program,
    }
}

/// cyclictest, rt-app programs and noise, in any mixture.
pub fn mixed(dice: &mut Dice, cpus: u32) -> (Vec<TaskSpec>, Option<NoiseTrigger>) {
    let mut tasks = Vec::new();
    let measured = dice.chance(60);
    if measured {
        let (first, interval) = (dice.between(1, 100 * US), dice.between(20 * US, 150 * US));
        let (body, extra) = (dice.below(15 * US), dice.below(5 * US));
        let window = dice.pick(&[1, 3 * US, 20 * US]);
        // Taken from earlier draws, so that the rest of a case keeps its draws.
        let until = Until {
            loops: [0, 0, 0, 5][(body % 4) as usize],
            break_us: [0, 0, 20][(extra % 3) as usize],
        };
        let policy = if dice.chance(90) { Policy::Fifo { rt_priority: 95 } } else { policy(dice) };
        for cpu in 0..cpus {
            let mask =
                if dice.chance(95) { CpuMask::one(CpuId::new(cpu)) } else { affinity(dice, cpus) };
            let first_due_ns = first + dice.below(window);
            let program = Program::Cyclictest {
                first_due_ns,
                interval_ns: interval,
                body_ns: body,
                extra_ns: extra,
                until,
            };
            tasks.push(spec("cyclictest", cpu as usize, policy, mask, 0, program));
        }
    }
    for index in 0..dice.below(2 * u64::from(cpus.min(12)) + 2) as usize {
        let phases = (0..dice.between(1, 2))
            .map(|_| Phase {
                rounds: if dice.chance(40) {
                    Rounds::Endless
                } else {
                    Rounds::Times(dice.between(1, 5) as u32)
                },
                ops: ops(dice, index),
            })
            .collect();
        let program = Program::Ops {
            loops: if dice.chance(50) { None } else { Some(dice.between(1, 3) as u32) },
            phases,
        };
        let (policy, mask, start) = (policy(dice), affinity(dice, cpus), dice.below(300 * US));
        tasks.push(spec("app", index, policy, mask, start, program));
    }
    let noise = dice.chance(60).then(|| {
        let (first_task, count) = (tasks.len() as u32, dice.between(1, 3) as u32);
        for index in 0..count as usize {
            let (policy, mask, run_ns) = (policy(dice), affinity(dice, cpus), dice.below(40 * US));
            tasks.push(spec("rt_noise", index, policy, mask, 0, Program::RtNoise { run_ns }));
        }
        let when = if measured && dice.chance(70) {
            NoiseWhen::AllCpusInCyclictest
        } else {
            NoiseWhen::Random
        };
        NoiseTrigger { first_task, tasks: count, when, min_gap_ns: dice.between(1, 100 * US) }
    });
    (tasks, noise)
}

/// Long work of a few priorities on few CPUs: slices, round robin, preemption at the tick.
pub fn sharing(dice: &mut Dice, cpus: u32) -> Vec<TaskSpec> {
    (0..dice.between(2, 6) as usize)
        .map(|index| {
            let run = work(dice.between(MS, 400 * MS));
            let sleep = pause(dice.between(10 * US, 10 * MS));
            let program = Program::Ops {
                loops: None,
                phases: vec![Phase { rounds: Rounds::Endless, ops: vec![run, sleep] }],
            };
            let policy = match dice.below(3) {
                0 => Policy::RoundRobin { rt_priority: dice.between(1, 2) as u8 },
                1 => Policy::Fifo { rt_priority: dice.between(1, 3) as u8 },
                _ => Policy::Fair { nice: dice.between(0, 39) as i8 - 20 },
            };
            let (mask, start) = (affinity(dice, cpus), dice.below(MS));
            spec("app", index, policy, mask, start, program)
        })
        .collect()
}

/// FIFO tasks of distinct priorities that may run anywhere: some activity, then for ever busy, or
/// the end.
fn resting(dice: &mut Dice, cpus: u32) -> Vec<TaskSpec> {
    let mut priorities: Vec<u8> = (1..=99).collect();
    (0..dice.between(1, (2 * u64::from(cpus) + 3).min(90)) as usize)
        .map(|index| {
            let rt_priority = priorities.swap_remove(dice.below(priorities.len() as u64) as usize);
            let mut phases = vec![Phase {
                rounds: Rounds::Times(dice.between(1, 4) as u32),
                ops: ops(dice, index),
            }];
            let busy = dice.chance(60);
            if busy {
                phases.push(Phase { rounds: Rounds::Times(1), ops: vec![work(3_600_000 * MS)] });
            }
            let program = Program::Ops { loops: Some(1), phases };
            let start = dice.below(200 * US);
            spec(
                if busy { "busy" } else { "ends" },
                index,
                Policy::Fifo { rt_priority },
                CpuMask::first(cpus),
                start,
                program,
            )
        })
        .collect()
}
